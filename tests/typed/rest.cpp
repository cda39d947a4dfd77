// The functions of MPI that programs seldom need: further datatypes and their contents, getters, error handlers, errors
// of the program, maps of topologies.
#include <array>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

#include "expect_error.hpp"
#include "main.hpp"

namespace {

namespace op = anympi::op;
using anympi::Combiner;
using anympi::Comm;
using anympi::Datatype;
using anympi::Distribution;
using anympi::Error;
using anympi::ErrorClass;
using anympi::tag;

using Counts = std::vector<MPI_Count>;

struct Rest : testing::Test {
    const Comm world = anympi::Comm::borrow(MPI_COMM_WORLD);
    const int rank = world.rank(), size = world.size();
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    const Datatype numbers = Datatype::of<int>();
};

// Sends the elements of a datatype to this process itself, and returns them.
std::vector<int> picked(const Datatype& type, std::vector<int> from) {
    const Comm self = Comm::borrow(MPI_COMM_SELF);
    std::vector<int> room(static_cast<std::size_t>(type.size()) / sizeof(int));
    self.sendrecv(anympi::typed(std::span(from), type), 0, tag(1), room, 0, tag(1));
    return room;
}

// Set by the error handlers.
int handled = 0;
ErrorClass last_class = ErrorClass::success;
std::string last_text;
constexpr auto remember = [](const Error& error) {
    ++handled;
    last_class = error.error_class();
    last_text = error.message();
};

} // namespace

TEST_F(Rest, further_datatypes) {
    const std::vector<int> ten{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    EXPECT_EQ(picked(Datatype::hindexed(Counts{2, 1}, Counts{4, 20}, numbers), ten), (std::vector{1, 2, 5}));
    EXPECT_EQ(picked(Datatype::indexed_block(2, Counts{0, 7}, numbers), ten), (std::vector{0, 1, 7, 8}));
    EXPECT_EQ(picked(Datatype::hindexed_block(2, Counts{4, 24}, numbers), ten), (std::vector{1, 2, 6, 7}));
    EXPECT_MPI_ERROR(Datatype::hindexed(Counts{1}, Counts{}, numbers), arg, "MPI_Type_create_hindexed");

    // Process 1 of 2 x 1 has the second half of the rows; of 5 elements that are distributed in turn, process 1 has
    // two.
    using Dimension = anympi::DistributedDimension;
    const std::array<Dimension, 2> rows{Dimension{4, Distribution::block, 2}, Dimension{2, Distribution::none}};
    EXPECT_EQ(picked(Datatype::darray(1, rows, numbers), ten), (std::vector{4, 5, 6, 7}));
    const std::array<Dimension, 1> in_turn{Dimension{5, Distribution::cyclic, 2}};
    EXPECT_EQ(picked(Datatype::darray(1, in_turn, numbers), ten), (std::vector{1, 3}));
    const std::array<Dimension, 1> in_pairs{Dimension{5, Distribution::cyclic, 2, 2}};
    EXPECT_EQ(picked(Datatype::darray(1, in_pairs, numbers), ten), (std::vector{2, 3}));
    EXPECT_THROW(static_cast<void>(Datatype::darray(2, in_turn, numbers)), Error); // no such process
    const std::array<Dimension, 2> too_many{Dimension{4, Distribution::block, 1 << 16},
                                            Dimension{4, Distribution::block, 1 << 16}};
    EXPECT_MPI_ERROR(Datatype::darray(0, too_many, numbers), arg, "MPI_Type_create_darray");
}

TEST_F(Rest, numbers_by_size_and_digits) {
    using anympi::TypeClass;
    EXPECT_EQ(Datatype::of_size(TypeClass::real, 8).size(), 8);
    EXPECT_EQ(Datatype::of_size(TypeClass::integer, 2).size(), 2);
    EXPECT_EQ(Datatype::of_size(TypeClass::complex, 16).size(), 16);
    EXPECT_THROW(static_cast<void>(Datatype::of_size(TypeClass::real, 3)), Error);
    EXPECT_EQ(Datatype::f90_integer(9).size(), 4);
    EXPECT_EQ(Datatype::f90_real(15).size(), 8);
    EXPECT_EQ(Datatype::f90_real(6, 30).size(), 4);
    EXPECT_EQ(Datatype::f90_complex(15, 300).size(), 16);
    EXPECT_EQ(Datatype::f90_complex(6).envelope().combiner, Combiner::f90_complex);
    EXPECT_MPI_ERROR(Datatype::f90_real(15).free(), type, "MPI_Type_free"); // MPI owns it

    const auto pairs = Datatype::value_index(Datatype::of<double>(), numbers);
    ASSERT_TRUE(pairs);
    EXPECT_EQ(pairs->size(), 12);
    EXPECT_FALSE(Datatype::value_index(numbers, Datatype::of<std::byte>()));
}

TEST_F(Rest, what_is_known_of_a_datatype) {
    const Datatype shifted = Datatype::hindexed(Counts{2}, Counts{8}, numbers);
    const Datatype wide = shifted.resized(-4, 40);
    EXPECT_EQ(wide.bounds().lower, -4);
    EXPECT_EQ(wide.bounds().extent, 40);
    EXPECT_EQ(wide.true_bounds().lower, 8);
    EXPECT_EQ(wide.true_bounds().extent, 8);

    Datatype copy = wide.duplicate();
    copy.set_name("wide pair");
    EXPECT_EQ(copy.name(), "wide pair");
    EXPECT_EQ(numbers.name(), "MPI_INT");
    EXPECT_EQ(copy.envelope().combiner, Combiner::dup);
    EXPECT_EQ(copy.envelope().types, 1);

    // From the outside to the inside: dup, resized, hindexed, int.
    const auto outer = copy.contents();
    ASSERT_EQ(outer.types.size(), 1U);
    const auto middle = outer.types[0].contents();
    EXPECT_EQ(middle.combiner, Combiner::resized);
    EXPECT_EQ(middle.addresses, (std::vector<MPI_Aint>{-4, 40}));
    const auto inner = middle.types.at(0).contents();
    EXPECT_EQ(inner.combiner, Combiner::hindexed);
    EXPECT_EQ(inner.integers, (std::vector{1, 2}));
    EXPECT_EQ(inner.addresses, (std::vector<MPI_Aint>{8}));
    EXPECT_TRUE(inner.counts.empty());
    const auto innermost = inner.types.at(0).contents();
    EXPECT_EQ(inner.types.at(0).handle(), MPI_INT);
    EXPECT_EQ(innermost.combiner, Combiner::named);
    EXPECT_TRUE(innermost.types.empty() && innermost.integers.empty() && innermost.addresses.empty());
    EXPECT_MPI_ERROR(Datatype().contents(), type, "MPI_Type_get_envelope");
    EXPECT_MPI_ERROR(Datatype().envelope(), type, "MPI_Type_get_envelope");
}

TEST_F(Rest, elements_of_a_status) {
    struct Three {
        std::array<int, 3> values;
    };
    const Comm self = Comm::borrow(MPI_COMM_SELF);
    std::vector<Three> room(2);
    const auto status = self.sendrecv(std::array{1, 2, 3, 4}, 0, tag(1), room, 0, tag(1));
    EXPECT_EQ(status.count<Three>(), std::nullopt);
    EXPECT_EQ(status.elements<Three>(), 4U);
    EXPECT_EQ(status.elements(MPI_BYTE), 16U);
    EXPECT_EQ(room[1].values[0], 4);
}

TEST_F(Rest, replaces_later) {
    std::vector<int> ring{rank, 10 * rank};
    world.isendrecv_replace(ring, next, tag(3), before, tag(3)).wait();
    EXPECT_EQ(ring, (std::vector{before, 10 * before}));
    EXPECT_EQ(world.isendrecv_replace(std::vector{rank}, next, tag(3), before, tag(3)).wait(), std::vector{before});
    EXPECT_MPI_ERROR(world.isendrecv_replace(ring, size, tag(3), before, tag(3)), rank, "MPI_Isendrecv_replace");
}

TEST_F(Rest, file_getters) {
    using anympi::File;
    using anympi::FileMode;
    const auto comm = world.duplicate(); // see `files`
    const auto file =
        File::open(comm, "typed-getters.bin", FileMode::create | FileMode::read_write | FileMode::delete_on_close);
    EXPECT_EQ(file.mode() & FileMode::read_write, FileMode::read_write);
    EXPECT_EQ(file.group().compare(comm.group()), anympi::Comparison::identical);
    EXPECT_EQ(file.view().element.handle(), MPI_BYTE);
    EXPECT_EQ(file.view().representation, "native");

    const Datatype first_of_two = numbers.resized(0, 8);
    file.set_view<int>(16, first_of_two);
    const auto view = file.view();
    EXPECT_EQ(view.displacement, 16);
    EXPECT_EQ(view.element.size(), 4);
    EXPECT_EQ(view.shape.extent(), 8);
    EXPECT_EQ(file.byte_offset(3), 16 + 24);
    EXPECT_EQ(file.extent_of(numbers), 4);
    world.barrier();
    EXPECT_EQ(file.position_shared(), 0);
    world.barrier(); // no process writes before all have asked
    file.write_ordered(rank);
    EXPECT_EQ(file.position_shared(), size);
    EXPECT_MPI_ERROR(File().mode(), file, "MPI_File_get_amode");
}

TEST_F(Rest, window_attributes) {
    using anympi::WindowFlavor;
    const auto made = anympi::Window<double>::allocate(world, 3);
    EXPECT_EQ(made.flavor(), WindowFlavor::allocate);
    EXPECT_EQ(made.displacement_unit(), 8);
    EXPECT_EQ(made.size_bytes(), 24);
    EXPECT_EQ(made.memory_model(), anympi::MemoryModel::unified);
    {
        const auto lock = made.lock_all();
        made.local()[0] = rank;
        made.sync();
        EXPECT_EQ(made.local()[0], rank);
    }
    EXPECT_MPI_ERROR(anympi::Window<int>().flavor(), win, "MPI_Win_get_attr");
    EXPECT_MPI_ERROR(anympi::Window<int>().sync(), win, "MPI_Win_sync");
}

TEST_F(Rest, attributes_of_windows_over_memory) {
    using anympi::WindowFlavor;
    if (size == 1)
        GTEST_SKIP() << "Open MPI 4 has no such windows of one process";
    std::vector<int> memory(5);
    const auto over = anympi::Window<int>::create(world, memory);
    EXPECT_EQ(over.flavor(), WindowFlavor::create);
    EXPECT_EQ(over.size_bytes(), 20);
    const auto dynamic = anympi::DynamicWindow<int>::create(world);
    EXPECT_EQ(dynamic.flavor(), WindowFlavor::dynamic);
    const auto place = anympi::DynamicWindow<int>::address(memory[1]);
    EXPECT_EQ(dynamic.after(place, 8), anympi::DynamicWindow<int>::address(memory[3]));
    EXPECT_EQ(dynamic.distance(place, dynamic.after(place, 8)), 8);
}

TEST_F(Rest, maps_and_graphs) {
    using anympi::CartComm;
    using anympi::GraphComm;
    const std::vector<int> sizes{size};
    const std::array<bool, 1> periodic{true};
    const auto in_grid = CartComm::map(world, sizes, periodic);
    ASSERT_TRUE(in_grid);
    EXPECT_EQ(world.allreduce(*in_grid, op::sum), size * (size - 1) / 2); // a permutation
    EXPECT_MPI_ERROR(CartComm::map(world, sizes, std::span<const bool>()), dims, "MPI_Cart_map");
    EXPECT_EQ(CartComm::map(world, std::array{1}, periodic).has_value(), rank == 0);

    std::vector<std::vector<int>> neighbors(
        static_cast<std::size_t>(size)); // a ring, without edges of a single process
    for (int node = 0; node < size && size > 1; ++node)
        neighbors[static_cast<std::size_t>(node)] = {(node + 1) % size, (node + size - 1) % size};
    const auto in_graph = GraphComm::map(world, neighbors);
    ASSERT_TRUE(in_graph);
    EXPECT_EQ(world.allreduce(*in_graph, op::sum), size * (size - 1) / 2);
    const auto graph = GraphComm::create(world, neighbors);
    ASSERT_TRUE(graph);
    EXPECT_EQ(graph->graph(), neighbors);
    EXPECT_EQ(graph->graph()[static_cast<std::size_t>(rank)], graph->neighbors(graph->rank()));
}

TEST_F(Rest, join_by_a_socket) {
    if (size < 2 || anympi::library_version().find("Open MPI") == std::string::npos)
        GTEST_SKIP() << "needs two processes, and an MPI that can open ports here";
    sockaddr_un place{AF_UNIX, {}};
    const std::string path = world.broadcast_object("/tmp/anympi-join-" + std::to_string(getpid()), 0);
    path.copy(place.sun_path, sizeof place.sun_path - 1);
    const auto* address = reinterpret_cast<const sockaddr*>(&place);
    const int door = socket(AF_UNIX, SOCK_STREAM, 0);
    int line = door;
    if (rank == 0) {
        ASSERT_EQ(bind(door, address, sizeof place), 0);
        ASSERT_EQ(listen(door, 1), 0);
    }
    world.barrier();
    if (rank == 0)
        line = accept(door, nullptr, nullptr);
    if (rank == 1) {
        ASSERT_EQ(connect(door, address, sizeof place), 0);
    }
    if (rank < 2) {
        auto joined = anympi::InterComm::join(line);
        EXPECT_EQ(joined.remote_size(), 1);
        joined.send(rank, 0);
        EXPECT_EQ(joined.recv<int>(0), 1 - rank);
        std::move(joined).disconnect();
    }
    world.barrier();
    if (rank == 0) {
        close(line);
        unlink(path.c_str());
    }
    close(door);
}

TEST_F(Rest, error_handlers) {
    using anympi::CommErrorHandler;
    handled = 0;
    const Comm comm = world.duplicate();
    EXPECT_EQ(CommErrorHandler::of(comm).handle(), MPI_ERRORS_RETURN);
    {
        const auto handler = CommErrorHandler::create(remember);
        handler.attach(comm);
    } // the communicator keeps it
    CommErrorHandler::call(comm, ErrorClass::tag);
    EXPECT_EQ(handled, 1);
    EXPECT_EQ(last_class, ErrorClass::tag);
    EXPECT_FALSE(last_text.empty());
    EXPECT_FALSE(CommErrorHandler::of(comm).is_null());
    // A failing call in C is heard too, and by a listener it is not.
    int heard = 0;
    comm.on_error([&](const Error&) { ++heard; });
    static_cast<void>(MPI_Send(&handled, 1, MPI_INT, size, 0, comm.handle()));
    EXPECT_EQ(handled, 2);
    EXPECT_EQ(last_class, ErrorClass::rank);
    EXPECT_EQ(heard, 0);
    try {
        comm.send(1, size);
    } catch (const Error&) {
        EXPECT_EQ(heard, 1);
    } // the library may tell nothing of an error that was handled
    EXPECT_EQ(handled, 3);
    CommErrorHandler::errors_return().attach(comm);
    EXPECT_MPI_ERROR(comm.send(1, size), rank, "MPI_Send");
    EXPECT_EQ(handled, 3);
    EXPECT_EQ(CommErrorHandler::errors_are_fatal().handle(), MPI_ERRORS_ARE_FATAL);
#ifdef MPI_ERRORS_ABORT
    EXPECT_EQ(CommErrorHandler::errors_abort().handle(), MPI_ERRORS_ABORT);
#endif
    EXPECT_MPI_ERROR(CommErrorHandler::of(Comm()), comm, "MPI_Comm_get_errhandler");
    EXPECT_MPI_ERROR(CommErrorHandler::errors_return().free(), errhandler, "MPI_Errhandler_free");
    EXPECT_MPI_ERROR(CommErrorHandler::errors_return().attach(Comm()), comm, "MPI_Comm_set_errhandler");
}

TEST_F(Rest, error_handlers_of_other_objects) {
    handled = 0;
    const auto window = anympi::Window<int>::allocate(world, 1);
    anympi::WindowErrorHandler::create(remember).attach(window);
    anympi::WindowErrorHandler::call(window, ErrorClass::rma_sync);
    EXPECT_EQ(last_class, ErrorClass::rma_sync);
    const auto comm = world.duplicate(); // see `files`
    using anympi::FileMode;
    const auto file =
        anympi::File::open(comm, "typed-handled.bin", FileMode::create | FileMode::write | FileMode::delete_on_close);
    anympi::FileErrorHandler::create(remember).attach(file);
    anympi::FileErrorHandler::call(file, ErrorClass::quota);
    EXPECT_EQ(last_class, ErrorClass::quota);
    const auto session = anympi::Session::create();
    anympi::SessionErrorHandler::create(remember).attach(session);
    EXPECT_FALSE(anympi::SessionErrorHandler::of(session).is_null());
    anympi::SessionErrorHandler::call(session, ErrorClass::session);
    EXPECT_EQ(last_class, ErrorClass::session);
    EXPECT_EQ(handled, 3);
}

TEST_F(Rest, errors_of_the_program) {
    const ErrorClass mine = anympi::add_error_class("the model is wrong");
    const int code = anympi::add_error_code(mine, "the pressure is negative");
    const auto error = Error::from_code(code, "step");
    EXPECT_EQ(error.error_class(), mine);
    EXPECT_EQ(error.message(), "the pressure is negative");
    EXPECT_STREQ(error.what(), "step: the pressure is negative");
    EXPECT_EQ(Error::from_code(static_cast<int>(mine)).message(), "the model is wrong");
    anympi::remove_error_code(code);
    anympi::remove_error_class(mine);
    EXPECT_THROW(anympi::remove_error_class(mine), Error);
    EXPECT_THROW(anympi::remove_error_code(code), Error);
}

TEST_F(Rest, codes_of_c) {
    anympi::check(MPI_SUCCESS);
    const int code = MPI_Send(&handled, 1, MPI_INT, size, 0, world.handle());
    EXPECT_EQ(anympi::error_class_of(code), ErrorClass::rank);
    EXPECT_EQ(anympi::error_class_of(MPI_SUCCESS), ErrorClass::success);
    // an mpi.h may lack it
    EXPECT_EQ(anympi::error_class_of(static_cast<int>(ErrorClass::value_too_large)), ErrorClass::value_too_large);
    EXPECT_MPI_ERROR(anympi::check(code, "MPI_Send"), rank, "MPI_Send");
    EXPECT_MPI_ERROR(anympi::check(code), rank, "");
}

TEST_F(Rest, environment) {
    EXPECT_TRUE(anympi::is_thread_main());
    bool other = true;
    std::thread([&] { other = anympi::is_thread_main(); }).join();
    EXPECT_FALSE(other);
    const auto version = anympi::abi_version();
    EXPECT_EQ(version.major < 0, version.minor < 0);
    EXPECT_EQ(anympi::abi_info().get("mpi_aint_size").value_or("8"), "8");
    for (const auto& key : anympi::hardware_resources().keys())
        EXPECT_NE(key, "");
    anympi::set_profiling(1);
}
