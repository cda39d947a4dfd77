#include "command/cli/shell_quoting.hpp"

#include <gtest/gtest.h>

namespace anympi::command {
namespace {

TEST(quoted_command, is_what_a_shell_reads) {
    EXPECT_EQ(quote_command({}, {"a", "b c", "it's", ""}), "a 'b c' 'it'\\''s' ''");
    EXPECT_EQ(quote_command({"A=/b c", "B=d"}, {"e"}), "A='/b c' B=d e");
}

} // namespace
} // namespace anympi::command
