#include "command/words.hpp"

#include <gtest/gtest.h>

namespace anympi::command {
namespace {

TEST(quoted_words, are_what_a_shell_reads) {
    EXPECT_EQ(quoted({"a", "b c", "it's", ""}), "a 'b c' 'it'\\''s' ''");
    EXPECT_EQ(quoted_assignments({"A=/b c", "B=d"}), "A='/b c' B=d");
}

TEST(program_among_words, is_the_first_that_can_be_started) {
    EXPECT_EQ(find_program_among({"-host", "no such host", "/bin/sh", "/bin/ls"}), "/bin/sh");
    EXPECT_EQ(find_program_among({"--", "/bin/sh"}), "/bin/sh");
    EXPECT_EQ(find_program_among({"-wdir", "/tmp", "/bin/sh"}), "/bin/sh"); // a folder cannot
    EXPECT_EQ(find_program_among({"no-such-program", "-n"}), "");
}

TEST(program_among_words, is_no_value_of_an_option) {
    EXPECT_EQ(find_program_among({"-env", "X", "yes", "/bin/sh", "/bin/ls"}), "/bin/sh");
    EXPECT_EQ(find_program_among({"--mca", "ls", "cat", "-x", "sh", "/bin/sh"}), "/bin/sh");
    EXPECT_EQ(find_program_among({"-genv", "X", "-1", "/bin/sh"}), "/bin/sh");
    EXPECT_EQ(find_program_among({"--stdin=none", "/bin/sh"}), "/bin/sh");
    EXPECT_EQ(find_program_among({"-l", "/bin/sh"}), "/bin/sh");
    EXPECT_EQ(find_program_among({"-env", "X"}), "");
}

} // namespace
} // namespace anympi::command
