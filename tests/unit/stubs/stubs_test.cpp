#include "stubs_test.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <csetjmp>
#include <fstream>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using reduction = int(void* in, void* inout, int* length, void* type);
using user_reduction = int(int, int);

// Returns a sum of its arguments, so that a lost or moved argument changes the result.
int convert_reduction(void* in, void* inout, int* length, void* type, void*, user_reduction* user) {
    const auto number = [](void* argument) { return static_cast<int>(reinterpret_cast<std::uintptr_t>(argument)); };
    return user(number(in) + 10 * number(inout), 100 * *length + 1000 * number(type));
}
int sum(int a, int b) {
    return a + b;
}
int difference(int a, int b) {
    return a - b;
}

reduction* reduction_stub(user_reduction* user) {
    return reinterpret_cast<reduction*>(stub_for(address(user), address(convert_reduction)));
}
int call(reduction* stub) {
    int length = 3;
    return stub(address(1), address(2), &length, address(4));
}

long pages_of_address_space() {
    long pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages;
}

TEST(stubs, call_the_converter_with_the_users_function) {
    EXPECT_EQ(call(reduction_stub(sum)), 21 + 4300);
    EXPECT_EQ(call(reduction_stub(difference)), 21 - 4300);
}

TEST(stubs, are_one_per_pair) {
    EXPECT_EQ(reduction_stub(sum), reduction_stub(sum));
    EXPECT_NE(reduction_stub(sum), reduction_stub(difference));
}

TEST(stubs, tell_converters_apart) {
    const auto negated = [](void*, void*, void*, void*, void*, void* user) {
        return -reinterpret_cast<std::uintptr_t>(user);
    };
    EXPECT_EQ(number_behind(stub_for(address(3), address(user_as_number))), 3);
    EXPECT_EQ(number_behind(stub_for(address(3), address(+negated))), -std::uintptr_t{3});
    std::set<void*> different;
    for (std::uintptr_t converter = 1; converter <= 300; ++converter)
        different.insert(stub_for(address(sum), address(converter)));
    EXPECT_EQ(different.size(), 300);
}

TEST(stubs, leave_variadic_calls_intact) {
    using handler = double(void* comm, int* code, ...);
    struct converter {
        static double call(void* comm, int* code, double a, double b, char* text, char*, void*, void* user) {
            const bool as_passed = comm == address(5) && text[0] == 'x' && user == address(9);
            return as_passed ? *code + a * b : -1;
        }
    };
    // The integer arguments are comm, code, text, unused, unused; the sixth is the user's function. Doubles are passed
    // in other registers.
    int code = 7;
    auto* stub = reinterpret_cast<handler*>(stub_for(address(9), address(converter::call)));
    EXPECT_DOUBLE_EQ(stub(address(5), &code, 1.5, 2.0, "x", nullptr), 10.0);
}

TEST(stubs, let_exceptions_and_jumps_pass) {
    static std::jmp_buf back;
    user_reduction* throws = [](int, int) -> int { throw std::runtime_error("thrown by the user"); };
    user_reduction* jumps = [](int, int) -> int { std::longjmp(back, 1); };
    EXPECT_THROW(call(reduction_stub(throws)), std::runtime_error);
    volatile bool returned = false;
    if (setjmp(back) == 0)
        call(reduction_stub(jumps));
    else
        returned = true;
    EXPECT_TRUE(returned);
}

TEST(stubs, cost_nothing_when_used_again) {
    reduction_stub(sum);
    const long before = pages_of_address_space();
    for (int i = 0; i < 1'000'000; ++i)
        ASSERT_EQ(reduction_stub(sum), reduction_stub(sum));
    EXPECT_EQ(pages_of_address_space(), before);
}

TEST(stubs, are_the_same_for_all_threads) {
    constexpr std::size_t threads = 8;
    constexpr std::uintptr_t pairs = 2'000; // more than a page of stubs, and fewer than a portable build has
    std::vector<std::vector<void*>> seen(threads, std::vector<void*>(pairs));
    std::vector<std::thread> workers;
    for (std::size_t t = 0; t < threads; ++t)
        workers.emplace_back([&, t] {
            for (std::uintptr_t i = 0; i < pairs; ++i) {
                const std::uintptr_t pair = (i + t * pairs / threads) % pairs;
                seen[t][pair] = stub_for(address(0x5000'0000 + pair), address(user_as_number));
            }
        });
    for (auto& worker : workers)
        worker.join();
    for (std::uintptr_t i = 0; i < pairs; ++i)
        ASSERT_EQ(number_behind(seen[0][i]), 0x5000'0000 + i);
    for (std::size_t t = 1; t < threads; ++t)
        EXPECT_EQ(seen[t], seen[0]);
}

// Runs threads that each request stubs. All of these hash to one place of the table, because their addresses differ in
// the upper bits only: a thread that searches for a stub sees others being added there. Returns 1 if a stub calls the
// function of another one.
int ask_for_stubs_of_one_place() {
    constexpr std::uintptr_t threads = 4;
    constexpr std::uintptr_t pairs = 100;
    std::atomic<std::uintptr_t> ready = 0;
    std::atomic<int> wrong = 0;
    std::vector<std::thread> workers;
    for (std::uintptr_t t = 0; t < threads; ++t)
        workers.emplace_back([&, t] {
            ++ready;
            while (ready < threads)
                std::this_thread::yield();
            for (std::uintptr_t i = 1; i <= pairs; ++i) {
                const std::uintptr_t user = (t * pairs + i) << 52;
                if (number_behind(stub_for(address(user), address(user_as_number))) != user)
                    wrong = 1;
            }
        });
    for (auto& worker : workers)
        worker.join();
    return wrong;
}

TEST(stubs, are_not_mistaken_for_those_that_other_threads_add) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    constexpr int tries = 5; // each takes a tenth of a second
#else
    constexpr int tries = 300; // one in twenty meets the critical moment
#endif
    for (int i = 0; i < tries; ++i)
        ASSERT_EQ(in_child(ask_for_stubs_of_one_place), 0);
}

} // namespace
