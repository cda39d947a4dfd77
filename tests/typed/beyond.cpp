// Topologies, two groups, files, views, attributes, partitioned messages, sessions, tools, serialization, reports.
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <unistd.h>

#include "expect_error.hpp"

namespace {

namespace op = anympi::op;
using anympi::by;
using anympi::CartComm;
using anympi::Comm;
using anympi::count;
using anympi::Layout;
using anympi::partitions;
using anympi::tag;

struct Beyond : testing::Test {
    const Comm world = anympi::Comm::borrow(MPI_COMM_WORLD);
    const int rank = world.rank(), size = world.size();
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    // Debian's MPICH can neither spawn processes nor open ports; 3.4 crashes in both even without anympi, 5.0 after a
    // spawn.
    static bool has_dynamic_processes() { return anympi::library_version().find("Open MPI") != std::string::npos; }
    template <class R>
    static void run(R request) {
        for (int round = 0; round < 2; ++round) {
            request.start();
            static_cast<void>(request.wait());
        }
    }
};

struct Person {
    std::string name;
    std::map<std::string, std::vector<int>> scores;
    std::optional<std::pair<int, double>> last;
};
template <class Archive>
void serialize(Archive& archive, Person& person) {
    archive(person.name, person.scores, person.last);
}

// A type that cannot be sent by its memory …
struct Base {
    int first;
};
struct Extended : Base {
    int second;
};
template <class Archive>
void serialize(Archive& archive, Extended& object) {
    archive(object.first, object.second);
}
// … and a type that could, but defines its own serialization.
struct Doubled {
    int value, scratch;
};
template <class Archive>
void serialize(Archive& archive, Doubled& object) {
    archive(object.value);
}

// Counts how often it was serialized.
struct Written {
    static inline int times = 0;
};
template <class Archive>
void serialize(Archive&, Written&) {
    Written::times += !Archive::reads;
}

// Like std::mdspan, which C++20 does not have.
struct Matrix {
    using element_type = int;
    int* first;
    std::array<std::size_t, 2> extents, strides;
    [[nodiscard]] int* data_handle() const { return first; }
    [[nodiscard]] std::size_t extent(std::size_t dimension) const { return extents[dimension]; }
    [[nodiscard]] std::size_t stride(std::size_t dimension) const { return strides[dimension]; }
    static constexpr std::size_t rank() { return 2; }
};

} // namespace

TEST_F(Beyond, grids) {
    EXPECT_EQ(CartComm::dims(6, {0, 2}), (std::vector<int>{3, 2}));
    const int sizes[] = {size};
    const bool round[] = {true};
    const auto made = CartComm::create(world, sizes, round);
    ASSERT_TRUE(made);
    const CartComm& ring = *made;
    EXPECT_EQ(ring.dimensions(), 1);
    EXPECT_EQ(ring.grid().coordinates[0], ring.rank());
    EXPECT_EQ(ring.grid().periodic, std::vector<bool>{true});
    EXPECT_EQ(CartComm::create(world, sizes, std::array{false})->grid().periodic, std::vector<bool>{false});
    EXPECT_EQ(ring.coordinates(0)[0], 0);
    EXPECT_EQ(ring.shift(0, by(1)).destination, next);
    EXPECT_EQ(ring.rank_at(std::array{size - 1}), size - 1);
    EXPECT_EQ(ring.sub(std::array{true}).size(), size);
    EXPECT_EQ(ring.degrees().in, 2);

    std::vector<int> got(2), out{rank, rank + 100};
    const std::vector<int> all{before, next}, each{before + 100, next};
    const auto check = [&](const std::vector<int>& wanted, auto act) {
        got.assign(2, -1);
        act();
        if (size > 2) { // with fewer processes both neighbors are the same, and libraries differ in the order
            EXPECT_EQ(got, wanted);
        }
    };
    const Layout ones = Layout::packed({1, 1});
    check(all, [&] { ring.neighbor_allgather(rank, got); });
    check(all, [&] { static_cast<void>(ring.ineighbor_allgather(rank, got).wait()); });
    check(all, [&] { run(ring.neighbor_allgather_init(rank, got)); });
    check(all, [&] { ring.neighbor_allgatherv(rank, got, ones); });
    check(all, [&] { static_cast<void>(ring.ineighbor_allgatherv(rank, got, ones).wait()); });
    check(all, [&] { run(ring.neighbor_allgatherv_init(rank, got, ones)); });
    check(each, [&] { ring.neighbor_alltoall(out, got); });
    check(each, [&] { static_cast<void>(ring.ineighbor_alltoall(out, got).wait()); });
    check(each, [&] { run(ring.neighbor_alltoall_init(out, got)); });
    check(each, [&] { ring.neighbor_alltoallv(out, got, ones, ones); });
    check(each, [&] { static_cast<void>(ring.ineighbor_alltoallv(out, got, ones, ones).wait()); });
    check(each, [&] { run(ring.neighbor_alltoallv_init(out, got, ones, ones)); });
    const auto sends = anympi::SendBlocks::of(out[0], out[1]);
    const auto receives = anympi::ReceiveBlocks::of(got[0], got[1]);
    check(each, [&] { ring.neighbor_alltoallw(sends, receives); });
    check(each, [&] { static_cast<void>(ring.ineighbor_alltoallw(sends, receives).wait()); });
    check(each, [&] { run(ring.neighbor_alltoallw_init(sends, receives)); });
    auto exposed = anympi::ReceiveBlocks::of(std::vector<int>(1), std::vector<int>(1));
    EXPECT_MPI_ERROR(ring.ineighbor_alltoallw(sends, exposed), buffer, "MPI_Ineighbor_alltoallw");

    EXPECT_MPI_ERROR(CartComm::create(world, sizes, std::span<const bool>()), dims, "MPI_Cart_create");
    EXPECT_MPI_ERROR(ring.neighbor_alltoall(std::vector<int>(3), got), count, "MPI_Neighbor_alltoall");
    EXPECT_MPI_ERROR(anympi::NeighborComm(MPI_COMM_WORLD, false).degrees(), topology, "MPI_Topo_test");
}

TEST_F(Beyond, graphs) {
    std::vector<std::vector<int>> edges;
    for (int process = 0; process < size; ++process)
        edges.push_back({(process + 1) % size});
    const auto graph = anympi::GraphComm::create(world, edges);
    ASSERT_TRUE(graph);
    EXPECT_EQ(graph->neighbors(0), std::vector<int>{1 % size});
    EXPECT_TRUE(graph->degrees().in == 1 && graph->degrees().out == 1);

    const auto ring = anympi::DistGraphComm::create(world, std::array{before}, std::array{next});
    EXPECT_EQ(ring.neighbors().sources, std::vector<int>{before});
    EXPECT_EQ(ring.neighbors().destinations, std::vector<int>{next});
    std::vector<int> got(1);
    ring.neighbor_allgather(rank * 3, got);
    EXPECT_EQ(got[0], before * 3);

    // A chain: the first process receives nothing, and the last one sends nothing.
    const std::vector<int> from(rank > 0 ? 1 : 0, before), to(rank < size - 1 ? 1 : 0, next);
    const auto chain = anympi::DistGraphComm::create(world, from, to);
    const std::vector<int> pair{rank, -rank}, pairs(2 * to.size(), rank);
    std::vector<int> come(2 * from.size(), -1);
    chain.neighbor_allgather(pair, come);
    EXPECT_EQ(come, rank > 0 ? (std::vector<int>{before, -before}) : std::vector<int>());
    chain.neighbor_alltoall(pairs, come);
    EXPECT_EQ(come, std::vector<int>(2 * from.size(), before));
}

TEST_F(Beyond, two_groups) {
    if (size < 2)
        GTEST_SKIP() << "needs two groups";
    const bool odd = rank % 2 != 0;
    const auto half = world.split(odd, rank);
    const auto both = anympi::InterComm::create(*half, 0, world, odd ? 0 : 1);
    EXPECT_TRUE(both.is_inter());
    EXPECT_EQ(both.remote_size(), size - half->size());
    EXPECT_EQ(both.remote_group().size(), both.remote_size());
    EXPECT_EQ(both.allreduce(1, op::sum), both.remote_size());
    EXPECT_EQ(both.allgather(odd ? 1 : 0), std::vector<int>(static_cast<std::size_t>(both.remote_size()), odd ? 0 : 1));
    // The group of the root receives nothing.
    const int root = odd ? 0 : half->rank() == 0 ? MPI_ROOT : MPI_PROC_NULL;
    EXPECT_EQ(both.scatter(std::vector<int>(2 * static_cast<std::size_t>(both.remote_size()), 5), root),
              std::vector<int>(odd ? 2 : 0, 5));
    if (half->rank() == 0) {
        auto sending = both.isend(rank, 0, tag(1));
        EXPECT_EQ(both.recv<int>(0, tag(1)), odd ? 0 : 1);
        static_cast<void>(sending.wait());
    }
    const auto one = both.merge(odd);
    EXPECT_EQ(one.size(), size);
    if (!odd) {
        EXPECT_EQ(one.rank(), half->rank());
    }
    EXPECT_FALSE(anympi::InterComm::parent());
}

TEST_F(Beyond, spawn) {
    using anympi::InterComm;
    if (!has_dynamic_processes())
        GTEST_SKIP() << "this MPI cannot spawn processes here";
    char self[4096] = "";
    ASSERT_GT(readlink("/proc/self/exe", self, sizeof self - 1), 0);
    const auto talk_to = [&](int count, const auto& start) {
        InterComm children = start();
        EXPECT_EQ(children.remote_size(), count);
        for (int child = 0; child < count && rank == 0; ++child) {
            children.send(41, child);
            EXPECT_EQ(children.recv<int>(child), 42);
        }
        EXPECT_EQ(children.merge(false).size(), size + count);
        std::move(children).disconnect();
    };
    talk_to(1, [&] { return InterComm::spawn(world, self, {"--child"}, count(1)); });
    const std::vector<std::string> arguments{"--child"};
    const std::array<InterComm::Program, 2> programs{{{self, arguments}, {self, arguments}}};
    talk_to(2, [&] { return InterComm::spawn_multiple(world, programs); });
}

TEST_F(Beyond, ports) {
    using anympi::InterComm;
    using anympi::Port;
    if (size < 2 || !has_dynamic_processes())
        GTEST_SKIP() << "needs two processes, and an MPI that can open ports here";
    std::optional<Port> port;
    if (rank == 0)
        port.emplace(Port::open());
    const auto name = world.broadcast_object(port ? port->name() : std::string(), 0);
    const auto half = world.split(rank % 2, rank);
    auto both = port            ? port->accept(*half)
                : rank % 2 == 0 ? InterComm::accept(*half, "")
                                : InterComm::connect(*half, rank == 1 ? name : "");
    EXPECT_EQ(both.remote_size(), size - half->size());
    EXPECT_EQ(both.allreduce(1 + rank % 2, op::sum), both.remote_size() * (2 - rank % 2));
    std::move(both).disconnect();
    EXPECT_TRUE(both.is_null());

    const char* service = "anympi-typed-service";
    if (port)
        port->publish(service);
    world.barrier();
    if (rank == 1) {
        EXPECT_EQ(Port::lookup(service), name);
    }
    world.barrier();
}

// Each process writes and reads one block; the order of the blocks is not determined.
TEST_F(Beyond, shared_file_pointer) {
    using anympi::File;
    using anympi::FileMode;
    using anympi::SeekFrom;
    const auto comm = world.duplicate(); // see `files`
    const auto file =
        File::open(comm, "typed-shared.bin", FileMode::create | FileMode::read_write | FileMode::delete_on_close);
    file.set_view<int>(0);
    const auto settle = [&] {
        file.sync();
        world.barrier();
        file.sync();
    };
    std::vector<int> got(2);
    const auto sum_of_blocks = [&] {
        EXPECT_EQ(got[1], got[0] + 100);
        return world.allreduce(got[0], op::sum);
    };
    const int all = size * (size - 1) / 2;
    EXPECT_EQ(file.write_shared(std::vector<int>{rank, rank + 100}).count<int>(), 2U);
    settle();
    file.seek_shared(0);
    EXPECT_EQ(file.read_shared(got).count<int>(), 2U);
    EXPECT_EQ(sum_of_blocks(), all);
    world.barrier();
    file.seek_shared(0);
    EXPECT_EQ(file.write_ordered(std::vector<int>{rank + 10, rank + 110}).count<int>(), 2U);
    settle();
    file.seek_shared(-2 * size, SeekFrom::end);
    EXPECT_EQ(file.read_ordered(got).count<int>(), 2U);
    EXPECT_EQ(got, (std::vector<int>{rank + 10, rank + 110}));
    settle();
    file.seek_shared(0);
    world.barrier();
    EXPECT_EQ(file.iwrite_shared(std::vector<int>{rank, rank + 100}).wait().size(), 2U);
    settle();
    file.seek_shared(0);
    world.barrier();
    got = file.iread_shared(std::vector<int>(2)).wait();
    EXPECT_EQ(sum_of_blocks(), all);
    settle();
    file.seek_shared(0);
    auto writing = file.write_ordered_begin(std::vector<int>{rank + 10, rank + 110});
    auto moved = std::move(writing);
    EXPECT_EQ(std::move(moved).end().size(), 2U);
    settle();
    file.seek_shared(0);
    EXPECT_EQ(file.read_ordered_begin(std::vector<int>(2)).end(), (std::vector<int>{rank + 10, rank + 110}));
    settle();
    // The pointers of the processes are independent.
    EXPECT_EQ(file.position(), 0);
    file.seek(2 * rank, SeekFrom::current);
    EXPECT_EQ(file.position(), 2 * rank);
    EXPECT_EQ(file.read_at_all(2 * rank, got).count<int>(), 2U);
    EXPECT_EQ(got[0], rank + 10);
}

TEST_F(Beyond, files) {
    using anympi::File;
    // Not on the world itself, because Open MPI 4.1 leaves a broadcast of its shared file pointer pending on the
    // communicator.
    const auto comm = world.duplicate();
    using anympi::FileMode;
    const std::string name = "typed-file.bin";
    const auto mine = static_cast<MPI_Offset>(sizeof(int)) * 2 * rank;
    const std::vector<int> values{rank, rank + 100};
    {
        const auto file = File::open(comm, name, FileMode::create | FileMode::read_write, anympi::Info{});
        file.set_size(0);
        world.barrier();
        EXPECT_EQ(file.write_at_all(mine, values).count<int>(), 2U);
        file.sync(); // another process may have written the data
        world.barrier();
        std::vector<int> back(2);
        static_cast<void>(file.read_at(mine, back));
        EXPECT_EQ(back, values);
        file.sync();
        world.barrier();
        EXPECT_EQ(file.size(), MPI_Offset{8} * size);
        world.barrier(); // preallocate() below makes the file larger in Open MPI
        static_cast<void>(file.iwrite_at(mine, std::vector<int>{rank * 2, rank}).wait());
        EXPECT_EQ(file.iread_at(mine, std::vector<int>(2)).wait(), (std::vector<int>{rank * 2, rank}));
        static_cast<void>(file.iwrite_at_all(mine, values).wait());
        static_cast<void>(file.iread_at_all(mine, back).wait());
        EXPECT_EQ(back, values);
        // The last process reaches the end of the file before its buffer is full. (Open MPI waits forever for the
        // rest.)
        if (rank == size - 1 && anympi::library_version().find("Open MPI") == std::string::npos) {
            EXPECT_EQ(file.iread_at(mine, std::vector<int>(100)).wait(), values);
        }
        EXPECT_FALSE(file.atomicity());
        file.set_atomicity(true);
        EXPECT_TRUE(file.atomicity());
        EXPECT_TRUE(file.info());
        file.preallocate(MPI_Offset{8} * size);
        world.barrier();
    }
    {
        // Every process sees every size-th element only.
        const auto file = File::open(comm, name, FileMode::read_write);
        const auto stripe = anympi::Datatype::of<int>().resized(0, static_cast<MPI_Count>(sizeof(int)) * size);
        file.set_view<int>(static_cast<MPI_Offset>(sizeof(int)) * rank, stripe);
        static_cast<void>(file.write_all(std::vector<int>{rank, rank + 10}));
        EXPECT_EQ(file.position(), 2);
        file.seek(0);
        std::vector<int> back(2);
        static_cast<void>(file.read_all(back));
        EXPECT_EQ(back, (std::vector<int>{rank, rank + 10}));
        file.seek(1);
        static_cast<void>(file.read(std::span(back).first(1)));
        EXPECT_EQ(back[0], rank + 10);
        file.seek(1);
        static_cast<void>(file.write(rank + 20));
        file.seek(1);
        EXPECT_EQ(file.iread(std::vector<int>(1)).wait()[0], rank + 20);
        file.seek(1);
        static_cast<void>(file.iwrite(rank + 30).wait());
        file.set_view<int>(0);
        world.barrier();
        static_cast<void>(file.read_at(size + rank, back[0]));
        EXPECT_EQ(back[0], rank + 30);
    }
    world.barrier();
    if (rank == 0) {
        File::remove(name);
        EXPECT_THROW(File::remove(name), anympi::Error);
    }
    world.barrier();
    EXPECT_THROW(static_cast<void>(File::open(comm, "no/such/folder/file", FileMode::read)), anympi::Error);
    EXPECT_MPI_ERROR(File().size(), file, "MPI_File_get_size");
}

TEST_F(Beyond, views) {
    std::vector<int> matrix(12), got(12, -1);
    std::iota(matrix.begin(), matrix.end(), rank * 100);
    const Comm self = anympi::Comm::borrow(MPI_COMM_SELF);
    const auto through = [&](const auto& from, std::size_t count) {
        std::vector<int> packed(count);
        static_cast<void>(self.sendrecv(from, 0, tag(1), packed, 0, tag(1)));
        for (int& value : packed)
            value -= rank * 100;
        return packed;
    };
    EXPECT_EQ(through(anympi::strided(std::span(matrix), 3, 1, 4), 3), (std::vector<int>{0, 4, 8}));
    const MPI_Count lengths[] = {1, 2}, places[] = {3, 8};
    EXPECT_EQ(through(anympi::indexed(std::span(matrix), lengths, places), 3), (std::vector<int>{3, 8, 9}));
    const MPI_Count sizes[] = {3, 4}, parts[] = {2, 2}, starts[] = {1, 2};
    EXPECT_EQ(through(anympi::boxed(std::span(matrix), sizes, parts, starts), 4), (std::vector<int>{6, 7, 10, 11}));
    const Matrix transposed{matrix.data(), {4, 3}, {1, 4}};
    EXPECT_EQ(through(anympi::view(transposed), 12), (std::vector<int>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
    const auto pairs = anympi::Datatype::contiguous(2, anympi::Datatype::of<int>());
    EXPECT_EQ(through(anympi::typed(std::span(std::as_const(matrix)), pairs, 2), 4), (std::vector<int>{0, 1, 2, 3}));
    // Into a view of a column, also with a request that lives longer than the view.
    auto receiving = self.irecv(anympi::strided(std::span(got), 3, 1, 4), 0, tag(2));
    self.send(std::vector<int>{7, 8, 9}, 0, tag(2));
    static_cast<void>(receiving.wait());
    EXPECT_EQ(got, (std::vector<int>{7, -1, -1, -1, 8, -1, -1, -1, 9, -1, -1, -1}));
    EXPECT_MPI_ERROR(anympi::strided(std::span(matrix), 4, 1, 4), arg, "strided");
    EXPECT_MPI_ERROR(anympi::indexed(std::span(matrix).first(9), lengths, places), arg, "indexed");
    EXPECT_MPI_ERROR(anympi::boxed(std::span(matrix).first(9), sizes, parts, starts), arg, "boxed");
    EXPECT_MPI_ERROR(anympi::typed(std::span(matrix), pairs, 7), arg, "typed");
}

TEST_F(Beyond, attributes) {
    auto key = anympi::AttributeKey<std::string>::create();
    key = anympi::AttributeKey<std::string>::create();
    auto comm = world.duplicate();
    EXPECT_EQ(key.get(comm), nullptr);
    key.set(comm, "first");
    key.set(comm, "second");
    EXPECT_EQ(*key.get(comm), "second");
    const auto copy = comm.duplicate();
    *key.get(comm) = "changed";
    EXPECT_EQ(*key.get(copy), "second");
    key.erase(comm);
    EXPECT_EQ(key.get(comm), nullptr);
    EXPECT_GE(anympi::tag_upper_bound(world).value(), 32767);
    static_cast<void>(anympi::universe_size(world));
    static_cast<void>(anympi::application_number(world));
    EXPECT_MPI_ERROR(key.get(Comm()), comm, "MPI_Comm_get_attr");

    // Attributes are destroyed with their objects.
    const auto counted = std::make_shared<int>(5);
    using Shared = std::shared_ptr<int>;
    const auto of_windows = anympi::WindowKey<Shared>::create();
    {
        const auto window = anympi::Window<int>::allocate(world, 1);
        EXPECT_EQ(of_windows.get(window), nullptr);
        of_windows.set(window, counted);
        EXPECT_EQ(**of_windows.get(window), 5);
        EXPECT_EQ(counted.use_count(), 2);
    }
    EXPECT_EQ(counted.use_count(), 1);
    EXPECT_MPI_ERROR(of_windows.set(anympi::Window<int>(), counted), win, "MPI_Win_set_attr");
    const auto of_types = anympi::DatatypeKey<Shared>::create();
    {
        const auto type = anympi::Datatype::contiguous(3, anympi::Datatype::of<int>());
        of_types.set(type, counted);
        of_types.erase(type);
        EXPECT_EQ(counted.use_count(), 1);
        of_types.set(type, counted);
        EXPECT_EQ(of_types.get(type)->get(), counted.get());
    }
    EXPECT_EQ(counted.use_count(), 1);
    EXPECT_MPI_ERROR(of_types.erase(anympi::Datatype()), type, "MPI_Type_delete_attr");
}

TEST_F(Beyond, partitioned) {
    if (std::getenv("ANYMPI_TEST_NO_PARTITIONS") || size == 1)
        GTEST_SKIP() << "needs two processes, and partitions, which ANYMPI_TEST_NO_PARTITIONS may forbid";
    std::vector<double> out(8), in(8);
    auto send = world.psend_init(out, partitions(4), next, tag(3));
    auto receive = world.precv_init(in, partitions(2), before, tag(3));
    for (int round = 0; round < 2; ++round) {
        std::iota(out.begin(), out.end(), rank * 10 + round);
        receive.start();
        send.start();
        send.ready(2);
        send.ready_range(0, 1);
        send.ready_list(std::array{3});
        static_cast<void>(send.wait());
        while (!receive.arrived(1))
            ;
        static_cast<void>(receive.wait());
        EXPECT_EQ(in[7], before * 10 + round + 7);
    }
    std::vector<int> numbers(4);
    auto owned = world.psend_init(std::vector<int>{1, 2, 3, 4}, partitions(2), next, tag(4));
    auto into = world.precv_init(numbers, partitions(2), before, tag(4));
    into.start();
    owned.start();
    owned.ready_list(std::array{1, 0});
    static_cast<void>(owned.wait());
    static_cast<void>(into.wait());
    EXPECT_EQ(numbers, (std::vector<int>{1, 2, 3, 4}));
    EXPECT_MPI_ERROR(world.psend_init(out, partitions(3), next), count, "MPI_Psend_init");
    EXPECT_MPI_ERROR(world.precv_init(in, partitions(0), next), count, "MPI_Precv_init");
}

TEST_F(Beyond, sessions) {
    auto made = anympi::Session::create(anympi::ThreadLevel::multiple);
    const anympi::Session session(made.release(), true); // it ends the session
    EXPECT_TRUE(made.is_null());
    const auto names = session.process_sets();
    EXPECT_NE(std::find(names.begin(), names.end(), "mpi://WORLD"), names.end());
    const auto group = session.group("mpi://WORLD");
    EXPECT_EQ(group.size(), size);
    EXPECT_TRUE(session.info());
    EXPECT_EQ(session.process_set_info("mpi://SELF").get("mpi_size"), "1");
    {
        const auto comm = Comm::create_from_group(group, "typed.tests");
        EXPECT_EQ(comm.allreduce(1, op::sum), size);
    }
    { const auto buffer = session.attach_buffer(std::vector<std::byte>(1'000)); }
    { const auto automatic = session.attach_buffer(anympi::automatic_buffer); }
    EXPECT_THROW(static_cast<void>(session.group("no such set")), anympi::Error);
}

TEST_F(Beyond, tools) {
    const auto tools = anympi::Tools::begin();
    const auto controls = tools.control_variables();
    ASSERT_FALSE(controls.empty());
    for (const std::string& name : tools.performance_variables()) {
        if (name.find("psm2") != std::string::npos) // Open MPI crashes if the network does not exist
            continue;
        try {
            static_cast<void>(tools.read_performance<unsigned long>(name));
        } catch (const anympi::Error&) {
            continue; // bound to an object, or of another kind
        }
    }
    // A variable that can be read as a number.
    bool read = false;
    for (const std::string& name : controls) {
        try {
            static_cast<void>(tools.read_control<long>(name));
            read = true;
            break;
        } catch (const anympi::Error&) {
            continue;
        }
    }
    EXPECT_TRUE(read);
    EXPECT_THROW(static_cast<void>(tools.read_control<int>("no_such_variable")), anympi::Error);
    EXPECT_MPI_ERROR(tools.read_performance<int>("no_such_variable"), arg, "MPI_T_pvar_get_index");

    // A variable that can be written with its present value. (Here, because MPICH 4.0 cannot initialise the interface a
    // second time.)
    bool set = false;
    for (const std::string& name : controls) {
        try {
            const auto value = tools.read_control<long>(name);
            tools.write_control(name, value);
            EXPECT_EQ(tools.read_control<long>(name), value);
            set = true;
            break;
        } catch (const anympi::Error&) {
            continue;
        }
    }
    EXPECT_TRUE(set);
    // Text variables are read as text, numbers as numbers.
    int texts = 0, numbers = 0;
    for (const std::string& name : controls) {
        try {
            static_cast<void>(tools.read_control<std::string>(name));
        } catch (const anympi::Error& error) {
            if (error.error_class() == anympi::ErrorClass::type && ++numbers == 1)
                EXPECT_MPI_ERROR(tools.write_control(name, "text"), type, "MPI_T_cvar_write");
            continue;
        }
        if (++texts == 1) {
            EXPECT_MPI_ERROR(tools.read_control<long>(name), type, "MPI_T_cvar_read");
            EXPECT_MPI_ERROR(tools.write_control(name, 1), type, "MPI_T_cvar_write");
            // too long for the variable
            EXPECT_THROW(tools.write_control(name, std::string(1 << 20, 'x')), anympi::Error);
        }
    }
    EXPECT_GT(texts, 0);
    EXPECT_GT(numbers, 0);
    EXPECT_THROW(tools.write_control("no_such_variable", 1), anympi::Error);
    EXPECT_THROW(tools.write_control("no_such_variable", "text"), anympi::Error);
    static_cast<void>(tools.events());
    EXPECT_THROW(static_cast<void>(tools.on_event("no such event", [](const anympi::Event&) {})), anympi::Error);
}

TEST_F(Beyond, serialization) {
    const Person ada{"Ada", {{"algebra", {5, rank}}, {"none", {}}}, std::pair(7, 1.5)}, nobody{};
    static_assert(anympi::Serializable<Person> && !anympi::Serializable<std::FILE*>);
    anympi::Writer writer;
    writer(ada);
    auto sending = world.isend(std::move(writer).take(), next, tag(4));
    const auto got = world.recv_object<Person>(before, tag(4));
    static_cast<void>(sending.wait());
    EXPECT_EQ(got.scores.at("algebra")[1], before);
    EXPECT_EQ(got.last, ada.last);
    if (rank == 0 && size > 1) {
        world.send_object(ada, 1, tag(6));
    } else if (rank == 1) {
        EXPECT_EQ(world.recv_object<Person>(0, tag(6)).name, "Ada");
    }
    EXPECT_EQ(world.broadcast_object(rank == 0 ? ada : nobody, 0).scores.at("algebra")[1], 0);
    auto wrong = world.isend(std::string("not a person"), next, tag(5));
    EXPECT_MPI_ERROR(world.recv_object<Person>(before, tag(5)), truncate, "recv_object");
    static_cast<void>(wrong.wait());
    const Extended both = world.broadcast_object(rank == 0 ? Extended{{7}, 8} : Extended{}, 0);
    EXPECT_TRUE(both.first == 7 && both.second == 8);
    const auto several = world.broadcast_object(std::vector<Doubled>(2, {rank, rank + 1}), 0);
    EXPECT_TRUE(several[1].value == 0 && several[1].scratch == 0);
    // Only the root serializes its object.
    Written::times = 0;
    static_cast<void>(world.broadcast_object(Written{}, 0));
    EXPECT_EQ(Written::times, rank == 0 ? 1 : 0);
    // The former content is replaced.
    anympi::Writer filled;
    filled(std::vector<int>{4}, std::map<int, int>{{1, 2}});
    const auto bytes = std::move(filled).take();
    std::vector<int> values{7, 8};
    std::map<int, int> entries{{5, 6}};
    anympi::Reader replaces(bytes);
    replaces(values, entries);
    EXPECT_TRUE(replaces.complete());
    EXPECT_EQ(values, std::vector<int>{4});
    EXPECT_EQ(entries, (std::map<int, int>{{1, 2}}));
    // An impossible number of elements.
    const std::vector<std::byte> endless(8, std::byte{0xff});
    anympi::Reader stops(endless);
    stops(entries);
    EXPECT_FALSE(stops.complete());
    const std::byte neither_nor[] = {std::byte{'x'}}; // invalid as the mark of an optional
    std::optional<int> maybe;
    anympi::Reader reader(neither_nor);
    reader(maybe);
    EXPECT_FALSE(reader.complete());
    const std::byte nothing[] = {std::byte{0}};
    anympi::Reader again(nothing);
    maybe = 7;
    again(maybe);
    EXPECT_TRUE(again.complete() && !maybe);
    const std::byte too_many[] = {std::byte{0}, std::byte{0}};
    anympi::Reader more(too_many);
    more(maybe);
    EXPECT_FALSE(more.complete());
    anympi::Writer given_away;
    given_away(rank, std::string("text"));
    anympi::Reader owner(std::move(given_away).take());
    int number = -1;
    std::string text;
    owner(number, text);
    EXPECT_TRUE(owner.complete() && number == rank && text == "text");
}

TEST_F(Beyond, reports) {
    setenv("SLURM_JOB_ID", "77", 1);
    setenv("SLURM_TASKS_PER_NODE", "4(x2),3", 1);
    setenv("SLURM_NODEID", "2", 1);
    setenv("SLURM_LOCALID", "1", 1);
    setenv("SLURM_NNODES", "3", 1);
    setenv("SLURM_NODELIST", "n[1-3]", 1);
    namespace slurm = anympi::slurm;
    EXPECT_TRUE(slurm::is_slurm_job());
    EXPECT_EQ(slurm::job_id(), 77);
    EXPECT_EQ(slurm::local_size(), 3);
    setenv("SLURM_NODEID", "1", 1);
    EXPECT_EQ(slurm::local_size(), 4);
    EXPECT_EQ(slurm::local_rank(), 1);
    EXPECT_EQ(slurm::num_nodes(), 3);
    EXPECT_EQ(slurm::cpus_per_task(), std::nullopt);
    EXPECT_EQ(slurm::node_name(), std::nullopt);
    EXPECT_EQ(slurm::node_list(), "n[1-3]");
    const auto report = world.topology_report();
    EXPECT_EQ(report.size, size);
    EXPECT_EQ(report.num_hosts(), 1U);
    EXPECT_EQ(report.hosts[0].ranks.size(), static_cast<std::size_t>(size));
    EXPECT_EQ(report.slurm->job_id, 77);
    EXPECT_NE(report.text().find("Slurm job 77 on n[1-3]"), std::string::npos);
    EXPECT_EQ(report.standard_version, anympi::version());
    EXPECT_EQ(report.library_version, anympi::library_version());
    EXPECT_EQ(report.hosts[0].hostname, anympi::processor_name());
    for (const char* name :
         {"SLURM_JOB_ID", "SLURM_TASKS_PER_NODE", "SLURM_NODEID", "SLURM_LOCALID", "SLURM_NNODES", "SLURM_NODELIST"})
        unsetenv(name);
    EXPECT_FALSE(slurm::is_slurm_job());
}
