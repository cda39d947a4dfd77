#include "command/cli/wrapping.hpp"

#include <gtest/gtest.h>

namespace anympi::command {
namespace {

using text_lines = std::vector<std::string>;

TEST(display_width, counts_columns_and_not_bytes) {
    EXPECT_EQ(display_width("abc"), 3U);
    EXPECT_EQ(display_width("größer …"), 8U);
    EXPECT_EQ(display_width("計算"), 4U);
    EXPECT_EQ(display_width("e\u0301"), 1U);
    EXPECT_EQ(display_width("\033[31mred\033[0m"), 3U);
    EXPECT_EQ(display_width("\033["), 0U); // an escape sequence that does not end
    EXPECT_EQ(display_width("\xff\xfe"), 2U);
}

TEST(shorten_middle, keeps_both_ends) {
    EXPECT_EQ(shorten_middle("/usr/lib", 8), "/usr/lib");
    EXPECT_EQ(shorten_middle("/usr/lib/x86_64-linux-gnu/libmpi.so.40", 24), "/usr/li…gnu/libmpi.so.40");
    EXPECT_EQ(display_width(shorten_middle("/計算/計算/計算/libmpi.so.40", 16)), 16U);
}

TEST(wrap, breaks_at_blanks) {
    EXPECT_EQ(wrap("one two three", 7), (text_lines{"one two", "three"}));
    EXPECT_EQ(wrap("one two three", 13), (text_lines{"one two three"}));
    EXPECT_EQ(wrap("", 10), (text_lines{""}));
    EXPECT_EQ(wrap("\033[31mone two\033[0m", 4), (text_lines{"\033[31mone", "two\033[0m"}));
}

TEST(wrap, keeps_paths_and_commands_whole) {
    EXPECT_EQ(wrap("see /usr/lib/libmpi.so.40: good", 23), (text_lines{"see", "/usr/lib/libmpi.so.40:", "good"}));
    EXPECT_EQ(wrap("call `anympi run -n 2 ./a` or so", 24), (text_lines{"call", "`anympi run -n 2 ./a` or", "so"}));
}

TEST(wrap, breaks_what_is_wider_than_a_line) {
    EXPECT_EQ(wrap("abcdefghijkl", 5), (text_lines{"abcde", "fghij", "kl"}));
    EXPECT_EQ(wrap("at /usr/lib/libmpi.so.40", 12), (text_lines{"at", "/us…pi.so.40"}));
    // A command that was broken is still one command for the shell.
    EXPECT_EQ(wrap("call `anympi run -n 2 ./a`", 14), (text_lines{"call", "`anympi run \\", "-n 2 ./a`"}));
    EXPECT_EQ(wrap("`A='x y z' B=\"it's so\" ./a`", 14), (text_lines{"`A='x y z' \\", "B=\"it's so\" \\", "./a`"}));
    EXPECT_EQ(wrap("`A=/usr/lib/libmpi.so.40 ./a`", 14), (text_lines{"`A=/usr/lib/libmpi.so.40 \\", "./a`"}));
}

TEST(lay_out_help, wraps_the_right_column_below_itself) {
    EXPECT_EQ(lay_out_help("Options:\n  --mpi MPI  a name or the folder of an installation", 40),
              "Options:\n  --mpi MPI  a name or the folder of an\n             installation\n");
}

TEST(lay_out_help, puts_the_right_column_below_a_wide_left_one) {
    EXPECT_EQ(lay_out_help("Options:\n  --a-long-option VALUE  a name or the folder of an installation", 40),
              "Options:\n  --a-long-option VALUE\n      a name or the folder of an\n      installation\n");
    EXPECT_EQ(lay_out_help("Examples:\n  mpi = \"openmpi\"       # a name or a folder", 40),
              "Examples:\n  mpi = \"openmpi\"       # a name or a folder\n");
}

TEST(lay_out_help, fills_paragraphs_and_keeps_commands) {
    EXPECT_EQ(lay_out_help("One sentence that is\nbroken early, and more.\n\nExamples:\n  anympi run --mpi openmpi -n "
                           "4 ./hello --steps 100\n",
                           40),
              "One sentence that is broken early, and\nmore.\n\nExamples:\n  anympi run --mpi openmpi -n 4 ./hello "
              "--steps 100\n");
    EXPECT_EQ(lay_out_help("Usage: anympi run [--mpi NAME] [-n N] PROGRAM [ARGS]", 40),
              "Usage: anympi run [--mpi NAME] [-n N]\n       PROGRAM [ARGS]\n");
}

} // namespace
} // namespace anympi::command
