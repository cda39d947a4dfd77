#include "base/entry_table.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <vector>

namespace {

using anympi::word;

long looks = 0; // the number of key comparisons: the cost of a search

struct entry {
    word number;
    entry* next = nullptr;

    word key() const {
        ++looks;
        return number;
    }
};

using entries_by_key = anympi::entry_table<entry>;

TEST(entry_table, is_empty_of_zeros) {
    auto* const table = static_cast<entries_by_key*>(std::calloc(1, sizeof(entries_by_key)));
    EXPECT_EQ(table->find(0), nullptr);
    EXPECT_EQ(table->take_out(1), nullptr);
    entry one{5};
    EXPECT_FALSE(table->take_out(one));
    table->add(&one);
    EXPECT_EQ(table->find(5), &one);
    table->clear([](entry&) {});
    EXPECT_EQ(table->find(5), nullptr);
    std::free(table);
}

TEST(entry_table, finds_the_newer_of_two) {
    entries_by_key table;
    entry older{7};
    entry newer{7};
    table.add(&older);
    table.add(&newer);
    EXPECT_EQ(table.find(7), &newer);
    EXPECT_TRUE(table.take_out(newer));
    EXPECT_EQ(table.take_out(7), &older);
    EXPECT_EQ(table.take_out(7), nullptr);
    table.clear([](entry&) {});
}

TEST(entry_table, visits_each_once_and_may_free_it) {
    constexpr word count = 1000;
    entries_by_key table;
    for (word i = 0; i < count; ++i)
        table.add(new entry{i});
    std::set<word> seen;
    table.for_each([&](const entry& one) { EXPECT_TRUE(seen.insert(one.number).second); });
    EXPECT_EQ(seen.size(), count);
    table.clear([](entry& one) { delete &one; });
    EXPECT_EQ(table.find(0), nullptr);
}

// Searches for one operation in a table of `count` operations, whose keys are `number(i)`.
template <class Number>
double looks_for_one(std::size_t count, Number number) {
    std::vector<entry> entries(count);
    entries_by_key table;
    looks = 0;
    for (std::size_t i = 0; i < count; ++i) {
        entries[i].number = number(i);
        table.add(&entries[i]);
    }
    for (std::size_t i = 0; i < count; ++i)
        EXPECT_EQ(table.find(number(i)), &entries[i]);
    for (std::size_t i = 0; i < count; ++i)
        EXPECT_EQ(table.take_out(number(i)), &entries[i]);
    table.clear([](entry&) {});
    return static_cast<double>(looks) / static_cast<double>(3 * count);
}

// The keys are consecutive numbers, addresses, and numbers like the upper halves of emulated handles.
TEST(entry_table, cost_does_not_grow) {
    for (const std::size_t count : {10, 1000, 10000, 100000}) {
        EXPECT_LT(looks_for_one(count, [](word i) { return i; }), 4) << count;
        EXPECT_LT(looks_for_one(count, [](word i) { return 0x7f1234560000 + 16 * i; }), 4) << count;
        EXPECT_LT(looks_for_one(count, [](word i) { return 0x7f1234560000 + 4096 * i; }), 4) << count;
        EXPECT_LT(looks_for_one(count, [](word i) { return 0x9c000000 + i; }), 4) << count;
        EXPECT_LT(looks_for_one(count, [](word i) { return i << 32 | 1; }), 4) << count;
    }
}

} // namespace
