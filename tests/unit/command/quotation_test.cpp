#include "command/doctor/quotation.hpp"

#include <gtest/gtest.h>

namespace anympi::command {
namespace {

constexpr char long_message[] = "------------------\n"
                                "mpirun was unable to start. There are not\n"
                                "enough slots available in the system to satisfy the 2\n"
                                "slots that were requested by the application:\n\n"
                                "  ./hello\n\n"
                                "Either request fewer procs for your application, or make more slots\n"
                                "available for use.\n"
                                "------------------\n";

TEST(quotation, has_the_whole_sentence_with_a_text) {
    EXPECT_EQ(quote_output(long_message, "enough slots"), "mpirun was unable to start. There are not\n"
                                                          "enough slots available in the system to satisfy the 2\n"
                                                          "slots that were requested by the application:");
    EXPECT_EQ(quote_output(long_message, "available for use"),
              "Either request fewer procs for your application, or make more slots\navailable for use.");
    EXPECT_EQ(quote_output("noise\nBus error\n\nmore\n", "Bus error"), "noise\nBus error");
    EXPECT_EQ(quote_output("", "Bus error"), "");
}

TEST(quotation, has_a_short_output_as_it_is) {
    EXPECT_EQ(quote_output("one\n\n---\ntwo\033[m"), "one\ntwo?[m");
}

TEST(quotation, of_a_long_output_ends_with_a_sentence) {
    std::string lines = "A first sentence. And a second\none that ends. Then\n";
    for (int i = 0; i < 9; i++)
        lines += "it goes on\n";
    EXPECT_EQ(quote_output(lines), "A first sentence. And a second\none that ends.");
    EXPECT_EQ(quote_output(lines, "first sentence"), "A first sentence. And a second\none that ends.");
}

TEST(quotation, without_sentences_says_that_it_goes_on) {
    std::string lines;
    for (int i = 0; i < 9; i++)
        lines += "version 4.0 of it\n";
    EXPECT_TRUE(quote_output(lines).ends_with("\nversion 4.0 of it …"));
}

} // namespace
} // namespace anympi::command
