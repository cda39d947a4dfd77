#include "convert/used_codes.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace {

using anympi::forget_used_code;
using anympi::last_used_code;

void note_used_code(int code) {
    anympi::used_code_note note;
    ASSERT_FALSE(note.lacks_memory());
    note.keep(code);
}

// Any order of adding and removing must give the largest remaining code.
TEST(used_codes, tell_the_largest) {
    std::mt19937 random(1); // NOLINT: the same numbers each time
    std::set<int> used;
    for (int i = 0; i < 20000; ++i) {
        const int code = 1 + static_cast<int>(random() % 500);
        if (used.insert(code).second) {
            note_used_code(code);
        } else {
            used.erase(code);
            forget_used_code(code);
        }
        ASSERT_EQ(last_used_code.load(), used.empty() ? 0 : *used.rbegin());
    }
    for (const int code : used)
        forget_used_code(code);
    EXPECT_EQ(last_used_code.load(), 0);
}

// So many codes that a linear search for each would exceed the time of a test.
TEST(used_codes, may_be_many) {
    constexpr int count = 200000;
    for (int i = 1; i <= count; ++i)
        note_used_code(i);
    for (int i = 1; i < count; ++i)
        forget_used_code(i);
    EXPECT_EQ(last_used_code.load(), count);
    forget_used_code(count);
    EXPECT_EQ(last_used_code.load(), 0);
    for (int i = 1; i <= count; ++i)
        note_used_code(i);
    for (int i = count; i >= 1; --i)
        forget_used_code(i);
    EXPECT_EQ(last_used_code.load(), 0);
}

} // namespace
