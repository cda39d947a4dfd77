// The other policy, in the same program: nothing throws.
#define ANYMPI_RESULTS
#include <gtest/gtest.h>

#include <anympi/anympi.hpp>

namespace op = anympi::op;

TEST(results, values_and_errors) {
    const anympi::Comm world = anympi::world();
    const int size = world.size().value();
    const anympi::result<int> sum = world.allreduce(1, op::sum);
    ASSERT_TRUE(sum);
    EXPECT_EQ(*sum, size);
    const auto wrong = world.send(1, size);
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().error_class(), anympi::ErrorClass::rank);
    EXPECT_EQ(wrong.error().operation(), "MPI_Send");
    EXPECT_FALSE(anympi::Comm().rank());
    EXPECT_EQ(world.allreduce(1, op::sum).and_then([&](int all) { return world.allreduce(all, op::max); }).value(),
              size);
    EXPECT_EQ(world.recv<int>(size).value_or(-7), -7);
}

TEST(results, requests) {
    const anympi::Comm world = anympi::world();
    const int rank = *world.rank();
    auto sending = world.isend(std::vector<int>{1, 2}, rank, 5);
    auto receiving = world.irecv<std::vector<int>>(5, rank, 5);
    ASSERT_TRUE(sending && receiving);
    EXPECT_EQ(receiving->wait().value(), (std::vector<int>{1, 2}));
    EXPECT_TRUE(sending->wait());
    EXPECT_FALSE(world.isend(1, -7));
    std::vector<int> in{1}, out(1);
    auto persistent = world.allreduce_init(in, out, op::sum);
    ASSERT_TRUE(persistent);
    EXPECT_TRUE(persistent->start());
    EXPECT_FALSE(persistent->start());
    EXPECT_TRUE(persistent->wait());
    EXPECT_EQ(out[0], *world.size());
    EXPECT_FALSE(anympi::init());
}
