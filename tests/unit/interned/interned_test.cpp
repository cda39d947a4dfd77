#include "base/interned.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

using anympi::interned;

namespace {

/// They live as long as the process, and so does their memory.
template <class Value>
interned<Value>* make() {
    static auto* const all = new std::vector<interned<Value>*>;
    return all->emplace_back(new interned<Value>);
}

TEST(interned, has_one_for_all_that_are_equal) {
    auto& cells = *make<std::int64_t>();
    std::int64_t* const seven = cells.get(7);
    EXPECT_EQ(*seven, 7);
    EXPECT_NE(cells.get(8), seven);
    EXPECT_NE(cells.get(-7), seven);
    EXPECT_EQ(cells.get(7), seven);
}

TEST(interned, compares_all_of_a_record) {
    struct record {
        void* function;
        std::int64_t state;
    };
    auto& records = *make<record>();
    int one = 0;
    int other = 0;
    const record* const first = records.get({&one, 5});
    EXPECT_EQ(records.get({&one, 5}), first);
    EXPECT_NE(records.get({&other, 5}), first);
    EXPECT_NE(records.get({&one, 6}), first);
}

TEST(interned, keeps_the_places_of_very_many) {
    auto& cells = *make<std::int64_t>();
    constexpr std::int64_t count = 100000;
    std::vector<std::int64_t*> places;
    for (std::int64_t i = 0; i < count; ++i)
        places.push_back(cells.get(i << 32 | 1));
    for (std::int64_t i = 0; i < count; ++i) {
        ASSERT_EQ(*places[i], i << 32 | 1);
        ASSERT_EQ(cells.get(i << 32 | 1), places[i]);
        ASSERT_TRUE(cells.contains(places[i]));
    }
}

TEST(interned, knows_its_own) {
    auto& cells = *make<std::int64_t>();
    std::int64_t foreign = 7;
    EXPECT_FALSE(cells.contains(&foreign));
    EXPECT_FALSE(cells.contains(nullptr));
    std::int64_t* const own = cells.get(7);
    EXPECT_TRUE(cells.contains(own));
    EXPECT_FALSE(cells.contains(reinterpret_cast<char*>(own) + 4));
    EXPECT_FALSE(cells.contains(own + 1)) << "a place that nothing has yet";
    EXPECT_FALSE(cells.contains(own - 1));
    EXPECT_FALSE(cells.contains(&foreign));
}

TEST(interned, is_one_for_all_threads) {
    auto& cells = *make<std::int64_t>();
    constexpr int count = 5000;
    std::vector<std::vector<std::int64_t*>> seen(4);
    std::vector<std::thread> threads;
    for (auto& mine : seen)
        threads.emplace_back([&] {
            for (int i = 0; i < count; ++i) {
                mine.push_back(cells.get(i));
                EXPECT_TRUE(cells.contains(mine.back()));
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    for (const auto& mine : seen)
        EXPECT_EQ(mine, seen[0]);
}

} // namespace
