// Requests of all kinds, completed together: as arguments, in ranges, and in sets.
#include <array>
#include <deque>
#include <list>
#include <span>

#include "expect_error.hpp"
#include "main.hpp"

namespace {

namespace op = anympi::op;
using anympi::at;
using anympi::Comm;
using anympi::count;
using anympi::partitions;
using anympi::tag;

struct Requests : testing::Test {
    const Comm world = Comm::borrow(MPI_COMM_WORLD), comm = world.duplicate();
    const int rank = world.rank(), size = world.size();
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    std::vector<int> sent{1, 2, 3};
    std::array<std::vector<int>, 3> rooms{std::vector<int>(3), std::vector<int>(3), std::vector<int>(3)};

    template <class Container>
    Container receives() {
        Container all;
        for (int number = 0; number < 3; ++number)
            all.push_back(comm.irecv(rooms[static_cast<std::size_t>(number)], before, tag(number)));
        return all;
    }
    void send(int number) { comm.send(sent, next, tag(number)); }
    void expect_received(const anympi::Status& status, std::size_t number) const {
        EXPECT_EQ(status.source(), before);
        EXPECT_EQ(status.tag(), static_cast<int>(number));
        EXPECT_EQ(status.count<int>(), 3U);
        EXPECT_EQ(status.error(), MPI_SUCCESS);
        EXPECT_EQ(rooms[number], sent);
    }
};

} // namespace

TEST_F(Requests, statuses_of_arguments) {
    auto receiving = comm.irecv(rooms[1], before, tag(1));
    auto owning = comm.irecv<std::vector<int>>(before, tag(2), count(5));
    auto sending = comm.isend(sent, next, tag(1));
    auto other = comm.isend(std::vector<int>{4, 5}, next, tag(2));
    const auto [first, second, third, fourth] = anympi::wait_all(receiving, owning, sending, other);
    expect_received(first, 1);
    EXPECT_EQ(second.tag(), 2);
    EXPECT_EQ(second.count<int>(), 2U);
    EXPECT_EQ(third.error() + fourth.error(), MPI_SUCCESS);
    EXPECT_TRUE(receiving.is_completed() && owning.is_completed());
    EXPECT_EQ(owning.wait(), (std::vector<int>{4, 5}));
    EXPECT_EQ(other.wait().size(), 2U);
    EXPECT_EQ(anympi::wait_all().size(), 0U);
}

TEST_F(Requests, in_any_range) {
    const auto in = [&](auto all) {
        comm.barrier();
        for (const int number : {2, 0, 1})
            send(number);
        const auto statuses = anympi::wait_all(all);
        ASSERT_EQ(statuses.size(), 3U);
        std::size_t number = 0;
        for (const anympi::Status& status : statuses)
            expect_received(status, number++);
        const std::vector<anympi::Status> copy = statuses;
        EXPECT_EQ(copy.back().tag(), 2);
        EXPECT_FALSE(statuses.empty());
        for (auto& room : rooms)
            room.assign(3, 0);
    };
    in(receives<std::vector<anympi::Request>>());
    in(receives<std::list<anympi::Request>>());
    in(receives<std::deque<anympi::Request>>());
    in(std::array{comm.irecv(rooms[0], before, tag(0)), comm.irecv(rooms[1], before, tag(1)),
                  comm.irecv(rooms[2], before, tag(2))});
    auto some = receives<std::vector<anympi::Request>>();
    in(std::span(some));
}

TEST_F(Requests, ranges_and_arguments_are_numbered_in_order) {
    auto many = receives<std::vector<anympi::Request>>();
    std::vector<int> room(3);
    auto single = comm.irecv(room, before, tag(7));
    send(7);
    const auto one = anympi::wait_any(many, single);
    ASSERT_TRUE(one);
    EXPECT_EQ(one->index, 3U);
    EXPECT_EQ(one->status.tag(), 7);
    EXPECT_TRUE(single.is_completed());
    EXPECT_FALSE(anympi::test_all(many, single));
    comm.barrier();
    send(1);
    EXPECT_EQ(anympi::wait_any(single, many)->index, 2U);
    comm.barrier();
    send(0), send(2);
    EXPECT_EQ(anympi::wait_all(many, single).size(), 4U);
    EXPECT_FALSE(anympi::wait_any(many, single));
    EXPECT_TRUE(anympi::wait_some(many).empty());
    EXPECT_EQ(anympi::test_all(many)->size(), 3U);
    for (const auto& got : rooms)
        EXPECT_EQ(got, sent);
}

TEST_F(Requests, one_after_the_other) {
    for (int kind = 0; kind < 4; ++kind) {
        auto all = receives<std::vector<anympi::Request>>();
        EXPECT_FALSE(anympi::test_any(all));
        EXPECT_TRUE(anympi::test_some(all).empty());
        comm.barrier();
        for (const int number : {1, 2, 0})
            send(number);
        std::size_t done = 0;
        while (done < 3) {
            if (kind == 0) {
                const auto one = anympi::wait_any(all);
                expect_received(one->status, one->index);
                ++done;
            } else if (kind == 1) {
                if (const auto one = anympi::test_any(all)) {
                    expect_received(one->status, one->index);
                    ++done;
                }
            } else {
                const auto some = kind == 2 ? anympi::wait_some(all) : anympi::test_some(all);
                for (const auto& [index, status] : some) {
                    expect_received(status, index);
                    EXPECT_TRUE(all[index].is_completed());
                }
                done += some.size();
            }
        }
        for (auto& room : rooms)
            room.assign(3, 0);
    }
}

TEST_F(Requests, statuses_without_changes) {
    auto all = receives<std::vector<anympi::Request>>();
    const auto& looked_at = all;
    EXPECT_FALSE(anympi::get_status_all(looked_at));
    EXPECT_FALSE(anympi::get_status_any(looked_at));
    EXPECT_TRUE(anympi::get_status_some(looked_at).empty());
    comm.barrier();
    send(1);
    while (!anympi::get_status_any(looked_at)) {
    }
    const auto one = anympi::get_status_any(looked_at);
    EXPECT_EQ(one->index, 1U);
    expect_received(one->status, 1);
    EXPECT_EQ(anympi::get_status_some(looked_at)[0].index, 1U);
    EXPECT_FALSE(anympi::get_status_all(looked_at[0], looked_at[1]));
    comm.barrier();
    send(0), send(2);
    while (!anympi::get_status_all(looked_at)) {
    }
    EXPECT_EQ(anympi::get_status_all(looked_at)->size(), 3U);
    EXPECT_FALSE(all[0].is_completed());
    anympi::wait_all(all);
    EXPECT_TRUE(all[0].is_completed());
    EXPECT_FALSE(anympi::get_status_any(all));
}

TEST_F(Requests, status_of_each_kind) {
    const auto looks = [](auto& request) {
        while (!request.get_status()) {
        }
        EXPECT_TRUE(request.get_status());
    };
    auto owning = comm.irecv<std::vector<int>>(before, tag(1), count(5));
    EXPECT_FALSE(owning.get_status());
    auto persistent = comm.recv_init(std::vector<int>(3), before, tag(2));
    EXPECT_TRUE(persistent.get_status()); // not active
    persistent.start();
    EXPECT_FALSE(persistent.get_status() || persistent.is_completed());
    comm.barrier();
    send(1), send(2);
    looks(owning);
    EXPECT_EQ(owning.get_status()->count<int>(), 3U);
    looks(persistent);
    EXPECT_TRUE(persistent.is_active());
    anympi::wait_all(owning, persistent);
    EXPECT_EQ(owning.get_status()->count<int>(), 3U);
    EXPECT_EQ(owning.wait(), sent);
    EXPECT_EQ(persistent.buffer().get(), sent);
    EXPECT_TRUE(persistent.is_completed());
    auto pending = comm.idup();
    looks(pending);
    EXPECT_EQ(pending.wait().size(), size);
}

TEST_F(Requests, of_all_kinds_together) {
    auto made = comm.idup();
    auto sum = comm.iallreduce(std::vector<int>{rank}, std::vector<int>(1), op::sum);
    auto persistent = comm.recv_init(std::vector<int>(3), before, tag(4));
    std::vector<anympi::PersistentRequest> more;
    more.push_back(comm.send_init(sent, next, tag(4)));
    more.push_back(comm.send_init(sent, next, tag(1)));
    anympi::start_all(persistent, more);
    auto receiving = comm.irecv<int>(before, tag(3));
    auto sending = comm.isend(rank, next, tag(3));
    std::vector<int> room(3);
    auto last = comm.irecv(room, before, tag(1));
    const auto statuses = anympi::wait_all(made, sum, persistent, more, receiving, sending, last);
    EXPECT_EQ(statuses.size(), 8U);
    EXPECT_EQ(statuses[7].count<int>(), 3U);
    EXPECT_EQ(made.wait().size(), size);
    EXPECT_EQ(sum.wait()[0], size * (size - 1) / 2);
    EXPECT_EQ(receiving.wait(), before);
    EXPECT_EQ(room, sent);
    EXPECT_EQ(persistent.buffer().get(), sent);
    EXPECT_FALSE(persistent.is_active() || more[1].is_active());
    const auto window = anympi::Window<int>::allocate(comm, 2);
    const auto file =
        anympi::File::open(comm, "typed-requests.bin",
                           anympi::FileMode::create | anympi::FileMode::read_write | anympi::FileMode::delete_on_close);
    {
        auto epoch = window.lock(anympi::LockType::exclusive, rank);
        auto put = epoch.rput(std::vector<int>{5, 6}, rank, at(0));
        auto write = file.iwrite_at(MPI_Offset{4} * rank, rank);
        anympi::wait_all(put, write);
        EXPECT_EQ(put.wait().size(), 2U);
    }
}

TEST_F(Requests, values) {
    std::vector<anympi::OwningRequest<std::vector<int>>> receiving;
    for (int number = 0; number < 12; ++number) // more than the statuses that need no memory of the heap
        receiving.push_back(comm.irecv<std::vector<int>>(before, tag(number), count(20)));
    for (int number = 11; number >= 0; --number)
        comm.send(std::vector<int>(static_cast<std::size_t>(number), number), next, tag(number));
    const std::vector<std::vector<int>> values = anympi::wait_values(receiving);
    ASSERT_EQ(values.size(), 12U);
    for (std::size_t number = 0; number < 12; ++number)
        EXPECT_EQ(values[number], std::vector<int>(number, static_cast<int>(number)));
    EXPECT_MPI_ERROR(anympi::wait_values(receiving), request, "MPI_Wait");
    // Requests that own nothing have statuses.
    int first = 0, second = 0;
    anympi::RequestSet borrowing;
    borrowing.add(comm.irecv(first, before, tag(1)));
    borrowing.add(comm.irecv(second, before, tag(2)));
    comm.send(10, next, tag(1));
    comm.send(20, next, tag(2));
    const std::vector<anympi::Status> statuses = anympi::wait_values(borrowing);
    ASSERT_EQ(statuses.size(), 2U);
    EXPECT_EQ(statuses[1].source(), before);
    EXPECT_EQ(statuses[1].tag(), 2);
    EXPECT_EQ(first + second, 30);
}

TEST_F(Requests, large_ranges) {
    constexpr int many = 40;
    std::vector<int> got(many);
    anympi::RequestSet set;
    for (int number = 0; number < many; ++number)
        set.add(comm.irecv(got[static_cast<std::size_t>(number)], before, tag(number)));
    for (int number = many - 1; number >= 0; --number)
        comm.send(number * 10 + before, next, tag(number));
    auto moved = std::move(set);
    EXPECT_EQ(set.size(), 0U);
    EXPECT_EQ(moved.size(), std::size_t{many});
    anympi::Statuses<> statuses = moved.wait_all();
    const anympi::Statuses<> copy = statuses;
    statuses = anympi::Statuses<>(copy);
    for (std::size_t number = 0; number < many; ++number) {
        EXPECT_EQ(copy[number].tag(), static_cast<int>(number));
        EXPECT_EQ(statuses[number].tag(), static_cast<int>(number));
    }
    set.add(comm.irecv(got[0], before, tag(1)));
    moved = std::move(set);
    EXPECT_EQ(moved.size(), 1U);
    comm.send(5, next, tag(1));
    EXPECT_EQ(moved.wait_some().size(), 1U);
    EXPECT_EQ(got[0], 5);
}

TEST_F(Requests, sets_are_ranges) {
    anympi::RequestSet set;
    for (int number = 0; number < 2; ++number)
        set.add(comm.irecv(rooms[static_cast<std::size_t>(number)], before, tag(number)));
    auto sending = comm.isend(sent, next, tag(0));
    auto other = comm.isend(sent, next, tag(1));
    EXPECT_EQ(anympi::wait_all(set, sending, other).size(), 4U);
    EXPECT_EQ(set.active(), 0U);
    EXPECT_EQ(rooms[1], sent);
    for (auto& request : set)
        EXPECT_TRUE(request.is_completed());
}

TEST_F(Requests, sets_of_any_size) {
    // Large sets have memory of the heap.
    for (int size = 0; size <= 9; ++size) {
        const auto number_of = [](int number) { return static_cast<std::size_t>(number); };
        std::vector<int> got(number_of(size), -1);
        anympi::RequestSet borrowing;
        anympi::OwningRequestSet<std::vector<int>> owning;
        for (int number = 0; number < size; ++number) {
            EXPECT_EQ(borrowing.add(comm.irecv(got[number_of(number)], before, tag(number))), number_of(number));
            EXPECT_EQ(owning.add(comm.irecv<std::vector<int>>(before, tag(100 + number), count(2))), number_of(number));
        }
        for (int number = size - 1; number >= 0; --number) {
            comm.send(number, next, tag(number));
            comm.send(std::vector<int>{number, rank}, next, tag(100 + number));
        }
        anympi::RequestSet moved = std::move(borrowing);
        EXPECT_EQ(borrowing.size(), 0U);
        EXPECT_FALSE(borrowing.wait_any());
        if (size > 0) // a hole
            static_cast<void>(moved.wait(number_of(size) / 2));
        borrowing = std::move(moved);
        const anympi::Statuses<> statuses = borrowing.wait_all();
        ASSERT_EQ(statuses.size(), number_of(size));
        for (int number = 0; number < size; ++number) {
            EXPECT_EQ(got[number_of(number)], number);
            if (number != size / 2) {
                EXPECT_EQ(statuses[number_of(number)].tag(), number);
            }
        }
        EXPECT_EQ(borrowing.active(), 0U);
        EXPECT_EQ(borrowing.wait_all().size(), number_of(size));
        auto moved_owning = std::move(owning);
        moved_owning.wait_all();
        EXPECT_EQ(moved_owning.active(), 0U);
        for (int number = 0; number < size; ++number)
            EXPECT_EQ(moved_owning.wait(number_of(number)), (std::vector<int>{number, before}));
        static_cast<void>(borrowing.add(comm.irecv(rooms[0], before, tag(50))));
        comm.send(sent, next, tag(50));
        borrowing.wait_all();
        EXPECT_EQ(rooms[0], sent);
        // The destructors cancel these receives.
        static_cast<void>(borrowing.add(comm.irecv(rooms[1], before, tag(51))));
        static_cast<void>(moved_owning.add(comm.irecv<std::vector<int>>(before, tag(52), count(2))));
    }
}
