#include "command/cli/command_line.hpp"

#include "command/config/settings.hpp"
#include "command/doctor/finding.hpp"
#include "runtime/identify/library.hpp"

#include <gtest/gtest.h>

namespace anympi::command {
namespace {

TEST(command_line, names_mpis_that_can_be_asked_for) {
    for (const std::string& name : names_of_mpis())
        EXPECT_TRUE(runtime::is_known_name(name.c_str())) << name;
}

TEST(command_line, explains_every_option) {
    const command_line line;
    for (const CLI::App* command : line.description().get_subcommands([](const CLI::App*) { return true; }))
        for (const CLI::Option* option : command->get_options())
            EXPECT_FALSE(option->get_description().empty()) << command->get_name() << " " << option->get_name();
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
