#include "command/run/launcher_arguments.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace anympi::command {
namespace {

TEST(program_among_words, is_the_first_that_can_be_started) {
    EXPECT_EQ(find_programs_among({"-host", "no such host", "/bin/sh", "/bin/ls"})[0].program, "/bin/sh");
    EXPECT_EQ(find_programs_among({"--", "/bin/sh"})[0].program, "/bin/sh");
    EXPECT_EQ(find_programs_among({"-wdir", "/tmp", "/bin/sh"})[0].program, "/bin/sh"); // a folder cannot be a program
    EXPECT_EQ(find_programs_among({"no-such-program", "-n"})[0].program, "");
}

TEST(program_among_words, is_no_value_of_an_option) {
    EXPECT_EQ(find_programs_among({"-env", "X", "yes", "/bin/sh", "/bin/ls"})[0].program, "/bin/sh");
    EXPECT_EQ(find_programs_among({"--mca", "ls", "cat", "-x", "sh", "/bin/sh"})[0].program, "/bin/sh");
    EXPECT_EQ(find_programs_among({"-genv", "X", "-1", "/bin/sh"})[0].program, "/bin/sh");
    EXPECT_EQ(find_programs_among({"--stdin=none", "/bin/sh"})[0].program, "/bin/sh");
    EXPECT_EQ(find_programs_among({"-l", "/bin/sh"})[0].program, "/bin/sh");
    EXPECT_EQ(find_programs_among({"-env", "X"})[0].program, "");
}

TEST(program_among_words, is_looked_for_in_the_folder_that_the_launcher_goes_to) {
    for (const char* option : {"-wdir", "--wdir", "-wd", "-D", "--chdir"})
        EXPECT_EQ(find_programs_among({option, "/bin", "./sh"})[0].program, "/bin/./sh") << option;
    EXPECT_EQ(find_programs_among({"--chdir=/bin", "./sh"})[0].program, "/bin/./sh");
    EXPECT_EQ(find_programs_among({"-wdir", "/nowhere", "/bin/sh"})[0].program, "/bin/sh");
}

TEST(program_among_words, may_be_missing) {
    const auto missing = [](const std::vector<std::string>& words) { return find_programs_among(words)[0].missing; };
    EXPECT_EQ(missing({"-n", "2", "no-such-program", "/bin/sh"}), "no-such-program");
    EXPECT_EQ(missing({"-wdir", "/tmp", "./no-such-program"}), "/tmp/./no-such-program");
    EXPECT_EQ(missing({"/bin/sh", "no-such-program"}), "");
    EXPECT_EQ(missing({"--some-option", "value", "more", "/bin/sh"}), "") << "the option may have two values";
    EXPECT_EQ(missing({"-path", "/nowhere", "no-such-program"}), "") << "the launcher looks elsewhere";
}

TEST(program_among_words, may_be_forgotten) {
    const auto is_forgotten = [](const std::vector<std::string>& words) {
        return find_programs_among(words)[0].lacks_program;
    };
    EXPECT_TRUE(is_forgotten({"-n", "2"}));
    EXPECT_TRUE(is_forgotten({"-host", "a", "--oversubscribe"}));
    EXPECT_FALSE(is_forgotten({"--some-option"}));
    EXPECT_FALSE(is_forgotten({"-configfile", "a"}));
    EXPECT_FALSE(is_forgotten({"no-such-program"}));
}

TEST(program_among_words, is_one_for_each_part_of_the_job) {
    const auto parts =
        find_programs_among({"-n", "1", "/bin/sh", "-c", "x", ":", "-n", "2", "/bin/ls", ":", "nothing"});
    ASSERT_EQ(parts.size(), 3U);
    EXPECT_EQ(parts[0].program, "/bin/sh");
    EXPECT_EQ(parts[0].arguments, (std::vector<std::string>{"-c", "x"}));
    EXPECT_EQ(parts[1].program, "/bin/ls");
    EXPECT_EQ(parts[2].program, "");
}

using word_list = std::vector<std::string>;

TEST(variable, is_taken_out_of_the_words) {
    word_list words = {"-n",      "1",  "-genv", "A", "1",  "-env", "B",      "2",
                       "/bin/sh", "-x", "A=3",   ":", "-x", "A=4",  "/bin/sh"};
    EXPECT_EQ(take_variable(words, "A"), (word_list{"1", "4"}));
    EXPECT_EQ(words, (word_list{"-n", "1", "-env", "B", "2", "/bin/sh", "-x", "A=3", ":", "/bin/sh"}));
}

TEST(variable, is_the_programs_own_behind_what_may_be_the_program) {
    word_list words = {"no-such-program", "-x", "A=1"};
    EXPECT_EQ(take_variable(words, "A"), word_list());
    EXPECT_EQ(words, (word_list{"no-such-program", "-x", "A=1"}));
}

TEST(variable, may_be_named_without_a_value) {
    setenv("ANYMPI_TEST_A", "here", 1);
    word_list words = {"-x", "ANYMPI_TEST_A", "-x", "ANYMPI_TEST_B", "/bin/sh"};
    EXPECT_EQ(take_variable(words, "ANYMPI_TEST_A"), word_list{"here"});
    // the variable does not exist: the launcher will report that
    EXPECT_EQ(take_variable(words, "ANYMPI_TEST_B"), word_list());
    EXPECT_EQ(words, (word_list{"-x", "ANYMPI_TEST_B", "/bin/sh"}));
}

TEST(hidden_program, is_named_by_the_path_that_the_user_means) {
    const std::string folder = ::testing::TempDir() + "anympi_hidden";
    std::filesystem::create_directories(folder);
    for (const char* name : {"sh", "cat"})
        std::filesystem::copy_file("/bin/ls", folder + "/" + name, std::filesystem::copy_options::overwrite_existing);
    const std::string sh = find_programs_among({"sh"})[0].program;
    word_list words = {"-n", "1", "sh", "cat", ":", "ls", ":", "./cat", ":", "-x", "cat", "no-such-program"};
    name_hidden_programs(words, folder);
    EXPECT_EQ(words, (word_list{"-n", "1", sh, "cat", ":", "ls", ":", "./cat", ":", "-x", "cat", "no-such-program"}));
    std::filesystem::remove_all(folder);
}

TEST(option, is_found_before_the_program) {
    EXPECT_EQ(find_option({"--mpi=pmix", "/bin/sh"}, "mpi"), "pmix");
    EXPECT_EQ(find_option({"-N", "1", "--mpi", "pmix", "/bin/sh"}, "mpi"), "pmix");
    EXPECT_EQ(find_option({"/bin/sh", "--mpi=pmix"}, "mpi"), std::nullopt);
}

} // namespace
} // namespace anympi::command
