#include "command/config/edit_text.hpp"

#include "command/config/settings.hpp"

#include <gtest/gtest.h>

namespace anympi::command {
namespace {

using runtime::whose;

std::string set(const std::string& text, const std::string& key, const std::vector<std::string>& words) {
    return set_in_text(text, whose::sites, key, words);
}

TEST(set_in_text, adds_a_line_and_its_table) {
    EXPECT_EQ(set("", "mpi", {"mpich"}), "mpi = \"mpich\"\n");
    EXPECT_EQ(set("", "run.slurm", {"false"}), "[run]\nslurm = false\n");
    EXPECT_EQ(set("mpi = 'mpich'", "run.slurm", {"false"}), "mpi = 'mpich'\n\n[run]\nslurm = false\n");
    EXPECT_EQ(set("[run]\nslurm = true # a\n\n[options]\n", "run.verbose", {"true"}),
              "[run]\nslurm = true # a\nverbose = true\n\n[options]\n");
    EXPECT_EQ(set("[run]\n", "mpi", {"mpich"}), "mpi = \"mpich\"\n\n[run]\n");
    EXPECT_EQ(set("# file\n\n# root\n[run]\n", "mpi", {"mpich"}), "# file\n\nmpi = \"mpich\"\n\n# root\n[run]\n");
    EXPECT_EQ(set("# file\n[run]\n", "mpi", {"mpich"}), "# file\nmpi = \"mpich\"\n\n[run]\n");
    EXPECT_EQ(set("mpi = 'mpich'\n# a\n[run]\n", "search", {"/a", "/b"}),
              "mpi = 'mpich'\nsearch = [\"/a\", \"/b\"]\n# a\n[run]\n");
}

TEST(set_in_text, replaces_a_value_and_keeps_comments) {
    EXPECT_EQ(set("# a\n mpi='intel'# b\n# c\n", "mpi", {"mpich"}), "# a\n mpi=\"mpich\"# b\n# c\n");
    EXPECT_EQ(set("run.slurm = true # b\r\n[run]\n", "run.slurm", {"false"}), "run.slurm = false # b\r\n[run]\n");
    EXPECT_EQ(set("search = [ # one\n'/a#', # two\n'/b'\n] # three\n", "search", {}),
              "# one\n# two\nsearch = [] # three\n");
    EXPECT_EQ(set("mpi = mpich # why\nsearch = []\n", "mpi", {"mpich"}), "# why\nmpi = \"mpich\"\nsearch = []\n");
}

TEST(set_in_text, keeps_line_ends_of_windows) {
    EXPECT_EQ(set("# a\r\n", "mpi", {"mpich"}), "# a\r\nmpi = \"mpich\"\r\n");
    EXPECT_EQ(set("# a\r\n\r\n# b", "run.slurm", {"false"}), "# a\r\n\r\n# b\r\n\r\n[run]\r\nslurm = false\r\n");
    EXPECT_EQ(set("[run]\r\n", "mpi", {"mpich"}), "mpi = \"mpich\"\r\n\r\n[run]\r\n");
    EXPECT_EQ(set("mpi = mpich # why\r\n", "mpi", {"mpich"}), "# why\r\nmpi = \"mpich\"\r\n");
    EXPECT_EQ(set("search = [ # one\r\n]\r\n", "search", {}), "# one\r\nsearch = []\r\n");
    EXPECT_EQ(set("# a\n# b\r\n", "mpi", {"mpich"}), "# a\n# b\r\nmpi = \"mpich\"\n");
}

TEST(set_in_text, writes_what_the_reader_reads) {
    for (const char* value : {"/a b", "/a\"b", "/a\\b", "/a'b", "/a\"'\\b", "/#"}) {
        settings all;
        all.add_text(set("", "launcher.mpich", {value}), whose::users, "f");
        EXPECT_EQ(all.text("launcher.mpich"), value);
    }
}

std::string refusal(const std::string& key, const std::vector<std::string>& words, const std::string& text = "",
                    whose owner = whose::users) {
    try {
        return set_in_text(text, owner, key, words);
    } catch (const settings_error& error) {
        return std::string("refused: ") + error.what();
    }
}

TEST(set_in_text, refuses_what_would_be_ignored) {
    EXPECT_EQ(refusal("mip", {"mpich"}), "refused: there is no key `mip`; did you mean `mpi`?");
    EXPECT_EQ(refusal("launcher.opnmpi", {"/x"}),
              "refused: there is no key `launcher.opnmpi`; did you mean `launcher.openmpi`?");
    EXPECT_EQ(refusal("rnu.slrum", {"true"}), "refused: there is no key `rnu.slrum`; did you mean `run.slurm`?");
    for (const std::string table : {"launcher.", "options."})
        for (const char* name : {"foo", "mpi", "m"})
            EXPECT_EQ(refusal(table + name, {"/x"}),
                      "refused: there is no key `" + table + name + "`; NAME in `" + table +
                          "NAME` is one of mpich, openmpi, intel, mvapich, cray, spectrum");
    EXPECT_EQ(refusal("run.x", {"true"}), "refused: there is no key `run.x`; `anympi config` shows all keys");
    EXPECT_EQ(refusal("run.slurm", {"no"}), "refused: run.slurm: the value must be true or false");
    EXPECT_EQ(refusal("run.slurm", {"true\nmpi = 'mpich'"}), "refused: run.slurm: the value must be true or false");
    EXPECT_EQ(refusal("launcher.", {"/x"}).find("refused: there is no key `launcher.`"), 0U);
    EXPECT_EQ(refusal("run.slurm", {"true", "true"}), "refused: run.slurm has one value, not 2");
    EXPECT_EQ(refusal("search", {"relative"}), "refused: search: a path must begin with /");
    EXPECT_EQ(refusal("forbid", {"openmpi"}), "refused: forbid: this key counts in the site's file only");
    EXPECT_EQ(refusal("mpi", {"mpich"}, std::string(runtime::longest_configuration - 5, '#')),
              "refused: the file would be too long: at most 16383 bytes are read");
}

TEST(set_in_text, leaves_other_broken_lines_alone) {
    EXPECT_EQ(set("[run] x\n", "run.slurm", {"false"}), "[run] x\n\n[run]\nslurm = false\n");
    EXPECT_EQ(set("mip = 5\n", "mpi", {"mpich"}), "mip = 5\nmpi = \"mpich\"\n");
}

TEST(unset_in_text, removes_all_lines_of_the_key) {
    const std::string text = "# a\nsearch = [\n'/a']\n[run]\nslurm = true\nslurm = false\n# b\n";
    EXPECT_EQ(unset_in_text(text, whose::users, "run.slurm"), "# a\nsearch = [\n'/a']\n[run]\n# b\n");
    EXPECT_EQ(unset_in_text(text, whose::users, "search"), "# a\n[run]\nslurm = true\nslurm = false\n# b\n");
    EXPECT_EQ(unset_in_text(text, whose::users, "mpi"), text);
    EXPECT_THROW(unset_in_text(text, whose::users, "mip"), settings_error);
}

} // namespace
} // namespace anympi::command
