// At the assertion level `communication`, differing collective calls are found before they hang or give wrong results:
// every process gets the same error, which contains both calls.
#include <numeric>

#include "expect_error.hpp"

namespace {

using anympi::AssertionLevel;
using anympi::ErrorClass;
using anympi::Layout;
namespace op = anympi::op;

struct Assertions : testing::Test {
    Assertions() { anympi::set_assertion_level(AssertionLevel::communication); }
    ~Assertions() override { anympi::set_assertion_level(before); }
    Assertions(const Assertions&) = delete;
    Assertions& operator=(const Assertions&) = delete;

    void SetUp() override {
        if (size == 1)
            GTEST_SKIP() << "one process cannot differ from others";
    }

    // Expects that `call` fails in every process with this class, and that the error text contains `words`.
    template <class Call>
    void expect_difference(ErrorClass reason, std::string_view words, const Call& call) {
        try {
            call();
            ADD_FAILURE() << "nothing was found: " << words;
        } catch (const anympi::Error& error) {
            EXPECT_EQ(error.error_class(), reason) << error.what();
            EXPECT_NE(error.message().find(words), std::string::npos) << error.what();
        }
        EXPECT_EQ(comm.allreduce(1, op::sum), size); // later calls still work
    }

    const AssertionLevel before = anympi::assertion_level();
    const anympi::Comm comm = anympi::Comm::borrow(MPI_COMM_WORLD).duplicate();
    const int rank = comm.rank(), size = comm.size();
    const bool is_last = rank == size - 1;
    const std::size_t n = static_cast<std::size_t>(size);
    const std::string last = std::to_string(size - 1);
    const std::string others = size == 2   ? "process 0: "
                               : size == 3 ? "processes 0, 1: "
                                           : "processes 0 to " + std::to_string(size - 2) + ": ";
    std::vector<int> four = std::vector<int>(4);
};

struct Pair {
    int number;
    double value;
};

} // namespace

TEST_F(Assertions, roots) {
    const std::string text = "the processes pass different roots: " + others +
                             "MPI_Bcast of 4 MPI_INT, root 0; process " + last + ": MPI_Bcast of 4 MPI_INT, root 1";
    expect_difference(ErrorClass::root, text, [&] { comm.broadcast(four, is_last ? 1 : 0); });
    std::vector<int> all(4 * n);
    expect_difference(ErrorClass::root, "different roots", [&] { comm.gather(four, all, is_last ? 1 : 0); });
    expect_difference(ErrorClass::root, "different roots",
                      [&] { static_cast<void>(comm.gather(four, is_last ? 1 : 0)); });
    expect_difference(ErrorClass::root, "different roots",
                      [&] { static_cast<void>(comm.reduce(1, op::sum, is_last ? 1 : 0)); });
    expect_difference(ErrorClass::root, "different roots",
                      [&] { static_cast<void>(comm.broadcast_value(1, is_last ? 1 : 0)); });
    expect_difference(ErrorClass::root, "different roots",
                      [&] { comm.broadcast(anympi::resize_to_fit(four), is_last ? 1 : 0); });
    expect_difference(ErrorClass::root, "different roots",
                      [&] { static_cast<void>(comm.gatherv(four, is_last ? 1 : 0)); });
    expect_difference(ErrorClass::root, "different roots",
                      [&] { static_cast<void>(comm.scatter(all, is_last ? 1 : 0)); });
    expect_difference(ErrorClass::root, "different roots",
                      [&] { static_cast<void>(comm.scatterv(all, std::vector<int>(n, 4), is_last ? 1 : 0)); });
    expect_difference(ErrorClass::root, "different roots",
                      [&] { static_cast<void>(comm.broadcast_object(std::string("text"), is_last ? 1 : 0)); });
    expect_difference(ErrorClass::root, "different roots",
                      [&] { static_cast<void>(comm.broadcast_init(four, is_last ? 1 : 0)); });
}

// Calls that return what came.
TEST_F(Assertions, returned_results) {
    const auto differ = [&](ErrorClass reason, const auto& call) {
        const char* words = reason == ErrorClass::root    ? "different roots"
                            : reason == ErrorClass::count ? "different counts"
                            : reason == ErrorClass::type  ? "different types"
                            : reason == ErrorClass::op    ? "different operations"
                                                          : "different functions";
        expect_difference(reason, words, [&] { static_cast<void>(call()); });
    };
    const int root = is_last ? 1 : 0;
    const std::vector<int> all(n), sizes(n, 1), some(is_last ? 5 : 4);
    differ(ErrorClass::count, [&] { return comm.allreduce(some, op::sum); });
    differ(ErrorClass::count, [&] { return comm.iallreduce(some, op::sum).wait(); });
    differ(ErrorClass::count, [&] { return comm.allreduce_init(some, op::sum); });
    differ(ErrorClass::root, [&] { return comm.reduce(four, op::sum, root); });
    differ(ErrorClass::root, [&] { return comm.igather(four, root).wait().size(); });
    differ(ErrorClass::root, [&] { return comm.gatherv(four, root, anympi::with_layout); });
    differ(ErrorClass::root, [&] { return comm.gatherv_init(four, root); });
    differ(ErrorClass::root, [&] { return comm.scatter_init(all, root); });
    differ(ErrorClass::root, [&] { return comm.scatterv_init(all, sizes, root); });
    differ(ErrorClass::root, [&] { return comm.gather_object(1, root); });
    differ(ErrorClass::root, [&] { return comm.scatter_object(sizes, root); });
    differ(ErrorClass::other, [&] {
        return is_last ? comm.allgatherv_init(four, anympi::with_layout).layout
                       : comm.allgatherv(four, anympi::with_layout).layout;
    });
    // One process finds a mistake by itself.
    const std::vector<int> many(n, is_last ? 2 : 1);
    const std::string too_small = "process " + last + ": the buffer is too small";
    expect_difference(ErrorClass::count, too_small, [&] { static_cast<void>(comm.alltoallv(all, many)); });
    expect_difference(ErrorClass::count, too_small, [&] { static_cast<void>(comm.alltoallv_init(all, many)); });
    const std::vector<int> uneven(is_last ? n + 1 : n);
    expect_difference(ErrorClass::count, "process " + last + ": the buffer",
                      [&] { static_cast<void>(comm.alltoall(uneven)); });
    // The sent data is in the container that receives.
    std::vector<int> room(n);
    const auto& sent = is_last ? room : all;
    const std::string inside = "process " + last + ": the data to send is in the container";
    const auto policy = anympi::resize_to_fit(room);
    expect_difference(ErrorClass::buffer, inside, [&] { comm.allgather(sent, policy); });
    expect_difference(ErrorClass::buffer, inside, [&] { comm.gather(sent, policy, 0); });
    expect_difference(ErrorClass::buffer, inside, [&] { comm.alltoall(sent, policy); });
    expect_difference(ErrorClass::buffer, inside, [&] { comm.allgatherv(sent, policy); });
    expect_difference(ErrorClass::buffer, inside, [&] { comm.gatherv(sent, policy, 0); });
}

// A scope waits for all its operations if one of them is refused.
TEST_F(Assertions, scopes) {
    int number = 0;
    anympi::RequestScope scope;
    scope.add(comm.iallreduce(std::vector<int>(is_last ? 5 : 4), op::sum));
    scope.add(comm.irecv(number, (rank + size - 1) % size));
    comm.send(7, (rank + 1) % size);
    expect_difference(ErrorClass::count, "different counts", [&] { scope.wait(); });
    EXPECT_EQ(scope.active(), 0U);
    EXPECT_EQ(number, 7);
}

TEST_F(Assertions, counts) {
    std::vector<int> some(is_last ? 5 : 4), into(some.size());
    const std::string text = "the processes have different counts: " + others +
                             "MPI_Allreduce of 4 MPI_INT, MPI_SUM; process " + last +
                             ": MPI_Allreduce of 5 MPI_INT, MPI_SUM";
    expect_difference(ErrorClass::count, text, [&] { comm.allreduce(some, into, op::sum); });
    expect_difference(ErrorClass::count, "different counts", [&] { comm.broadcast(some, 0); });
    expect_difference(ErrorClass::count, "different counts", [&] { comm.scan(some, into, op::sum); });
    // The root has room for four elements of each process, but one process sends another number.
    std::vector<int> all(4 * n + (rank == 0 ? 0 : n));
    expect_difference(ErrorClass::count,
                      "process " + last + " sends 5 MPI_INT to process 0, which expects 4 MPI_INT from it",
                      [&] { comm.gather(some, all, 0); });
    const int place = is_last ? 3 : 4;
    expect_difference(ErrorClass::count,
                      "process 0 sends 4 MPI_INT to process " + last + ", which expects 3 MPI_INT from it",
                      [&] { comm.scatter(all, std::span(four).first(static_cast<std::size_t>(place)), 0); });
    // A layout that does not match the data of the other processes.
    std::vector<int> counts(n, 4);
    counts.back() = 3;
    expect_difference(ErrorClass::count,
                      "process " + last + " sends 4 MPI_INT to process 0, which expects 3 MPI_INT from it",
                      [&] { comm.gatherv(four, all, Layout::packed(counts), 0); });
    expect_difference(ErrorClass::count,
                      "process 0 sends 3 MPI_INT to process " + last + ", which expects 4 MPI_INT from it",
                      [&] { comm.scatterv(all, four, Layout::packed(counts), 0); });
    expect_difference(ErrorClass::count,
                      "process " + last + " sends 4 MPI_INT to process 0, which expects 3 MPI_INT from it",
                      [&] { comm.allgatherv(four, all, Layout::packed(rank == 0 ? counts : std::vector<int>(n, 4))); });
    const std::vector<int> fours(n, 4);
    std::vector<int> others_all(all);
    expect_difference(
        ErrorClass::count, "process 0 sends 3 MPI_INT to process " + last + ", which expects 4 MPI_INT from it",
        [&] { comm.alltoallv(all, others_all, Layout::packed(rank == 0 ? counts : fours), Layout::packed(fours)); });
    std::vector<int> lone(1), pair(2);
    anympi::SendBlocks sends;
    anympi::ReceiveBlocks receives;
    for (int peer = 0; peer < size; ++peer) {
        sends.add(peer == size - 1 ? pair : lone);
        receives.add(lone);
    }
    expect_difference(ErrorClass::count, "sends 2 MPI_INT to process " + last + ", which expects MPI_INT from it",
                      [&] { comm.alltoallw(sends, receives); });
    if (size == 2) { // one of three counts differs
        std::vector<int> parts{2, 2}, other_parts{1, 3};
        expect_difference(ErrorClass::type, "blocks of 2 MPI_INT, 2 MPI_INT",
                          [&] { comm.reduce_scatter(four, four, is_last ? parts : other_parts, op::sum); });
    }
}

TEST_F(Assertions, types) {
    std::vector<unsigned> unsigned_four(4);
    const std::string text = "the processes have different types: " + others +
                             "MPI_Bcast of 4 MPI_INT, root 0; process " + last +
                             ": MPI_Bcast of 4 MPI_UNSIGNED, root 0";
    expect_difference(ErrorClass::type, text, [&] {
        if (is_last)
            comm.broadcast(unsigned_four, 0);
        else
            comm.broadcast(four, 0);
    });
    // Only the members count, not their names or the gaps between them.
    std::vector<Pair> pairs(2);
    expect_difference(ErrorClass::type,
                      "MPI_Bcast of 2 {MPI_INT, MPI_DOUBLE}, root 0; process " + last + ": MPI_Bcast of 4 MPI_INT",
                      [&] {
                          if (is_last)
                              comm.broadcast(four, 0);
                          else
                              comm.broadcast(pairs, 0);
                      });
    std::vector<std::array<int, 2>> twos(2);
    std::vector<int> column(8);
    const auto call = [&] {
        if (rank == 0)
            comm.broadcast(twos, 0);
        else if (is_last)
            comm.broadcast(anympi::strided(std::span(column), 4, 1, 2), 0);
        else
            comm.broadcast(four, 0);
    };
    EXPECT_NO_THROW(call());
    // Packed bytes match any types.
    std::vector<int> received(4 * n);
    const auto packed = anympi::typed(std::span(four), anympi::Datatype(MPI_PACKED, false), 4 * sizeof(int));
    EXPECT_NO_THROW(is_last ? comm.gather(packed, received, 0) : comm.gather(four, received, 0));
    std::vector<float> real_all(4 * n);
    std::vector<int> all(4 * n);
    expect_difference(ErrorClass::type, " sends 4 MPI_FLOAT to process 0, which expects 4 MPI_INT from it", [&] {
        if (is_last)
            comm.allgather(std::vector<float>(4), real_all);
        else
            comm.allgather(four, all);
    });
    expect_difference(ErrorClass::type, "different types", [&] {
        if (is_last)
            static_cast<void>(comm.allgatherv(1.5));
        else
            static_cast<void>(comm.allgatherv(1L));
    });
}

TEST_F(Assertions, operations) {
    const std::string text = "the processes pass different operations: " + others +
                             "MPI_Allreduce of MPI_INT, MPI_SUM; process " + last +
                             ": MPI_Allreduce of MPI_INT, MPI_MAX";
    expect_difference(ErrorClass::op, text, [&] {
        if (is_last)
            static_cast<void>(comm.allreduce(1, op::max));
        else
            static_cast<void>(comm.allreduce(1, op::sum));
    });
    expect_difference(ErrorClass::op, "a custom operation", [&] {
        if (is_last)
            static_cast<void>(comm.exscan(1, [](int a, int b) { return a + b; }));
        else
            static_cast<void>(comm.exscan(1, op::sum));
    });
    std::vector<int> all(n), one(1);
    const std::vector<int> each(n, 1);
    expect_difference(ErrorClass::op, "different operations", [&] {
        if (is_last)
            comm.reduce_scatter(all, one, each, op::max);
        else
            comm.reduce_scatter(all, one, each, op::sum);
    });
}

TEST_F(Assertions, a_test_does_not_wait) {
    if (is_last) { // it begins after the test of process 0
        EXPECT_EQ(comm.recv<int>(0, anympi::tag(1)), 7);
    }
    auto request = comm.ibarrier();
    if (rank == 0) {
        EXPECT_FALSE(request.test());
        comm.send(7, size - 1, anympi::tag(1));
    }
    static_cast<void>(request.wait());
}

TEST_F(Assertions, functions) {
    expect_difference(ErrorClass::other,
                      "the processes call different functions: " + others + "MPI_Bcast of 4 MPI_INT, root 0; process " +
                          last + ": MPI_Barrier",
                      [&] {
                          if (is_last)
                              comm.barrier();
                          else
                              comm.broadcast(four, 0);
                      });
    // A call that exchanges sizes first differs from one that does not.
    std::vector<int> all(4 * n);
    expect_difference(ErrorClass::other, "MPI_Allgatherv after its sizes", [&] {
        if (is_last)
            static_cast<void>(comm.allgatherv(four));
        else
            comm.allgatherv(four, all, Layout::packed(std::vector<int>(n, 4)));
    });
}

TEST(AssertionTexts, ranks) {
    using anympi::shared::text_of_ranks;
    EXPECT_EQ(text_of_ranks({3}), "process 3");
    EXPECT_EQ(text_of_ranks({0, 1}), "processes 0, 1");
    EXPECT_EQ(text_of_ranks({0, 2, 3, 4, 7, 8}), "processes 0, 2 to 4, 7, 8");
}

TEST_F(Assertions, mistakes_of_one_process) {
    std::vector<int> all(4 * n + (rank == 0 ? 1 : 0));
    expect_difference(ErrorClass::count,
                      "process 0: the buffer does not hold the same number of elements for each process",
                      [&] { comm.gather(four, all, 0); });
}

TEST_F(Assertions, immediate_calls) {
    const std::string text = "the processes pass different roots: " + others +
                             "MPI_Ibcast of 4 MPI_INT, root 0; process " + last + ": MPI_Ibcast of 4 MPI_INT, root 1";
    // The memory is static, because an abandoned operation may still use it.
    static std::vector<int> lasting(4);
    expect_difference(ErrorClass::root, text, [&] { comm.ibroadcast(lasting, is_last ? 1 : 0).wait(); });
    expect_difference(ErrorClass::root, "different roots", [&] {
        auto request = comm.ibroadcast(lasting, is_last ? 1 : 0);
        while (!request.test()) {
        }
    });
    expect_difference(ErrorClass::root, "different roots", [&] {
        auto request = comm.ibroadcast(lasting, is_last ? 1 : 0);
        auto other = comm.ibarrier();
        anympi::wait_all(request, other);
    });
    // A call that one process does not make: the communicator cannot be used afterwards, because its processes have
    // made different calls.
    const anympi::Comm spoilt = anympi::Comm::borrow(comm.duplicate().release());
    std::vector<int> all(4 * n + (rank == 0 ? 1 : 0));
    expect_difference(ErrorClass::count, "the buffer does not hold the same number of elements for each process",
                      [&] { spoilt.igather(lasting, all, 0).wait(); });
    // No process waits for others before the operation itself does.
    auto pending = comm.ibarrier();
    if (rank == 0)
        comm.send(7, 1);
    if (rank == 1) {
        EXPECT_EQ(comm.recv<int>(0), 7);
    }
    pending.wait();
    auto summed = comm.iallreduce(std::vector<int>(3, rank), std::vector<int>(3), op::sum);
    EXPECT_EQ(summed.wait(), std::vector<int>(3, size * (size - 1) / 2));
}

TEST_F(Assertions, requests_that_are_dropped) {
    static std::vector<int> lasting(4);
    std::vector<std::string> heard;
    comm.on_error([&](const anympi::Error& error) { heard.push_back(error.message()); });
    { const auto dropped = comm.ibroadcast(lasting, is_last ? 1 : 0); }
    ASSERT_EQ(heard.size(), 1U); // instead of waiting forever
    EXPECT_NE(heard[0].find("different roots"), std::string::npos) << heard[0];
    { const auto dropped = comm.ibroadcast(lasting, 0); }
    try {
        const auto left = comm.iallreduce(std::vector<int>(4), std::vector<int>(4), op::sum);
        throw std::runtime_error("in all processes");
    } catch (const std::runtime_error&) {
    }
    // No comparison remains that could be attributed to a later request with the same handle.
    EXPECT_FALSE(anympi::shared::PendingComparisons::are_there());
    comm.clear_on_error();
}

TEST_F(Assertions, sets_of_requests) {
    static std::vector<int> lasting(4);
    const auto expect = [&](const auto& complete) {
        expect_difference(ErrorClass::root, "different roots", [&] {
            anympi::RequestSet set;
            set.add(comm.ibroadcast(lasting, is_last ? 1 : 0));
            complete(set);
        });
    };
    expect([](auto& set) { static_cast<void>(set.wait_all()); });
    expect([](auto& set) { static_cast<void>(set.wait_any()); });
    expect([](auto& set) { static_cast<void>(set.wait_some()); });
    expect([](auto& set) {
        while (!set.test_all()) {
        }
    });
    expect([](auto& set) {
        while (!set.test_any()) {
        }
    });
    expect([](auto& set) {
        while (set.test_some().empty()) {
        }
    });
    anympi::RequestSet set;
    set.add(comm.ibarrier());
    set.add(comm.ibroadcast(lasting, 0));
    EXPECT_TRUE(set.wait_any());
    EXPECT_EQ(set.wait_some().size(), 1U);
    EXPECT_FALSE(set.wait_any());
    // No process waits for others before the operation itself does.
    if (rank == 1) {
        EXPECT_EQ(comm.recv<int>(0), 7);
    }
    set.add(comm.ibroadcast(lasting, 0));
    if (rank == 0) {
        EXPECT_FALSE(set.test_any());
        EXPECT_TRUE(set.test_some().empty());
        EXPECT_FALSE(set.test_all());
        comm.send(7, 1);
    }
    set.wait_all();
}

TEST_F(Assertions, what_is_given_up_keeps_its_memory) {
    auto memory = std::make_shared<std::vector<int>>(4);
    const std::weak_ptr<std::vector<int>> watched = memory;
    {
        anympi::detail::Operation operation{.keep = anympi::detail::lasting(std::move(memory)), .has_comparison = true};
        MPI_Ibarrier(comm.handle(), &operation.handle);
        auto comparison = std::make_shared<anympi::shared::Comparison>(
            anympi::shared::Call(comm.handle(), is_last ? "MPI_Ibarrier" : "MPI_Ibcast"));
        anympi::shared::PendingComparisons::add(operation.handle, std::move(comparison));
        MPI_Request begun = operation.handle;
        anympi::Request request(operation);
        EXPECT_MPI_ERROR(request.wait(), other, "MPI_Wait");
        MPI_Wait(&begun, MPI_STATUS_IGNORE); // the operation continues
    }
    EXPECT_FALSE(watched.expired());
}

TEST_F(Assertions, two_groups) {
    const bool odd = rank % 2 != 0;
    const anympi::Comm half = comm.split(odd).value();
    const auto both = anympi::InterComm::create(half, 0, comm, odd ? 0 : 1);
    const auto call = [&](bool is_barrier) {
        if (is_barrier)
            both.barrier();
        else
            static_cast<void>(both.allreduce(1, op::sum));
    };
    expect_difference(ErrorClass::other, "call different functions", [&] { call(odd); });
    expect_difference(ErrorClass::other, "call different functions", [&] { call(is_last); });
    EXPECT_NO_THROW(call(false));
    EXPECT_NO_THROW(call(true));
}

TEST_F(Assertions, levels) {
    EXPECT_EQ(anympi::assertion_level(), AssertionLevel::communication);
    anympi::set_assertion_level(AssertionLevel::normal);
    EXPECT_EQ(anympi::assertion_level(), AssertionLevel::normal);
    // Nothing is compared: the library does not see these types, which have the same size.
    std::vector<unsigned> unsigned_four(4);
    EXPECT_NO_THROW(if (is_last) comm.broadcast(unsigned_four, 0); else comm.broadcast(four, 0););
    EXPECT_NO_THROW(if (is_last) comm.broadcast_value(1U, 0); else comm.broadcast_value(1, 0););
    EXPECT_LT(AssertionLevel::light, AssertionLevel::normal);
    EXPECT_LT(AssertionLevel::normal, AssertionLevel::communication);
}
