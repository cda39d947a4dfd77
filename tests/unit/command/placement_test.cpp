#include "command/run/placement.hpp"

#include <gtest/gtest.h>

namespace anympi::command {
namespace {

using files = std::vector<std::string>;

placement native(const files& supplement) {
    placement placed;
    placed.is_native = true;
    placed.supplement = supplement;
    return placed;
}

TEST(join, gives_all_programs_the_interposers_of_each) {
    const placement waits = native({"/requests.so", "/libmpi.so", "/front.so"});
    const placement opens = native({"/requests.so", "/sessions.so", "/libmpi.so", "/front.so"});
    const placement attaches = native({"/buffers.so", "/libmpi.so", "/front.so"});
    const placement calls_what_is_there = native({});
    EXPECT_EQ(files_before(join(waits, calls_what_is_there)), waits.supplement);
    EXPECT_EQ(files_before(join(calls_what_is_there, waits)), waits.supplement);
    EXPECT_EQ(files_before(join(waits, opens)), opens.supplement);
    EXPECT_EQ(files_before(join(opens, waits)), (files{"/sessions.so", "/requests.so", "/libmpi.so", "/front.so"}));
    const placement all = join(join(waits, attaches), opens);
    EXPECT_EQ(files_before(all), (files{"/buffers.so", "/requests.so", "/sessions.so", "/libmpi.so", "/front.so"}));
    EXPECT_EQ(all.refusal, "");
}

TEST(join, refuses_a_supplement_for_programs_of_another_abi) {
    const placement waits = native({"/requests.so", "/libmpi.so", "/front.so"});
    EXPECT_NE(join(waits, placement()).refusal, "");
    EXPECT_NE(join(placement(), waits).refusal, "");
    EXPECT_EQ(join(native({}), placement()).refusal, "");
}

} // namespace
} // namespace anympi::command
