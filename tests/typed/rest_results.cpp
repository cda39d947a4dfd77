// Functions of rest.cpp with the other error policy.
#define ANYMPI_RESULTS
#include <gtest/gtest.h>

#include <anympi/anympi.hpp>

TEST(results, rest) {
    using anympi::Datatype;
    using anympi::ErrorClass;
    const anympi::Comm world = anympi::Comm::borrow(MPI_COMM_WORLD);
    const auto window = anympi::Window<int>::allocate(world, 2).value();
    EXPECT_EQ(window.flavor().value(), anympi::WindowFlavor::allocate);
    EXPECT_EQ(window.size_bytes().value(), 8);
    EXPECT_EQ(anympi::Window<int>().flavor().error().error_class(), ErrorClass::win);

    const std::vector<MPI_Count> lengths{1}, places{4};
    const auto type = Datatype::hindexed(lengths, places, Datatype::of<int>());
    ASSERT_TRUE(type);
    EXPECT_EQ(type->contents()->combiner, anympi::Combiner::hindexed);
    EXPECT_EQ(type->true_bounds()->lower, 4);
    EXPECT_EQ(Datatype().contents().error().operation(), "MPI_Type_get_envelope");

    std::vector<std::pair<int, int>> pairs(2);
    const auto pair = Datatype::contiguous(2, Datatype::of<int>());
    EXPECT_TRUE(anympi::typed_each(std::span(pairs), *pair));
    EXPECT_EQ(anympi::typed_each(std::span(pairs), *type).error().error_class(), ErrorClass::type);

    EXPECT_TRUE(anympi::check(MPI_SUCCESS));
    EXPECT_EQ(anympi::check(MPI_ERR_TAG, "MPI_Send").error().operation(), "MPI_Send");
    const anympi::Comm comm = world.duplicate().value();
    static int handled = 0;
    const auto handler = anympi::CommErrorHandler::create([](const anympi::Error&) { ++handled; });
    ASSERT_TRUE(handler);
    EXPECT_TRUE(handler->attach(comm));
    EXPECT_TRUE(anympi::CommErrorHandler::call(comm, ErrorClass::tag));
    EXPECT_EQ(handled, 1);
    EXPECT_FALSE(anympi::CommErrorHandler::of(anympi::Comm()));

    const int code = anympi::add_error_code(ErrorClass::other, "mine").value();
    EXPECT_EQ(anympi::error_class_of(code), ErrorClass::other);
    if (ANYMPI_HAS(MPI_Remove_error_code)) {
        EXPECT_TRUE(anympi::remove_error_code(code));
        EXPECT_FALSE(anympi::remove_error_code(code));
    }
    EXPECT_FALSE(anympi::GraphComm().graph());
    EXPECT_TRUE(anympi::is_thread_main().value());
}
