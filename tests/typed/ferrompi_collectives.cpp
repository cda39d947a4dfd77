// The functions that replace ferrompi's functions (docs/builder/coming-from.md), with their results: collective
// operations and operations of the program. See same_as.hpp.
#include <numeric>

#include "same_as.hpp"

namespace {

namespace op = anympi::op;
using anympi::in_place;
using anympi::Layout;

struct FerrompiCollectives : Ferrompi {
    // Two elements of each process: 10 * process and 10 * process + 1.
    static std::vector<int> pair_of(int process) { return {10 * process, 10 * process + 1}; }
    [[nodiscard]] std::vector<int> pairs() const {
        std::vector<int> all;
        for (int process = 0; process < size; ++process)
            for (const int number : pair_of(process))
                all.push_back(number);
        return all;
    }
    const std::vector<int> mine = pair_of(rank), everything = pairs();
    // The sums of the pairs of all processes, of the processes up to this one, and of those before.
    [[nodiscard]] std::vector<int> sums_of(int processes) const {
        const int tens = 5 * processes * (processes - 1);
        return {tens, tens + processes};
    }
    const std::vector<int> total = sums_of(size), so_far = sums_of(rank + 1), earlier = sums_of(rank);
    // The element for process p from process q is 100 * q + p.
    [[nodiscard]] std::vector<int> crossing(bool arrived) const {
        std::vector<int> all;
        for (int other = 0; other < size; ++other)
            all.push_back(arrived ? 100 * other + rank : 100 * rank + other);
        return all;
    }
    const std::vector<int> leaving = crossing(false), arrived = crossing(true);
    // Process p has p + 1 elements with the value p.
    [[nodiscard]] std::vector<int> steps() const {
        std::vector<int> all;
        for (int process = 0; process < size; ++process)
            all.insert(all.end(), static_cast<std::size_t>(process + 1), process);
        return all;
    }
    [[nodiscard]] Layout steps_layout() const {
        std::vector<int> counts(n);
        std::iota(counts.begin(), counts.end(), 1);
        return Layout::packed(counts);
    }
    const std::vector<int> my_step = std::vector<int>(static_cast<std::size_t>(rank + 1), rank), staircase = steps();
    const Layout layout = steps_layout(), ones = Layout::packed(std::vector<int>(n, 1));

    std::vector<int> room;
    // Room for all pairs, with the own one at its place.
    std::vector<int>& room_with_mine() {
        room.assign(2 * n, -1);
        std::copy(mine.begin(), mine.end(), room.begin() + 2 * rank);
        return room;
    }
    std::vector<int>& room_of(std::size_t count) {
        room.assign(count, -1);
        return room;
    }
    static void run(anympi::PersistentRequest request) {
        request.start();
        request.wait();
    }
};

} // namespace

TEST_F(FerrompiCollectives, blocking_reductions) {
    {
        SAME_AS("Communicator::barrier");
        world.barrier();
        EXPECT_MPI_ERROR(anympi::Comm().barrier(), comm, "MPI_Barrier");
    }
    {
        SAME_AS("Communicator::broadcast");
        room = rank == size - 1 ? std::vector{4, 2} : std::vector{0, 0};
        world.broadcast(room, size - 1);
        EXPECT_EQ(room, (std::vector{4, 2}));
    }
    {
        SAME_AS("Communicator::reduce");
        world.reduce(mine, room_of(2), op::sum, 0);
        EXPECT_EQ(room, rank == 0 ? total : std::vector({-1, -1}));
    }
    {
        SAME_AS("Communicator::reduce_inplace");
        room = mine;
        rank == 0 ? world.reduce(in_place, room, op::sum, 0) : world.reduce(mine, room, op::sum, 0);
        EXPECT_EQ(room, rank == 0 ? total : mine);
    }
    {
        SAME_AS("Communicator::reduce_scalar");
        const int sum = world.reduce(rank, op::sum, 0);
        EXPECT_TRUE(rank != 0 || sum == size * (size - 1) / 2);
    }
    {
        SAME_AS("Communicator::allreduce");
        world.allreduce(mine, room_of(2), op::sum);
        EXPECT_EQ(room, total);
        world.allreduce(mine, room_of(2), op::max);
        EXPECT_EQ(room, pair_of(size - 1));
    }
    {
        SAME_AS("Communicator::allreduce_inplace");
        room = mine;
        world.allreduce(in_place, room, op::sum);
        EXPECT_EQ(room, total);
    }
    {
        SAME_AS("Communicator::allreduce_scalar");
        EXPECT_EQ(world.allreduce(rank + 1.0, op::prod), (std::vector{1.0, 1.0, 2.0, 6.0, 24.0}.at(n)));
    }
    {
        SAME_AS("Communicator::allreduce_indexed");
        const anympi::Indexed<double> own{rank == 0 ? 7.0 : 1.0, rank};
        anympi::Indexed<double> most{};
        world.allreduce(own, most, op::max_loc);
        EXPECT_EQ(most.value, 7.0);
        EXPECT_EQ(most.index, 0);
        EXPECT_EQ(world.allreduce(own, op::min_loc).index, size > 1 ? 1 : 0);
    }
    {
        SAME_AS("Communicator::allreduce_bytes");
        const std::array<std::byte, 2> own{std::byte{0xf0}, static_cast<std::byte>(1 << rank)};
        std::array<std::byte, 2> got{};
        world.allreduce(own, got, op::bit_or);
        EXPECT_EQ(got[1], static_cast<std::byte>((1 << size) - 1));
        world.allreduce(own, got, op::bit_and);
        EXPECT_EQ(got[0], std::byte{0xf0});
    }
    {
        SAME_AS("Communicator::allreduce_with_op");
        const auto operation = anympi::UserOp<int>::create([](int a, int b) { return a + b; });
        world.allreduce(mine, room_of(2), operation);
        EXPECT_EQ(room, total);
    }
    {
        SAME_AS("Communicator::scan");
        world.scan(mine, room_of(2), op::sum);
        EXPECT_EQ(room, so_far);
    }
    {
        SAME_AS("Communicator::exscan");
        world.exscan(mine, room_of(2), op::sum);
        EXPECT_TRUE(rank == 0 || room == earlier);
    }
    {
        SAME_AS("Communicator::scan_scalar");
        EXPECT_EQ(world.scan(rank, op::sum), rank * (rank + 1) / 2);
    }
    {
        SAME_AS("Communicator::exscan_scalar"); // with the value of process 0
        EXPECT_EQ(world.exscan(rank, op::sum, 0), rank * (rank - 1) / 2);
    }
    {
        SAME_AS("Communicator::reduce_scatter_block");
        world.reduce_scatter_block(everything, room_of(2), op::sum);
        EXPECT_EQ(room, (std::vector{mine[0] * size, mine[1] * size}));
    }
}

TEST_F(FerrompiCollectives, blocking_moves) {
    const std::vector<int> at_root = rank == 0 ? everything : std::vector<int>(2 * n, -1);
    {
        SAME_AS("Communicator::gather");
        world.gather(mine, room_of(2 * n), 0);
        EXPECT_EQ(room, at_root);
    }
    {
        SAME_AS("Communicator::gather_inplace");
        rank == 0 ? world.gather(in_place, room_with_mine(), 0) : world.gather(mine, room_of(2 * n), 0);
        EXPECT_EQ(room, at_root);
    }
    {
        SAME_AS("Communicator::allgather");
        world.allgather(mine, room_of(2 * n));
        EXPECT_EQ(room, everything);
    }
    {
        SAME_AS("Communicator::allgather_inplace");
        world.allgather(in_place, room_with_mine());
        EXPECT_EQ(room, everything);
    }
    {
        SAME_AS("Communicator::scatter");
        world.scatter(at_root, room_of(2), 0);
        EXPECT_EQ(room, mine);
    }
    {
        SAME_AS("Communicator::scatter_inplace"); // the root keeps its part
        room_of(2);
        rank == 0 ? world.scatter(everything, in_place, 0) : world.scatter(everything, room, 0);
        EXPECT_EQ(room, rank == 0 ? std::vector({-1, -1}) : mine);
    }
    {
        SAME_AS("Communicator::alltoall");
        world.alltoall(leaving, room_of(n));
        EXPECT_EQ(room, arrived);
    }
    {
        SAME_AS("Communicator::alltoall_inplace");
        room = leaving;
        world.alltoall(in_place, room);
        EXPECT_EQ(room, arrived);
    }
    // Parts of different sizes
    {
        SAME_AS("Communicator::gatherv");
        world.gatherv(my_step, room_of(staircase.size()), layout, 0);
        EXPECT_TRUE(rank != 0 || room == staircase);
    }
    {
        SAME_AS("Communicator::scatterv");
        world.scatterv(staircase, room_of(my_step.size()), layout, 0);
        EXPECT_EQ(room, my_step);
    }
    {
        SAME_AS("Communicator::allgatherv");
        world.allgatherv(my_step, room_of(staircase.size()), layout);
        EXPECT_EQ(room, staircase);
    }
    {
        SAME_AS("Communicator::alltoallv");
        world.alltoallv(leaving, room_of(n), ones, ones);
        EXPECT_EQ(room, arrived);
    }
}

TEST_F(FerrompiCollectives, immediate) {
    {
        SAME_AS("Communicator::ibarrier");
        auto waiting = world.ibarrier();
        waiting.wait();
        EXPECT_TRUE(waiting.is_completed());
    }
    {
        SAME_AS("Communicator::ibroadcast");
        room = rank == 0 ? std::vector{4, 2} : std::vector{0, 0};
        world.ibroadcast(room, 0).wait();
        EXPECT_EQ(room, (std::vector{4, 2}));
    }
    {
        SAME_AS("Communicator::ireduce");
        world.ireduce(mine, room_of(2), op::sum, 0).wait();
        EXPECT_TRUE(rank != 0 || room == total);
    }
    {
        SAME_AS("Communicator::iallreduce");
        world.iallreduce(mine, room_of(2), op::sum).wait();
        EXPECT_EQ(room, total);
    }
    {
        SAME_AS("Communicator::igather");
        world.igather(mine, room_of(2 * n), 0).wait();
        EXPECT_TRUE(rank != 0 || room == everything);
    }
    {
        SAME_AS("Communicator::iallgather");
        world.iallgather(mine, room_of(2 * n)).wait();
        EXPECT_EQ(room, everything);
    }
    {
        SAME_AS("Communicator::iscatter");
        world.iscatter(everything, room_of(2), 0).wait();
        EXPECT_EQ(room, mine);
    }
    {
        SAME_AS("Communicator::ialltoall");
        world.ialltoall(leaving, room_of(n)).wait();
        EXPECT_EQ(room, arrived);
    }
    {
        SAME_AS("Communicator::iscan");
        world.iscan(mine, room_of(2), op::sum).wait();
        EXPECT_EQ(room, so_far);
    }
    {
        SAME_AS("Communicator::iexscan");
        world.iexscan(mine, room_of(2), op::sum).wait();
        EXPECT_TRUE(rank == 0 || room == earlier);
    }
    {
        SAME_AS("Communicator::ireduce_scatter_block");
        world.ireduce_scatter_block(everything, room_of(2), op::sum).wait();
        EXPECT_EQ(room, (std::vector{mine[0] * size, mine[1] * size}));
    }
    {
        SAME_AS("Communicator::igather_inplace");
        (rank == 0 ? world.igather(in_place, room_with_mine(), 0) : world.igather(mine, room_of(2 * n), 0)).wait();
        EXPECT_TRUE(rank != 0 || room == everything);
    }
    {
        SAME_AS("Communicator::iallgather_inplace");
        world.iallgather(in_place, room_with_mine()).wait();
        EXPECT_EQ(room, everything);
    }
    {
        SAME_AS("Communicator::iscatter_inplace");
        room_of(2);
        (rank == 0 ? world.iscatter(everything, in_place, 0) : world.iscatter(everything, room, 0)).wait();
        EXPECT_EQ(room, rank == 0 ? std::vector({-1, -1}) : mine);
    }
    {
        SAME_AS("Communicator::ialltoall_inplace");
        room = leaving;
        world.ialltoall(in_place, room).wait();
        EXPECT_EQ(room, arrived);
    }
    {
        SAME_AS("Communicator::igatherv");
        world.igatherv(my_step, room_of(staircase.size()), layout, 0).wait();
        EXPECT_TRUE(rank != 0 || room == staircase);
    }
    {
        SAME_AS("Communicator::iscatterv");
        world.iscatterv(staircase, room_of(my_step.size()), layout, 0).wait();
        EXPECT_EQ(room, my_step);
    }
    {
        SAME_AS("Communicator::iallgatherv");
        world.iallgatherv(my_step, room_of(staircase.size()), layout).wait();
        EXPECT_EQ(room, staircase);
    }
    {
        SAME_AS("Communicator::ialltoallv");
        world.ialltoallv(leaving, room_of(n), ones, ones).wait();
        EXPECT_EQ(room, arrived);
    }
}

// Each is started once: MPICH 4.0 itself fails at the second start of some, see collectives.cpp.
TEST_F(FerrompiCollectives, persistent) {
    {
        SAME_AS("Communicator::bcast_init");
        room = rank == 0 ? std::vector{4, 2} : std::vector{0, 0};
        run(world.broadcast_init(room, 0));
        EXPECT_EQ(room, (std::vector{4, 2}));
    }
    {
        SAME_AS("Communicator::reduce_init");
        run(world.reduce_init(mine, room_of(2), op::sum, 0));
        EXPECT_TRUE(rank != 0 || room == total);
    }
    {
        SAME_AS("Communicator::allreduce_init");
        run(world.allreduce_init(mine, room_of(2), op::sum));
        EXPECT_EQ(room, total);
    }
    {
        SAME_AS("Communicator::allreduce_init_inplace");
        room = mine;
        run(world.allreduce_init(in_place, room, op::sum));
        EXPECT_EQ(room, total);
    }
    {
        SAME_AS("Communicator::gather_init");
        run(world.gather_init(mine, room_of(2 * n), 0));
        EXPECT_TRUE(rank != 0 || room == everything);
    }
    {
        SAME_AS("Communicator::gather_init_inplace");
        run(rank == 0 ? world.gather_init(in_place, room_with_mine(), 0) : world.gather_init(mine, room_of(2 * n), 0));
        EXPECT_TRUE(rank != 0 || room == everything);
    }
    {
        SAME_AS("Communicator::allgather_init");
        run(world.allgather_init(mine, room_of(2 * n)));
        EXPECT_EQ(room, everything);
    }
    {
        SAME_AS("Communicator::allgather_init_inplace");
        run(world.allgather_init(in_place, room_with_mine()));
        EXPECT_EQ(room, everything);
    }
    {
        SAME_AS("Communicator::scatter_init");
        run(world.scatter_init(everything, room_of(2), 0));
        EXPECT_EQ(room, mine);
    }
    {
        SAME_AS("Communicator::scatter_init_inplace");
        room_of(2);
        run(rank == 0 ? world.scatter_init(everything, in_place, 0) : world.scatter_init(everything, room, 0));
        EXPECT_EQ(room, rank == 0 ? std::vector({-1, -1}) : mine);
    }
    {
        SAME_AS("Communicator::alltoall_init");
        run(world.alltoall_init(leaving, room_of(n)));
        EXPECT_EQ(room, arrived);
    }
    {
        SAME_AS("Communicator::alltoall_init_inplace");
        room = leaving;
        run(world.alltoall_init(in_place, room));
        EXPECT_EQ(room, arrived);
    }
    {
        SAME_AS("Communicator::scan_init");
        run(world.scan_init(mine, room_of(2), op::sum));
        EXPECT_EQ(room, so_far);
    }
    {
        SAME_AS("Communicator::exscan_init");
        run(world.exscan_init(mine, room_of(2), op::sum));
        EXPECT_TRUE(rank == 0 || room == earlier);
    }
    {
        SAME_AS("Communicator::reduce_scatter_block_init");
        run(world.reduce_scatter_block_init(everything, room_of(2), op::sum));
        EXPECT_EQ(room, (std::vector{mine[0] * size, mine[1] * size}));
    }
    {
        SAME_AS("Communicator::gatherv_init");
        run(world.gatherv_init(my_step, room_of(staircase.size()), layout, 0));
        EXPECT_TRUE(rank != 0 || room == staircase);
    }
    {
        SAME_AS("Communicator::scatterv_init");
        run(world.scatterv_init(staircase, room_of(my_step.size()), layout, 0));
        EXPECT_EQ(room, my_step);
    }
    {
        SAME_AS("Communicator::allgatherv_init");
        run(world.allgatherv_init(my_step, room_of(staircase.size()), layout));
        EXPECT_EQ(room, staircase);
    }
    {
        SAME_AS("Communicator::alltoallv_init");
        run(world.alltoallv_init(leaving, room_of(n), ones, ones));
        EXPECT_EQ(room, arrived);
    }
}

TEST_F(FerrompiCollectives, operations) {
    {
        SAME_AS("UserOp::new"); // with state
        const auto operation = anympi::UserOp<int>::create([most = 25](int a, int b) { return std::min(a + b, most); });
        EXPECT_TRUE(operation.is_commutative());
        world.allreduce(mine, room_of(2), operation);
        EXPECT_EQ(room, (std::vector{std::min(total[0], 25), std::min(total[1], 25)}));
    }
    {
        SAME_AS("UserOp::new_noncommutative"); // the order of the processes: a number with the digits 1, 2, …
        const auto operation = anympi::UserOp<std::array<long, 2>>::create(
            anympi::noncommutative([](std::array<long, 2> a, std::array<long, 2> b) -> std::array<long, 2> {
                return {a[0] * b[1] + b[0], a[1] * b[1]};
            }));
        EXPECT_FALSE(operation.is_commutative());
        const std::array<long, 2> own{rank + 1, 10};
        EXPECT_EQ(world.allreduce(own, operation)[0], (std::vector{0L, 1L, 12L, 123L, 1234L}.at(n)));
    }
}
