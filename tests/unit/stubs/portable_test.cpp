#include "arch/stub_code.hpp"
#include "stubs_test.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

// The number of stubs is fixed.

namespace {

using anympi::arch::stub_count;

// Requests more stubs than exist, before another test has used one (the order of files in CMakeLists.txt). Exits with
// the number of the first check that fails, or 0.
int use_all_stubs() {
    std::vector<void*> made;
    while (made.size() <= stub_count) {
        void* const stub = stub_for(address(0x1000 + made.size()), address(user_as_number));
        if (stub == nullptr)
            break;
        made.push_back(stub);
    }
    if (made.size() != stub_count)
        return 1;
    for (std::size_t i = 0; i < made.size(); ++i)
        if (number_behind(made[i]) != 0x1000 + i || stub_for(address(0x1000 + i), address(user_as_number)) != made[i])
            return 2;
    return stub_for(address(1), address(user_as_number)) == nullptr ? 0 : 3;
}

TEST(stubs, have_a_limit_that_is_reported_once) {
    const auto limit = std::to_string(stub_count);
    testing::internal::CaptureStderr();
    EXPECT_EQ(in_child(use_all_stubs), 0);
    const std::string printed = testing::internal::GetCapturedStderr();
    EXPECT_EQ(printed.find("anympi: this program gives MPI more than " + limit + " different functions"), 0) << printed;
    EXPECT_NE(printed.find("ANYMPI_ARCH=portable"), std::string::npos) << printed;
    EXPECT_EQ(printed.rfind("gives MPI more than"), printed.find("gives MPI more than"))
        << "the message is printed once, not at each call";
}

} // namespace
