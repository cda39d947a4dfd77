// Large collectives with one count for each process or neighbor, which are emulated by the library's functions with one
// datatype for each process: the blocks that these get, and the state after a failure.

#include "fake.hpp"

#include "convert/address.hpp"

#include <climits>
#include <cstring>

namespace {

using namespace fake;

// One side of the last exchange.
struct blocks_of_side {
    const void* buffer = nullptr;
    std::vector<int> counts;
    std::vector<std::int64_t> places;
    std::vector<datatype> types;

    template <class Place>
    static blocks_of_side read(const void* buffer, int size, const int* counts, const Place* places,
                               const handle* types) {
        blocks_of_side side{buffer, {counts, counts + size}, {places, places + size}, {}};
        for (int i = 0; i < size; ++i)
            side.types.push_back(datatype_of(types[i]));
        return side;
    }
    std::vector<std::int64_t> bytes() const {
        std::vector<std::int64_t> all;
        for (std::size_t i = 0; i < counts.size(); ++i)
            all.push_back(counts[i] * types[i].size);
        return all;
    }
};
blocks_of_side exchanged_from;
blocks_of_side exchanged_to;
word exchanged_on;

int exchange_with_peers(const void* from, const int* sent, const int* sent_from, const handle* sent_as, void* to,
                        const int* received, const int* received_at, const handle* received_as, word comm) {
    const int peers = comm_of(comm).is_inter ? comm_of(comm).remote_size : comm_of(comm).size;
    exchanged_from = blocks_of_side::read(from, peers, sent, sent_from, sent_as);
    exchanged_to = blocks_of_side::read(to, peers, received, received_at, received_as);
    exchanged_on = comm;
    return 0;
}

int exchange_with_neighbors(const void* from, const int* sent, const std::intptr_t* sent_from, const handle* sent_as,
                            void* to, const int* received, const std::intptr_t* received_at, const handle* received_as,
                            word comm) {
    const int topology = comm_of(comm).topology;
    const bool has_directions = topology == mpich::mpi_DIST_GRAPH;
    const int neighbors = topology == mpich::mpi_CART    ? cart_neighbors
                          : topology == mpich::mpi_GRAPH ? graph_neighbors
                                                         : 0;
    exchanged_from =
        blocks_of_side::read(from, has_directions ? dist_graph_destinations : neighbors, sent, sent_from, sent_as);
    exchanged_to =
        blocks_of_side::read(to, has_directions ? dist_graph_sources : neighbors, received, received_at, received_as);
    exchanged_on = comm;
    return 0;
}

using counts = std::vector<int>;
using sizes = std::vector<std::int64_t>;

class LargeExchanges : public Emulation {
protected:
    void SetUp() override {
        Emulation::SetUp();
        exchanged_from = exchanged_to = {};
        exchanged_on = 0;
        FAKE(Alltoallw)::does = exchange_with_peers;
        FAKE(Neighbor_alltoallw)::does = exchange_with_neighbors;
        FAKE(Ialltoallw)::does = [](const void* from, const int* sent, const int* sent_from, const handle* sent_as,
                                    void* to, const int* received, const int* received_at, const handle* received_as,
                                    word comm, handle* out) {
            *out = add_request();
            return exchange_with_peers(from, sent, sent_from, sent_as, to, received, received_at, received_as, comm);
        };
        FAKE(Ineighbor_alltoallw)::does = [](const void* from, const int* sent, const std::intptr_t* sent_from,
                                             const handle* sent_as, void* to, const int* received,
                                             const std::intptr_t* received_at, const handle* received_as, word comm,
                                             handle* out) {
            *out = add_request();
            return exchange_with_neighbors(from, sent, sent_from, sent_as, to, received, received_at, received_as,
                                           comm);
        };
    }
    void TearDown() override {
        EXPECT_EQ(count_datatypes(), 0) << "datatypes remain";
        EXPECT_EQ(count_requests(), 0) << "requests remain";
        EXPECT_EQ(count_comms(), comms_of_test) << "communicators remain";
    }
    word add_topology(int topology) {
        ++comms_of_test;
        return add_comm({.topology = topology});
    }
    int gather(int root, word comm = world, const void* from = nullptr) {
        return mpi.Gatherv_c(from, more, mpich::mpi_CHAR, memory, given, near, mpich::mpi_CHAR, root, comm);
    }
    int scatter(int root, void* to, word comm = world) {
        return mpi.Scatterv_c(memory, given, near, mpich::mpi_CHAR, to, 5, mpich::mpi_CHAR, root, comm);
    }
    void complete(handle& request) {
        complete_all();
        EXPECT_EQ(mpi.Wait(&request, nullptr), 0);
    }

    char* const memory = reinterpret_cast<char*>(std::uintptr_t{1} << 40); // no data is read or written there
    void* const in_place = anympi::address_of<void*>(mpich::mpi_IN_PLACE);
    const std::int64_t given[4] = {0, 7, most, more};
    const std::intptr_t near[4] = {0, 1, 8, 9};
    int comms_of_test = 0;
};

// ---- one root ----

TEST_F(LargeExchanges, TheRootOfAGatherReceivesABlockFromEach) {
    EXPECT_EQ(gather(1), 0); // the rank of this process
    EXPECT_EQ(exchanged_to.counts, (counts{0, 7, INT_MAX, 1}));
    EXPECT_EQ(exchanged_to.bytes(), (sizes{0, 7, most, more}));
    EXPECT_EQ(exchanged_to.places, (sizes{0, 1, 8, 9}));
    EXPECT_EQ(exchanged_to.buffer, memory);
    EXPECT_EQ(exchanged_from.bytes(), (sizes{0, more, 0, 0})) << "its own block";
}

TEST_F(LargeExchanges, OthersSendTheirBlockToTheRoot) {
    EXPECT_EQ(mpi.Gatherv_c(memory, 5, mpich::mpi_CHAR, nullptr, nullptr, nullptr, 0, 2, world), 0)
        << "arguments that are significant only at the root are ignored";
    EXPECT_EQ(exchanged_from.bytes(), (sizes{0, 0, 5, 0}));
    EXPECT_EQ(exchanged_from.buffer, memory);
    EXPECT_EQ(exchanged_to.bytes(), (sizes{0, 0, 0, 0}));
}

TEST_F(LargeExchanges, TheRootOfAScatterSendsABlockToEach) {
    EXPECT_EQ(scatter(1, memory + 1), 0);
    EXPECT_EQ(exchanged_from.bytes(), (sizes{0, 7, most, more}));
    EXPECT_EQ(exchanged_to.bytes(), (sizes{0, 5, 0, 0}));
    EXPECT_EQ(exchanged_to.buffer, memory + 1);
    EXPECT_EQ(scatter(3, memory + 1), 0);
    EXPECT_EQ(exchanged_from.bytes(), (sizes{0, 0, 0, 0}));
    EXPECT_EQ(exchanged_to.bytes(), (sizes{0, 0, 0, 5}));
}

TEST_F(LargeExchanges, InPlaceTheRootsOwnBlockStaysWhereItIs) {
    EXPECT_EQ(gather(1, world, in_place), 0);
    EXPECT_EQ(exchanged_to.bytes(), (sizes{0, 0, most, more}));
    EXPECT_EQ(exchanged_from.bytes(), (sizes{0, 0, 0, 0}));
    EXPECT_EQ(scatter(1, in_place), 0);
    EXPECT_EQ(exchanged_from.bytes(), (sizes{0, 0, most, more}));
    EXPECT_EQ(exchanged_to.bytes(), (sizes{0, 0, 0, 0}));
    EXPECT_EQ(gather(2, world, in_place), mpich::mpi_ERR_BUFFER) << "only the root has displacements";
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].comm, world);
}

TEST_F(LargeExchanges, BetweenGroupsTheRootHasNoBlockOfItsOwn) {
    const word between = add_comm({.size = 2, .rank = 1, .is_inter = true, .remote_size = 3});
    comms_of_test = 1;
    EXPECT_EQ(gather(mpich::mpi_ROOT, between), 0);
    EXPECT_EQ(exchanged_to.bytes(), (sizes{0, 7, most}));
    EXPECT_EQ(exchanged_from.bytes(), (sizes{0, 0, 0}));
    EXPECT_EQ(gather(2, between), 0) << "a rank of the other group";
    EXPECT_EQ(exchanged_from.bytes(), (sizes{0, 0, more}));
    EXPECT_EQ(exchanged_to.bytes(), (sizes{0, 0, 0}));
    EXPECT_EQ(gather(mpich::mpi_PROC_NULL, between), 0);
    EXPECT_EQ(exchanged_from.bytes(), (sizes{0, 0, 0}));
    EXPECT_EQ(gather(mpich::mpi_ROOT, between, in_place), 0) << "the send arguments of the root are ignored";
    EXPECT_EQ(gather(2, between, in_place), mpich::mpi_ERR_BUFFER);
}

TEST_F(LargeExchanges, WrongArgumentsOfTheRootAreReportedByTheCommunicator) {
    EXPECT_EQ(gather(4), mpich::mpi_ERR_ROOT);
    EXPECT_EQ(mpi.Gatherv_c(nullptr, 1, mpich::mpi_CHAR, memory, nullptr, near, mpich::mpi_CHAR, 1, world),
              mpich::mpi_ERR_ARG);
    EXPECT_EQ(mpi.Scatterv_c(memory, given, nullptr, mpich::mpi_CHAR, nullptr, 1, mpich::mpi_CHAR, 1, world),
              mpich::mpi_ERR_ARG);
    EXPECT_EQ(mpi.Gatherv_c(nullptr, 1, mpich::mpi_CHAR, memory, given, near, mpich::mpi_DATATYPE_NULL, 1, world),
              mpich::mpi_ERR_TYPE);
    EXPECT_EQ(errors.size(), 4u);
    EXPECT_EQ(count_calls("Alltoallw"), 0);
}

TEST_F(LargeExchanges, AFailureAtTheRootLeavesNothing) {
    const auto call = [&] { return gather(1); };
    const auto check = [] { EXPECT_EQ(count_datatypes(), 0); };
    EXPECT_GE(fail_each<FAKE(Comm_test_inter)>(call, check), 1);
    EXPECT_EQ(fail_each<FAKE(Comm_rank)>(call, check), 1);
    EXPECT_EQ(fail_each<FAKE(Type_commit)>(call, check), 2) << "a block that it receives, and the one that it sends";
    EXPECT_EQ(fail_each<FAKE(Alltoallw)>(call, check), 1);
}

// ---- displacements ----

TEST_F(LargeExchanges, APlaceThatAnIntDoesNotHoldIsPartOfTheDatatype) {
    const std::int64_t few[4] = {1, 2, 3, 0};
    const std::intptr_t far[4] = {0, most, more, 2 * more};
    const auto call = [&] {
        return mpi.Alltoallv_c(memory, few, far, mpich::mpi_CHAR, memory + 1, few, near, mpich::mpi_CHAR, world);
    };
    EXPECT_EQ(call(), 0);
    EXPECT_EQ(exchanged_from.places, (sizes{0, most, 0, 0})) << "an empty block has no displacement";
    EXPECT_EQ(exchanged_from.counts, (counts{1, 2, 1, 0}));
    EXPECT_EQ(exchanged_from.bytes(), (sizes{1, 2, 3, 0}));
    EXPECT_EQ(exchanged_from.types[2].lower, more);
    const auto check = [] { EXPECT_EQ(count_datatypes(), 0); };
    EXPECT_EQ(fail_each<FAKE(Type_create_hindexed)>(call, check), 1);
    EXPECT_EQ(fail_each<FAKE(Type_commit)>(call, check), 1);
}

TEST_F(LargeExchanges, ASingleBlockIsWhereTheBufferBegins) {
    EXPECT_EQ(mpi.Alltoallv_c(memory, &given[1], &near[2], mpich::mpi_CHAR, memory, &given[1], &near[3],
                              mpich::mpi_CHAR, self),
              0);
    EXPECT_EQ(exchanged_from.buffer, memory + 8);
    EXPECT_EQ(exchanged_to.buffer, memory + 9);
    EXPECT_EQ(exchanged_from.places, (sizes{0}));
}

TEST_F(LargeExchanges, EqualBuffersOfDifferentBlocksAreKeptApart) {
    EXPECT_EQ(mpi.Alltoallv_c(memory, given, near, mpich::mpi_CHAR, memory, given, near, mpich::mpi_CHAR, world), 0);
    EXPECT_NE(exchanged_from.buffer, exchanged_to.buffer);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(static_cast<const char*>(exchanged_from.buffer) + exchanged_from.places[i], memory + near[i]);
}

// ---- a datatype for each block ----

TEST_F(LargeExchanges, EachBlockHasItsDatatype) {
    const handle types[4] = {mpich::mpi_CHAR, mpich::mpi_SHORT, mpich::mpi_INT, mpich::mpi_DOUBLE};
    const std::int64_t some[4] = {3, 3, 3, more};
    EXPECT_EQ(mpi.Alltoallw_c(memory, some, near, types, memory + 1, some, near, types, world), 0);
    EXPECT_EQ(exchanged_from.bytes(), (sizes{3, 6, 12, 8 * more}));
    EXPECT_EQ(exchanged_to.places, (sizes{0, 1, 8, 9})) << "they are bytes";
    EXPECT_EQ(mpi.Alltoallw_c(memory, some, near, nullptr, memory + 1, some, near, types, world), mpich::mpi_ERR_ARG);
}

// ---- requests ----

TEST_F(LargeExchanges, APendingExchangeInPlaceSendsCopies) {
    char blocks[] = "aabbbcdd";
    const std::int64_t some[4] = {2, 3, 1, 2};
    const std::intptr_t places[4] = {0, 2, 5, 6};
    handle request = no_request;
    EXPECT_EQ(mpi.Ialltoallv_c(in_place, nullptr, nullptr, 0, blocks, some, places, mpich::mpi_CHAR, world, &request),
              0);
    EXPECT_EQ(exchanged_from.bytes(), (sizes{2, 0, 1, 2})) << "the process's own block is not moved";
    EXPECT_EQ(exchanged_to.bytes(), (sizes{2, 0, 1, 2}));
    ASSERT_NE(exchanged_from.buffer, in_place);
    const auto* const copies = static_cast<const char*>(exchanged_from.buffer);
    EXPECT_EQ(std::memcmp(copies + exchanged_from.places[0], "aa", 2), 0);
    EXPECT_EQ(std::memcmp(copies + exchanged_from.places[3], "dd", 2), 0);
    complete(request);
}

TEST_F(LargeExchanges, APendingExchangeInPlaceThatCannotBeginLeavesNothing) {
    char blocks[] = "aabbbcdd";
    const std::int64_t some[4] = {2, 3, 1, 2};
    const std::intptr_t places[4] = {0, 2, 5, 6};
    handle request = 77;
    const auto call = [&] {
        return mpi.Ialltoallv_c(in_place, nullptr, nullptr, 0, blocks, some, places, mpich::mpi_CHAR, world, &request);
    };
    for (auto* const fail : {FAKE(Comm_rank)::fail, FAKE(Type_size_x)::fail, FAKE(Ialltoallw)::fail}) {
        fail(1, a_code);
        EXPECT_EQ(call(), a_code);
        EXPECT_EQ(request, 77u);
    }
}

TEST_F(LargeExchanges, APersistentExchangeSendsWhatIsThereAtEachStart) {
    char blocks[] = "aabbbcdd";
    const std::int64_t some[4] = {2, 3, 1, 2};
    const std::intptr_t places[4] = {0, 2, 5, 6};
    handle request = no_request;
    EXPECT_EQ(mpi.Alltoallv_init_c(in_place, nullptr, nullptr, 0, blocks, some, places, mpich::mpi_CHAR, world,
                                   mpich::mpi_INFO_NULL, &request),
              0);
    for (const char* const text : {"1122", "3344"}) {
        std::memcpy(blocks, text, 2);
        EXPECT_EQ(mpi.Start(&request), 0);
        EXPECT_EQ(std::memcmp(exchanged_from.buffer, text, 2), 0);
        EXPECT_NE(exchanged_on, world) << "it has a private communicator";
        complete(request);
    }
    EXPECT_EQ(mpi.Request_free(&request), 0);
}

TEST_F(LargeExchanges, ThePersistentExchangeKeepsTheProgramsDatatype) {
    handle type = add_datatype({4, 0, 4});
    handle request = no_request;
    const std::int64_t some[4] = {1, more, 0, 0};
    EXPECT_EQ(mpi.Scatterv_init_c(memory, some, near, type, memory + 1, 1, mpich::mpi_INT, 1, world,
                                  mpich::mpi_INFO_NULL, &request),
              0);
    EXPECT_EQ(mpi.Type_free(&type), 0);
    EXPECT_EQ(mpi.Start(&request), 0);
    EXPECT_EQ(exchanged_from.bytes(), (sizes{4, 4 * more, 0, 0}));
    complete(request);
    EXPECT_EQ(mpi.Request_free(&request), 0);
}

// ---- neighbors ----

TEST_F(LargeExchanges, NeighborsHaveABlockForEachDirection) {
    const word cart = add_topology(mpich::mpi_CART);
    const std::intptr_t far[4] = {0, more, 2 * more, 0};
    EXPECT_EQ(
        mpi.Neighbor_alltoallv_c(memory, given, far, mpich::mpi_CHAR, memory + 1, given, near, mpich::mpi_CHAR, cart),
        0);
    EXPECT_EQ(exchanged_from.bytes(), (sizes{0, 7, most, more}));
    EXPECT_EQ(exchanged_from.places, (sizes{0, more, 2 * more, 0})) << "displacements of neighbors are addresses";
    EXPECT_EQ(exchanged_to.bytes(), (sizes{0, 7, most, more}));
}

TEST_F(LargeExchanges, SourcesAndDestinationsOfAGraphDiffer) {
    const word graph = add_topology(mpich::mpi_DIST_GRAPH);
    EXPECT_EQ(mpi.Neighbor_allgatherv_c(memory, more, mpich::mpi_CHAR, memory + 1, given, near, mpich::mpi_CHAR, graph),
              0);
    EXPECT_EQ(exchanged_from.bytes(), (sizes{more, more, more})) << "all get the same data";
    EXPECT_EQ(exchanged_to.bytes(), (sizes{0, 7}));
    const auto check = [] { EXPECT_EQ(count_datatypes(), 0); };
    const auto call = [&] {
        return mpi.Neighbor_allgatherv_c(memory, more, mpich::mpi_CHAR, memory + 1, given, near, mpich::mpi_CHAR,
                                         graph);
    };
    EXPECT_EQ(fail_each<FAKE(Type_commit)>(call, check), dist_graph_destinations);
    EXPECT_EQ(fail_each<FAKE(Dist_graph_neighbors_count)>(call, check), 1);
}

TEST_F(LargeExchanges, WithoutNeighborsArraysMayBeMissing) {
    EXPECT_EQ(mpi.Neighbor_alltoallv_c(nullptr, nullptr, nullptr, mpich::mpi_CHAR, nullptr, nullptr, nullptr,
                                       mpich::mpi_CHAR, world),
              0)
        << "the library reports that there is no topology";
    EXPECT_EQ(count_calls("Neighbor_alltoallw"), 1);
    const word cart = add_topology(mpich::mpi_CART);
    EXPECT_EQ(mpi.Neighbor_alltoallv_c(nullptr, nullptr, nullptr, mpich::mpi_CHAR, nullptr, nullptr, nullptr,
                                       mpich::mpi_CHAR, cart),
              mpich::mpi_ERR_ARG);
}

TEST_F(LargeExchanges, APendingExchangeOfNeighborsOwnsItsDatatypes) {
    const word graph = add_topology(mpich::mpi_GRAPH);
    const handle types[2] = {mpich::mpi_CHAR, mpich::mpi_SHORT};
    const std::int64_t some[2] = {1, more};
    handle request = no_request;
    EXPECT_EQ(mpi.Ineighbor_alltoallw_c(memory, some, near, types, memory + 1, some, near, types, graph, &request), 0);
    EXPECT_EQ(exchanged_from.bytes(), (sizes{1, 2 * more}));
    EXPECT_EQ(count_datatypes(), 2);
    complete(request);
}

TEST_F(LargeExchanges, APersistentExchangeOfNeighborsCopiesTheTopology) {
    const word graph = add_topology(mpich::mpi_DIST_GRAPH);
    handle request = no_request;
    EXPECT_EQ(mpi.Neighbor_alltoallv_init_c(memory, given, near, mpich::mpi_CHAR, memory + 1, given, near,
                                            mpich::mpi_CHAR, graph, mpich::mpi_INFO_NULL, &request),
              0);
    EXPECT_EQ(count_calls("Dist_graph_create_adjacent"), 1);
    EXPECT_EQ(mpi.Start(&request), 0);
    EXPECT_NE(exchanged_on, graph);
    EXPECT_EQ(exchanged_from.bytes(), (sizes{0, 7, most}));
    EXPECT_EQ(exchanged_to.bytes(), (sizes{0, 7}));
    complete(request);
    EXPECT_EQ(mpi.Request_free(&request), 0);
}

} // namespace
