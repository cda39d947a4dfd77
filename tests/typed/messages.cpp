#include <algorithm>
#include <numeric>
#include <thread>

#include "expect_error.hpp"
#include "main.hpp"

namespace {

using anympi::any_source;
using anympi::any_tag;
using anympi::Comm;
using anympi::count;
using anympi::tag;

// A ring: each process sends to the next one and receives from the previous one.
struct Ring : testing::Test {
    const Comm world = anympi::Comm::borrow(MPI_COMM_WORLD);
    const int rank = world.rank(), size = world.size();
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    [[nodiscard]] std::vector<int> numbers(int of, std::size_t count = 4) const {
        std::vector<int> values(count);
        std::iota(values.begin(), values.end(), of * 100);
        return values;
    }
};

} // namespace

TEST_F(Ring, modes) {
    const auto mine = numbers(rank), theirs = numbers(before);
    const auto check = [&](auto send) {
        std::vector<int> got(4);
        auto receiving = world.irecv(got, before, tag(7));
        world.barrier(); // so that the receive is posted before rsend
        send();
        const anympi::Status status = receiving.wait();
        EXPECT_EQ(got, theirs);
        EXPECT_EQ(status.source(), before);
        EXPECT_EQ(status.tag(), 7);
        EXPECT_EQ(status.count<int>(), 4U);
        EXPECT_TRUE(receiving.is_completed());
    };
    check([&] { world.send(mine, next, tag(7)); });
    check([&] { world.ssend(mine, next, tag(7)); });
    check([&] { world.rsend(mine, next, tag(7)); });
    check([&] { static_cast<void>(world.isend(mine, next, tag(7)).wait()); });
    check([&] { static_cast<void>(world.issend(mine, next, tag(7)).wait()); });
    check([&] { static_cast<void>(world.irsend(mine, next, tag(7)).wait()); });
    check([&] { static_cast<void>(world.isend(numbers(rank), next, tag(7)).wait()); });
}

TEST_F(Ring, buffered) {
    NEEDS(MPI_Buffer_iflush);
    if (!is_native) // Open MPI 4.1 sends without a buffer
        EXPECT_MPI_ERROR(world.bsend(std::vector<int>(100), next, tag(6)), buffer, "MPI_Bsend");
    environment().attach_buffer(std::size_t{10'000});
    EXPECT_MPI_ERROR(environment().attach_buffer(std::size_t{1}), buffer, "MPI_Buffer_attach");
    const auto mine = numbers(rank);
    auto persistent = world.bsend_init(mine, next, tag(6));
    // No process has posted a receive yet: without the buffer these sends would wait.
    world.bsend(mine, next, tag(6));
    static_cast<void>(world.ibsend(mine, next, tag(6)).wait());
    EXPECT_EQ(world.ibsend(numbers(rank), next, tag(6)).wait(), mine);
    persistent.start();
    static_cast<void>(persistent.wait());
    auto flushing = environment().iflush_buffer();
    for (int message = 0; message < 4; ++message)
        EXPECT_EQ(world.recv<std::vector<int>>(before, tag(6)), numbers(before));
    static_cast<void>(flushing.wait());
    environment().flush_buffer();
    {
        const auto comm = world.duplicate();
        auto own = comm.attach_buffer(std::vector<std::byte>(2'000));
        auto moved = std::move(own); // it detaches the buffer, once
        comm.bsend(mine, next, tag(6));
        EXPECT_EQ(comm.recv<std::vector<int>>(before, tag(6)), numbers(before));
    }
    EXPECT_EQ(environment().detach_buffer().size(), 10'000U);
    environment().attach_buffer(anympi::automatic_buffer);
    world.bsend(std::vector<int>(100'000, rank), next, tag(6));
    EXPECT_EQ(world.recv<std::vector<int>>(before, tag(6)), std::vector<int>(100'000, before));
    EXPECT_TRUE(environment().detach_buffer().empty());
}

TEST_F(Ring, buffers) {
    // All contiguous containers, and single values.
    auto all = std::make_tuple(world.isend(std::array<int, 2>{rank, 5}, next, tag(1)),
                               world.isend(std::string("text"), next, tag(2)), world.isend(rank + 0.5, next, tag(3)),
                               world.isend(std::span<const int>(), next, tag(4)));
    std::array<int, 2> pair{};
    EXPECT_EQ(world.recv(std::span(pair), before, tag(1)).count<int>(), 2U);
    EXPECT_EQ(pair[0], before);
    std::string text(10, '.');
    static_cast<void>(world.recv(text, before, tag(2)));
    EXPECT_EQ(text, "text......");
    EXPECT_EQ(world.recv<double>(before, tag(3)), before + 0.5);
    int empty[1] = {8};
    EXPECT_EQ(world.recv(empty, before, tag(4)).count<int>(), 0U);
    EXPECT_EQ(empty[0], 8);
    std::apply([](auto&... request) { anympi::wait_all(request...); }, all);
    EXPECT_EQ(std::get<1>(all).wait(), "text");
    EXPECT_MPI_ERROR(std::get<1>(all).wait(), request, "MPI_Wait");
}

TEST_F(Ring, sizes_that_follow) {
    const auto send = [&] { return world.isend(numbers(rank, static_cast<std::size_t>(rank + 2)), next, tag(3)); };
    const auto wanted = numbers(before, static_cast<std::size_t>(before + 2));
    auto one = send(), two = send(), three = send();
    EXPECT_EQ(world.recv<std::vector<int>>(before, tag(3)), wanted);
    std::vector<int> fit, grown(100, -1);
    EXPECT_EQ(world.recv(anympi::resize_to_fit(fit), before, tag(3)).count<int>(), wanted.size());
    EXPECT_EQ(fit, wanted);
    static_cast<void>(world.recv(anympi::grow_only(grown), before, tag(3)));
    EXPECT_EQ(grown.size(), 100U);
    EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), grown.begin()));
    EXPECT_EQ(grown[wanted.size()], -1);
    anympi::wait_all(one, two, three);
}

TEST_F(Ring, sendrecv) {
    std::vector<int> got(4);
    EXPECT_EQ(world.sendrecv(numbers(rank), next, tag(1), got, before, tag(1)).source(), before);
    EXPECT_EQ(got, numbers(before));
    int token = rank;
    static_cast<void>(world.sendrecv_replace(token, next, tag(2), before, tag(2)));
    EXPECT_EQ(token, before);
    auto exchange = world.isendrecv(numbers(rank), next, tag(3), std::vector<int>(4), before, tag(3));
    EXPECT_EQ(exchange.wait(), numbers(before));
}

TEST_F(Ring, owning_receive) {
    auto receiving = world.irecv<std::vector<int>>(before, tag(9), count(50));
    world.send(numbers(rank), next, tag(9));
    anympi::Status status;
    EXPECT_EQ(receiving.wait(status), numbers(before)); // cut to the received size
    EXPECT_EQ(status.source(), before);
    auto again = world.irecv<std::vector<int>>(before, tag(9), count(50));
    world.send(numbers(rank), next, tag(9));
    for (;;)
        if (const auto got = again.test()) {
            EXPECT_EQ(*got, numbers(before));
            break;
        }
}

TEST_F(Ring, probes) {
    EXPECT_FALSE(world.iprobe(before, tag(11)));
    world.barrier();
    auto sending = world.isend(numbers(rank), next, tag(11));
    EXPECT_EQ(world.probe(before, tag(11)).count<int>(), 4U);
    EXPECT_TRUE(world.iprobe(any_source, any_tag));
    EXPECT_EQ(world.mprobe(before, tag(11)).recv_all<int>(), numbers(before));
    static_cast<void>(sending.wait());
    EXPECT_FALSE(world.improbe(before, tag(11)));
    world.barrier();
    auto second = world.isend(numbers(rank), next, tag(12));
    std::vector<int> got(4);
    static_cast<void>(world.mprobe(before, tag(12)).irecv(got).wait());
    EXPECT_EQ(got, numbers(before));
    static_cast<void>(second.wait());
    auto third = world.isend(numbers(rank), next, tag(13));
    static_cast<void>(world.mprobe(before, tag(13))); // dropped: the message is received and discarded
    static_cast<void>(third.wait());
}

TEST_F(Ring, persistent) {
    std::vector<int> out(4), in(4);
    std::vector<anympi::PersistentRequest> both;
    both.push_back(world.recv_init(in, before, tag(4)));
    both.push_back(world.send_init(out, next, tag(4)));
    EXPECT_FALSE(both[0].is_active());
    for (int round = 0; round < 3; ++round) {
        std::ranges::copy(numbers(rank + round), out.begin()); // into the same memory, because it is borrowed
        anympi::start_all(both);
        EXPECT_TRUE(both[0].is_active());
        const auto statuses = anympi::wait_all(both);
        EXPECT_EQ(statuses[0].source(), before);
        EXPECT_EQ(in, numbers(before + round));
    }
    auto owning = world.recv_init(std::vector<int>(4), before, tag(5));
    auto sends = std::make_tuple(world.ssend_init(out, next, tag(5)), world.rsend_init(out, next, tag(5)));
    const auto run = [&](anympi::PersistentRequest& send) {
        owning.start();
        EXPECT_MPI_ERROR(owning.buffer(), request, "buffer");
        EXPECT_MPI_ERROR(owning.start(), request, "MPI_Start");
        world.barrier();
        send.start();
        static_cast<void>(owning.wait());
        EXPECT_EQ(owning.buffer().get(), numbers(before + 2));
        while (!send.test())
            ;
        EXPECT_FALSE(send.is_active());
    };
    run(std::get<0>(sends));
    run(std::get<1>(sends));
    owning.start();
    EXPECT_FALSE(owning.test()); // no message was sent
    // dropped while active: the request is cancelled
}

TEST_F(Ring, a_persistent_send_is_waited_for) {
    if (size == 1)
        GTEST_SKIP() << "the process would wait for itself";
    Comm heard = world.duplicate();
    int reports = 0;
    heard.on_error([&](const anympi::Error&) { ++reports; });
    if (rank == 0) {
        auto sending = heard.ssend_init(rank, 1, tag(5));
        sending.start();
    } // dropped before a receive is posted
    if (rank == 1) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        EXPECT_EQ(heard.recv<int>(0, tag(5)), 0);
    }
    EXPECT_EQ(reports, 0);
}

TEST_F(Ring, dropped_requests) {
    std::vector<int> got(4);
    {
        auto lost = world.irecv(got, before, tag(77)); // never sent: the request is cancelled
        auto owned = world.irecv<std::vector<int>>(before, tag(77), count(4));
    }
    auto receiving = world.irecv(got, before, tag(78));
    static_cast<void>(world.isend(numbers(rank), next, tag(78))); // completes
    static_cast<void>(receiving.wait());
    EXPECT_EQ(got, numbers(before));
    auto cancelled = world.irecv(got, before, tag(77));
    EXPECT_FALSE(cancelled.get_status());
    cancelled.cancel();
    EXPECT_TRUE(cancelled.wait().cancelled());
    { // cancelled explicitly, then dropped: it is cancelled only once
        auto request = world.irecv(got, before, tag(77));
        request.cancel();
        auto persistent = world.recv_init(got, before, tag(77));
        persistent.start();
        persistent.cancel();
    }
    { // a message that has already arrived is received
        auto sending = world.isend(numbers(rank), next, tag(76));
        auto dropped = world.mprobe(before, tag(76)).irecv(got);
        static_cast<void>(sending.wait());
    }
    EXPECT_EQ(got, numbers(before));
    auto moved = world.irecv(got, before, tag(79));
    auto target = std::move(moved);
    EXPECT_TRUE(moved.is_completed());
    world.send(numbers(rank), next, tag(79));
    static_cast<void>(target.wait());
    EXPECT_EQ(target.wait().count<int>(), 0U); // already complete
}

TEST_F(Ring, request_sets) {
    for (int kind = 0; kind < 6; ++kind) {
        anympi::RequestSet set;
        std::vector<std::array<int, 4>> got(3);
        for (std::size_t number = 0; number < 3; ++number)
            EXPECT_EQ(set.add(world.irecv(got[number], before, tag(static_cast<int>(number)))), number);
        EXPECT_EQ(set.active(), 3U);
        if (kind == 3) {
            EXPECT_FALSE(set.test_all());
        }
        world.barrier();
        for (const int tag : {2, 0, 1})
            world.send(numbers(rank), next, anympi::tag(tag));
        std::size_t done = 0;
        while (done < 3) {
            if (kind == 0) {
                done = set.wait_all().size();
            } else if (kind == 1) {
                done += set.wait_any().has_value();
            } else if (kind == 2) {
                done += set.wait_some().size();
            } else if (kind == 3) {
                done += set.test_all() ? 3 : 0;
            } else if (kind == 4) {
                if (const auto one = set.test_any()) {
                    EXPECT_EQ(one->status.tag(), static_cast<int>(one->index));
                    ++done;
                }
            } else {
                for (const auto& one : set.test_some()) {
                    EXPECT_EQ(one.status.tag(), static_cast<int>(one.index));
                    ++done;
                }
            }
        }
        EXPECT_EQ(done, 3U);
        EXPECT_EQ(set.active(), 0U);
        EXPECT_FALSE(set.wait_any());
        EXPECT_TRUE(set.wait_some().empty());
        EXPECT_EQ(got[2][3], before * 100 + 3);
    }
}

TEST_F(Ring, owning_sets) {
    for (int kind = 0; kind < 6; ++kind) {
        anympi::OwningRequestSet<std::vector<int>> set;
        for (int tag = 0; tag < 3; ++tag)
            set.add(world.irecv<std::vector<int>>(before, anympi::tag(tag), count(9)));
        auto sending = world.isend(numbers(rank), next, tag(2));
        for (const int tag : {0, 1})
            world.send(numbers(rank), next, anympi::tag(tag));
        while (set.active()) {
            if (kind == 0)
                static_cast<void>(set.wait_all());
            else if (kind == 1)
                static_cast<void>(set.wait_any());
            else if (kind == 2)
                static_cast<void>(set.wait_some());
            else if (kind == 3)
                static_cast<void>(set.test_all());
            else if (kind == 4)
                static_cast<void>(set.test_any());
            else
                static_cast<void>(set.test_some());
        }
        static_cast<void>(set.wait_all()); // a second time: complete requests stay complete
        for (std::size_t number = 0; number < 3; ++number)
            EXPECT_EQ(set.wait(number), numbers(before));
        EXPECT_MPI_ERROR(set.wait(1), request, "MPI_Wait");
        EXPECT_MPI_ERROR(set.wait(3), arg, "MPI_Wait");
        static_cast<void>(sending.wait());
    }
}

TEST_F(Ring, persistent_of_any_kind) {
    std::vector<int> borrowed(4);
    auto receiving = world.recv_init(borrowed, before, tag(5));
    auto owning = world.recv_init(std::vector<int>(4), before, tag(6));
    auto sending = world.send_init(numbers(rank), next, tag(5));
    auto other = world.send_init(numbers(rank + 1), next, tag(6));
    for (int round = 0; round < 2; ++round) {
        anympi::start_all(receiving, owning, sending, other);
        EXPECT_TRUE(receiving.is_active() && other.is_active());
        EXPECT_MPI_ERROR(anympi::start_all(receiving, owning), request, "MPI_Startall");
        EXPECT_MPI_ERROR(owning.buffer(), request, "buffer");
        anympi::wait_all(receiving, owning, sending, other);
        EXPECT_FALSE(receiving.is_active() || other.is_active());
        EXPECT_EQ(borrowed, numbers(before));
        EXPECT_EQ(owning.buffer().get(), numbers(before + 1));
    }
}

TEST_F(Ring, errors) {
    EXPECT_MPI_ERROR(world.send(1, size, tag(0)), rank, "MPI_Send");
    EXPECT_MPI_ERROR(world.isend(1, size, tag(0)), rank, "MPI_Isend");
    EXPECT_MPI_ERROR(world.send(1, 0, tag(-5)), tag, "MPI_Send");
    EXPECT_MPI_ERROR(world.send_init(1, 0, tag(-5)), tag, "MPI_Send_init");
    EXPECT_MPI_ERROR(world.recv<int>(size, tag(0)), rank, "MPI_Recv");
    EXPECT_MPI_ERROR(world.probe(size, tag(0)), rank, "MPI_Probe");
    EXPECT_MPI_ERROR(Comm().send(1, 0), comm, "MPI_Send");
    EXPECT_MPI_ERROR(Comm().rank(), comm, "MPI_Comm_rank");
    std::vector<int> little(1);
    auto sending = world.isend(numbers(rank), next, tag(21));
    EXPECT_MPI_ERROR(world.recv(little, before, tag(21)), truncate, "MPI_Recv");
    static_cast<void>(sending.wait());
    auto odd = world.isend(std::string("odd"), next, tag(22));
    EXPECT_MPI_ERROR(world.mprobe(before, tag(22)).recv_all<int>(), type, "MPI_Mrecv");
    static_cast<void>(odd.wait());
    try {
        world.send(1, size, tag(0));
    } catch (const anympi::Error& error) {
        EXPECT_EQ(error.communicator(), "MPI_COMM_WORLD");
        EXPECT_NE(std::string(error.what()).find("MPI_Send: "), std::string::npos);
        EXPECT_FALSE(error.message().empty());
    }
}

TEST_F(Ring, value_from_a_rank) {
    // irecv<int>(0) receives from rank 0, like recv<int>(0): not from any source, and not into a buffer with the value
    // 0.
    const int last = size - 1, of_zero = 70, of_last = 80;
    anympi::RequestSet sent; // completed later, because a message to the same process may wait for its receive
    const auto send_to_all = [&](const int& value) {
        for (int other = 0; other < size; ++other)
            sent.add(world.isend(value, other));
    };
    const auto receive = [&](bool immediate, int from) {
        return immediate ? world.irecv<int>(from).wait() : world.recv<int>(from);
    };
    for (const bool immediate : {true, false}) {
        if (rank == last)
            send_to_all(of_last);
        static_cast<void>(world.probe(last)); // the message that could be confused has already arrived
        world.barrier();
        if (rank == 0)
            send_to_all(of_zero);
        const int first = receive(immediate, 0), second = receive(immediate, last);
        EXPECT_EQ(first, size == 1 ? of_last : of_zero); // messages of one sender, in the order of sending
        EXPECT_EQ(second, size == 1 ? of_zero : of_last);
        static_cast<void>(sent.wait_all());
        world.barrier();
    }

    anympi::Status status;
    auto sending = world.isend(rank, next, tag(62));
    auto coming = world.irecv<int>(before, tag(62));
    EXPECT_EQ(coming.wait(status), before);
    EXPECT_EQ(status.source(), before);
    EXPECT_EQ(status.tag(), 62);
    static_cast<void>(sending.wait());
    EXPECT_MPI_ERROR(coming.wait(), request, "MPI_Wait"); // already returned
    EXPECT_EQ(world.irecv<int>(anympi::proc_null).wait(), 0);
    auto cancelled = world.irecv<int>(before, tag(63));
    cancelled.cancel();
    EXPECT_EQ(cancelled.wait(), 0);
    { const auto dropped = world.irecv<int>(before, tag(63)); } // the request is cancelled

    // Exactly one element.
    for (const std::size_t many : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
        auto numbers_to_next = world.isend(numbers(rank, many), next, tag(64));
        auto one = world.irecv<int>(before, tag(64));
        if (many == 1) {
            EXPECT_EQ(one.wait(), before * 100);
        } else if (many == 0) {
            EXPECT_MPI_ERROR(one.wait(), count, "MPI_Wait");
            EXPECT_MPI_ERROR(one.wait(), count, "MPI_Wait"); // at each call
            EXPECT_MPI_ERROR(one.test(), count, "MPI_Test");
        } else {
            EXPECT_MPI_ERROR(one.wait(), truncate, "MPI_Wait");
        }
        static_cast<void>(numbers_to_next.wait());
    }
}

TEST_F(Ring, vector_with_a_count) {
    using Numbers = std::vector<int>;
    const auto check = [&](auto receive) {
        auto coming = receive();
        world.barrier(); // so that it receives no message of the next round
        auto sending = world.isend(numbers(rank), next, tag(65));
        EXPECT_EQ(coming.wait(), numbers(before));
        static_cast<void>(sending.wait());
    };
    check([&] { return world.irecv<Numbers>(before, count(9)); });
    check([&] { return world.irecv<Numbers>(before, tag(65), count(9)); });
    check([&] { return world.irecv<Numbers>(count(9)); });
    check([&] { return world.irecv(Numbers(9), before); });
}

TEST_F(Ring, names_of_numbers) {
    using anympi::from;
    using anympi::to;
    auto sending = world.isend(rank, to(next), tag(66));
    EXPECT_EQ(world.recv<int>(from(before), tag(66)), before);
    static_cast<void>(sending.wait());
    int token = rank;
    static_cast<void>(world.sendrecv_replace(token, to(next), tag(67), from(before), tag(67)));
    EXPECT_EQ(token, before);
    EXPECT_EQ(world.broadcast_value(rank, anympi::root(size - 1)), size - 1);
    EXPECT_EQ(any_source, from(any_source));
    EXPECT_EQ(any_tag, tag(MPI_ANY_TAG));
    EXPECT_NE(count(1), count(2));
    // Arguments that only their type identifies.
    static_assert(std::is_convertible_v<int, anympi::Destination> && std::is_convertible_v<int, anympi::Root>);
    static_assert(sizeof(anympi::Tag) == sizeof(int) && std::is_trivially_copyable_v<anympi::Tag>);
}

TEST_F(Ring, several_threads) {
    const auto exchange = [&](int tag) {
        for (int round = 0; round < 20; ++round) {
            auto sending = world.isend(rank, next, anympi::tag(tag));
            EXPECT_EQ(world.recv<int>(before, anympi::tag(tag)), before);
            static_cast<void>(sending.wait());
        }
    };
    std::thread other(exchange, 31);
    exchange(32);
    other.join();
}

TEST_F(Ring, communicators) {
    const auto copy = world.duplicate();
    EXPECT_EQ(copy.compare(world), anympi::Comparison::congruent);
    EXPECT_EQ(world.compare(anympi::Comm::borrow(MPI_COMM_WORLD)), anympi::Comparison::identical);
    const auto halves = world.split(rank % 2, -rank);
    ASSERT_TRUE(halves);
    EXPECT_EQ(halves->size(), (size + 1 - rank % 2) / 2);
    const auto first_only = world.split(rank == 0 ? 1 : Comm::undefined);
    EXPECT_EQ(first_only.has_value(), rank == 0);
    EXPECT_EQ(world.split_shared().size(), size);
    EXPECT_TRUE(world.split_type(anympi::SplitType::shared));
    // By other resources, which libraries may or may not support: processes that share a resource get a communicator.
    const auto memory = anympi::Info::of({{"mpi_hw_resource_type", "mpi_shared_memory"}});
    using anympi::SplitType;
    for (const SplitType type : {SplitType::hw_guided, SplitType::hw_unguided, SplitType::resource_guided}) {
        const auto part = world.split_type(type, -rank, memory);
        const int mine = part ? part->size() : 0;
        EXPECT_EQ(part ? part->allreduce(1, anympi::op::sum) : 0, mine);
        EXPECT_TRUE(mine <= size && (type != SplitType::hw_unguided || mine < size));
        EXPECT_TRUE(mine != size || part->rank() == size - 1 - rank); // the keys determine the order
    }
    auto named = world.duplicate(anympi::Info{});
    named.set_name("mine");
    EXPECT_EQ(named.name(), "mine");
    EXPECT_MPI_ERROR(named.send(1, size), rank, "MPI_Send");
    EXPECT_FALSE(named.is_inter());
    named.set_info(anympi::Info::of({{"mpi_assert_no_any_tag", "false"}}));
    EXPECT_TRUE(named.info());
    named.free();
    EXPECT_MPI_ERROR(named.free(), comm, "MPI_Comm_free");
    EXPECT_MPI_ERROR(anympi::Comm::borrow(MPI_COMM_WORLD).free(), comm, "MPI_Comm_free");
    EXPECT_EQ(anympi::Comm::borrow(MPI_COMM_SELF).size(), 1);

    const auto group = world.group();
    EXPECT_EQ(world.create(group)->size(), size);
    const int zero[] = {0};
    const auto alone = world.create_group(group.include(zero));
    EXPECT_EQ(alone.has_value(), rank == 0);
    EXPECT_EQ(Comm::create_from_group(group, "org.example.tests").size(), size);
    EXPECT_MPI_ERROR(Comm::create_from_group(group, std::string("a\0b", 3)), arg, "MPI_Comm_create_from_group");
}

TEST_F(Ring, small_things) {
    EXPECT_GE(anympi::wtime() + anympi::wtick(), anympi::wtime() * 0);
    EXPECT_GT(anympi::wtick(), 0);
    EXPECT_EQ(environment().self().size(), 1);
    EXPECT_LE(environment().thread_level(), anympi::ThreadLevel::multiple);
    anympi::Environment moved(std::move(environment()));
    std::destroy_at(&environment()); // it is empty, so MPI is not ended
    EXPECT_FALSE(anympi::is_finalized());
    std::construct_at(&environment(), std::move(moved));

    // Messages are swapped; the one that is not received is dropped.
    auto sending = std::make_pair(world.isend(rank, next, tag(51)), world.isend(rank + 100, next, tag(52)));
    auto message = world.mprobe(before, tag(51));
    EXPECT_EQ(message.status().tag(), 51);
    EXPECT_EQ(message.status().raw().MPI_TAG, 51);
    EXPECT_EQ(message.status().error(), message.status().raw().MPI_ERROR);
    auto other = world.mprobe(before, tag(52));
    message = std::move(other);
    EXPECT_EQ(std::move(message).recv_all<int>(), std::vector<int>{before + 100});
    static_cast<void>(std::move(other).recv_all<int>());
    anympi::wait_all(sending.first, sending.second);

    auto never = world.irecv<std::vector<int>>(before, tag(53), count(1));
    never.cancel();
    anympi::Status status;
    static_cast<void>(never.wait(status));
    EXPECT_TRUE(status.cancelled());
    int number = 0, another = 0;
    auto persistent = world.recv_init(number, before, tag(54));
    persistent.start();
    persistent.cancel();
    EXPECT_TRUE(persistent.wait().cancelled());
    persistent.start();
    persistent = world.recv_init(another, before, tag(55)); // the first request is cancelled and freed
    persistent.start();
    world.send(rank, next, tag(55));
    static_cast<void>(persistent.wait());
    EXPECT_EQ(another, before);
}
