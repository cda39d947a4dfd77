// Tasks that await requests, and the loop that drives them.
#include <anympi/coroutines.hpp>

#include <array>
#include <stdexcept>

#include "expect_error.hpp"
#include "main.hpp"

namespace {

using anympi::Comm;
using anympi::count;
using anympi::Loop;
using anympi::tag;
using anympi::Task;
namespace op = anympi::op;

struct Tasks : testing::Test {
    const Comm world = Comm::borrow(MPI_COMM_WORLD), comm = world.duplicate();
    const int rank = world.rank(), size = world.size();
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    Loop loop;
    std::vector<int> order; // what happened
};

Task<int> received(const Comm& comm, int source, int number) {
    co_return co_await comm.irecv<int>(source, tag(number));
}
Task<int> sum_of(const Comm& comm, int source, int first, int last) {
    int sum = 0;
    for (int number = first; number < last; ++number)
        sum += co_await received(comm, source, number);
    co_return sum;
}
Task<> note(std::vector<int>& order, Task<int> inner) {
    order.push_back(co_await inner);
}
Task<> send(const Comm& comm, int value, int destination, int number) {
    auto sending = comm.isend(value, destination, tag(number)); // owns nothing: value lives in the frame
    co_await sending;
}

} // namespace

TEST_F(Tasks, results_of_requests_of_all_kinds) {
    const auto task = [](const Comm& comm, int next, int before) -> Task<int> {
        std::vector<int> borrowed(2);
        const std::vector<int> two{1, 2};
        auto receiving = comm.irecv(borrowed, before, tag(1));
        std::vector<int> given = two; // g++ 12 cannot have braces with several values in an expression with co_await
        const std::vector<int> sent = co_await comm.isend(std::move(given), next, tag(1));
        EXPECT_EQ(sent, two);
        const anympi::Status status = co_await receiving;
        EXPECT_EQ(status.count<int>(), 2U);
        EXPECT_EQ(borrowed, sent);
        auto persistent = comm.recv_init(borrowed, before, tag(2));
        for (int round = 0; round < 2; ++round) {
            persistent.start();
            auto sending = comm.isend(round, next, tag(2));
            EXPECT_EQ((co_await persistent).tag(), 2);
            EXPECT_EQ(borrowed[0], round);
            co_await sending;
        }
        const Comm made = co_await comm.idup();
        const std::vector<int> sum = co_await made.iallreduce(std::vector<int>(1, 1), std::vector<int>(1), op::sum);
        EXPECT_EQ((co_await comm.irecv<int>(anympi::proc_null)), 0);
        co_return sum[0];
    };
    EXPECT_EQ(loop.run(task(comm, next, before)), size);
}

TEST_F(Tasks, messages_out_of_order) {
    for (int number = 0; number < 3; ++number)
        loop.spawn(note(order, received(comm, before, number)));
    for (int times = 0; times < 3; ++times)
        EXPECT_FALSE(loop.poll()); // all of them wait
    comm.barrier();
    for (const int number : {2, 0, 1}) {
        comm.send(number * 10, next, tag(number));
        while (order.empty() || order.back() != number * 10)
            static_cast<void>(loop.poll());
        comm.barrier();
    }
    loop.run();
    EXPECT_EQ(order, (std::vector<int>{20, 0, 10}));
    EXPECT_TRUE(loop.poll());
}

TEST_F(Tasks, exchange_and_nest) {
    constexpr int many = 50;
    for (int number = many - 1; number >= 0; --number)
        loop.spawn(send(comm, number, next, number));
    EXPECT_EQ(loop.run(sum_of(comm, before, 0, many)), many * (many - 1) / 2);
    loop.run();
    // Several tasks at once, which wait for each other's messages.
    loop.run(note(order, sum_of(comm, before, 0, 2)), send(comm, 3, next, 1), send(comm, 4, next, 0));
    EXPECT_EQ(order, std::vector<int>{7});
    // Many tasks that never wait do not fill the stack.
    const auto nothing = []() -> Task<int> { co_return 1; };
    const auto deep = [&]() -> Task<int> {
        int sum = 0;
        for (int round = 0; round < 100000; ++round)
            sum += co_await nothing();
        co_return sum;
    };
    EXPECT_EQ(loop.run(deep()), 100000);
}

TEST_F(Tasks, errors_leave_tasks) {
    struct Wrong {};
    const auto fails = [](const Comm& comm) -> Task<int> {
        co_await comm.ibarrier();
        throw Wrong();
    };
    const auto catches = [&](const Comm& comm) -> Task<int> {
        int caught = 0;
        try {
            co_await fails(comm);
        } catch (const Wrong&) {
            caught = 1;
        }
        co_return caught;
    };
    EXPECT_EQ(loop.run(catches(comm)), 1);
    const auto asks_twice = [&](const Comm& comm) -> Task<int> {
        auto task = fails(comm);
        int caught = 0;
        for (int times = 0; times < 2; ++times)
            try {
                co_await task;
            } catch (const Wrong&) {
                ++caught;
            }
        co_return caught;
    };
    EXPECT_EQ(loop.run(asks_twice(comm)), 2);
    EXPECT_THROW(loop.run(fails(comm)), Wrong);
    loop.spawn(fails(comm));
    loop.spawn(note(order, received(comm, before, 5)));
    EXPECT_THROW(loop.run(), Wrong);
    auto sending = comm.isend(std::vector<int>{9}, next, tag(5));
    loop.run(); // the other task has not ended
    static_cast<void>(sending.wait());
    EXPECT_EQ(order, std::vector<int>{9});

    const auto truncated = [](const Comm& comm, int next, int before) -> Task<> {
        int room = 0;
        auto sending = comm.isend(std::vector<int>{1, 2}, next, tag(1));
        auto receiving = comm.irecv(room, before, tag(1));
        EXPECT_MPI_ERROR(co_await receiving, truncate, "MPI_Wait");
        co_await sending;
    };
    loop.run(truncated(comm, next, before));
}

TEST_F(Tasks, destroyed_while_they_wait) {
    bool ended = false;
    struct Ends {
        bool& ended;
        ~Ends() { ended = true; }
    };
    const auto waits = [](const Comm& comm, bool& ended) -> Task<> {
        const Ends ends{ended};
        std::vector<int> room(10);
        co_await comm.irecv(room, anympi::any_source, tag(77)); // never comes
    };
    {
        Loop other;
        other.spawn(waits(comm, ended));
        const auto outer = [&](const Comm& comm, bool& ended) -> Task<> { co_await waits(comm, ended); };
        other.spawn(outer(comm, ended));
        EXPECT_FALSE(other.poll());
        EXPECT_FALSE(other.poll());
        EXPECT_FALSE(ended);
    }
    EXPECT_TRUE(ended);
    comm.barrier();
    // No operation is left that would take this message.
    auto sending = comm.isend(std::vector<int>{1}, next, tag(77));
    EXPECT_EQ(comm.recv<int>(before, tag(77)), 1);
    static_cast<void>(sending.wait());
    // During an exception too.
    ended = false;
    try {
        Loop other;
        other.spawn(waits(comm, ended));
        static_cast<void>(other.poll());
        throw std::runtime_error("in all processes");
    } catch (const std::runtime_error&) {
    }
    EXPECT_TRUE(ended);
    const auto never_run = waits(comm, ended); // and a task that never began
    EXPECT_FALSE(never_run.is_done());
}

// The task that is assigned to ends at once, or with the other variable.
TEST_F(Tasks, a_task_is_assigned) {
    auto sending = comm.isend(rank, next, tag(9));
    Task<int> task = received(comm, before, 8); // never runs
    task = received(comm, before, 9);
    EXPECT_EQ(loop.run(std::move(task)), before);
    static_cast<void>(sending.wait());
}
