#include "base/immortal_values.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>
#include <vector>

using anympi::immortal_bytes;
using anympi::immortal_values;

namespace {

thread_local bool lacks_memory = false;

} // namespace

// The linker redirects all calls of calloc in this program to this function (--wrap).
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" void* __real_calloc(std::size_t count, std::size_t size);
extern "C" void* __wrap_calloc(std::size_t count, std::size_t size) {
    return lacks_memory ? nullptr : __real_calloc(count, size);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace {

// The values are never freed, because their memory lives as long as the process.
template <class Value>
immortal_values<Value>* make() {
    static auto* const all = new std::vector<immortal_values<Value>*>;
    return all->emplace_back(new immortal_values<Value>);
}

TEST(immortal_values, has_one_for_all_that_are_equal) {
    auto& cells = *make<std::int64_t>();
    std::int64_t* const seven = cells.copy_of(7);
    EXPECT_EQ(*seven, 7);
    EXPECT_NE(cells.copy_of(8), seven);
    EXPECT_NE(cells.copy_of(-7), seven);
    EXPECT_EQ(cells.copy_of(7), seven);
}

TEST(immortal_values, knows_a_value_without_memory) {
    auto& cells = *make<std::int64_t>();
    std::int64_t* const zero = cells.copy_of(0);
    for (std::int64_t i = 1; i < 1000; ++i) {
        cells.copy_of(i);
        lacks_memory = true;
        EXPECT_EQ(cells.copy_of(0), zero);
        lacks_memory = false;
    }
}

TEST(immortal_values, compares_all_of_a_record) {
    struct record {
        void* function;
        std::int64_t state;
    };
    auto& records = *make<record>();
    int one = 0;
    int other = 0;
    const record* const first = records.copy_of({&one, 5});
    EXPECT_EQ(records.copy_of({&one, 5}), first);
    EXPECT_NE(records.copy_of({&other, 5}), first);
    EXPECT_NE(records.copy_of({&one, 6}), first);
}

TEST(immortal_values, keeps_the_places_of_very_many) {
    auto& cells = *make<std::int64_t>();
    constexpr std::int64_t count = 100000;
    std::vector<std::int64_t*> places;
    for (std::int64_t i = 0; i < count; ++i)
        places.push_back(cells.copy_of(i << 32 | 1));
    for (std::int64_t i = 0; i < count; ++i) {
        ASSERT_EQ(*places[i], i << 32 | 1);
        ASSERT_EQ(cells.copy_of(i << 32 | 1), places[i]);
        ASSERT_TRUE(cells.contains(places[i]));
    }
}

TEST(immortal_values, knows_its_own) {
    auto& cells = *make<std::int64_t>();
    std::int64_t foreign = 7;
    EXPECT_FALSE(cells.contains(&foreign));
    EXPECT_FALSE(cells.contains(nullptr));
    std::int64_t* const own = cells.copy_of(7);
    EXPECT_TRUE(cells.contains(own));
    EXPECT_FALSE(cells.contains(reinterpret_cast<char*>(own) + 4));
    EXPECT_FALSE(cells.contains(own + 1)) << "an unused place";
    EXPECT_FALSE(cells.contains(own - 1));
    EXPECT_FALSE(cells.contains(&foreign));
}

TEST(immortal_values, is_one_for_all_threads) {
    auto& cells = *make<std::int64_t>();
    constexpr int count = 5000;
    std::vector<std::vector<std::int64_t*>> seen(4);
    std::vector<std::thread> threads;
    for (auto& mine : seen)
        threads.emplace_back([&] {
            for (int i = 0; i < count; ++i) {
                mine.push_back(cells.copy_of(i));
                EXPECT_TRUE(cells.contains(mine.back()));
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    for (const auto& mine : seen)
        EXPECT_EQ(mine, seen[0]);
}

TEST(immortal_bytes, tells_lengths_apart_and_has_room_for_all) {
    static constinit immortal_bytes arrays;
    const std::vector<std::byte> zeros(100'000);
    std::vector<void*> places;
    for (const std::size_t size : {0, 1, 7, 8, 9, 16, 100'000})
        places.push_back(arrays.copy_of(zeros.data(), size));
    EXPECT_EQ(std::set<void*>(places.begin(), places.end()).size(), places.size());
    EXPECT_EQ(arrays.copy_of(zeros.data(), 9), places[4]);
    std::vector<std::byte> other = zeros;
    other.back() = std::byte{1};
    void* const of_other = arrays.copy_of(other.data(), other.size());
    EXPECT_NE(of_other, places.back());
    EXPECT_EQ(std::memcmp(of_other, other.data(), other.size()), 0);
    EXPECT_EQ(std::memcmp(places.back(), zeros.data(), zeros.size()), 0);
    EXPECT_EQ(arrays.copy_of(zeros.data(), zeros.size()), places.back());
}

} // namespace
