#include "command/cli/nearest.hpp"
#include "command/cli/split_join.hpp"

#include <gtest/gtest.h>

namespace anympi::command {
namespace {

using entries = std::vector<std::string>;

TEST(list, keeps_empty_entries) {
    EXPECT_EQ(split_list(""), entries());
    EXPECT_EQ(split_list("/a"), entries{"/a"});
    EXPECT_EQ(split_list(":/a::/b:"), (entries{"", "/a", "", "/b", ""}));
    EXPECT_EQ(split_list("/a;/b:/c", ":;"), (entries{"/a", "/b", "/c"}));
    EXPECT_EQ(join_list({"", "/a", "", "/b", ""}, ":"), ":/a::/b:");
    EXPECT_EQ(join_list({}), "");
}

TEST(nearest_word, is_the_one_with_the_fewest_changes) {
    const std::vector<std::string> known = {"run", "list", "inspect", "doctor"};
    EXPECT_EQ(nearest("runn", known), "run");
    EXPECT_EQ(nearest("inspekt", known), "inspect");
    EXPECT_EQ(nearest("completely", known), "");
    EXPECT_EQ(nearest("run", {}), "");
}

} // namespace
} // namespace anympi::command
