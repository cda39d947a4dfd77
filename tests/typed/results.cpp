// The other error policy, in the same program: no function throws.
#define ANYMPI_RESULTS
#include <gtest/gtest.h>

#include <anympi/anympi.hpp>
#include <anympi/coroutines.hpp>
#include <cstdlib>

using anympi::at;
using anympi::count;
using anympi::displacements;
using anympi::partitions;
using anympi::tag;

namespace op = anympi::op;

TEST(results, values_and_errors) {
    const anympi::Comm world = anympi::Comm::borrow(MPI_COMM_WORLD);
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

TEST(results, rank_and_size_are_numbers) {
    const anympi::Comm world = anympi::Comm::borrow(MPI_COMM_WORLD);
    const int rank = world.rank(), size = world.size();
    EXPECT_EQ(rank, world.rank().value());
    EXPECT_TRUE(world.rank() == *world.rank() && rank < world.size());
    EXPECT_EQ(world.allreduce(1, op::sum).value(), world.size());
    EXPECT_EQ(std::vector<int>(static_cast<std::size_t>(size)).size(), static_cast<std::size_t>(world.size()));
    const anympi::result<int> same = world.size();
    EXPECT_EQ(same.value(), size);
    EXPECT_EQ(anympi::Comm().size().error().error_class(), anympi::ErrorClass::comm);
    EXPECT_FALSE(anympi::Comm().size().has_value());
}

TEST(results, requests) {
    const anympi::Comm world = anympi::Comm::borrow(MPI_COMM_WORLD);
    const int rank = *world.rank();
    auto sending = world.isend(std::vector<int>{1, 2}, rank, tag(5));
    auto receiving = world.irecv<std::vector<int>>(rank, tag(5), count(5));
    ASSERT_TRUE(sending && receiving);
    EXPECT_EQ(receiving->wait().value(), (std::vector<int>{1, 2}));
    EXPECT_TRUE(sending->wait());
    EXPECT_FALSE(world.isend(1, -7));
    std::vector<int> in{1}, out(1);
    auto persistent = world.allreduce_init(in, out, op::sum);
    ASSERT_TRUE(persistent) << persistent.error().what();
    EXPECT_TRUE(persistent->start());
    EXPECT_FALSE(persistent->start());
    EXPECT_TRUE(persistent->wait());
    EXPECT_EQ(out[0], *world.size());
    EXPECT_FALSE(anympi::init());
}

TEST(results, what_came) {
    using anympi::with_layout;
    using anympi::with_status;
    const anympi::Comm world = anympi::Comm::borrow(MPI_COMM_WORLD);
    const int rank = *world.rank(), size = *world.size();
    const std::size_t n = static_cast<std::size_t>(size);
    const std::vector<int> mine{rank};
    const auto all = world.allgatherv(mine, with_layout);
    ASSERT_TRUE(all);
    EXPECT_EQ(all->value.size(), n);
    EXPECT_EQ(all->layout.counts(), std::vector<MPI_Count>(n, 1));
    const auto sending = world.isend(mine, rank, tag(5));
    const auto came = world.recv<std::vector<int>>(rank, tag(5), with_status);
    ASSERT_TRUE(came);
    EXPECT_EQ(came->value, mine);
    EXPECT_EQ(came->status.tag(), 5);
    EXPECT_EQ(world.sendrecv<std::vector<int>>(mine, rank, rank).value(), mine);
    EXPECT_EQ(world.sendrecv<int>(rank, rank, rank).value(), rank);
    EXPECT_EQ(world.allreduce(std::vector<int>{1}, op::sum).value(), std::vector<int>{size});
    EXPECT_EQ(world.reduce_scatter_block(std::vector<int>(n, 1), op::sum).value(), std::vector<int>{size});
    EXPECT_EQ(world.iallreduce(1, op::sum)->wait().value(), size);
    EXPECT_EQ(world.iallgather(rank)->wait(with_status)->value.size(), n);
    auto rounds = world.allgatherv_init(mine, with_layout);
    ASSERT_TRUE(rounds) << rounds.error().what();
    EXPECT_TRUE(rounds->value.start());
    EXPECT_TRUE(rounds->value.wait());
    EXPECT_EQ(rounds->value.buffer()->get(), all->value);
    EXPECT_EQ(world.gather_object(std::string("x"), 0)->size(), rank == 0 ? n : 0U);
    EXPECT_EQ(world.scatter_object(std::vector<std::string>(n, "y"), 0).value(), "y");

    const anympi::Comm none;
    EXPECT_FALSE(none.allgatherv(mine, with_layout));
    EXPECT_FALSE(none.allreduce(mine, op::sum));
    EXPECT_FALSE(none.iallgather(mine));
    EXPECT_FALSE(none.allgatherv_init(mine, with_layout));
    EXPECT_FALSE(none.allgatherv_init(mine));
    EXPECT_FALSE(none.recv<int>(with_status));
    EXPECT_FALSE(none.sendrecv<std::vector<int>>(mine, 0, 0));
    EXPECT_FALSE(none.recv_object<int>(with_status));
    EXPECT_FALSE(none.gather_object(1, 0));
}

namespace {

// Expects an error of this class in this function, and no value.
template <class Result>
void expect_error(const Result& result, anympi::ErrorClass error_class, const char* operation) {
    ASSERT_FALSE(result) << operation;
    EXPECT_FALSE(result.has_value());
    EXPECT_EQ(result.error().error_class(), error_class) << result.error().what();
    EXPECT_EQ(result.error().operation(), operation);
}

} // namespace

// One call of each family, successful and failing. That all of them compile under this policy is half of the test.

TEST(results, messages) {
    const anympi::Comm world = anympi::Comm::borrow(MPI_COMM_WORLD);
    const int rank = *world.rank();
    std::vector<int> one(1), grown;
    ASSERT_TRUE(world.sendrecv(7, rank, tag(1), one, rank, tag(1)));
    EXPECT_EQ(one[0], 7);
    auto sending = world.isend(std::vector<int>{1, 2, 3}, rank, tag(2));
    EXPECT_EQ(world.probe(rank, tag(2))->count<int>(), 3U);
    expect_error(world.recv(one, rank, tag(2)), anympi::ErrorClass::truncate, "MPI_Recv");
    ASSERT_TRUE(sending->wait());
    auto odd = world.isend(std::string("odd"), rank, tag(3));
    expect_error(world.recv(anympi::resize_to_fit(grown), rank, tag(3)), anympi::ErrorClass::type, "MPI_Mrecv");
    ASSERT_TRUE(odd->wait());
    auto whole = world.isend(std::vector<int>{4, 5}, rank, tag(3));
    auto message = world.mprobe(rank, tag(3));
    ASSERT_TRUE(message);
    EXPECT_EQ(std::move(*message).recv_all<int>().value(), (std::vector<int>{4, 5}));
    EXPECT_EQ(whole->wait().value().size(), 2U);
    EXPECT_FALSE(world.iprobe(rank, tag(3)).value());
    expect_error(world.send_object(std::string("text"), -7), anympi::ErrorClass::rank, "MPI_Send");
    auto object = world.isend(std::string("x"), rank, tag(4));
    expect_error(world.recv_object<std::string>(rank, tag(4)), anympi::ErrorClass::truncate, "recv_object");
    ASSERT_TRUE(object->wait());
    auto pending = world.irecv(one, rank, tag(5));
    ASSERT_TRUE(pending->cancel());
    EXPECT_TRUE(pending->wait()->cancelled());
    anympi::RequestSet set;
    set.add(*world.irecv(one, rank, tag(6)));
    ASSERT_TRUE(world.send(8, rank, tag(6)));
    EXPECT_EQ(set.wait_any().value()->index, 0U);
    EXPECT_EQ(set.wait_all()->size(), 1U);
    auto first = world.isend(1, rank, tag(7));
    auto second = world.irecv(one, rank, tag(7));
    ASSERT_TRUE(anympi::wait_all(*first, *second));
    std::vector<anympi::OwningRequest<std::vector<int>>> several;
    several.push_back(*world.irecv<std::vector<int>>(rank, tag(8), count(2)));
    EXPECT_FALSE(anympi::test_any(several).value());
    EXPECT_FALSE(anympi::get_status_all(several).value());
    ASSERT_TRUE(world.send(9, rank, tag(8)));
    EXPECT_EQ(anympi::wait_values(several).value().at(0), std::vector<int>{9});
    EXPECT_FALSE(anympi::wait_values(several));
    EXPECT_EQ(anympi::with_requests([&](auto& scope) {
                  scope.add(*world.irecv(one, rank, tag(9)));
                  static_cast<void>(world.send(10, rank, tag(9)));
                  return 11;
              }).value(),
              11);
    EXPECT_EQ(one[0], 10);
    ASSERT_TRUE(anympi::with_requests([&](auto& scope) { scope.add(*world.ibarrier()); }));
    EXPECT_FALSE(anympi::with_requests([&](auto& scope) -> anympi::result<void> {
        scope.add(*world.ibarrier());
        return world.send(1, -7);
    }));
}

TEST(results, tasks) {
    const anympi::Comm world = anympi::Comm::borrow(MPI_COMM_WORLD);
    const int rank = world.rank();
    const auto received = [](const anympi::Comm& comm, int source) -> anympi::Task<anympi::result<int>> {
        auto request = comm.irecv<int>(source, tag(1));
        if (!request)
            co_return std::move(request.error());
        co_return co_await *request;
    };
    const auto sent = [](const anympi::Comm& comm, int to) -> anympi::Task<anympi::result<void>> {
        auto request = comm.isend(std::vector<int>{5}, to, tag(1));
        co_return (co_await *request) ? anympi::result<void>() : comm.barrier();
    };
    anympi::Loop loop;
    loop.spawn(sent(world, rank));
    const anympi::result<int> got = loop.run(received(world, rank));
    EXPECT_EQ(got.value(), 5);
    EXPECT_TRUE(loop.run());
    EXPECT_TRUE(loop.poll().value());
    EXPECT_FALSE(loop.run(received(world, -7)));
    loop.spawn(received(world, -7));
    const auto ended = loop.run();
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().error_class(), anympi::ErrorClass::rank);
}

TEST(results, collectives) {
    const anympi::Comm world = anympi::Comm::borrow(MPI_COMM_WORLD);
    const int size = *world.size();
    const auto n = static_cast<std::size_t>(size);
    std::vector<int> one(1, 2), two(2), all(n);
    ASSERT_TRUE(world.allgather(one, all));
    EXPECT_EQ(all.back(), 2);
    EXPECT_EQ(world.allgatherv(one)->size(), n);
    EXPECT_EQ(world.alltoall(all)->size(), n);
    ASSERT_TRUE(world.barrier());
    expect_error(world.allreduce(one, two, op::sum), anympi::ErrorClass::count, "MPI_Allreduce");
    expect_error(world.broadcast(one, size), anympi::ErrorClass::root, "MPI_Bcast");
    if (anympi::library_version()->find("MPICH Version:\t3.") == std::string::npos) // MPICH 3 ends the job
        expect_error(world.ibroadcast(one, size), anympi::ErrorClass::root, "MPI_Ibcast");
    expect_error(world.alltoallw({}, {}), anympi::ErrorClass::count, "MPI_Alltoallw");
    expect_error(anympi::Layout::at(std::vector<int>(1), displacements(std::vector<int>(2))), anympi::ErrorClass::count,
                 "Layout::at");
    const auto user = anympi::UserOp<int>::create([size](int a, int b) { return a + b + size; });
    ASSERT_TRUE(user);
    EXPECT_EQ(*world.allreduce(1, *user), size + size * (size - 1));
    expect_error(anympi::reduce_local(one, two, op::sum), anympi::ErrorClass::count, "MPI_Reduce_local");
}

TEST(results, objects) {
    const anympi::Comm world = anympi::Comm::borrow(MPI_COMM_WORLD);
    const int size = *world.size(), rank = *world.rank();
    auto copy = world.duplicate();
    ASSERT_TRUE(copy);
    ASSERT_TRUE(copy->free());
    expect_error(copy->free(), anympi::ErrorClass::comm, "MPI_Comm_free");
    EXPECT_TRUE(world.split(0)->has_value());
    const auto group = world.group();
    EXPECT_EQ(*group->size(), size);
    const int outside[] = {size};
    expect_error(group->include(outside), anympi::ErrorClass::rank, "MPI_Group_incl");
    auto info = anympi::Info::of({{"key", "value"}});
    EXPECT_EQ(info->get("key").value(), "value");
    expect_error(info->erase("none"), anympi::ErrorClass::info_nokey, "MPI_Info_delete");
    expect_error(anympi::Datatype::contiguous(-1, anympi::Datatype::of<int>()), anympi::ErrorClass::count,
                 "MPI_Type_contiguous");
    std::vector<int> cells(4);
    EXPECT_EQ(anympi::strided(std::span(cells), 2, 1, 2)->count(), 1);
    expect_error(anympi::strided(std::span(cells), 3, 1, 2), anympi::ErrorClass::arg, "strided");
    const int sizes[] = {size};
    const bool round[] = {true};
    const auto ring = anympi::CartComm::create(world, sizes, round);
    EXPECT_EQ(*ring->value().dimensions(), 1);
    expect_error((*ring)->rank_at(std::span<const int>()), anympi::ErrorClass::dims, "MPI_Cart_rank");
    EXPECT_EQ(anympi::DistGraphComm::create(world, std::array{rank}, std::array{rank})->neighbors()->sources.size(),
              1U);
    EXPECT_EQ(anympi::GraphComm::create(world, std::vector<std::vector<int>>(static_cast<std::size_t>(size)))
                  ->value()
                  .neighbors(0)
                  ->size(),
              0U);
    expect_error(anympi::InterComm().remote_size(), anympi::ErrorClass::comm, "MPI_Comm_remote_size");
    EXPECT_FALSE(anympi::InterComm::parent()->has_value());
    const auto key = anympi::AttributeKey<int>::create();
    ASSERT_TRUE(key->set(world, 5));
    EXPECT_EQ(**key->get(world), 5);
    ASSERT_TRUE(key->erase(world));
    EXPECT_TRUE(anympi::tag_upper_bound(world)->has_value());
    EXPECT_EQ(world.topology_report()->size, size);
    EXPECT_TRUE(anympi::library_version() && anympi::version() && anympi::processor_name());
    const auto session = anympi::Session::create();
    ASSERT_TRUE(session) << session.error().what();
    EXPECT_FALSE(session->group("no such set"));
    const auto tools = anympi::Tools::begin();
    EXPECT_FALSE(tools->read_control<int>("no_such_variable"));
}

TEST(results, windows_and_files) {
    const anympi::Comm world = anympi::Comm::borrow(MPI_COMM_WORLD);
    const int rank = *world.rank(), size = *world.size();
    const auto window = anympi::Window<int>::allocate(world, 4);
    ASSERT_TRUE(window);
    {
        auto lock = window->lock(anympi::LockType::exclusive, rank);
        ASSERT_TRUE(lock);
        const auto ticket = lock->fetch_and_op(1, rank, at(0), op::replace);
        expect_error(ticket->get(), anympi::ErrorClass::rma_sync, "Fetched::get");
        ASSERT_TRUE(lock->flush());
        EXPECT_TRUE(ticket->get());
        expect_error(lock->put(1, size, at(0)), anympi::ErrorClass::rank, "MPI_Put");
        ASSERT_TRUE(std::move(*lock).unlock());
    }
    EXPECT_EQ(window->local()[0], 1);
    {
        auto all = window->lock_all();
        ASSERT_TRUE(all->flush_all());
    }
    expect_error(window->lock(anympi::LockType::shared, size), anympi::ErrorClass::rank, "MPI_Win_lock");
    {
        auto epoch = window->fence();
        ASSERT_TRUE(std::move(*epoch).close());
    }
    {
        const auto self = world.group()->include(std::array{rank});
        auto exposed = window->post(*self);
        auto access = window->start(*self);
        ASSERT_TRUE(std::move(*access).complete());
        ASSERT_TRUE(std::move(*exposed).wait());
    }
    const auto comm = world.duplicate();
    using anympi::FileMode;
    const auto file = anympi::File::open(*comm, "typed-results.bin",
                                         FileMode::create | FileMode::read_write | FileMode::delete_on_close);
    ASSERT_TRUE(file);
    EXPECT_EQ(file->write_at(MPI_Offset{4} * rank, 7)->count<int>(), 1U);
    EXPECT_EQ(file->iread_at(MPI_Offset{4} * rank, std::vector<int>(1))->wait().value()[0], 7);
    EXPECT_FALSE(file->seek(-1));
    EXPECT_FALSE(anympi::File::open(*comm, "no/such/folder/file", FileMode::read));
    EXPECT_FALSE(anympi::File().size());
    if (size > 1 && !std::getenv("ANYMPI_TEST_NO_PARTITIONS")) {
        std::vector<int> parts(2);
        expect_error(world.psend_init(parts, partitions(3), 0), anympi::ErrorClass::count, "MPI_Psend_init");
    }
}

TEST(results, of_expected) {
    using Number = anympi::Expected<int, std::string>;
    const auto halved = [](int number) { return number % 2 ? Number(std::string("odd")) : Number(number / 2); };
    EXPECT_EQ(Number(8).and_then(halved).and_then(halved).value(), 2);
    EXPECT_EQ(Number(6).and_then(halved).and_then(halved).error(), "odd");
    EXPECT_EQ(Number(std::string("wrong")).value_or(3), 3);
    EXPECT_EQ(Number(4).value_or(3), 4);
    Number number(5);
    *number = 6;
    EXPECT_EQ(std::as_const(number).value(), 6);
    EXPECT_THROW(static_cast<void>(Number(std::string("wrong")).value()), std::bad_variant_access);
    Number wrong(std::string("wrong"));
    wrong.error() = "changed";
    EXPECT_EQ(std::as_const(wrong).error(), "changed");

    using Nothing = anympi::Expected<void, std::string>;
    int called = 0;
    const auto next = [&] {
        ++called;
        return Nothing();
    };
    EXPECT_TRUE(Nothing().and_then(next));
    EXPECT_EQ(Nothing(std::string("wrong")).and_then(next).error(), "wrong");
    EXPECT_EQ(called, 1);
    *Nothing();
    EXPECT_THROW(Nothing(std::string("wrong")).value(), std::bad_variant_access);
}
