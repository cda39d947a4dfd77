#include "convert/handle_table.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

using anympi::handle_table;
using anympi::request_handles;
using anympi::shared_handles;
using anympi::word;

namespace {

constexpr std::uint32_t requests = 11; // class numbers of MPICH
constexpr std::uint32_t comms = 1;

// A table is never freed, because its memory lives as long as the process.
template <class Table>
Table* make() {
    static auto* const all = new std::vector<Table*>;
    return all->emplace_back(new Table);
}

TEST(handle_table, gives_numbers_that_look_like_the_vendors) {
    auto* const table = make<handle_table>();
    const std::uint32_t handle = table->add(0x1234, requests);
    EXPECT_EQ(handle >> 30, 3u);
    EXPECT_EQ(handle >> 26 & 0xf, requests);
    EXPECT_EQ(table->find(handle), 0x1234u);
}

TEST(handle_table, knows_no_number_that_it_did_not_give) {
    auto* const table = make<handle_table>();
    const std::uint32_t handle = table->add(0x1234, requests);
    for (std::uint32_t other :
         {handle_table::first_handle, handle + 1, handle + 4096, handle | 1u << 25, handle ^ 1u << 26, 0xffffffffu})
        EXPECT_EQ(table->find(other), 0u) << std::hex << other;
    table->remove(handle + 1);
    table->remove(0);
    EXPECT_EQ(table->find(handle), 0x1234u);
}

TEST(handle_table, tells_a_stale_handle_while_its_slot_is_used_again) {
    auto* const table = make<handle_table>();
    const std::uint32_t stale = table->add(1, requests);
    table->remove(stale);
    for (int use = 1; use < 256; ++use) {
        const std::uint32_t handle = table->add(2, requests);
        ASSERT_NE(handle, stale) << use;
        EXPECT_EQ(table->find(stale), 0u) << use;
        table->remove(stale); // a second time: the valid handle stays
        EXPECT_EQ(table->find(handle), 2u) << use;
        table->remove(handle);
    }
}

TEST(handle_table, holds_many_at_a_time) {
    auto* const table = make<handle_table>();
    constexpr word many = 200'000; // beyond the 65535 with a long generation
    std::vector<std::uint32_t> handles;
    for (word i = 1; i <= many; ++i)
        handles.push_back(table->add(i, requests));
    EXPECT_EQ(std::set<std::uint32_t>(handles.begin(), handles.end()).size(), many);
    for (word i = 1; i <= many; ++i)
        ASSERT_EQ(table->find(handles[i - 1]), i);
    for (std::uint32_t handle : handles)
        table->remove(handle);
    for (std::uint32_t handle : handles)
        ASSERT_EQ(table->find(handle), 0u);
    EXPECT_EQ(table->find(table->add(7, requests)), 7u);
}

// Returns the index of the slot of a handle, for the first 65535 slots.
std::uint32_t slot_of(std::uint32_t handle) {
    return handle & 0xffff;
}

// Many handles are created and freed in eight threads. The number of slots must not exceed the number of handles that
// exist, or are kept, at the same time.
template <class Table>
void come_and_go(Table& table, std::uint32_t kept_by_a_thread) {
    constexpr int threads = 8;
    constexpr int rounds = 500'000;
    constexpr int alive = 4;
    std::vector<std::thread> workers;
    std::vector<std::uint32_t> highest(threads);
    std::vector<int> wrong(threads);
    for (int t = 0; t < threads; ++t)
        workers.emplace_back([&, t] {
            std::uint32_t held[alive]{};
            for (int i = 0; i < rounds; ++i) {
                std::uint32_t& handle = held[i % alive];
                const word object = (static_cast<word>(t) << 32 | static_cast<word>(i)) + 1;
                if (handle != 0)
                    table.remove(handle);
                handle = table.add(object, requests);
                wrong[t] += table.find(handle) != object;
                highest[t] = std::max(highest[t], slot_of(handle));
            }
            for (std::uint32_t handle : held)
                table.remove(handle);
        });
    for (auto& worker : workers)
        worker.join();
    for (int t = 0; t < threads; ++t) {
        EXPECT_EQ(wrong[t], 0);
        EXPECT_LE(highest[t], threads * (alive + kept_by_a_thread));
    }
}

TEST(handle_table, serves_eight_threads_without_losing_a_slot) {
    auto* const table = make<handle_table>();
    come_and_go(*table, 0);
}

// A process has one table, to which the lists of the threads belong.
request_handles& the_requests() {
    static request_handles table;
    return table;
}

TEST(request_handles, serve_eight_threads_without_losing_a_slot) {
    request_handles& table = the_requests();
    for (int generation = 0; generation < 3; ++generation)
        come_and_go(table, 64);
    std::set<std::uint32_t> slots; // the slots that the threads had kept are available again
    std::vector<std::uint32_t> handles;
    for (int i = 0; i < 32; ++i)
        handles.push_back(table.add(1, requests));
    for (std::uint32_t handle : handles) {
        slots.insert(slot_of(handle));
        EXPECT_LT(slot_of(handle), 8u * 68);
        table.remove(handle);
    }
    EXPECT_EQ(slots.size(), handles.size());
}

TEST(request_handles, move_between_threads) {
    request_handles& table = the_requests();
    constexpr int many = 1000; // more than a thread keeps
    std::vector<std::uint32_t> handles;
    for (int round = 0; round < 20; ++round) {
        for (int i = 0; i < many; ++i)
            handles.push_back(table.add(static_cast<word>(i) + 1, requests));
        std::thread([&] {
            for (int i = 0; i < many; ++i) {
                ASSERT_EQ(table.find(handles[i]), static_cast<word>(i) + 1);
                ASSERT_LT(slot_of(handles[i]), many + 8u * 68);
                table.remove(handles[i]);
                ASSERT_EQ(table.find(handles[i]), 0u);
            }
        }).join();
        handles.clear();
    }
}

TEST(shared_handles, give_one_object_one_handle) {
    auto* const table = make<shared_handles>();
    const std::uint32_t handle = table->add_reference(0x1000, comms);
    EXPECT_EQ(table->add_reference(0x1000, comms), handle);
    EXPECT_NE(table->add_reference(0x2000, comms), handle);
    EXPECT_EQ(table->find_handle(0x1000), handle);
    EXPECT_EQ(table->find_handle(0x3000), 0u);
    table->drop_reference(handle);
    EXPECT_EQ(table->find(handle), 0x1000u);
    table->drop_reference(handle);
    EXPECT_EQ(table->find(handle), 0u);
    EXPECT_EQ(table->find_handle(0x1000), 0u);
    table->drop_reference(handle); // stale
    table->drop_reference(0);
    EXPECT_NE(table->add_reference(0x1000, comms), handle);
}

TEST(shared_handles, find_many_again) {
    auto* const table = make<shared_handles>();
    constexpr word many = 10'000;
    std::vector<std::uint32_t> handles;
    for (word i = 1; i <= many; ++i)
        handles.push_back(table->add_reference(i * 256, comms));
    for (word i = 1; i <= many; ++i)
        ASSERT_EQ(table->find_handle(i * 256), handles[i - 1]);
    for (std::uint32_t handle : handles)
        table->drop_reference(handle);
    for (word i = 1; i <= many; ++i)
        ASSERT_EQ(table->find_handle(i * 256), 0u);
}

} // namespace
