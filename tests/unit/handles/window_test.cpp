#include "convert/address_windows.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace anympi {

namespace {

constexpr word window_size = word{1} << window::size_bits;

void expect_round_trip(address_windows& windows, word address) {
    const auto number = static_cast<int>(windows.number_of(address));
    EXPECT_TRUE(address_windows::is_number(number));
    EXPECT_EQ(windows.address_of(number), address);
    EXPECT_EQ(static_cast<int>(windows.number_of(address)), number);
}

} // namespace

TEST(windows, give_an_address_a_number_and_back) {
    address_windows windows;
    for (const word begin :
         {word{0x55ad00000000}, word{0x7fb9c0000000}, word{0}}) // the last one is in a program without PIE
        for (const word place : {word{8}, word{0x43480}, window_size - 8})
            expect_round_trip(windows, begin + place);
}

TEST(windows, have_a_short_way_for_the_first) {
    address_windows windows;
    EXPECT_EQ(windows.origin_of_first(), 0u);
    for (const word address : {word{0}, word{0x1c3e000}, word{0x55ad00000010}})
        EXPECT_FALSE(address_windows::is_place(windows.place_in_first(address))) << "the epoch was not begun";
    const auto number = static_cast<int>(windows.number_of(0x55ad00000010));
    const auto other = static_cast<int>(windows.number_of(0x7fb9c0000010));
    EXPECT_EQ(address_windows::number_of_place(windows.place_in_first(0x55ad00000010)), number);
    EXPECT_FALSE(address_windows::is_place(windows.place_in_first(0x7fb9c0000010)));
    EXPECT_TRUE(address_windows::are_of_first(number, number));
    EXPECT_FALSE(address_windows::are_of_first(number, other));
    EXPECT_FALSE(address_windows::are_of_first(number, 0x180));
    EXPECT_EQ(address_windows::address_from(windows.origin_of_first(), number), 0x55ad00000010u);
    EXPECT_EQ(address_windows::address_after(windows.begin_of_first(), number), 0x55ad00000010u);
}

TEST(windows, know_no_number_that_they_did_not_give) {
    address_windows windows;
    EXPECT_EQ(windows.address_of(static_cast<int>(0x80000010)), 0u);
    const auto number = static_cast<int>(windows.number_of(0x55ad00000010));
    EXPECT_EQ(windows.address_of(number + (1 << window::place_bits)), 0u);
}

TEST(windows, have_no_number_for_what_is_no_address) {
    address_windows windows;
    EXPECT_EQ(windows.number_of(word{1} << 62 | 0x2c000001), 0u);
}

TEST(windows, are_not_endless) {
    address_windows windows;
    for (word i = 0; i < window::count; ++i)
        expect_round_trip(windows, i * window_size + 0x1000);
    EXPECT_EQ(windows.number_of(window::count * window_size + 0x1000), 0u);
    for (word i = 0; i < window::count; ++i)
        expect_round_trip(windows, i * window_size + 0x1008);
}

TEST(windows, of_several_threads_are_the_same) {
    address_windows windows;
    std::vector<std::thread> threads;
    for (word start = 0; start < 4; ++start)
        threads.emplace_back([&windows, start] {
            for (word i = 0; i < 1000; ++i)
                expect_round_trip(windows, (start + i) % window::count * window_size + 8 * i);
        });
    for (std::thread& each : threads)
        each.join();
}

} // namespace anympi
