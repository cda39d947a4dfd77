#include "command/config/settings.hpp"

#include "runtime/find/configuration.hpp"

#include <gtest/gtest.h>

namespace anympi::command {
namespace {

// What the command makes of a text: `mpi`, then `search`; or the error.
std::string as_the_command_reads(const std::string& text) {
    settings all;
    try {
        all.add_text(text, "file");
    } catch (const settings_error& error) {
        return std::string("error: ") + error.what();
    }
    std::string result = all.text("mpi") + "|";
    for (const std::string& folder : all.list("search"))
        result += (result.ends_with('|') ? "" : ":") + folder;
    return result;
}

// What the front makes of it.
std::string as_the_front_reads(const std::string& text) {
    runtime::configuration seen;
    const runtime::syntax_error error = runtime::parse_configuration(text, seen);
    if (error.line != 0)
        return "error: file:" + std::to_string(error.line) + ": " + error.reason;
    return std::string(seen.mpi.text) + "|" + seen.search.text;
}

// Both read it, and read the same.
TEST(agreement_with_the_front, on_good_texts) {
    for (const auto& [text, meaning] : std::initializer_list<std::pair<const char*, const char*>>{
             {"", "|"},
             {"# nothing\n\n", "|"},
             {"mpi = \"mpich\"", "mpich|"},
             {"mpi='/opt/my mpi' # why\r\n", "/opt/my mpi|"},
             {"mpi = \"/a\\\\b\\\"c\"\n", "/a\\b\"c|"},
             {"mpi = '/a\\b'\n", "/a\\b|"},
             {"search = []", "|"},
             {"search = ['/a']", "|/a"},
             {"search = [\"/a\",'/b' ,]\nmpi = 'intel'", "intel|/a:/b"},
             {"search = [ # first\n '/a', # second\n\n '/b#c'\n] # end\n[run]\nverbose = true\n", "|/a:/b#c"},
             {"mpi = 'mpich'\n[options]\nmpich = ['mpi = 5']\n", "mpich|"},
         }) {
        EXPECT_EQ(as_the_front_reads(text), meaning) << text;
        EXPECT_EQ(as_the_command_reads(text), meaning) << text;
    }
}

// What the front does not take, the command does not take either, with the same words.
TEST(agreement_with_the_front, on_bad_texts) {
    for (const char* text : {"mpi",
                             "mpi =",
                             "mpi = mpich",
                             "mpi = 5",
                             "mpi = ''",
                             "mpi = 'a/b'",
                             "mpi = \"a\" b",
                             "mpi = 'a",
                             "mpi = \"\\u0041\"",
                             "mpi = \"\"\"a\"\"\"",
                             "mpi = 'a'\nmpi = 'b'",
                             "\"mpi\" = 'a'",
                             "search = '/a'",
                             "search = ['/a'",
                             "search = ['/a' '/b']",
                             "search = [,]",
                             "search = [5]",
                             "search = ['a']",
                             "search = ['/a:/b']",
                             "search = ['/a'] x",
                             "search = []\nsearch = []"}) {
        const std::string said = as_the_front_reads(text);
        EXPECT_TRUE(said.starts_with("error: ")) << text;
        EXPECT_EQ(as_the_command_reads(text), said) << text;
    }
}

// What is TOML, and would mean something else to the front.
TEST(agreement_with_the_front, on_other_ways_to_write_a_key) {
    for (const char* text : {"mpi.mpich = 'a'", "[mpi]\nx = 1", "search.a = ['/a']", "[[search]]\na = 1"})
        EXPECT_TRUE(as_the_command_reads(text).starts_with("error: ")) << text;
}

TEST(settings_text, knows_all_types) {
    settings all;
    all.add_text("[run]\nallow_root = true\nslurm = false\n[launcher]\nmpich = '/a'\n[options]\nmpich = ['-x', '']\n",
                 "f");
    EXPECT_TRUE(all.flag("run.allow_root"));
    EXPECT_FALSE(all.flag("run.slurm"));
    EXPECT_EQ(all.text("launcher.mpich"), "/a");
    EXPECT_EQ(all.list("options.mpich"), (text_list{"-x", ""}));
    EXPECT_EQ(all.origin("options.mpich"), "f:7");
    EXPECT_EQ(all.origin("run.verbose"), "default");
    EXPECT_EQ(all.text("launcher.unheard-of"), "");
}

TEST(settings_text, of_a_later_file_counts) {
    settings all;
    all.add_text("mpi = 'mpich'\nsearch = ['/a']\n", "first");
    all.add_text("mpi = 'openmpi'\n", "second");
    EXPECT_EQ(all.text("mpi"), "openmpi");
    EXPECT_EQ(all.origin("search"), "first:2");
}

} // namespace
} // namespace anympi::command
