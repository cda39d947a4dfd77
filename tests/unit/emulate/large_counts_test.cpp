// Large counts on a library whose counts are int: the arguments that it gets around the limit, and the objects that are
// freed after a failure.

#include "fake.hpp"

#include <climits>

namespace {

using namespace fake;

// The arguments of the last message.
struct sent_message {
    int count = -7;
    datatype type;
    bool is_derived = false;
};
sent_message sent;
int send(const void*, int count, word type, int dest, int, word) {
    if (dest != mpich::mpi_PROC_NULL) // otherwise the call only checks the datatype
        sent = {count, datatype_of(type), count_datatypes() > 0};
    return 0;
}

class LargeCounts : public Emulation {
protected:
    void SetUp() override {
        Emulation::SetUp();
        sent = {};
        FAKE(Send)::does = send;
    }
    void TearDown() override {
        EXPECT_EQ(count_datatypes(), 0) << "datatypes remain";
        EXPECT_EQ(count_ops(), 0) << "operations remain";
        EXPECT_EQ(count_requests(), 0) << "requests remain";
    }
};

TEST_F(LargeCounts, TheLargestIntIsPassedOn) {
    EXPECT_EQ(mpi.Send_c(nullptr, most, mpich::mpi_INT, 1, 2, world), 0);
    EXPECT_EQ(sent.count, INT_MAX);
    EXPECT_FALSE(sent.is_derived);
    EXPECT_EQ(calls, std::vector<std::string>{"Send"});
}

TEST_F(LargeCounts, OneMoreBecomesOneElement) {
    EXPECT_EQ(mpi.Send_c(nullptr, more, mpich::mpi_INT, 1, 2, world), 0);
    EXPECT_EQ(sent.count, 1);
    EXPECT_EQ(sent.type.size, more * 4);
    EXPECT_EQ(sent.type.lower, 0);
    EXPECT_EQ(sent.type.upper, more * 4);
    EXPECT_TRUE(sent.type.is_committed);
}

TEST_F(LargeCounts, ManyMoreBecomeOneElement) {
    const std::int64_t count = 5 * more + 3;
    EXPECT_EQ(mpi.Send_c(nullptr, count, mpich::mpi_SHORT, 1, 2, world), 0);
    EXPECT_EQ(sent.count, 1);
    EXPECT_EQ(sent.type.size, count * 2);
    EXPECT_EQ(sent.type.upper, count * 2);
}

TEST_F(LargeCounts, ANegativeCountStaysNegative) {
    for (const std::int64_t count : {std::int64_t{-1}, std::int64_t{INT64_MIN}, -more, std::int64_t{-2} * more}) {
        EXPECT_EQ(mpi.Send_c(nullptr, count, mpich::mpi_INT, 1, 2, world), 0);
        EXPECT_LT(sent.count, 0) << count;
        EXPECT_FALSE(sent.is_derived);
    }
}

TEST_F(LargeCounts, ANullDatatypeIsTheLibrarysToRefuse) {
    static word given = 0;
    FAKE(Send)::does = [](const void*, int, word type, int, int, word) {
        given = type;
        return mpich::mpi_ERR_TYPE;
    };
    EXPECT_EQ(mpi.Send_c(nullptr, more, mpich::mpi_DATATYPE_NULL, 1, 2, world), mpich::mpi_ERR_TYPE);
    EXPECT_EQ(given, mpich::mpi_DATATYPE_NULL);
    EXPECT_EQ(calls, std::vector<std::string>{"Send"});
}

TEST_F(LargeCounts, ABadDatatypeIsReportedByTheCommunicatorAndNothingIsBuilt) {
    FAKE(Send)::fail(1, mpich::mpi_ERR_TYPE); // the call that only checks
    EXPECT_EQ(mpi.Send_c(nullptr, more, mpich::mpi_INT, 1, 2, world), mpich::mpi_ERR_TYPE);
    EXPECT_EQ(calls, std::vector<std::string>{"Send"});
}

// Lets each call of a function fail. No object may remain after a failure.
template <class Function, class Call>
int fail_each_call(Call call) {
    return fail_each<Function>(call, [] {
        EXPECT_EQ(count_datatypes(), 0);
        EXPECT_EQ(count_ops(), 0);
    });
}

TEST_F(LargeCounts, AFailureInTheMiddleOfADatatypeLeavesNothing) {
    const auto call = [] { return mpi.Send_c(nullptr, more + 5, mpich::mpi_INT, 1, 2, world); };
    EXPECT_GE(fail_each_call<FAKE(Type_contiguous)>(call), 2);
    EXPECT_EQ(fail_each_call<FAKE(Type_create_struct)>(call), 1);
    EXPECT_EQ(fail_each_call<FAKE(Type_create_resized)>(call), 1);
    EXPECT_EQ(fail_each_call<FAKE(Type_commit)>(call), 1);
    EXPECT_GE(fail_each_call<FAKE(Type_get_extent_x)>(call), 1);
}

TEST_F(LargeCounts, ANonblockingMessageNeedsItsDatatypeNoLonger) {
    handle request = no_request;
    EXPECT_EQ(mpi.Isend_c(nullptr, more, mpich::mpi_INT, 1, 2, world, &request), 0);
    EXPECT_EQ(count_datatypes(), 0) << "the library keeps it";
    EXPECT_EQ(request, last_request()) << "no compound";
    complete_all();
    EXPECT_EQ(mpi.Wait(&request, nullptr), 0);
}

// ---- arguments that are significant only at the root ----

int gathered_count;
word gathered_type;
int gather(const void*, int, word, void*, int count, word type, int, word) {
    gathered_count = count;
    gathered_type = type;
    return 0;
}
int gather_to(int root, word comm) {
    FAKE(Gather)::does = gather;
    return mpi.Gather_c(nullptr, 1, mpich::mpi_INT, nullptr, more, mpich::mpi_INT, root, comm);
}

TEST_F(LargeCounts, TheRootsCountCountsAtTheRoot) {
    EXPECT_EQ(gather_to(1, world), 0); // the rank of this process
    EXPECT_EQ(gathered_count, 1);
    EXPECT_NE(gathered_type, mpich::mpi_INT);
}

TEST_F(LargeCounts, TheRootsCountIsIgnoredElsewhere) {
    EXPECT_EQ(gather_to(2, world), 0);
    EXPECT_EQ(gathered_type, mpich::mpi_INT);
    EXPECT_EQ(gathered_count, 0);
    EXPECT_EQ(count_calls("Type_contiguous"), 0);
}

TEST_F(LargeCounts, OnAnIntercommunicatorTheRootPassesMPI_ROOT) {
    const word between = add_comm({.size = 2, .rank = 1, .is_inter = true, .remote_size = 3});
    EXPECT_EQ(gather_to(mpich::mpi_ROOT, between), 0);
    EXPECT_EQ(gathered_count, 1);
    EXPECT_EQ(gather_to(1, between), 0) << "a rank of the other group";
    EXPECT_EQ(gathered_count, 0);
    EXPECT_EQ(gather_to(mpich::mpi_PROC_NULL, between), 0);
    EXPECT_EQ(gathered_count, 0);
}

// ---- reductions ----

TEST_F(LargeCounts, AReductionOfOneMoreHasAnOperationOfOurs) {
    static int count = 0;
    static word op = 0;
    FAKE(Allreduce)::does = [](const void*, void*, int elements, word, word given, word) {
        count = elements;
        op = given;
        return 0;
    };
    EXPECT_EQ(mpi.Allreduce_c(nullptr, nullptr, most, mpich::mpi_INT, mpich::mpi_SUM, world), 0);
    EXPECT_EQ(count, INT_MAX);
    EXPECT_EQ(op, mpich::mpi_SUM);
    EXPECT_EQ(mpi.Allreduce_c(nullptr, nullptr, more, mpich::mpi_INT, mpich::mpi_SUM, world), 0);
    EXPECT_EQ(count, 1);
    EXPECT_NE(op, mpich::mpi_SUM);
}

TEST_F(LargeCounts, AReductionThatFailsInTheMiddleLeavesNothing) {
    const auto call = [] { return mpi.Allreduce_c(nullptr, nullptr, more, mpich::mpi_INT, mpich::mpi_SUM, world); };
    EXPECT_EQ(fail_each_call<FAKE(Op_create)>(call), 1);
    EXPECT_EQ(fail_each_call<FAKE(Op_commutative)>(call), 1);
    EXPECT_EQ(fail_each_call<FAKE(Type_create_resized)>(call), 1);
    EXPECT_EQ(fail_each_call<FAKE(Reduce_local)>(call), 1) << "finds an operation that does not support the datatype";
    EXPECT_EQ(fail_each_call<FAKE(Allreduce)>(call), 1);
}

TEST_F(LargeCounts, APendingReductionOwnsItsDatatypeAndOperation) {
    handle request = no_request;
    EXPECT_EQ(mpi.Iallreduce_c(nullptr, nullptr, more, mpich::mpi_INT, mpich::mpi_SUM, world, &request), 0);
    EXPECT_EQ(count_datatypes(), 1);
    EXPECT_EQ(count_ops(), 1);
    complete_all();
    EXPECT_EQ(mpi.Wait(&request, nullptr), 0);
}

TEST_F(LargeCounts, APendingReductionThatCannotBeginLeavesNothing) {
    FAKE(Iallreduce)::fail();
    handle request = 77;
    EXPECT_EQ(mpi.Iallreduce_c(nullptr, nullptr, more, mpich::mpi_INT, mpich::mpi_SUM, world, &request), a_code);
    EXPECT_EQ(request, 77u);
}

TEST_F(LargeCounts, APersistentCollectiveOwnsItsDatatypes) {
    static std::int64_t size = 0;
    FAKE(Ibcast)::does = [](void*, int count, word type, int, word, handle* out) {
        size = count * datatype_of(type).size;
        *out = add_request();
        return 0;
    };
    handle request = no_request;
    EXPECT_EQ(mpi.Bcast_init_c(nullptr, more, mpich::mpi_INT, 0, world, mpich::mpi_INFO_NULL, &request), 0);
    EXPECT_EQ(count_datatypes(), 1);
    for (int round = 0; round < 2; ++round) {
        size = 0;
        EXPECT_EQ(mpi.Start(&request), 0);
        EXPECT_EQ(size, 4 * more);
        complete_all();
        EXPECT_EQ(mpi.Wait(&request, nullptr), 0);
        EXPECT_EQ(count_datatypes(), 1) << "a later start needs it";
    }
    EXPECT_EQ(mpi.Request_free(&request), 0);
    FAKE(Comm_create)::fail();
    EXPECT_EQ(mpi.Bcast_init_c(nullptr, more, mpich::mpi_INT, 0, world, mpich::mpi_INFO_NULL, &request), a_code);
    EXPECT_EQ(request, no_request);
}

TEST_F(LargeCounts, TheProgramMayFreeItsOperationMeanwhile) {
    handle op = add_op();
    handle request = no_request;
    EXPECT_EQ(mpi.Iallreduce_c(nullptr, nullptr, more, mpich::mpi_INT, op, world, &request), 0);
    EXPECT_EQ(count_ops(), 2);
    EXPECT_EQ(mpi.Op_free(&op), 0);
    EXPECT_EQ(op, mpich::mpi_OP_NULL);
    EXPECT_EQ(count_ops(), 2) << "it is still needed";
    complete_all();
    EXPECT_EQ(mpi.Wait(&request, nullptr), 0);
    EXPECT_EQ(count_ops(), 0);
}

TEST_F(LargeCounts, ReduceLocalGoesInParts) {
    static std::vector<int> parts;
    parts.clear();
    FAKE(Reduce_local)::does = [](const void*, void*, int count, word, word) {
        parts.push_back(count);
        return 0;
    };
    char* const nowhere = nullptr;
    EXPECT_EQ(mpi.Reduce_local_c(nowhere, nowhere, more + 2, mpich::mpi_INT, mpich::mpi_SUM), 0);
    EXPECT_EQ(parts, (std::vector<int>{1 << 30, 1 << 30, 2}));
    FAKE(Reduce_local)::fail(2);
    EXPECT_EQ(mpi.Reduce_local_c(nowhere, nowhere, more + 2, mpich::mpi_INT, mpich::mpi_SUM), a_code);
    EXPECT_EQ(parts.size(), 4u) << "nothing after the failure";
}

// ---- MPI_Reduce_scatter ----

TEST_F(LargeCounts, ReduceScatterUsesTheLibrarysIfTheTotalFits) {
    const std::int64_t counts[4] = {most - 3, 1, 1, 1};
    EXPECT_EQ(mpi.Reduce_scatter_c(nullptr, nullptr, counts, mpich::mpi_INT, mpich::mpi_SUM, world), 0);
    EXPECT_EQ(count_calls("Reduce_scatter"), 1);
    EXPECT_EQ(count_calls("Reduce"), 0);
}

TEST_F(LargeCounts, ReduceScatterIsOneReductionForEachProcessIfTheTotalDoesNotFit) {
    const std::int64_t counts[4] = {most - 2, 1, 1, 1};
    EXPECT_EQ(mpi.Reduce_scatter_c(nullptr, nullptr, counts, mpich::mpi_CHAR, mpich::mpi_SUM, world), 0);
    EXPECT_EQ(count_calls("Reduce_scatter"), 0);
    EXPECT_EQ(count_calls("Reduce"), 4);
}

TEST_F(LargeCounts, ReduceScatterStopsAtTheReductionThatFails) {
    const std::int64_t counts[4] = {most, 1, 1, 1};
    FAKE(Reduce)::fail(3);
    EXPECT_EQ(mpi.Reduce_scatter_c(nullptr, nullptr, counts, mpich::mpi_CHAR, mpich::mpi_SUM, world), a_code);
    EXPECT_EQ(count_calls("Reduce"), 3);
}

TEST_F(LargeCounts, APendingReduceScatterWhoseThirdPartFailsEndsWithTheOthers) {
    const std::int64_t counts[4] = {most, 1, 1, 1};
    handle request = 77;
    FAKE(Ireduce)::fail(3);
    EXPECT_EQ(mpi.Ireduce_scatter_c(nullptr, nullptr, counts, mpich::mpi_CHAR, mpich::mpi_SUM, world, &request),
              a_code);
    EXPECT_EQ(request, 77u);
    EXPECT_EQ(count_requests(), 2) << "operations that were started cannot be undone";
    complete_all();
    EXPECT_EQ(mpi.Ireduce_scatter_c(nullptr, nullptr, counts, mpich::mpi_CHAR, mpich::mpi_SUM, world, &request), 0);
    EXPECT_EQ(count_requests(), 4) << "the two have ended";
    complete_all();
    EXPECT_EQ(mpi.Wait(&request, nullptr), 0);
}

TEST_F(LargeCounts, APersistentReduceScatterWhoseThirdPartCannotBeMadeLeavesNothing) {
    const std::int64_t counts[4] = {most, 1, 1, 1};
    handle request = 77;
    const auto make_and_free = [&] {
        const int code = mpi.Reduce_scatter_init_c(nullptr, nullptr, counts, mpich::mpi_CHAR, mpich::mpi_SUM, world,
                                                   mpich::mpi_INFO_NULL, &request);
        EXPECT_TRUE(code == 0 || request == 77) << "the request was not created";
        const int freed = code == 0 ? mpi.Request_free(&request) : code;
        request = 77;
        return freed;
    };
    EXPECT_EQ(fail_each_call<FAKE(Comm_create)>(make_and_free), 4) << "a communicator for each part";
    EXPECT_EQ(make_and_free(), 0) << "the parts that were started end with the next operation";
    EXPECT_EQ(count_comms(), 0);
}

TEST_F(LargeCounts, APersistentReduceScatterWhoseThirdPartCannotBeStarted) {
    const std::int64_t counts[4] = {most, 1, 1, 1};
    handle request = no_request;
    EXPECT_EQ(mpi.Reduce_scatter_init_c(nullptr, nullptr, counts, mpich::mpi_CHAR, mpich::mpi_SUM, world,
                                        mpich::mpi_INFO_NULL, &request),
              0);
    for (int round = 1; round <= 2; ++round) {
        EXPECT_EQ(mpi.Start(&request), 0);
        EXPECT_EQ(count_calls("Ireduce"), 4 * round);
        complete_all();
        EXPECT_EQ(mpi.Wait(&request, nullptr), 0);
    }
    FAKE(Ireduce)::fail(3);
    EXPECT_EQ(mpi.Start(&request), a_code);
    EXPECT_EQ(count_requests(), 2) << "operations that were started cannot be undone";
    int flag = 1;
    EXPECT_EQ(mpi.Test(&request, &flag, nullptr), 0);
    EXPECT_EQ(flag, 0) << "the buffers are in use";
    complete_all();
    EXPECT_EQ(mpi.Wait(&request, nullptr), a_code);
    EXPECT_EQ(mpi.Start(&request), 0) << "it can be started again";
    complete_all();
    EXPECT_EQ(mpi.Wait(&request, nullptr), 0);
    FAKE(Ireduce)::fail(3);
    EXPECT_EQ(mpi.Start(&request), a_code);
    EXPECT_EQ(mpi.Request_free(&request), 0);
    EXPECT_EQ(count_requests(), 2);
    complete_all();
    handle another = no_request;
    EXPECT_EQ(mpi.Ireduce_scatter_c(nullptr, nullptr, counts, mpich::mpi_CHAR, mpich::mpi_SUM, world, &another), 0);
    EXPECT_EQ(count_requests(), 4) << "the two have ended";
    complete_all();
    EXPECT_EQ(mpi.Wait(&another, nullptr), 0);
    EXPECT_EQ(count_comms(), 0);
}

TEST_F(LargeCounts, ANegativeBlockIsTheLibrarysToRefuse) {
    static int first = 0;
    FAKE(Reduce_scatter)::does = [](const void*, void*, const int* counts, word, word, word) {
        first = counts[0];
        return mpich::mpi_ERR_COUNT;
    };
    const std::int64_t counts[4] = {-1, more, more, more};
    EXPECT_EQ(mpi.Reduce_scatter_c(nullptr, nullptr, counts, mpich::mpi_INT, mpich::mpi_SUM, world),
              mpich::mpi_ERR_COUNT);
    EXPECT_EQ(first, -1);
}

// ---- MPI_Reduce_scatter between two groups ----

// The counts of the processes of the other group. Their total is the same as in the own group.
constexpr std::int64_t other_counts[4] = {1, 2, 3, most - 5};
int tell_other_counts(const void*, int, word, void* all, int, word, word) {
    std::copy(std::begin(other_counts), std::end(other_counts), static_cast<std::int64_t*>(all));
    return 0;
}
std::vector<int> sent_counts;
int exchange_blocks(const void*, const int* counts, const int*, const handle*, void*, const int*, const int*,
                    const handle*, word) {
    sent_counts.assign(counts, counts + 4);
    return 0;
}

class LargeReductionsBetweenGroups : public LargeCounts {
protected:
    void SetUp() override {
        LargeCounts::SetUp();
        comm = add_comm({.size = 2, .rank = 0, .is_inter = true, .remote_size = 4});
        FAKE(Allgather)::does = tell_other_counts;
        FAKE(Alltoallw)::does = exchange_blocks;
    }
    int reduce() { return mpi.Reduce_scatter_c(given, &result, counts, mpich::mpi_CHAR, mpich::mpi_SUM, comm); }
    int begin(handle& request) {
        return mpi.Ireduce_scatter_c(given, &result, counts, mpich::mpi_CHAR, mpich::mpi_SUM, comm, &request);
    }
    int make(handle& request) {
        return mpi.Reduce_scatter_init_c(given, &result, counts, mpich::mpi_CHAR, mpich::mpi_SUM, comm,
                                         mpich::mpi_INFO_NULL, &request);
    }
    handle comm = 0;
    char result = 0;
    const std::int64_t counts[2] = {1, most};
    char* const given = reinterpret_cast<char*>(std::uintptr_t{1} << 40); // no data is read there
};

TEST_F(LargeReductionsBetweenGroups, EachBlockIsReducedWhereItGoes) {
    EXPECT_EQ(reduce(), 0);
    EXPECT_EQ(sent_counts, (std::vector<int>{1, 2, 3, INT_MAX - 5}));
    EXPECT_EQ(count_calls("Reduce_local"), 3) << "the last of four blocks arrives in its place";
    EXPECT_EQ(count_calls("Reduce_scatter"), 0);
}

TEST_F(LargeReductionsBetweenGroups, AFailureInTheMiddleLeavesNothing) {
    const auto call = [&] { return reduce(); };
    EXPECT_EQ(fail_each_call<FAKE(Allgather)>(call), 1);
    EXPECT_EQ(fail_each_call<FAKE(Alltoallw)>(call), 1);
    EXPECT_EQ(fail_each_call<FAKE(Reduce_local)>(call), 3);
    EXPECT_EQ(fail_each_call<FAKE(Type_get_extent_x)>(call), 1);
    EXPECT_EQ(fail_each_call<FAKE(Comm_remote_size)>(call), 1);
}

TEST_F(LargeReductionsBetweenGroups, APendingOneIsReducedWhenAllBlocksAreThere) {
    handle request = no_request;
    const auto begin_and_wait = [&] {
        const int code = begin(request);
        complete_all();
        return code == 0 ? mpi.Wait(&request, nullptr) : code;
    };
    EXPECT_EQ(fail_each_call<FAKE(Ialltoallw)>(begin_and_wait), 1);
    EXPECT_GE(fail_each_call<FAKE(Type_commit)>(begin_and_wait), 4) << "a datatype for each block";
    EXPECT_EQ(fail_each_call<FAKE(Reduce_local)>(begin_and_wait), 3);
    calls.clear();
    EXPECT_EQ(begin(request), 0);
    EXPECT_EQ(count_calls("Allgather"), 0) << "it waits for no other process";
    EXPECT_EQ(count_calls("Reduce_local"), 0);
    complete_all();
    EXPECT_EQ(mpi.Wait(&request, nullptr), 0);
    EXPECT_EQ(count_calls("Reduce_local"), 3);
}

TEST_F(LargeReductionsBetweenGroups, APersistentOneReducesAfterEachStart) {
    handle request = no_request;
    EXPECT_EQ(fail_each_call<FAKE(Allgather)>([&] {
                  const int code = make(request);
                  return code == 0 ? mpi.Request_free(&request) : code;
              }),
              1);
    EXPECT_EQ(make(request), 0);
    calls.clear();
    for (int round = 1; round <= 2; ++round) {
        EXPECT_EQ(mpi.Start(&request), 0);
        complete_all();
        EXPECT_EQ(mpi.Wait(&request, nullptr), 0);
        EXPECT_EQ(count_calls("Reduce_local"), 3 * round);
    }
    EXPECT_EQ(count_calls("Allgather"), 0) << "the counts of the other group are exchanged once";
    EXPECT_EQ(mpi.Request_free(&request), 0);
}

// ---- arrays of counts ----

TEST_F(LargeCounts, BlocksOfAnExchangeMayBeSmallOrAggregates) {
    static std::vector<int> counts;
    static std::vector<std::int64_t> sizes;
    counts.clear();
    sizes.clear();
    FAKE(Alltoallw)::does = [](const void*, const int* some, const int*, const handle* types, void*, const int*,
                               const int*, const handle*, word) {
        counts.assign(some, some + 4);
        for (int i = 0; i < 4; ++i)
            sizes.push_back(datatype_of(types[i]).size);
        return 0;
    };
    const std::int64_t given[4] = {0, 7, most, more};
    const std::intptr_t places[4] = {};
    char* const nowhere = nullptr;
    EXPECT_EQ(mpi.Alltoallv_c(nowhere + 8, given, places, mpich::mpi_CHAR, nowhere + 16, given, places, mpich::mpi_CHAR,
                              world),
              0);
    EXPECT_EQ(counts, (std::vector<int>{0, 7, INT_MAX, 1}));
    EXPECT_EQ(sizes, (std::vector<std::int64_t>{1, 1, 1, more}));
}

TEST_F(LargeCounts, AnExchangeThatFailsAtABlockFreesTheOthers) {
    const std::int64_t given[4] = {more, more, more, more};
    const std::intptr_t places[4] = {};
    char* const nowhere = nullptr;
    const auto call = [&] {
        return mpi.Alltoallv_c(nowhere + 8, given, places, mpich::mpi_CHAR, nowhere + 16, given, places,
                               mpich::mpi_CHAR, world);
    };
    EXPECT_EQ(fail_each_call<FAKE(Type_create_resized)>(call), 8) << "four blocks in each direction";
    EXPECT_EQ(fail_each_call<FAKE(Alltoallw)>(call), 1);
}

TEST_F(LargeCounts, APendingExchangeOwnsItsDatatypes) {
    const std::int64_t given[4] = {more, 1, 1, 1};
    const std::intptr_t places[4] = {};
    char* const nowhere = nullptr;
    handle request = no_request;
    EXPECT_EQ(mpi.Ialltoallv_c(nowhere + 8, given, places, mpich::mpi_CHAR, nowhere + 16, given, places,
                               mpich::mpi_CHAR, world, &request),
              0);
    EXPECT_EQ(count_datatypes(), 2);
    complete_all();
    EXPECT_EQ(mpi.Wait(&request, nullptr), 0);
}

// ---- gathering from all ----

// The arguments of the library's function.
struct gather_call {
    const void* from = nullptr;
    word sent_as = 0;
    void* to = nullptr;
    std::vector<int> counts;
    std::vector<int> places;
    word received_as = 0;
};
gather_call all_gathered;
int gather_from_all(const void* from, int, word sent_as, void* to, const int* counts, const int* places,
                    word received_as, word comm) {
    const int size = comm_of(comm).size;
    all_gathered = {from, sent_as, to, {counts, counts + size}, {places, places + size}, received_as};
    return 0;
}

// The addresses to which the parts were unpacked.
std::vector<const void*> unpacked_to;
int unpack(const void*, int, int* position, void* to, int count, word type, word) {
    *position += static_cast<int>(count * datatype_of(type).size);
    unpacked_to.push_back(to);
    return 0;
}

class LargeGathers : public LargeCounts {
protected:
    void SetUp() override {
        LargeCounts::SetUp();
        all_gathered = {};
        unpacked_to.clear();
        FAKE(Allgatherv)::does = gather_from_all;
        FAKE(Unpack)::does = unpack;
    }
    int gather(const std::int64_t (&counts)[4], const std::intptr_t (&places)[4], const void* from = nullptr) {
        return mpi.Allgatherv_c(from, 1, mpich::mpi_INT, memory, counts, places, mpich::mpi_INT, world);
    }
    char* const memory = reinterpret_cast<char*>(std::uintptr_t{1} << 40); // no data is read or written there
    const std::int64_t few[4] = {3, 1, 0, 2};
    const std::intptr_t far[4] = {0, 3, 4, more};
};

TEST_F(LargeGathers, TheLibrarysFunctionTakesWhatFitsAnInt) {
    const std::intptr_t places[4] = {0, 1, 2, 3};
    EXPECT_EQ(gather({most / 4 - 3, 1, 1, 1}, places), 0) << "as many bytes as an int can count";
    EXPECT_EQ(all_gathered.to, memory);
    EXPECT_EQ(all_gathered.counts, (std::vector<int>{INT_MAX / 4 - 3, 1, 1, 1}));
    EXPECT_EQ(all_gathered.places, (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(count_calls("Alltoallw"), 0);
    EXPECT_EQ(gather({most / 4 - 2, 1, 1, 1}, places), 0) << "four bytes more";
    EXPECT_EQ(count_calls("Allgatherv"), 1);
    EXPECT_EQ(count_calls("Alltoallw"), 1);
}

TEST_F(LargeGathers, AFarPlaceIsUnpackedTo) {
    EXPECT_EQ(gather(few, far), 0);
    EXPECT_NE(all_gathered.to, memory);
    EXPECT_EQ(all_gathered.received_as, mpich::mpi_PACKED);
    EXPECT_EQ(all_gathered.counts, (std::vector<int>{12, 4, 0, 8}));
    EXPECT_EQ(all_gathered.places, (std::vector<int>{0, 12, 16, 16}));
    EXPECT_EQ(unpacked_to, (std::vector<const void*>{memory, memory + 12, memory + 16, memory + 4 * more}));
}

TEST_F(LargeGathers, InPlaceIsSentFromTheOwnPlace) {
    EXPECT_EQ(gather(few, far, reinterpret_cast<void*>(mpich::mpi_IN_PLACE)), 0);
    EXPECT_EQ(all_gathered.from, memory + 12) << "the process has rank 1";
}

TEST_F(LargeGathers, AFailureInTheMiddleLeavesNothing) {
    const auto call = [&] { return gather(few, far); };
    EXPECT_EQ(fail_each_call<FAKE(Comm_test_inter)>(call), 2);
    EXPECT_EQ(fail_each_call<FAKE(Type_size_x)>(call), 1);
    EXPECT_EQ(fail_each_call<FAKE(Type_get_extent)>(call), 1);
    EXPECT_EQ(fail_each_call<FAKE(Type_dup)>(call), 1);
    EXPECT_EQ(fail_each_call<FAKE(Allgatherv)>(call), 1);
    EXPECT_EQ(fail_each_call<FAKE(Unpack)>(call), 4);
}

TEST_F(LargeGathers, ANegativeCountIsTheLibrarysToRefuse) {
    EXPECT_EQ(gather({3, -1, more, 2}, far), 0);
    ASSERT_EQ(all_gathered.counts.size(), 4u);
    EXPECT_LT(all_gathered.counts[1], 0);
    EXPECT_EQ(all_gathered.to, memory) << "nothing is packed";
}

TEST_F(LargeGathers, GroupsThatReceiveDifferentAmountsExchangeBlocks) {
    const handle inter = add_comm({.size = 2, .rank = 0, .is_inter = true, .remote_size = 4});
    EXPECT_EQ(mpi.Allgatherv_c(memory, 1, mpich::mpi_INT, memory, few, far, mpich::mpi_INT, inter), 0);
    EXPECT_EQ(count_calls("Allgatherv"), 0);
    EXPECT_EQ(count_calls("Alltoallw"), 1);
}

TEST_F(LargeGathers, APendingOneIsUnpackedWhenItHasCompleted) {
    handle request = no_request;
    const auto begin = [&] {
        return mpi.Iallgatherv_c(memory, 1, mpich::mpi_INT, memory, few, far, mpich::mpi_INT, world, &request);
    };
    EXPECT_EQ(fail_each_call<FAKE(Type_dup)>([&] {
                  const int code = begin();
                  complete_all();
                  return code != 0 ? code : mpi.Wait(&request, nullptr);
              }),
              1);
    EXPECT_EQ(unpacked_to.size(), 4u);
    FAKE(Iallgatherv)::fail();
    EXPECT_EQ(begin(), a_code);
    EXPECT_EQ(count_datatypes(), 0);
    EXPECT_EQ(begin(), 0);
    EXPECT_EQ(count_datatypes(), 1) << "the program may free its own meanwhile";
    EXPECT_EQ(unpacked_to.size(), 4u) << "nothing has arrived yet";
    complete_all();
    FAKE(Unpack)::fail(2);
    EXPECT_EQ(mpi.Wait(&request, nullptr), a_code);
    EXPECT_EQ(request, no_request);
}

TEST_F(LargeGathers, APersistentOneIsUnpackedAfterEachStart) {
    handle request = no_request;
    const auto make = [&] {
        return mpi.Allgatherv_init_c(memory, 1, mpich::mpi_INT, memory, few, far, mpich::mpi_INT, world,
                                     mpich::mpi_INFO_NULL, &request);
    };
    const auto make_and_free = [&] {
        const int code = make();
        return code == 0 ? mpi.Request_free(&request) : code;
    };
    EXPECT_EQ(fail_each_call<FAKE(Type_dup)>(make_and_free), 1);
    EXPECT_EQ(fail_each_call<FAKE(Comm_create)>(make_and_free), 1);
    EXPECT_EQ(count_comms(), 0);
    EXPECT_EQ(make(), 0);
    for (std::size_t round = 1; round <= 2; ++round) {
        EXPECT_EQ(mpi.Start(&request), 0);
        EXPECT_EQ(unpacked_to.size(), 4 * (round - 1)) << "nothing has arrived yet";
        complete_all();
        EXPECT_EQ(mpi.Wait(&request, nullptr), 0);
        EXPECT_EQ(unpacked_to.size(), 4 * round);
    }
    FAKE(Iallgatherv)::fail();
    EXPECT_EQ(mpi.Start(&request), a_code);
    EXPECT_EQ(mpi.Start(&request), 0) << "it can be started again";
    complete_all();
    EXPECT_EQ(mpi.Wait(&request, nullptr), 0);
    EXPECT_EQ(mpi.Request_free(&request), 0);
}

// ---- functions of the program with large counts ----

void* given_function;
int create_op(void* function, int, handle* op) {
    given_function = function;
    *op = 0x98000001;
    return 0;
}
std::int64_t reduced;

TEST_F(LargeCounts, AnOperationOfTheProgramGetsALargeCount) {
    FAKE(Op_create)::does = create_op;
    const auto reduce = +[](void*, void*, std::int64_t* count, handle*) { reduced = *count; };
    handle op = 0;
    EXPECT_EQ(mpi.Op_create_c(reinterpret_cast<void*>(reduce), 1, &op), 0);
    int count = 7;
    handle type = mpich::mpi_INT;
    reinterpret_cast<void (*)(void*, void*, int*, handle*)>(given_function)(nullptr, nullptr, &count, &type);
    EXPECT_EQ(reduced, 7);
    EXPECT_EQ(mpi.Op_create_c(nullptr, 1, &op), 0);
    EXPECT_EQ(given_function, nullptr) << "the library must report the error";
}

struct datarep_call {
    void* read;
    void* write;
    void* extent;
    void* state;
};
datarep_call registered;

TEST_F(LargeCounts, ConversionsOfTheProgramGetALargeCountAndItsState) {
    FAKE(Register_datarep)::does = [](const char*, void* read, void* write, void* extent, void* state) {
        registered = {read, write, extent, state};
        return 0;
    };
    static std::int64_t converted;
    const auto read = +[](void*, handle, std::int64_t count, void*, std::int64_t position, void* state) {
        converted = count * 1000 + position;
        return *static_cast<int*>(state);
    };
    const auto extent = +[](handle, std::intptr_t* size, void* state) {
        *size = 24;
        return *static_cast<int*>(state);
    };
    int state = 5;
    EXPECT_EQ(
        mpi.Register_datarep_c("mine", reinterpret_cast<void*>(read), nullptr, reinterpret_cast<void*>(extent), &state),
        0);
    EXPECT_EQ(registered.write, nullptr) << "MPI_CONVERSION_FN_NULL";
    using conversion = int (*)(void*, handle, int, void*, std::int64_t, void*);
    EXPECT_EQ(reinterpret_cast<conversion>(registered.read)(nullptr, mpich::mpi_INT, 7, nullptr, 9, registered.state),
              5);
    EXPECT_EQ(converted, 7009);
    std::intptr_t size = 0;
    using extent_function = int (*)(handle, std::intptr_t*, void*);
    EXPECT_EQ(reinterpret_cast<extent_function>(registered.extent)(mpich::mpi_INT, &size, registered.state), 5);
    EXPECT_EQ(size, 24);
    FAKE(Register_datarep)::fail();
    EXPECT_EQ(mpi.Register_datarep_c("mine", nullptr, nullptr, reinterpret_cast<void*>(extent), &state), a_code);
}

// ---- queries ----

TEST_F(LargeCounts, SizesThatAnIntDoesNotHold) {
    handle type = add_datatype({more, 0, more});
    std::int64_t size = 0;
    EXPECT_EQ(mpi.Type_size_c(type, &size), 0);
    EXPECT_EQ(size, more);
    EXPECT_EQ(mpi.Type_size_c(mpich::mpi_INT, &size), 0);
    EXPECT_EQ(size, 4);
    EXPECT_EQ(count_calls("Type_size_x"), 1) << "only if the small form is not sufficient";
    EXPECT_EQ(FAKE(Type_free)::usual(&type), 0);
}

TEST_F(LargeCounts, CountsAreBytesDividedBySize) {
    status arrived = anympi::empty_status(mpich{});
    std::int64_t count = 0;
    arrived.count_low = 12;
    EXPECT_EQ(mpi.Get_count_c(&arrived, mpich::mpi_INT, &count), 0);
    EXPECT_EQ(count, 3);
    arrived.count_low = 13;
    EXPECT_EQ(mpi.Get_count_c(&arrived, mpich::mpi_INT, &count), 0);
    EXPECT_EQ(count, mpich::mpi_UNDEFINED);
    handle empty = add_datatype({});
    EXPECT_EQ(mpi.Get_count_c(&arrived, empty, &count), 0);
    EXPECT_EQ(count, mpich::mpi_UNDEFINED);
    arrived.count_low = 0;
    EXPECT_EQ(mpi.Get_count_c(&arrived, empty, &count), 0);
    EXPECT_EQ(count, 0);
    EXPECT_EQ(FAKE(Type_free)::usual(&empty), 0);
}

TEST_F(LargeCounts, UnitsOfWindows) {
    static int unit = 0;
    FAKE(Win_create)::does = [](void*, std::intptr_t, int given, word, word, handle*) {
        unit = given;
        return 0;
    };
    handle win = 0;
    EXPECT_EQ(mpi.Win_create_c(nullptr, 100, INT_MAX, mpich::mpi_INFO_NULL, world, &win), 0);
    EXPECT_EQ(unit, INT_MAX);
    EXPECT_EQ(mpi.Win_create_c(nullptr, more, more, mpich::mpi_INFO_NULL, world, &win), 0) << "only displacement 0";
    EXPECT_EQ(mpi.Win_create_c(nullptr, more + 1, more, mpich::mpi_INFO_NULL, world, &win), mpich::mpi_ERR_DISP);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].comm, world);
}

TEST_F(LargeCounts, UnitsOfWindowsThatTheLibraryAllocates) {
    static int unit = 0;
    FAKE(Win_allocate)::does = [](std::intptr_t, int given, word, word, void*, handle*) {
        unit = given;
        return 0;
    };
    FAKE(Win_allocate_shared)::does = FAKE(Win_allocate)::does;
    handle win = 0;
    void* base = nullptr;
    for (const auto allocate : {mpi.Win_allocate_c, mpi.Win_allocate_shared_c}) {
        errors.clear();
        unit = 0;
        EXPECT_EQ(allocate(100, 8, mpich::mpi_INFO_NULL, world, &base, &win), 0);
        EXPECT_EQ(unit, 8);
        EXPECT_EQ(allocate(more, more, mpich::mpi_INFO_NULL, world, &base, &win), 0) << "only displacement 0";
        EXPECT_EQ(unit, INT_MAX);
        unit = 0;
        EXPECT_EQ(allocate(more + 1, more, mpich::mpi_INFO_NULL, world, &base, &win), mpich::mpi_ERR_DISP);
        EXPECT_EQ(unit, 0) << "the library was called";
        ASSERT_EQ(errors.size(), 1u);
        EXPECT_EQ(errors[0].comm, world);
    }
}

TEST_F(LargeCounts, AnswersOfWindowsAndFilesAreWidened) {
    FAKE(Win_shared_query)::does = [](word, int rank, std::intptr_t* size, int* unit, void* base) {
        *size = 4096 + rank;
        *unit = 8;
        *static_cast<void**>(base) = nullptr;
        return 0;
    };
    std::intptr_t size = -1;
    std::intptr_t unit = -1;
    void* base = &size;
    EXPECT_EQ(mpi.Win_shared_query_c(0xa0000010, 3, &size, &unit, &base), 0);
    EXPECT_EQ(size, 4099);
    EXPECT_EQ(unit, 8);
    EXPECT_EQ(base, nullptr);
    unit = -1;
    FAKE(Win_shared_query)::fail();
    EXPECT_EQ(mpi.Win_shared_query_c(0xa0000010, 3, &size, &unit, &base), a_code);
    EXPECT_EQ(unit, -1);
    FAKE(File_get_type_extent)::does = [](auto, word, std::intptr_t* extent) {
        *extent = more;
        return 0;
    };
    std::int64_t extent = 0;
    EXPECT_EQ(mpi.File_get_type_extent_c(0, mpich::mpi_INT, &extent), 0);
    EXPECT_EQ(extent, more);
}

TEST_F(LargeCounts, QuestionsThatMpi3HadUnderOtherNames) {
    std::int64_t lower = -1;
    std::int64_t extent = -1;
    handle type = add_datatype({more, 3, more + 3});
    EXPECT_EQ(mpi.Type_get_extent_c(type, &lower, &extent), 0);
    EXPECT_EQ(lower, 3);
    EXPECT_EQ(extent, more);
    EXPECT_EQ(mpi.Type_get_true_extent_c(type, &lower, &extent), 0);
    EXPECT_EQ(extent, more);
    EXPECT_EQ(FAKE(Type_free)::usual(&type), 0);
    status arrived = anympi::empty_status(mpich{});
    arrived.count_low = 12;
    std::int64_t count = 0;
    EXPECT_EQ(mpi.Get_elements_c(&arrived, mpich::mpi_CHAR, &count), 0);
    EXPECT_EQ(count, 12);
    static std::int64_t set;
    FAKE(Status_set_elements_x)::does = [](status*, word, std::int64_t given) {
        set = given;
        return 0;
    };
    EXPECT_EQ(mpi.Status_set_elements_c(&arrived, mpich::mpi_CHAR, more), 0);
    EXPECT_EQ(set, more);
}

} // namespace
