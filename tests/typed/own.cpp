// Owning forms, operations of the program, error handlers, packing, buffers, weights, numbers that C does not have.
#include <numeric>
#include <thread>

#include "expect_error.hpp"
#include "main.hpp"

namespace {

namespace op = anympi::op;
using anympi::at;
using anympi::Comm;
using anympi::count;
using anympi::Datatype;
using anympi::Error;
using anympi::ErrorClass;
using anympi::partitions;
using anympi::tag;

struct Own : testing::Test {
    const Comm world = anympi::Comm::borrow(MPI_COMM_WORLD);
    const int rank = world.rank(), size = world.size();
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
};

#ifdef __SIZEOF_INT128__
__extension__ using Long = __int128;
#endif

// Its token counts the containers that use it.
template <class T>
struct CountedAllocator {
    using value_type = T;
    std::shared_ptr<int> token;
    explicit CountedAllocator(std::shared_ptr<int> given) : token(std::move(given)) {}
    CountedAllocator(const CountedAllocator&) = default; // no move constructor: a moved-from allocator is still equal
    template <class U>
    CountedAllocator(const CountedAllocator<U>& other) : token(other.token) {}
    T* allocate(std::size_t count) { return std::allocator<T>().allocate(count); }
    void deallocate(T* memory, std::size_t count) { std::allocator<T>().deallocate(memory, count); }
    friend bool operator==(const CountedAllocator&, const CountedAllocator&) = default;
};

} // namespace

TEST_F(Own, duplicates_later) {
    auto two = world.idup(anympi::Info{}), one = world.idup(); // first the function that an mpi.h may lack
    anympi::wait_all(one, two);
    EXPECT_TRUE(one.is_completed());
    const Comm first = one.wait(), second = two.wait();
    EXPECT_EQ(first.allreduce(1, op::sum), size);
    EXPECT_EQ(second.compare(world), anympi::Comparison::congruent);
    EXPECT_MPI_ERROR(one.wait(), request, "MPI_Wait");
    EXPECT_MPI_ERROR(one.test(), request, "MPI_Test");
    auto polled = world.idup();
    std::optional<Comm> made;
    while (!made)
        made = polled.test();
    EXPECT_MPI_ERROR(made->send(1, size), rank, "MPI_Send"); // an error, which does not end the job
    Comm heard = world.duplicate();
    int reports = 0;
    heard.on_error([&](const Error&) { ++reports; });
    { auto dropped = heard.idup(); } // it waits, and leaves nothing open
    EXPECT_EQ(reports, 0);
    EXPECT_MPI_ERROR(Comm().idup(), comm, "MPI_Comm_idup");
}

TEST_F(Own, views_live_as_long_as_their_requests) {
    const auto numbers = [&](int first) {
        std::vector<int> all(16);
        std::iota(all.begin(), all.end(), first);
        return all;
    };
    const auto column = [](std::vector<int>& all) { return anympi::strided(std::span(all), 4, 1, 4); };
    const auto make_others = [] { // they reuse the memory of freed datatypes
        std::vector<Datatype> all;
        for (int number = 0; number < 200; ++number)
            all.push_back(Datatype::vector(3, 2, 5, Datatype::of<double>()));
    };
    std::vector<int> one = numbers(16 * rank), two = numbers(16 * rank), all(4 * static_cast<std::size_t>(size));
    auto of_temporary = world.broadcast_init(column(one), 0);
    auto of_variable = [&] {
        const auto view = column(two);
        return world.broadcast_init(view, 0);
    }();
    auto sent = world.allgather_init(column(one), all);
    make_others();
    for (int round = 0; round < 2; ++round) {
        anympi::start_all(of_temporary, of_variable);
        anympi::wait_all(of_temporary, of_variable);
    }
    sent.start(); // only once: at the second start, MPICH 4.0 exceeds the ends of the buffers, even without anympi
    sent.wait();
    for (const std::vector<int>& got : {one, two})
        for (int place = 0; place < 16; ++place)
            EXPECT_EQ(got[static_cast<std::size_t>(place)], place % 4 == 0 ? place : 16 * rank + place);
    for (std::size_t place = 0; place < all.size(); ++place)
        EXPECT_EQ(all[place], static_cast<int>(place % 4 * 4));
}

TEST_F(Own, moved_from) {
    auto first = world.send_init(std::vector<int>(2), anympi::proc_null);
    auto second = std::move(first);
    EXPECT_EQ(second.buffer().get().size(), 2U);
    EXPECT_MPI_ERROR(first.buffer(), request, "buffer");
    EXPECT_MPI_ERROR(first.start(), request, "MPI_Start");

    auto adding = anympi::UserOp<int>::create([more = 1](int a, int b) { return a + b * more; });
    const auto also_adding = std::move(adding);
    EXPECT_EQ(world.allreduce(1, also_adding), size);
    EXPECT_FALSE(adding.is_commutative());
    EXPECT_THROW(static_cast<void>(world.allreduce(1, adding)), Error);

    const auto window = anympi::Window<int>::allocate(world, 1);
    auto lock = window.lock_all();
    auto ticket = lock.fetch_and_op(0, rank, at(0), op::no_op);
    const auto taken = std::move(ticket);
    lock.flush_all();
    EXPECT_MPI_ERROR(ticket.get(), buffer, "Fetched::get");
    static_cast<void>(taken.get());
}

TEST_F(Own, packing) {
    anympi::Packer packer(world);
    packer.add(rank, std::vector<double>{1.5, 2.5}, std::string("text"));
    auto sending = world.isend(std::move(packer).take(), next, tag(1));
    const auto bytes = world.recv<std::vector<anympi::PackedByte>>(before, tag(1));
    static_cast<void>(sending.wait());
    anympi::Unpacker unpacker(world, bytes);
    std::vector<double> reals(2);
    EXPECT_EQ(unpacker.get<int>(), before);
    unpacker.get(reals);
    EXPECT_EQ(reals, (std::vector<double>{1.5, 2.5}));
    std::array<char, 4> text{};
    unpacker.get(text);
    EXPECT_EQ(std::string(text.begin(), text.end()), "text");
    EXPECT_EQ(unpacker.left(), 0U);
    EXPECT_MPI_ERROR(unpacker.get<int>(), truncate, "MPI_Unpack");
    // It owns a message that no other receive can get.
    anympi::Packer again(world);
    again.add(rank, 2.5);
    auto sending_again = world.isend(std::move(again).take(), next, tag(1));
    anympi::Unpacker owner(world, world.recv<std::vector<anympi::PackedByte>>(before, tag(1)));
    static_cast<void>(sending_again.wait());
    const std::vector<char> takes_freed_memory(12, 'x');
    EXPECT_EQ(owner.get<int>(), before);
    auto heir = std::move(owner);
    EXPECT_EQ(heir.get<double>(), 2.5);
    EXPECT_MPI_ERROR(anympi::Packer(Comm()).add(1), comm, "MPI_Pack");

    // The external format defines every byte: big-endian.
    anympi::ExternalPacker external;
    external.add(0x01020304, 1.0);
    const auto& packed = external.bytes();
    ASSERT_EQ(packed.size(), 12U);
    // MPICH 3 does not change the byte order
    if (anympi::library_version().find("MPICH Version:\t3.") == std::string::npos) {
        EXPECT_EQ(packed[0], std::byte{1});
        EXPECT_EQ(packed[4], std::byte{0x3f});
    }
    anympi::ExternalUnpacker back(packed);
    EXPECT_EQ(back.get<int>(), 0x01020304);
    EXPECT_EQ(back.get<double>(), 1.0);
    EXPECT_MPI_ERROR(back.get<char>(), truncate, "MPI_Unpack_external");
}

TEST_F(Own, operations_of_its_own) {
    int asked = 0;
    auto [request, completion] = anympi::start_operation([&](anympi::StatusBuilder& status) {
        ++asked;
        status.source(3).tag(4).count<int>(5);
    });
    EXPECT_FALSE(request.test());
    std::thread worker([done = std::move(completion)]() mutable { std::move(done).complete(); });
    const auto status = request.wait();
    worker.join();
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(status.source(), 3);
    EXPECT_EQ(status.tag(), 4);
    EXPECT_EQ(status.count<int>(), 5U);
    EXPECT_FALSE(status.cancelled());
    EXPECT_MPI_ERROR(std::move(completion).complete(), request, "MPI_Grequest_complete");

    // It is never marked as complete, so it is cancelled.
    auto lost = anympi::start_operation();
    { const anympi::Completion gone = std::move(lost.completion); }
    EXPECT_TRUE(lost.request.wait().cancelled());

    // Dropped requests are cancelled if possible.
    std::optional<anympi::Completion> held;
    std::thread canceller;
    {
        auto dropped = anympi::start_operation({}, [&](bool complete) {
            EXPECT_FALSE(complete);
            canceller = std::thread([&] { held.reset(); });
        });
        held.emplace(std::move(dropped.completion));
    }
    EXPECT_TRUE(canceller.joinable());
    canceller.join();
    // In a set, and dropped with the set.
    anympi::RequestSet set;
    auto in_set = anympi::start_operation();
    set.add(std::move(in_set.request));
    std::move(in_set.completion).complete();
    EXPECT_EQ(set.wait_all().size(), 1U);
    { auto both = anympi::start_operation(); }
}

TEST_F(Own, listeners) {
    std::vector<std::string> heard;
    const auto hear = [&](const Error& error) { heard.push_back(error.operation() + " " + error.communicator()); };
    const auto heard_last = [&](std::size_t count, const char* text) {
        ASSERT_EQ(heard.size(), count);
        EXPECT_EQ(heard.back(), text);
    };
    auto comm = world.duplicate();
    comm.set_name("listened");
    comm.on_error(hear);
    EXPECT_MPI_ERROR(comm.send(1, size), rank, "MPI_Send");
    heard_last(1, "MPI_Send listened");
    std::vector<int> one(1), two(2);
    EXPECT_MPI_ERROR(comm.allreduce(one, two, op::sum), count, "MPI_Allreduce"); // found by the API itself
    heard_last(2, "MPI_Allreduce listened");
    EXPECT_THROW(world.send(1, size), Error); // the world has no listener
    // Another listener replaces it; each has its own state.
    int count = 0;
    comm.on_error([&count, codes = std::vector<int>()](const Error& error) mutable {
        codes.push_back(error.code());
        count += error.error_class() == ErrorClass::rank ? static_cast<int>(codes.size()) : 100;
    });
    auto moved_comm = std::move(comm);
    EXPECT_THROW(moved_comm.send(1, size), Error);
    EXPECT_THROW(moved_comm.send(1, size), Error);
    EXPECT_EQ(count, 3);
    EXPECT_EQ(heard.size(), 2U);
    moved_comm.free();
    // The listener ended with the communicator: later communicators have no listener, whatever their handles.
    for (int number = 0; number < 3; ++number) {
        comm = world.duplicate();
        EXPECT_THROW(comm.send(1, size), Error);
    }
    EXPECT_EQ(count, 3);
    // The new owner of the handle has no listener either.
    comm.on_error(hear);
    comm = Comm(comm.release(), true);
    EXPECT_THROW(comm.send(1, size), Error);
    EXPECT_EQ(heard.size(), 2U);
    comm.on_error(hear);
    comm.clear_on_error();
    EXPECT_THROW(comm.send(1, size), Error);
    EXPECT_EQ(heard.size(), 2U);
    EXPECT_MPI_ERROR(Comm().on_error(hear), comm, "on_error");
    EXPECT_MPI_ERROR(Comm().clear_on_error(), comm, "clear_on_error");

    {
        auto window = anympi::Window<int>::allocate(world, 2);
        window.set_name("cells");
        window.on_error(hear);
        EXPECT_THROW(static_cast<void>(window.lock(anympi::LockType::shared, size)), Error);
        heard_last(3, "MPI_Win_lock cells");
        window.clear_on_error();
    }
    using anympi::FileMode;
    {
        const auto copy = world.duplicate();
        auto file = anympi::File::open(copy, "typed-listened.bin",
                                       FileMode::create | FileMode::write | FileMode::delete_on_close);
        file.on_error(hear);
        auto moved = std::move(file);
        int value = 0;
        EXPECT_THROW(static_cast<void>(moved.read_at(0, value)), Error); // the file is open for writing only
        heard_last(4, "MPI_File_read_at ");
        moved.clear_on_error();
        EXPECT_THROW(static_cast<void>(moved.read_at(0, value)), Error);
        EXPECT_THROW(file.on_error(hear), Error);
        world.barrier();
    }
    const auto session = anympi::Session::create();
    session.on_error(hear);
    EXPECT_THROW(static_cast<void>(session.group("no such set")), Error);
    heard_last(5, "MPI_Group_from_session_pset ");
    session.clear_on_error();
    EXPECT_THROW(static_cast<void>(session.group("no such set")), Error);
    EXPECT_EQ(heard.size(), 5U);
    EXPECT_MPI_ERROR(anympi::Session().on_error(hear), session, "on_error");
    // A listener may own an object that has a listener itself: one listener that is replaced, and one that ends with
    // its object.
    const auto owning = [&] { return std::make_shared<Comm>(world.duplicate()); };
    comm.on_error([held = owning()](const Error&) {});
    comm.on_error([held = owning()](const Error&) {});
    comm.free();
}

TEST_F(Own, buffers) {
    const auto comm = world.duplicate();
    const std::vector<int> values{rank, 7};
    {
        auto buffer = comm.attach_buffer(10000);
        comm.bsend(values, next, tag(1));
        EXPECT_EQ(comm.recv<std::vector<int>>(before, tag(1)), (std::vector<int>{before, 7}));
        buffer.flush();
        static_cast<void>(buffer.iflush().wait());
        EXPECT_THROW(static_cast<void>(comm.attach_buffer(100)), Error); // libraries differ in the class
        auto moved = std::move(buffer);
        EXPECT_EQ(std::move(moved).detach().size(), 10000U);
        EXPECT_MPI_ERROR(std::move(moved).detach(), buffer, "MPI_Comm_detach_buffer");
        EXPECT_MPI_ERROR(moved.flush(), buffer, "MPI_Comm_flush_buffer");
        EXPECT_MPI_ERROR(moved.iflush(), buffer, "MPI_Comm_iflush_buffer");
        EXPECT_EQ(comm.attach_buffer(std::vector<std::byte>(5000)).detach().size(), 5000U);
    }
    {
        // The communicator ends first: it waits for the sent messages, and the memory is available again.
        auto brief = world.duplicate();
        auto buffer = brief.attach_buffer(10000);
        brief.bsend(values, next, tag(1));
        EXPECT_EQ(brief.recv<std::vector<int>>(before, tag(1)), (std::vector<int>{before, 7}));
        brief.free();
        EXPECT_MPI_ERROR(buffer.flush(), buffer, "MPI_Comm_flush_buffer");
        EXPECT_EQ(std::move(buffer).detach().size(), 10000U);
        auto another = world.duplicate();
        const auto dropped = another.attach_buffer(1000);
        another = Comm();
    }
    {
        const auto automatic = comm.attach_buffer(anympi::automatic_buffer);
        comm.bsend(values, next, tag(2));
        EXPECT_EQ(comm.recv<std::vector<int>>(before, tag(2))[0], before);
    }
    EXPECT_THROW(static_cast<void>(Comm().attach_buffer(10)), Error);
    environment().attach_buffer(std::size_t{5000});
    world.bsend(values, next, tag(4));
    EXPECT_EQ(world.recv<std::vector<int>>(before, tag(4))[0], before); // flushing waits until all messages were sent
    environment().flush_buffer();
    static_cast<void>(environment().iflush_buffer().wait());
    static_cast<void>(environment().detach_buffer());
    const auto session = anympi::Session::create(anympi::ThreadLevel::multiple);
    const auto all = Comm::create_from_group(session.group("mpi://WORLD"), "typed.buffers");
    auto buffer = session.attach_buffer(10000);
    all.bsend(values, next, tag(3));
    EXPECT_EQ(all.recv<std::vector<int>>(before, tag(3))[0], before);
    buffer.flush();
    static_cast<void>(buffer.iflush().wait());
    EXPECT_EQ(std::move(buffer).detach().size(), 10000U);
    EXPECT_EQ(session.attach_buffer(std::vector<std::byte>(5000)).detach().size(), 5000U);
    { const auto automatic = session.attach_buffer(anympi::automatic_buffer); }
}

TEST_F(Own, memory_of_the_library) {
    anympi::Vector<double> values(1000, rank + 0.5);
    values.push_back(7);
    auto sending = world.isend(std::move(values), next, tag(1));
    const auto got = world.recv<anympi::Vector<double>>(before, tag(1));
    EXPECT_EQ(got.size(), 1001U);
    EXPECT_EQ(got[999], before + 0.5);
    EXPECT_EQ(got[1000], 7);
    EXPECT_EQ(sending.wait()[1000], 7);
    const anympi::Allocator<int> hinted(anympi::Info::of({{"mpi_minimum_memory_alignment", "64"}}));
    std::vector<int, anympi::Allocator<int>> numbers({1, 2, 3}, hinted);
    EXPECT_EQ(numbers.get_allocator().hints()->get("mpi_minimum_memory_alignment"), "64");
    const anympi::Allocator<double> other(hinted); // as containers do for their nodes
    EXPECT_TRUE(other == hinted && other.hints() == hinted.hints());
    EXPECT_THROW(static_cast<void>(anympi::Allocator<double>().allocate(std::size_t(-1) / 2)), std::bad_alloc);
}

TEST_F(Own, weights) {
    using anympi::DistGraphComm;
    const auto ring = DistGraphComm::create(world, std::array{before}, std::array{before + 1}, std::array{next},
                                            std::array{rank + 1});
    const auto found = ring.neighbors();
    EXPECT_EQ(found.source_weights, std::vector<int>{before + 1});
    EXPECT_EQ(found.destination_weights, std::vector<int>{rank + 1});
    EXPECT_TRUE(DistGraphComm::create(world, std::array{before}, std::array{next}).neighbors().source_weights.empty());
    // The first process passes all edges.
    std::vector<DistGraphComm::Edge> edges;
    for (int process = 0; rank == 0 && process < size; ++process)
        edges.push_back({process, (process + 1) % size, process + 5});
    const auto told = DistGraphComm::create(world, edges).neighbors();
    EXPECT_EQ(told.destinations, std::vector<int>{next});
    EXPECT_EQ(told.destination_weights, std::vector<int>{rank + 5});
    EXPECT_EQ(told.source_weights, std::vector<int>{before + 5});
    EXPECT_MPI_ERROR(
        DistGraphComm::create(world, std::array{before}, std::span<const int>(), std::array{next}, std::array{1}), arg,
        "MPI_Dist_graph_create_adjacent");
}

TEST_F(Own, several_programs) {
    using Program = anympi::InterComm::Program;
    EXPECT_MPI_ERROR(anympi::InterComm::spawn_multiple(Comm(), std::span<const Program>()), comm,
                     "MPI_Comm_spawn_multiple");
    EXPECT_MPI_ERROR(anympi::InterComm::create_from_groups(anympi::Group(), 0, anympi::Group(), 0, "no"), group,
                     "MPI_Intercomm_create_from_groups");
}

TEST_F(Own, split_transfers) {
    using anympi::File;
    using anympi::FileMode;
    const auto comm = world.duplicate();
    const auto mine = MPI_Offset{8} * rank;
    const auto file =
        File::open(comm, "typed-split.bin", FileMode::create | FileMode::read_write | FileMode::delete_on_close);
    auto writing = file.write_at_all_begin(mine, std::vector<int>{rank, rank + 100});
    auto moved = std::move(writing);
    EXPECT_EQ(std::move(moved).end(), (std::vector<int>{rank, rank + 100}));
    try {
        static_cast<void>(std::move(moved).end());
        ADD_FAILURE() << "it ended twice";
    } catch (const Error& error) {
        EXPECT_EQ(error.message(), "the transfer has ended already");
        EXPECT_EQ(error.operation(), "MPI_File_write_at_all_end");
    }
    file.sync();
    world.barrier();
    file.sync();
    std::vector<int> got(2);
    EXPECT_EQ(file.read_at_all_begin(mine, got).end().count<int>(), 2U);
    EXPECT_EQ(got, (std::vector<int>{rank, rank + 100}));
    file.seek(mine);
    { const auto dropped = file.write_all_begin(std::array{rank + 1, rank + 2}); }
    file.seek(mine);
    EXPECT_EQ(file.read_all_begin(std::vector<int>(2)).end(), (std::vector<int>{rank + 1, rank + 2}));
    file.seek(mine);
    static_cast<void>(file.iwrite_all(std::vector<int>{rank, rank}).wait());
    file.seek(mine);
    EXPECT_EQ(file.iread_all(std::vector<int>(2)).wait(), (std::vector<int>{rank, rank}));
    EXPECT_THROW(static_cast<void>(File().write_all_begin(got)), Error);
    EXPECT_THROW(static_cast<void>(File().write_ordered_begin(got)), Error);
    EXPECT_THROW(static_cast<void>(File().read_ordered_begin(got)), Error);
    EXPECT_THROW(static_cast<void>(File().iwrite_shared(got)), Error);
    EXPECT_THROW(static_cast<void>(File().iread_shared(got)), Error);
    file.set_info(anympi::Info::of({{"some_hint", "1"}}));
}

TEST_F(Own, windows) {
    auto window = anympi::Window<int>::allocate(world, 12);
    window.set_info(anympi::Info::of({{"same_disp_unit", "true"}}));
    std::iota(window.local().begin(), window.local().end(), rank * 100);
    world.barrier();
    {
        auto lock = window.lock_all();
        // The epoch keeps its arguments until it is flushed.
        auto got = lock.get(std::vector<int>(2), next, at(3));
        EXPECT_MPI_ERROR(got.get(), rma_sync, "Fetched::get");
        lock.flush_all();
        EXPECT_EQ(got.get(), (std::vector<int>{next * 100 + 3, next * 100 + 4}));
        EXPECT_EQ(lock.rget(std::vector<int>(2), next, at(1)).wait(),
                  (std::vector<int>{next * 100 + 1, next * 100 + 2}));
        const auto token = std::make_shared<int>(0);
        using Counted = std::vector<int, CountedAllocator<int>>;
        const auto dropped = lock.get(Counted(2, 0, CountedAllocator<int>(token)), next, at(3));
        lock.put(Counted(2, 0, CountedAllocator<int>(token)), next, at(10));
        EXPECT_EQ(token.use_count(), 3);
        lock.flush_all();
        EXPECT_EQ(token.use_count(), 2); // the data can still be taken
        world.barrier();
        lock.put(std::vector<int>{-1, -2}, next, at(0));
        lock.accumulate(std::vector<int>{5}, next, at(2), op::sum);
        lock.flush_all();
        auto old = lock.get_accumulate(std::vector<int>{9}, std::vector<int>(1), next, at(2), op::replace);
        lock.flush_all();
        EXPECT_EQ(std::move(old).get(), std::vector<int>{next * 100 + 7});
        EXPECT_MPI_ERROR(std::move(old).get(), buffer, "Fetched::get"); // NOLINT: there is no second value
        EXPECT_EQ(lock.rput(std::vector<int>{4}, next, at(5)).wait(), std::vector<int>{4});
        lock.flush_all();
        EXPECT_EQ(lock.raccumulate(std::vector<int>{1}, next, at(5), op::sum).wait(), std::vector<int>{1});
        lock.flush_all();
        EXPECT_EQ(lock.rget_accumulate(std::vector<int>{1}, std::vector<int>(1), next, at(5), op::sum).wait(),
                  std::vector<int>{5});
        { const auto dropped = lock.rget(std::vector<int>(2), next, at(1)); }
        EXPECT_MPI_ERROR(lock.get_accumulate(std::vector<int>(2), std::vector<int>(1), next, at(0), op::sum), count,
                         "MPI_Get_accumulate");
    }
    world.barrier();
    std::optional<anympi::Fetched<int>> after;
    {
        auto lock = window.lock(anympi::LockType::shared, next);
        after.emplace(lock.fetch_and_op(0, next, at(2), op::no_op));
    }
    EXPECT_EQ(after->get(), 9); // the end of the epoch is sufficient
    EXPECT_EQ(window.local()[0], -1);
    EXPECT_EQ(window.local()[1], -2);
    EXPECT_EQ(window.local()[2], 9);
    EXPECT_EQ(window.local()[5], 6);
    world.barrier();
    std::iota(window.local().begin(), window.local().end(), 0);
    world.barrier();
    {
        // Rows there and a column here, and the reverse.
        const auto column = Datatype::vector(3, 1, 4, Datatype::of<int>());
        std::vector<int> matrix(12, -1);
        auto epoch = window.fence();
        epoch.get(anympi::strided(std::span(matrix), 3, 1, 4), next, at(4));
        epoch.fence();
        EXPECT_EQ(matrix, (std::vector<int>{4, -1, -1, -1, 5, -1, -1, -1, 6, -1, -1, -1}));
        auto first = epoch.get(std::vector<int>(3), next, {1, column});
        epoch.fence();
        EXPECT_EQ(first.get(), (std::vector<int>{1, 5, 9}));
        epoch.put(std::vector<int>{70, 80, 90}, next, {3, column});
        epoch.fence();
        EXPECT_EQ(window.local()[3], 70);
        EXPECT_EQ(window.local()[11], 90);
        world.barrier(); // the next call changes it
        epoch.accumulate(anympi::strided(std::span(matrix), 3, 1, 4), next, {3, column}, op::sum);
        epoch.fence();
        EXPECT_EQ(window.local()[7], 85);
        EXPECT_MPI_ERROR(epoch.put(std::vector<int>{1, 2}, next, {0, column}), count, "MPI_Put");
        const std::vector<int> one{1};
        EXPECT_MPI_ERROR(epoch.put(one, next, {0, Datatype()}), type, "MPI_Put"); // not the elements from 0 on
    }
    world.barrier();
}

TEST_F(Own, what_is_complete_is_let_go) {
    const auto token = std::make_shared<int>(1);
    int sum = 0;
    auto request = world.iallreduce(*token, sum, [token](int a, int b) { return a + b * *token; });
    EXPECT_EQ(token.use_count(), 2);
    static_cast<void>(request.wait());
    EXPECT_EQ(token.use_count(), 1);
    EXPECT_EQ(sum, size);
    // A request that was completed together with others is known to be complete, with its size.
    auto receiving = world.irecv<std::vector<int>>(before, tag(2), count(9));
    world.send(std::vector<int>{1, 2}, next, tag(2));
    anympi::wait_all(receiving);
    EXPECT_EQ(receiving.test(), (std::vector<int>{1, 2}));
}

TEST_F(Own, matched_messages) {
    for (const bool grows : {false, true}) {
        auto sending = world.isend(std::vector<int>{1, 2}, next, tag(3));
        std::vector<int> room(5, 9);
        auto message = world.mprobe(before, tag(3));
        const auto status = grows ? std::move(message).recv(anympi::grow_only(room))
                                  : std::move(message).recv(anympi::resize_to_fit(room));
        EXPECT_EQ(status.count<int>(), 2U);
        EXPECT_EQ(room, grows ? (std::vector<int>{1, 2, 9, 9, 9}) : (std::vector<int>{1, 2}));
        static_cast<void>(sending.wait());
    }
    auto sending = world.isend(std::vector<int>{rank, 1, 2}, next, tag(1));
    EXPECT_EQ(world.mprobe(before, tag(1)).irecv(std::vector<int>(5)).wait(), (std::vector<int>{before, 1, 2}));
    static_cast<void>(sending.wait());
    auto again = world.isend(std::vector<int>{rank, 3}, next, tag(2));
    EXPECT_EQ(world.mprobe(before, tag(2)).irecv_all<int>().wait(), (std::vector<int>{before, 3}));
    static_cast<void>(again.wait());
    auto chars = world.isend(std::string("abc"), next, tag(3));
    EXPECT_MPI_ERROR(world.mprobe(before, tag(3)).irecv_all<int>(), type, "MPI_Imrecv");
    static_cast<void>(chars.wait());
}

TEST_F(Own, partitions) {
    if (std::getenv("ANYMPI_TEST_NO_PARTITIONS") || size == 1)
        GTEST_SKIP() << "needs two processes, and partitions, which ANYMPI_TEST_NO_PARTITIONS may forbid";
    auto send = world.psend_init(std::vector<int>(6), partitions(3), next, tag(1));
    auto receive = world.precv_init(std::vector<int>(6), partitions(2), before, tag(1));
    for (int round = 0; round < 3; ++round) {
        if (round != 1) {
            receive.start();
            send.start();
        } else {
            anympi::start_all(receive, send);
        }
        EXPECT_MPI_ERROR(receive.part(1), request, "part"); // no data was sent
        world.barrier();
        for (int part = 2; part >= 0; --part) {
            send.part(part)[0] = rank;
            send.part(part)[1] = part + round;
            if (part == 0)
                send.ready_list(std::array{part});
            else
                send.ready(part);
            EXPECT_MPI_ERROR(send.part(part), request, "part");
        }
        EXPECT_MPI_ERROR(send.buffer(), request, "buffer");
        EXPECT_MPI_ERROR(receive.buffer(), request, "buffer");
        while (!receive.arrived(1))
            ;
        EXPECT_EQ(receive.part(1)[2], 2 + round);
        static_cast<void>(send.wait());
        static_cast<void>(receive.wait());
        EXPECT_EQ(receive.buffer().get(), (std::vector<int>{before, round, before, 1 + round, before, 2 + round}));
        EXPECT_EQ(send.buffer().get()[0], rank);
    }
    EXPECT_MPI_ERROR(send.part(3), arg, "part");
    EXPECT_MPI_ERROR(receive.part(-1), arg, "part");
    EXPECT_MPI_ERROR(world.psend_init(std::vector<int>(5), partitions(2), next), count, "MPI_Psend_init");

    receive.start();
    {
        auto last = std::move(send);
        last.buffer().get() = {1, 2, 3, 4, 5, 6};
        last.start();
        last.ready(1);
        EXPECT_MPI_ERROR(last.start(), request, "MPI_Start");
        EXPECT_MPI_ERROR(last.part(1), request, "part");
        send = std::move(last);
        EXPECT_TRUE(send.is_active());
        const auto gone = std::move(send); // two of its parts were never marked as ready
    }
    static_cast<void>(receive.wait());
    EXPECT_EQ(receive.buffer().get(), (std::vector<int>{1, 2, 3, 4, 5, 6}));
    EXPECT_MPI_ERROR(send.start(), request, "MPI_Start"); // the request was moved
    EXPECT_MPI_ERROR(send.ready(0), request, "MPI_Pready");
    EXPECT_MPI_ERROR(send.part(0), request, "part");
    EXPECT_MPI_ERROR(send.buffer(), request, "buffer");
}

TEST_F(Own, partitions_that_were_not_accepted) {
    if (std::getenv("ANYMPI_TEST_NO_PARTITIONS") || size == 1)
        GTEST_SKIP() << "needs two processes, and partitions, which ANYMPI_TEST_NO_PARTITIONS may forbid";
    const auto check = [&](auto send, const std::vector<int>& sent) {
        auto receive = world.precv_init(std::vector<int>(4), partitions(2), before, tag(2));
        receive.start();
        {
            auto dropped = std::move(send); // the receiver still gets the rest
            EXPECT_MPI_ERROR(dropped.ready(0), request, "MPI_Pready");
            dropped.start();
            EXPECT_MPI_ERROR(dropped.ready_range(0, 7), arg, "MPI_Pready_range");
            EXPECT_MPI_ERROR(dropped.ready_list(std::array{0, 4}), arg, "MPI_Pready_list");
            EXPECT_MPI_ERROR(dropped.ready(-1), arg, "MPI_Pready");
            dropped.ready(2);
            EXPECT_MPI_ERROR(dropped.ready(2), arg, "MPI_Pready");
        }
        static_cast<void>(receive.wait());
        EXPECT_EQ(receive.buffer().get(), sent);
        world.barrier();
    };
    check(world.psend_init(std::vector<int>{1, 2, 3, 4}, partitions(4), next, tag(2)), {1, 2, 3, 4});
    std::vector<int> borrowed{5, 6, 7, 8};
    check(world.psend_init(borrowed, partitions(4), next, tag(2)), {5, 6, 7, 8});
}

TEST_F(Own, blocks) {
    using anympi::ReceiveBlocks;
    using anympi::SendBlocks;
    const auto sends = [&] {
        SendBlocks blocks;
        for (int process = 0; process < size; ++process)
            blocks.add(std::vector<double>(2, rank + process * 0.5));
        return blocks;
    };
    const auto room = [&] {
        ReceiveBlocks blocks;
        for (int process = 0; process < size; ++process)
            blocks.add(std::vector<double>(2));
        return blocks;
    };
    const auto check = [&](ReceiveBlocks& blocks) {
        for (int process = 0; process < size; ++process)
            EXPECT_EQ(blocks.take<std::vector<double>>(static_cast<std::size_t>(process)),
                      std::vector<double>(2, process + rank * 0.5));
    };
    auto got = world.ialltoallw(sends(), room()).wait();
    EXPECT_MPI_ERROR(got.take<std::vector<int>>(0), buffer, "ReceiveBlocks::take");
    check(got);
    EXPECT_MPI_ERROR(got.take<std::vector<double>>(0), buffer, "ReceiveBlocks::take");
    auto blocking = room();
    world.alltoallw(sends(), blocking);
    check(blocking);
    auto persistent = world.alltoallw_init(sends(), room());
    for (int round = 0; round < 2; ++round) {
        persistent.start();
        EXPECT_MPI_ERROR(persistent.buffer(), request, "buffer");
        static_cast<void>(persistent.wait());
        check(persistent.buffer().get()); // gets copies: the next round uses the buffers again
    }
    // Buffers that are owned and still accessible are rejected.
    auto exposed = room();
    EXPECT_MPI_ERROR(world.ialltoallw(sends(), exposed), buffer, "MPI_Ialltoallw");
}

TEST_F(Own, numbers_beyond) {
#ifdef __SIZEOF_INT128__
    const Long big = static_cast<Long>(1) << 100;
    EXPECT_TRUE(world.allreduce(big + rank, op::max) == big + size - 1);
    EXPECT_TRUE(world.allreduce(big, std::plus<>()) == big * size);
    EXPECT_TRUE(world.allreduce(Long(rank), op::bit_or) != -1);
    auto sending = world.isend(std::vector<Long>{big + rank}, next, tag(1));
    EXPECT_TRUE(world.recv<Long>(before, tag(1)) == big + before);
    static_cast<void>(sending.wait());
    static_assert(!anympi::AtomicCapable<Long>);
#endif
#ifdef __SIZEOF_FLOAT128__
    __extension__ using Quad = __float128;
    EXPECT_TRUE(world.allreduce(Quad(0.5), op::sum) == Quad(0.5) * size);
    EXPECT_TRUE(world.allreduce(Quad(rank), op::min) == 0);
#endif
#ifdef __FLT16_MANT_DIG__
    __extension__ using Half = _Float16;
    struct Pixel {
        Half red, green;
    };
    EXPECT_TRUE(world.allreduce(Half(1), op::sum) == Half(size));
    EXPECT_TRUE(world.broadcast_value(Pixel{Half(rank), Half(2)}, 0).red == Half(0));
#endif
}

TEST_F(Own, states_of_operations) {
    // Handles of operations with state are created when they are needed, and freed with the operations.
    const int sum = size * (size - 1) / 2;
    for (int modulus = 3; modulus < 6; ++modulus) {
        const auto modulo = [](int by) {
            return anympi::UserOp<int>::create([by](int a, int b) { return (a + b) % by; });
        };
        const auto one = modulo(modulus), two = modulo(modulus + 10);
        const int mine = rank % modulus;
        std::vector<int> first(1), second(1);
        auto requests = std::pair(world.iallreduce(mine, first, one), world.iallreduce(rank, second, two));
        anympi::wait_all(requests.first, requests.second);
        EXPECT_EQ(first[0], sum % modulus);
        EXPECT_EQ(second[0], sum % (modulus + 10));
    }
}
