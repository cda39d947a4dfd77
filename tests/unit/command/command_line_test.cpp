#include "command/cli/command_line.hpp"

#include "command/cli/split_join.hpp"
#include "command/doctor/finding.hpp"
#include "runtime/find/requested_name.hpp"

#include <gtest/gtest.h>

namespace anympi::command {
namespace {

TEST(command_line, names_mpis_that_can_be_asked_for) {
    for (const char* name : runtime::names_of_mpis)
        EXPECT_TRUE(runtime::is_known_name(name)) << name;
}

TEST(command_line, explains_every_option) {
    const command_description all = describe_commands();
    for (const command_description& command : all.commands)
        for (const option_description& option : command.options)
            EXPECT_FALSE(option.text.empty()) << command.name << " " << option.positional << join_list(option.names);
}

TEST(finding, takes_a_message_apart) {
    const finding one = finding_from_message(level::problem, "start", "it fails");
    EXPECT_EQ(one.what, "it fails");
    EXPECT_EQ(one.remedy, "");
    const finding two = finding_from_message(level::problem, "start", "it fails\ndo this");
    EXPECT_EQ(two.what, "it fails");
    EXPECT_EQ(two.details, "");
    EXPECT_EQ(two.remedy, "do this");
    const finding four = finding_from_message(level::problem, "start", "it fails\nseen\ntried\ndo this");
    EXPECT_EQ(four.details, "seen\ntried");
    EXPECT_EQ(four.remedy, "do this");
}

} // namespace
} // namespace anympi::command
