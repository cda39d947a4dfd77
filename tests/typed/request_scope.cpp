// Scopes at whose end all operations are complete.
#include <anympi/request_scope.hpp>

#include "expect_error.hpp"
#include "main.hpp"

namespace {

using anympi::Comm;
using anympi::count;
using anympi::RequestScope;
using anympi::tag;
namespace op = anympi::op;

struct Scopes : testing::Test {
    const Comm world = Comm::borrow(MPI_COMM_WORLD), comm = world.duplicate();
    const int rank = world.rank(), size = world.size();
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    std::vector<int> mine{1, 2, 3}, theirs = std::vector<int>(3);

    // Returns from the middle of a scope.
    bool returns_early() {
        RequestScope scope;
        scope.add(comm.irecv(theirs, before, tag(1)));
        scope.add(comm.isend(mine, next, tag(1)));
        if (size > 0)
            return true;
        scope.wait();
        return false;
    }
};

} // namespace

TEST_F(Scopes, the_end_waits_also_for_receives) {
    EXPECT_TRUE(returns_early());
    EXPECT_EQ(theirs, mine);
}

TEST_F(Scopes, requests_of_all_kinds) {
    std::vector<int> more(3);
    RequestScope scope;
    auto& number = scope.add(comm.irecv<int>(before, tag(2)));
    auto& made = scope.add(comm.idup());
    auto persistent = comm.recv_init(theirs, before, tag(3));
    persistent.start();
    auto& receiving = scope.add(std::move(persistent));
    scope.add(comm.isend(std::vector<int>{7}, next, tag(2)));
    scope.add(comm.isend(mine, next, tag(3)));
    scope.add(comm.iallreduce(mine, more, op::max));
    EXPECT_GT(scope.active(), 0U);
    scope.wait();
    EXPECT_EQ(scope.active(), 0U);
    EXPECT_EQ(number.wait(), 7);
    EXPECT_EQ(made.wait().size(), size);
    EXPECT_FALSE(receiving.is_active());
    EXPECT_EQ(theirs, mine);
    EXPECT_EQ(more, mine);
    receiving.start(); // again, until the end of the scope
    scope.add(comm.isend(mine, next, tag(3)));
}

TEST_F(Scopes, functions) {
    anympi::with_requests([&](RequestScope& scope) {
        scope.add(comm.irecv(theirs, before, tag(4)));
        scope.add(comm.isend(mine, next, tag(4)));
    });
    EXPECT_EQ(theirs, mine);
    const int answer = anympi::with_requests([&](auto& scope) {
        scope.add(comm.ibarrier());
        return 42;
    });
    EXPECT_EQ(answer, 42);
}

TEST_F(Scopes, errors) {
    std::vector<int> small(1), large(3);
    const auto fails = [&] {
        anympi::with_requests([&](auto& scope) {
            scope.add(comm.irecv(small, before, tag(5)));
            scope.add(comm.isend(mine, next, tag(5)));
            scope.add(comm.irecv(large, before, tag(6)));
            scope.add(comm.isend(mine, next, tag(6)));
        });
    };
    if (anympi::library_version().find("Open MPI v4") != std::string::npos)
        GTEST_SKIP() << "MPI_Waitall of Open MPI 4 hangs natively if a request failed and several threads are allowed";
    EXPECT_MPI_ERROR(fails(), in_status, "MPI_Waitall");
    EXPECT_EQ(large, mine); // the other operations are complete
    // The destructor tells the listener.
    int heard = 0;
    comm.on_error([&](const anympi::Error& error) { heard += error.error_class() == anympi::ErrorClass::truncate; });
    auto sending = comm.isend(mine, next, tag(5));
    {
        RequestScope scope;
        scope.add(comm.irecv(small, before, tag(5)));
    }
    EXPECT_EQ(heard, 1);
    static_cast<void>(sending.wait());
}

TEST_F(Scopes, exceptions_do_not_wait) {
    std::vector<std::string> left;
    comm.on_error([&](const anympi::Error& error) { left.push_back(error.operation()); });
    const auto leaves = [&] {
        RequestScope scope;
        scope.add(comm.irecv(theirs, before, tag(7)));             // can be cancelled
        scope.add(comm.issend(std::vector<int>{1}, rank, tag(8))); // owns its buffer, so it continues
        throw std::runtime_error("in all processes");
    };
    EXPECT_THROW(leaves(), std::runtime_error);
    EXPECT_EQ(left, std::vector<std::string>{"MPI_Wait"});
    EXPECT_EQ(comm.recv<int>(rank, tag(8)), 1);
    comm.clear_on_error();
}
