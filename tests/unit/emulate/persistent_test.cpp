// Persistent collective operations over nonblocking ones, on private communicators.

#include "fake.hpp"

namespace {

using namespace fake;

handle used_comm; // the communicator of the last MPI_Ibcast
int root_given;
int broadcast(void*, int, word, int root, word comm, handle* out) {
    used_comm = static_cast<handle>(comm);
    root_given = root;
    *out = add_request();
    return 0;
}

class PersistentCollectives : public Emulation {
protected:
    void SetUp() override {
        Emulation::SetUp();
        FAKE(Ibcast)::does = broadcast;
    }
    void TearDown() override {
        if (request != no_request) {
            EXPECT_EQ(mpi.Request_free(&request), 0);
        }
        EXPECT_EQ(count_requests(), 0);
        EXPECT_EQ(count_comms(), comms_of_test) << "private communicators remain";
        EXPECT_EQ(count_datatypes(), 0);
    }
    int init(int root, word comm = world, word type = mpich::mpi_INT) {
        return mpi.Bcast_init(nullptr, 3, type, root, comm, mpich::mpi_INFO_NULL, &request);
    }
    handle request = no_request;
    int comms_of_test = 0;
};

TEST_F(PersistentCollectives, StartOnACommunicatorOfTheirOwn) {
    EXPECT_EQ(init(2), 0);
    EXPECT_EQ(count_calls("Ibcast"), 0);
    EXPECT_EQ(count_comms(), 1);
    for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(mpi.Start(&request), 0);
        EXPECT_NE(used_comm, world);
        EXPECT_EQ(root_given, 2);
        complete_all();
        EXPECT_EQ(mpi.Wait(&request, nullptr), 0);
        EXPECT_NE(request, no_request) << "it is inactive";
    }
    EXPECT_EQ(count_calls("Ibcast"), 3);
}

TEST_F(PersistentCollectives, TwoHaveDifferentCommunicators) {
    handle other = no_request;
    EXPECT_EQ(init(0), 0);
    EXPECT_EQ(mpi.Bcast_init(nullptr, 3, mpich::mpi_INT, 0, world, mpich::mpi_INFO_NULL, &other), 0);
    EXPECT_EQ(mpi.Start(&other), 0);
    const handle first = used_comm;
    EXPECT_EQ(mpi.Start(&request), 0);
    EXPECT_NE(used_comm, first);
    complete_all();
    handle both[] = {request, other};
    EXPECT_EQ(mpi.Waitall(2, both, nullptr), 0);
    EXPECT_EQ(mpi.Request_free(&other), 0);
}

TEST_F(PersistentCollectives, AWrongRootIsFoundAtOnceAndTheCommunicatorIsFreed) {
    for (const int root : {-17, 4, mpich::mpi_ROOT, mpich::mpi_PROC_NULL}) {
        errors.clear();
        EXPECT_EQ(init(root), mpich::mpi_ERR_ROOT) << root;
        EXPECT_EQ(request, no_request);
        EXPECT_EQ(count_comms(), 0);
        ASSERT_EQ(errors.size(), 1u);
        EXPECT_EQ(errors[0].comm, world);
    }
}

TEST_F(PersistentCollectives, RootsOfAnIntercommunicator) {
    const word between = add_comm({.size = 2, .rank = 1, .is_inter = true, .remote_size = 3});
    comms_of_test = 1;
    for (const int root : {0, 2, mpich::mpi_ROOT, mpich::mpi_PROC_NULL}) {
        EXPECT_EQ(init(root, between), 0) << root;
        EXPECT_EQ(mpi.Request_free(&request), 0);
    }
    EXPECT_EQ(init(3, between), mpich::mpi_ERR_ROOT) << "the other group has three processes";
}

TEST_F(PersistentCollectives, AFailureToMakeTheCommunicatorLeavesNothing) {
    FAKE(Comm_create)::fail();
    EXPECT_EQ(init(0), a_code);
    EXPECT_EQ(request, no_request);
    FAKE(Comm_group)::fail();
    EXPECT_EQ(init(0), a_code);
    FAKE(Topo_test)::fail();
    EXPECT_EQ(init(0), a_code);
}

// `Function` is the library's function that creates a communicator with this topology.
template <class Function, class... Queries>
void expect_copy_of(int topology, handle& request) {
    const word with_topology = add_comm({.topology = topology});
    const auto init_on_it = [&] {
        return mpi.Bcast_init(nullptr, 3, mpich::mpi_INT, 0, with_topology, mpich::mpi_INFO_NULL, &request);
    };
    EXPECT_EQ(init_on_it(), 0);
    EXPECT_EQ(count_calls(Function::name), 1);
    EXPECT_EQ(count_calls("Comm_create"), 0);
    EXPECT_EQ(mpi.Start(&request), 0);
    EXPECT_NE(used_comm, with_topology);
    complete_all();
    EXPECT_EQ(mpi.Wait(&request, nullptr), 0);
    EXPECT_EQ(mpi.Request_free(&request), 0);
    const auto fail = [&](auto set_failure) {
        set_failure(1, a_code);
        EXPECT_EQ(init_on_it(), a_code);
        EXPECT_EQ(request, no_request);
    };
    (fail(Queries::fail), ..., fail(Function::fail));
}

TEST_F(PersistentCollectives, TheirCommunicatorHasTheTopologyOfTheProgramsOne) {
    comms_of_test = 3;
    expect_copy_of<FAKE(Cart_create), FAKE(Cartdim_get), FAKE(Cart_get)>(mpich::mpi_CART, request);
    expect_copy_of<FAKE(Graph_create), FAKE(Graphdims_get), FAKE(Graph_get)>(mpich::mpi_GRAPH, request);
    expect_copy_of<FAKE(Dist_graph_create_adjacent), FAKE(Dist_graph_neighbors_count), FAKE(Dist_graph_neighbors)>(
        mpich::mpi_DIST_GRAPH, request);
}

TEST_F(PersistentCollectives, AStartThatFailsCanBeRepeated) {
    EXPECT_EQ(init(0), 0);
    FAKE(Ibcast)::fail();
    EXPECT_EQ(mpi.Start(&request), a_code);
    int flag = 0;
    EXPECT_EQ(mpi.Test(&request, &flag, nullptr), 0);
    EXPECT_EQ(flag, 1) << "it is inactive";
    EXPECT_EQ(mpi.Start(&request), 0);
    complete_all();
    EXPECT_EQ(mpi.Wait(&request, nullptr), 0);
}

TEST_F(PersistentCollectives, AnActiveOneIsNotStarted) {
    EXPECT_EQ(init(0), 0);
    EXPECT_EQ(mpi.Start(&request), 0);
    EXPECT_EQ(mpi.Start(&request), mpich::mpi_ERR_REQUEST);
    EXPECT_EQ(count_calls("Ibcast"), 1);
    complete_all();
    EXPECT_EQ(mpi.Wait(&request, nullptr), 0);
}

TEST_F(PersistentCollectives, AnErrorIsForgottenAtTheNextStart) {
    EXPECT_EQ(init(0), 0);
    EXPECT_EQ(mpi.Start(&request), 0);
    complete(last_request(), a_code);
    EXPECT_EQ(mpi.Wait(&request, nullptr), a_code);
    EXPECT_EQ(mpi.Start(&request), 0);
    complete(last_request());
    EXPECT_EQ(mpi.Wait(&request, nullptr), 0);
}

TEST_F(PersistentCollectives, StartallStopsAtTheFirstFailure) {
    handle all[3] = {no_request, no_request, no_request};
    for (handle& each : all)
        EXPECT_EQ(mpi.Bcast_init(nullptr, 3, mpich::mpi_INT, 0, world, mpich::mpi_INFO_NULL, &each), 0);
    FAKE(Ibcast)::fail(2);
    EXPECT_EQ(mpi.Startall(3, all), a_code);
    EXPECT_EQ(count_calls("Ibcast"), 2);
    complete_all();
    EXPECT_EQ(mpi.Waitall(3, all, nullptr), 0);
    for (handle& each : all)
        EXPECT_EQ(mpi.Request_free(&each), 0);
}

TEST_F(PersistentCollectives, TheProgramMayFreeItsDatatype) {
    handle type = add_datatype({4, 0, 4});
    EXPECT_EQ(init(0, world, type), 0);
    EXPECT_EQ(mpi.Type_free(&type), 0);
    EXPECT_EQ(type, mpich::mpi_DATATYPE_NULL);
    EXPECT_EQ(count_datatypes(), 1) << "starts still need it";
    EXPECT_EQ(mpi.Start(&request), 0);
    complete_all();
    EXPECT_EQ(mpi.Wait(&request, nullptr), 0);
    EXPECT_EQ(count_datatypes(), 1);
    EXPECT_EQ(mpi.Request_free(&request), 0);
    EXPECT_EQ(count_datatypes(), 0);
}

TEST_F(PersistentCollectives, ADatatypeOfTwoRequestsIsFreedAfterBoth) {
    handle type = add_datatype({4, 0, 4});
    handle other = no_request;
    EXPECT_EQ(init(0, world, type), 0);
    EXPECT_EQ(mpi.Bcast_init(nullptr, 3, type, 0, world, mpich::mpi_INFO_NULL, &other), 0);
    EXPECT_EQ(mpi.Type_free(&type), 0);
    EXPECT_EQ(mpi.Request_free(&other), 0);
    EXPECT_EQ(count_datatypes(), 1);
    EXPECT_EQ(mpi.Request_free(&request), 0);
    EXPECT_EQ(count_datatypes(), 0);
}

TEST_F(PersistentCollectives, OneThatIsFreedWhileActiveEndsLater) {
    EXPECT_EQ(init(0), 0);
    EXPECT_EQ(mpi.Start(&request), 0);
    EXPECT_EQ(mpi.Request_free(&request), 0);
    EXPECT_EQ(request, no_request);
    EXPECT_EQ(count_comms(), 1) << "its operation is pending";
    complete_all();
    EXPECT_EQ(init(0), 0); // this call frees the records of freed requests
    EXPECT_EQ(count_comms(), 1);
}

TEST_F(PersistentCollectives, AnInactiveOneCannotBeCancelled) {
    EXPECT_EQ(init(0), 0);
    EXPECT_EQ(mpi.Cancel(&request), mpich::mpi_ERR_REQUEST);
}

} // namespace
