// Persistent collective operations: each form once, then several rounds of the same request.
// ranks: 1 2 3 4
#include "complete.h"

// Starts a request, completes it, checks that the handle is unchanged, and frees it.
static int run_once(MPI_Request* request) {
    MPI_Request before = *request;
    return CHECK_OK(MPI_Start(request)) && complete(request) && CHECK_SAME(*request, before) &&
           CHECK_OK(MPI_Request_free(request)) && CHECK_SAME(*request, MPI_REQUEST_NULL);
}

static MPI_Request request;
#define CALL(name, lower, ...)                                                                                         \
    (OFFERED(MPI_##name##_init, (__VA_ARGS__, MPI_INFO_NULL, &request)) && run_once(&request))
typedef int count_t;
typedef int displacement_t;
enum { blocking = 0 };
#include "collectives.h"

static void rounds(void) {
    enum { many = 3 };
    MPI_Request requests[many];
    int mine[many], sums[many], n = check_ranks;
    CASE("rounds");
    for (int i = 0; i < many; i++)
        if (!OFFERED(MPI_Allreduce_init,
                     (&mine[i], &sums[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[i])))
            return;
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < many; i++)
            mine[i] = check_rank * (round + 1) + i;
        CHECK_OK(MPI_Startall(many, requests));
        CHECK_OK(MPI_Waitall(many, requests, MPI_STATUSES_IGNORE));
        for (int i = 0; i < many; i++)
            CHECK_INT(sums[i], n * (n - 1) / 2 * (round + 1) + n * i);
    }
    for (int i = 0; i < many; i++)
        CHECK_OK(MPI_Request_free(&requests[i]));
}

enum { longest = 3000, past_end = 8 };
static int sent[4 * longest + past_end], got[4 * longest + past_end];
static int sent_at_once[4 * longest + past_end], got_at_once[4 * longest + past_end];

// One operation with `n` integers for each process: persistent, or blocking if `request` is NULL.
enum operation { gathering, gathering_all, scattering, broadcasting, exchanging, reducing, reducing_all, operations };
static int operate(enum operation which, int n, int root, int* from, int* to, MPI_Request* request) {
    const MPI_Comm all = MPI_COMM_WORLD;
    const MPI_Info none = MPI_INFO_NULL;
    switch (which) {
    case gathering:
        return request ? MPI_Gather_init(from, n, MPI_INT, to, n, MPI_INT, root, all, none, request)
                       : MPI_Gather(from, n, MPI_INT, to, n, MPI_INT, root, all);
    case gathering_all:
        return request ? MPI_Allgather_init(from, n, MPI_INT, to, n, MPI_INT, all, none, request)
                       : MPI_Allgather(from, n, MPI_INT, to, n, MPI_INT, all);
    case scattering:
        return request ? MPI_Scatter_init(from, n, MPI_INT, to, n, MPI_INT, root, all, none, request)
                       : MPI_Scatter(from, n, MPI_INT, to, n, MPI_INT, root, all);
    case broadcasting:
        return request ? MPI_Bcast_init(to, n, MPI_INT, root, all, none, request)
                       : MPI_Bcast(to, n, MPI_INT, root, all);
    case exchanging:
        return request ? MPI_Alltoall_init(from, n, MPI_INT, to, n, MPI_INT, all, none, request)
                       : MPI_Alltoall(from, n, MPI_INT, to, n, MPI_INT, all);
    case reducing:
        return request ? MPI_Reduce_init(from, to, n, MPI_INT, MPI_SUM, root, all, none, request)
                       : MPI_Reduce(from, to, n, MPI_INT, MPI_SUM, root, all);
    default:
        return request ? MPI_Allreduce_init(from, to, n, MPI_INT, MPI_SUM, all, none, request)
                       : MPI_Allreduce(from, to, n, MPI_INT, MPI_SUM, all);
    }
}

// Each start reads the current contents of the buffers and writes the same result as the blocking operation, and
// nothing else.
static void new_data_at_each_start(void) {
    const int lengths[] = {1, longest};
    for (int which = 0; which < operations; which++)
        for (int i = 0; i < 2; i++) {
            const int n = lengths[i], root = check_ranks - 1;
            MPI_Request request;
            CASE("new data at each start");
            if (!OFFERED(operate, (which, n, root, sent, got, &request)))
                return;
            for (int round = 0; round < 3; round++) {
                for (int k = 0; k < 4 * longest + past_end; k++) {
                    sent[k] = sent_at_once[k] = 10000 * check_rank + 1000 * round + k;
                    got[k] = got_at_once[k] = -sent[k];
                }
                CHECK_OK(operate(which, n, root, sent_at_once, got_at_once, NULL));
                // From its fifth call, MPI_Reduce of MPICH 3.4.3 also writes the result at rank 0, even without anympi.
                if (which == reducing && check_rank != root)
                    got_at_once[0] = -sent[0];
                CHECK_OK(MPI_Start(&request));
                complete(&request);
                CHECK_BYTES(got, got_at_once, sizeof got);
            }
            CHECK_OK(MPI_Request_free(&request));
        }
}

// An inactive request is complete for every function.
static void inactive(void) {
    MPI_Request request;
    int flag = 0, index = 0, found = 0;
    CASE("inactive");
    if (!OFFERED(MPI_Barrier_init, (MPI_COMM_WORLD, MPI_INFO_NULL, &request)))
        return;
    CHECK_OK(MPI_Testall(1, &request, &flag, MPI_STATUSES_IGNORE));
    CHECK(flag);
    CHECK_OK(MPI_Testany(1, &request, &index, &flag, MPI_STATUS_IGNORE));
    CHECK(flag && index == MPI_UNDEFINED);
    CHECK_OK(MPI_Testsome(1, &request, &found, &index, MPI_STATUSES_IGNORE));
    CHECK_INT(found, MPI_UNDEFINED);
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Waitall(1, &request, MPI_STATUSES_IGNORE));
    CHECK_OK(MPI_Request_free(&request));
}

// The array of datatypes belongs to the request until the request is freed: the program may change its own array at
// once.
static void alltoallw_rounds(void) {
    int out[4] = {0}, in[4] = {0}, counts[4], displacements[4];
    MPI_Datatype types[4];
    MPI_Request persistent;
    CASE("alltoallw rounds");
    for (int i = 0; i < check_ranks; i++) {
        counts[i] = 1;
        displacements[i] = i * (int)sizeof(int);
        types[i] = MPI_INT;
    }
    if (!OFFERED(MPI_Alltoallw_init, (out, counts, displacements, types, in, counts, displacements, types,
                                      MPI_COMM_WORLD, MPI_INFO_NULL, &persistent)))
        return;
    for (int i = 0; i < check_ranks; i++)
        types[i] = MPI_DATATYPE_NULL;
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < check_ranks; i++)
            out[i] = 100 * round + 10 * check_rank + i;
        CHECK_OK(MPI_Start(&persistent));
        complete(&persistent);
        for (int i = 0; i < check_ranks; i++)
            CHECK_INT(in[i], 100 * round + 10 * i + check_rank);
    }
    CHECK_OK(MPI_Request_free(&persistent));
}

static void add(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *length; i++)
        ((int*)inout)[i] += ((int*)in)[i];
}

// The program may free objects that the request needs before the request is started.
static void freed_before_use(void) {
    MPI_Datatype pair;
    MPI_Op op;
    MPI_Request requests[2];
    int values[2] = {0, 0}, sum = 0, n = check_ranks;
    CASE("datatype and operation freed before use");
    CHECK_OK(MPI_Type_contiguous(2, MPI_INT, &pair));
    CHECK_OK(MPI_Type_commit(&pair));
    CHECK_OK(MPI_Op_create(add, 1, &op));
    if (OFFERED(MPI_Bcast_init, (values, 1, pair, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]))) {
        CHECK_OK(MPI_Allreduce_init(&check_rank, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
        CHECK_OK(MPI_Type_free(&pair));
        CHECK_SAME(pair, MPI_DATATYPE_NULL);
        CHECK_OK(MPI_Op_free(&op));
        CHECK_SAME(op, MPI_OP_NULL);
        for (int round = 1; round < 4; round++) {
            values[0] = check_rank == 0 ? round : -1;
            values[1] = check_rank == 0 ? round + 1 : -1;
            CHECK_OK(MPI_Startall(2, requests));
            CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
            CHECK(values[0] == round && values[1] == round + 1);
            CHECK_INT(sum, n * (n - 1) / 2);
        }
        CHECK_OK(MPI_Request_free(&requests[0]));
        CHECK_OK(MPI_Request_free(&requests[1]));
    } else {
        MPI_Type_free(&pair);
        MPI_Op_free(&op);
    }
}

// Processes create the requests in the same order, but may start them in different orders.
static void other_orders(void) {
    MPI_Request requests[2];
    int sum = -1, largest = -1, n = check_ranks, mine = check_rank + 1;
    CASE("started in different orders");
    if (!OFFERED(MPI_Allreduce_init, (&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0])))
        return;
    CHECK_OK(MPI_Allreduce_init(&mine, &largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
    for (int round = 0; round < 3; round++) {
        int first = (check_rank + round) % 2;
        sum = largest = -1;
        CHECK_OK(MPI_Start(&requests[first]));
        CHECK_OK(MPI_Start(&requests[1 - first]));
        CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        CHECK_INT(sum, n * (n + 1) / 2);
        CHECK_INT(largest, n);
    }
    CASE("predefined datatype of a persistent operation");
    MPI_Datatype predefined = MPI_INT;
    CHECK_CLASS(MPI_Type_free(&predefined), MPI_ERR_TYPE, MPI_ERR_ARG);
    CHECK_OK(MPI_Request_free(&requests[0]));
    CHECK_OK(MPI_Request_free(&requests[1]));
}

static int copies;
static int count_copy(MPI_Comm comm, int keyval, void* state, void* value, void* copy, int* flag) {
    (void)comm, (void)keyval, (void)state, (void)value, (void)copy;
    copies++;
    *flag = 0;
    return MPI_SUCCESS;
}

// The library must not copy the attributes of the communicator, and the program may free the communicator before the
// operation is started.
static void freed_communicator(void) {
    MPI_Comm comm;
    MPI_Request request;
    int keyval = MPI_KEYVAL_INVALID, sum = -1, n = check_ranks;
    CASE("communicator freed before use");
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_OK(MPI_Comm_create_keyval(count_copy, MPI_COMM_NULL_DELETE_FN, &keyval, NULL));
    CHECK_OK(MPI_Comm_set_attr(comm, keyval, &sum));
    if (OFFERED(MPI_Allreduce_init, (&check_rank, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request))) {
        CHECK_INT(copies, 0);
        CHECK_OK(MPI_Comm_free(&comm));
        for (int round = 0; round < 3; round++) {
            sum = -1;
            CHECK_OK(MPI_Start(&request));
            CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
            CHECK_INT(sum, n * (n - 1) / 2);
        }
        CHECK_OK(MPI_Request_free(&request));
    } else {
        MPI_Comm_free(&comm);
    }
    CHECK_OK(MPI_Comm_free_keyval(&keyval));
}

static void freed_datatypes_of_an_array(void) {
    int out[4], in[4], counts[4], displacements[4];
    MPI_Datatype types[4];
    MPI_Request request;
    CASE("datatypes of an array freed before use");
    for (int i = 0; i < check_ranks; i++) {
        counts[i] = 1;
        displacements[i] = i * (int)sizeof(int);
        CHECK_OK(MPI_Type_contiguous(1, MPI_INT, &types[i]));
        CHECK_OK(MPI_Type_commit(&types[i]));
    }
    const int offered = OFFERED(MPI_Alltoallw_init, (out, counts, displacements, types, in, counts, displacements,
                                                     types, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    for (int i = 0; i < check_ranks; i++) {
        CHECK_OK(MPI_Type_free(&types[i]));
        CHECK_OK(MPI_Type_contiguous(7, MPI_DOUBLE, &types[i])); // may reuse the memory of the previous one
    }
    for (int round = 0; round < 3 && offered; round++) {
        for (int i = 0; i < check_ranks; i++) {
            out[i] = 100 * round + 10 * check_rank + i;
            in[i] = -1;
        }
        CHECK_OK(MPI_Start(&request));
        CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        for (int i = 0; i < check_ranks; i++)
            CHECK_INT(in[i], 100 * round + 10 * i + check_rank);
    }
    for (int i = 0; i < check_ranks; i++)
        CHECK_OK(MPI_Type_free(&types[i]));
    if (offered)
        CHECK_OK(MPI_Request_free(&request));
}

// A graph in which each process has an edge to the next one.
static void neighbors_of_a_graph(void) {
    int ends[4], edges[4], n = check_ranks, mine = 100 + check_rank, got = -1;
    MPI_Comm graph;
    MPI_Request request;
    CASE("neighbours of a graph");
    for (int i = 0; i < n; i++) {
        ends[i] = i + 1;
        edges[i] = (i + 1) % n;
    }
    CHECK_OK(MPI_Graph_create(MPI_COMM_WORLD, n, ends, edges, 0, &graph));
    if (OFFERED(MPI_Neighbor_allgather_init, (&mine, 1, MPI_INT, &got, 1, MPI_INT, graph, MPI_INFO_NULL, &request))) {
        if (n <= 2) { // if two processes share an edge, they share one in each direction
            CHECK_OK(MPI_Start(&request));
            CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
            CHECK_INT(got, 100 + (check_rank + 1) % n);
        }
        CHECK_OK(MPI_Request_free(&request));
    }
    CHECK_OK(MPI_Comm_free(&graph));
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    all_collectives();
    rounds();
    new_data_at_each_start();
    inactive();
    alltoallw_rounds();
    other_orders();
    neighbors_of_a_graph();
    if (!check_runtime_is("Open MPI")) { // Open MPI's own persistent operations do not survive that (4.1.4 to 5.0.11)
        freed_before_use();
        freed_communicator();
        freed_datatypes_of_an_array();
    }
    return check_end();
}
