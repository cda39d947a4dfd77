// The small containers of the headers.
#include <anympi/number_table.hpp>
#include <anympi/room.hpp>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>

namespace {

using anympi::shared::NumberTable;
using anympi::shared::Room;

TEST(Tables, numbers) {
    NumberTable<std::string> table;
    EXPECT_EQ(table.find(0), nullptr);
    table.remove(0);
    std::string* const first = &table.add(7, "first");
    for (std::uintptr_t number = 0; number < 1000; ++number)
        table.add(number * 64, std::to_string(number));
    EXPECT_EQ(*first, "first"); // it has kept its place
    for (std::uintptr_t number = 0; number < 1000; ++number)
        EXPECT_EQ(*table.find(number * 64), std::to_string(number));
    EXPECT_EQ(table.find(1), nullptr);
    for (std::uintptr_t number = 0; number < 1000; number += 2)
        table.remove(number * 64);
    for (std::uintptr_t number = 0; number < 1000; ++number)
        EXPECT_EQ(table.find(number * 64) != nullptr, number % 2 == 1) << number;
    table.remove(64 * 3);
    EXPECT_EQ(table.find(64 * 3), nullptr);
    EXPECT_EQ(table.find(7), first);
}
TEST(Tables, several_values_of_a_number) {
    NumberTable<std::shared_ptr<int>> table;
    const auto value = std::make_shared<int>(0);
    EXPECT_TRUE(table.all_of(7, [](const auto&) { return false; })); // no value
    for (int many = 0; many < 3; ++many)
        table.add(7, value);
    table.add(8, std::make_shared<int>(0));
    const auto count = [](const auto& one) { return ++*one < 5; };
    EXPECT_TRUE(table.all_of(7, count));
    EXPECT_EQ(*value, 3);
    EXPECT_FALSE(table.all_of(7, count)); // the second call returns false
    EXPECT_EQ(*value, 5);
    table.remove(7);
    EXPECT_EQ(value.use_count(), 3);
}
TEST(Tables, rooms) {
    Room<std::string> words(3);
    words[1] = "word";
    const Room<std::string> moved(std::move(words));
    EXPECT_EQ(moved.size(), 3u);
    EXPECT_EQ(moved[1], "word");
    EXPECT_EQ(moved.data()[0], "");
    std::string all;
    for (const std::string& one : moved)
        all += one + ".";
    EXPECT_EQ(all, ".word..");
    Room<int> numbers, others(2);
    EXPECT_TRUE(numbers.empty());
    numbers = std::move(others);
    for (int& number : numbers)
        EXPECT_EQ(number++, 0);
    EXPECT_EQ(numbers.data()[1], 1);
}

} // namespace
