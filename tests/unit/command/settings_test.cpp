#include "command/config/settings.hpp"

#include <gtest/gtest.h>

namespace anympi::command {
namespace {

using runtime::whose;

TEST(settings_text, knows_all_types) {
    settings all;
    all.add_text("[run]\nallow_root = true\nslurm = false\n[launcher]\nmpich = '/a'\n[options]\nmpich = ['-x', '']\n",
                 whose::users, "f");
    EXPECT_TRUE(all.flag("run.allow_root"));
    EXPECT_FALSE(all.flag("run.slurm"));
    EXPECT_EQ(all.text("launcher.mpich"), "/a");
    EXPECT_EQ(all.list("options.mpich"), (text_list{"-x", ""}));
    EXPECT_EQ(all.origin("options.mpich"), "f:7");
    EXPECT_EQ(all.origin("run.verbose"), "default");
    EXPECT_EQ(all.text("launcher.unheard-of"), "");
    EXPECT_TRUE(all.ignored().empty());
}

TEST(settings_text, of_a_later_file_counts) {
    settings all;
    all.add_text("mpi = 'mpich'\nsearch = ['/a']\n", whose::sites, "first");
    all.add_text("mpi = 'openmpi'\n", whose::users, "second");
    EXPECT_EQ(all.text("mpi"), "openmpi");
    EXPECT_EQ(all.origin("search"), "first:2");
}

TEST(settings_text, has_one_empty_string_or_no_string) {
    settings all;
    all.add_text("options.mpich = []\noptions.intel = ['']", whose::users, "f");
    EXPECT_EQ(all.list("options.mpich"), text_list());
    EXPECT_EQ(all.list("options.intel"), text_list{""});
}

std::string reason_for(const std::string& text) {
    settings all;
    all.add_text(text, whose::users, "f");
    return all.ignored().size() == 1 ? describe(all.ignored()[0]) : "";
}

TEST(settings_text, advises) {
    EXPECT_EQ(reason_for("mip = 'x'"), "f:1 is ignored: mip: there is no such key; did you mean `mpi`?");
    EXPECT_EQ(reason_for("[run]\nmpi = 'mpich'"), "f:2 is ignored: run.mpi: there is no such key; did you mean `mpi`?");
    EXPECT_EQ(reason_for("[colours]"),
              "f:1 is ignored: [colours]: there is no such table; `anympi config` shows all keys");
}

} // namespace
} // namespace anympi::command
