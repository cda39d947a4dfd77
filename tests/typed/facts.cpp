// The facts of a communicator are asked for once, belong to the object, and never change a result.
#include "expect_error.hpp"

namespace {

using anympi::at;
using anympi::Comm;
using anympi::Layout;
namespace op = anympi::op;

const auto* facts_of(const Comm& comm) {
    return comm.where().facts();
}

} // namespace

TEST(Facts, are_asked_once) {
    const Comm comm = Comm::borrow(MPI_COMM_WORLD);
    EXPECT_LT(facts_of(comm)->rank.get(), 0);
    EXPECT_LT(facts_of(comm)->size.get(), 0);
    const int rank = comm.rank(), size = comm.size();
    EXPECT_FALSE(comm.is_inter());
    EXPECT_EQ(facts_of(comm)->rank.get(), rank);
    EXPECT_EQ(facts_of(comm)->size.get(), size);
    EXPECT_EQ(facts_of(comm)->is_inter.get(), 0);
    EXPECT_EQ(comm.rank(), rank);
    EXPECT_EQ(comm.size(), size);
}

TEST(Facts, belong_to_the_communicator) {
    const Comm world = Comm::borrow(MPI_COMM_WORLD);
    const int rank = world.rank(), size = world.size();
    const auto half = world.split(rank % 2);
    EXPECT_EQ(half->rank(), rank / 2);
    EXPECT_EQ(half->size(), (size + 1 - rank % 2) / 2);
    const auto backwards = world.split(0, size - rank);
    EXPECT_EQ(backwards->rank(), size - 1 - rank);
    EXPECT_EQ(backwards->duplicate().rank(), size - 1 - rank);
}

TEST(Facts, move_with_the_handle) {
    const Comm world = Comm::borrow(MPI_COMM_WORLD);
    const int size = world.size();
    std::vector<int> all(static_cast<std::size_t>(size));
    Comm first = world.duplicate();
    first.allgather(1, all);
    first.alltoall(std::vector<int>(all), all);
    Comm second = std::move(first);
    EXPECT_EQ(facts_of(second)->size.get(), size);
    EXPECT_EQ(facts_of(second)->members.get(), size);
    EXPECT_EQ(facts_of(second)->divided(), size);
    EXPECT_LT(facts_of(first)->size.get(), 0); // NOLINT: a moved communicator is null
    EXPECT_MPI_ERROR(first.size(), comm, "MPI_Comm_size");
    EXPECT_MPI_ERROR(first.allgather(1, all), comm, "MPI_Allgather");
    EXPECT_MPI_ERROR(first.alltoall(all, all), comm, "MPI_Alltoall");
    EXPECT_MPI_ERROR(first.gather(1, all, 0), comm, "MPI_Gather");
    EXPECT_MPI_ERROR(first.broadcast(all, 0), comm, "MPI_Bcast");
    EXPECT_MPI_ERROR(first.allreduce(1, op::sum), comm, "MPI_Allreduce");
    // An empty buffer fits any number of processes.
    std::vector<int> none;
    EXPECT_MPI_ERROR(first.allgather(none, none), comm, "MPI_Allgather");
    EXPECT_MPI_ERROR(first.alltoall(none, none), comm, "MPI_Alltoall");
    EXPECT_MPI_ERROR(first.scatter(none, none, 0), comm, "MPI_Scatter");

    first = Comm::borrow(MPI_COMM_SELF); // assignment replaces the facts
    EXPECT_EQ(first.size(), 1);
    second = std::move(first);
    EXPECT_EQ(second.size(), 1);
    EXPECT_EQ(second.rank(), 0);
    second = world.duplicate();
    EXPECT_EQ(second.size(), size);
    const MPI_Comm handle = second.handle();
    EXPECT_EQ(second.release(), handle);
    EXPECT_MPI_ERROR(second.size(), comm, "MPI_Comm_size");
    Comm third = Comm::adopt(handle);
    EXPECT_EQ(third.size(), size);
    third.free();
    EXPECT_MPI_ERROR(third.rank(), comm, "MPI_Comm_rank");
}

// Libraries give the handle of a freed communicator to the next one. The facts belong to the object, not to the handle.
TEST(Facts, of_a_handle_that_is_used_again) {
    for (const int color : {0, Comm::borrow(MPI_COMM_WORLD).rank()}) {
        MPI_Comm made = MPI_COMM_NULL;
        int size = 0;
        MPI_Comm_split(MPI_COMM_WORLD, color, 0, &made);
        MPI_Comm_size(made, &size);
        EXPECT_EQ(Comm::borrow(made).size(), size);
        MPI_Comm_free(&made);
    }
}

// Buffers of one size are divided only once; other sizes must still be checked and divided.
TEST(Facts, blocks_of_several_sizes) {
    const Comm comm = Comm::borrow(MPI_COMM_WORLD).duplicate();
    const auto size = static_cast<std::size_t>(comm.size());
    const int rank = comm.rank();
    for (const std::size_t each : {2U, 3U, 2U, 0U, 2U, 1U}) {
        std::vector<int> sent(each * size, rank), got(each * size, -1), gathered(each * size, -1), part(each, -1);
        comm.alltoall(sent, got);
        comm.allgather(std::span(sent).first(each), gathered);
        for (std::size_t place = 0; place < got.size(); ++place) {
            EXPECT_EQ(got[place], static_cast<int>(place / each));
            EXPECT_EQ(gathered[place], static_cast<int>(place / each));
        }
        comm.scatter(gathered, part, comm.size() - 1);
        comm.gather(part, got, comm.size() - 1);
        for (const int element : part)
            EXPECT_EQ(element, rank);
        if (rank == comm.size() - 1) {
            EXPECT_EQ(got, gathered);
        }
        comm.reduce_scatter_block(gathered, part, op::sum);
        for (const int element : part)
            EXPECT_EQ(element, rank * comm.size());
    }
    if (size > 1) {
        std::vector<int> uneven(2 * size + 1), even(2 * size), larger(3 * size);
        EXPECT_MPI_ERROR(comm.alltoall(uneven, uneven), count, "MPI_Alltoall");
        EXPECT_MPI_ERROR(comm.alltoall(even, larger), count, "MPI_Alltoall");
        EXPECT_MPI_ERROR(comm.allgather(even, larger), count, "MPI_Allgather");
        EXPECT_MPI_ERROR(comm.allgather(1, uneven), count, "MPI_Allgather");
        if (rank == 0 && anympi::assertion_level() < anympi::AssertionLevel::communication) { // others do not call
            EXPECT_MPI_ERROR(comm.gather(even, even, 0), count, "MPI_Gather");
            EXPECT_MPI_ERROR(comm.scatter(uneven, even, 0), count, "MPI_Scatter");
            EXPECT_MPI_ERROR(comm.reduce(even, larger, op::sum, 0), count, "MPI_Reduce");
        }
    }
    std::vector<int> own(size);
    comm.alltoall(anympi::in_place, own); // a buffer in place has no size of its own
}

TEST(Facts, of_two_groups) {
    const Comm world = Comm::borrow(MPI_COMM_WORLD);
    if (world.size() < 2)
        GTEST_SKIP() << "needs two processes";
    const bool is_first = world.rank() == 0;
    const auto group = world.split(is_first ? 0 : 1);
    const auto inter = anympi::InterComm::create(*group, 0, world, is_first ? 1 : 0);
    const int others = is_first ? world.size() - 1 : 1;
    for (int again = 0; again < 2; ++again) {
        EXPECT_TRUE(inter.is_inter());
        EXPECT_EQ(inter.remote_size(), others);
        EXPECT_EQ(inter.size(), group->size());
        std::vector<int> all(static_cast<std::size_t>(others));
        inter.allgather(world.rank(), all);
        EXPECT_EQ(all.front(), is_first ? 1 : 0);
        std::vector<int> to(static_cast<std::size_t>(others), world.rank()), from(static_cast<std::size_t>(others));
        inter.alltoall(to, from);
        EXPECT_EQ(from.back(), is_first ? world.size() - 1 : 0);
        EXPECT_LT(facts_of(inter)->members.get(), 0);
        EXPECT_LT(facts_of(inter)->divided(), 0);
    }
}

// A kept layout is shared by its copies, and a request keeps it.
TEST(Facts, layouts_are_shared) {
    const Comm comm = Comm::borrow(MPI_COMM_WORLD).duplicate();
    const auto size = static_cast<std::size_t>(comm.size());
    std::vector<int> all(2 * size);
    auto layout = std::make_unique<Layout>(Layout::packed(std::vector<int>(size, 2)));
    const Layout copy = *layout;
    EXPECT_EQ(copy.counts().data(), layout->counts().data());
    auto request = comm.iallgatherv(std::vector<int>(2, comm.rank()), all, *layout);
    layout.reset();
    request.wait();
    EXPECT_EQ(all.back(), comm.size() - 1);
    EXPECT_EQ(copy.reach(), static_cast<MPI_Count>(2 * size));
    EXPECT_EQ(Layout().parts(), 0U);
    EXPECT_EQ(Layout().reach(), 0);
    const std::vector<int> negative(size, -1);
    EXPECT_MPI_ERROR(comm.allgatherv(1, all, Layout::packed(negative)), count, "MPI_Allgatherv");
}

// Memory of fetches is used again only after the last result has been dropped.
TEST(Facts, fetches_keep_their_values) {
    const Comm comm = Comm::borrow(MPI_COMM_WORLD);
    const auto window = anympi::Window<long>::allocate(comm, 1);
    window.local()[0] = 0;
    comm.barrier();
    if (comm.rank() == 0) {
        auto epoch = window.lock(anympi::LockType::exclusive, 0);
        const auto first = epoch.fetch_and_op(10, 0, at(0), op::sum);
        EXPECT_MPI_ERROR(first.get(), rma_sync, "Fetched::get");
        epoch.flush();
        const auto second = epoch.fetch_and_op(5, 0, at(0), op::sum);
        EXPECT_EQ(first.get(), 0);
        EXPECT_MPI_ERROR(second.get(), rma_sync, "Fetched::get");
        epoch.flush();
        for (long round = 0; round < 100; ++round) {
            auto one = epoch.fetch_and_op(1, 0, at(0), op::sum);
            auto another = epoch.fetch_and_op(0, 0, at(0), op::sum);
            epoch.flush();
            EXPECT_EQ(one.get(), 15 + round);
            EXPECT_EQ(another.get(), 16 + round);
        }
        EXPECT_EQ(first.get(), 0);
        EXPECT_EQ(second.get(), 10);
    }
    comm.barrier();
}
