// The headers outside the umbrella header, with results instead of exceptions.
#define ANYMPI_RESULTS
#include <anympi/flatten.hpp>
#include <anympi/grid_alltoall.hpp>
#include <anympi/reproducible_reduce.hpp>
#include <anympi/sort.hpp>
#include <anympi/sparse_alltoall.hpp>
#include <anympi/timers.hpp>
#include <gtest/gtest.h>

TEST(AlgorithmsResults, values) {
    const auto world = anympi::Comm::borrow(MPI_COMM_WORLD);
    const int rank = *world.rank(), size = *world.size();
    const auto processes = static_cast<std::size_t>(size);
    const std::vector<std::pair<int, int>> messages{{(rank + 1) % size, rank}};
    const int before = (rank + size - 1) % size;
    EXPECT_EQ(*anympi::sparse_alltoall(world, messages), (std::vector{std::pair{before, before}}));
    const auto grid = *anympi::GridAlltoall::create(world);
    EXPECT_EQ(*grid.alltoallv(std::vector<int>(processes, rank), std::vector<int>(processes, 1)),
              *world.allgather(rank));
    std::vector<int> numbers{size - rank};
    EXPECT_TRUE(anympi::sort(world, numbers));
    EXPECT_EQ(numbers, std::vector{rank + 1});
    EXPECT_EQ(*anympi::reproducible_reduce(world, numbers, anympi::op::sum), size * (size + 1) / 2);
    anympi::Timers timers;
    timers.start("one");
    EXPECT_TRUE(timers.stop("one"));
    timers.count("of " + std::to_string(rank));
    EXPECT_EQ(timers.summary(world)->list().size(), processes + 1);
}

TEST(AlgorithmsResults, errors) {
    const auto world = anympi::Comm::borrow(MPI_COMM_WORLD);
    const int size = *world.size();
    const anympi::Comm null;
    std::vector<int> numbers;
    anympi::Timers timers;
    EXPECT_EQ(anympi::sort(null, numbers).error().operation(), "MPI_Comm_test_inter");
    EXPECT_EQ(timers.summary(null).error().operation(), "MPI_Comm_test_inter");
    EXPECT_EQ(timers.stop("none").error().operation(), "Timers::stop");
    EXPECT_EQ(anympi::GridAlltoall::create(null).error().operation(), "MPI_Comm_test_inter");
    EXPECT_EQ(anympi::reproducible_reduce(null, numbers, anympi::op::sum).error().operation(), "MPI_Comm_test_inter");
    const std::vector<std::pair<int, int>> messages{{size, 0}};
    EXPECT_EQ(anympi::sparse_alltoall(null, messages).error().operation(), "MPI_Comm_test_inter");
    EXPECT_EQ(anympi::flattened(messages, size).error().error_class(), anympi::ErrorClass::rank);
    EXPECT_EQ(anympi::sparse_alltoall(world, messages).error().error_class(), anympi::ErrorClass::rank);
}
