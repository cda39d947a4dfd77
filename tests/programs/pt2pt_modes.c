// Point-to-point messages in all send modes, blocking and nonblocking, around a ring (with one rank: to itself).
// ranks: 1 2 3 4
#include "complete.h"

enum { many = 64, large = 300000 }; // a large message does not fit into any eager buffer

static int left, right;

static void fill(int* data, int n, int seed) {
    for (int i = 0; i < n; i++)
        data[i] = seed * 100003 + i;
}

static void check_data(const int* data, int n, int seed) {
    int bad = 0;
    for (int i = 0; i < n; i++)
        bad += data[i] != seed * 100003 + i;
    CHECK_INT(bad, 0);
}

// Every rank sends to the right and receives from the left; the receive is posted first, as ready mode requires.
typedef int start_function(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

static void exchange(start_function* start, int n, int tag, MPI_Comm comm) {
    int *out = malloc((size_t)n * sizeof *out), *in = calloc((size_t)n, sizeof *in);
    MPI_Request requests[2];
    MPI_Status status = check_dirty_status();
    fill(out, n, check_rank);
    CHECK_OK(MPI_Irecv(in, n, MPI_INT, left, tag, comm, &requests[0]));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(start(out, n, MPI_INT, right, tag, comm, &requests[1]));
    CHECK_OK(MPI_Wait(&requests[0], &status));
    CHECK_STATUS(status, left, tag, MPI_INT, n);
    CHECK_INT(status.MPI_ERROR, -12347); // a single completion does not write it
    CHECK_SAME(requests[0], MPI_REQUEST_NULL);
    check_data(in, n, left);
    complete(&requests[1]);
    CHECK_SAME(requests[1], MPI_REQUEST_NULL);
    free(out);
    free(in);
}

static void nonblocking_modes(MPI_Comm comm) {
    CASE("isend"), exchange(MPI_Isend, many, 1, comm);
    CASE("issend"), exchange(MPI_Issend, many, 2, comm);
    CASE("irsend"), exchange(MPI_Irsend, many, 3, comm);
    CASE("ibsend"), exchange(MPI_Ibsend, many, 4, comm);
    CASE("isend, large"), exchange(MPI_Isend, large, 5, comm);
    CASE("issend, large"), exchange(MPI_Issend, large, 6, comm);
}

static void blocking(int (*send)(const void*, int, MPI_Datatype, int, int, MPI_Comm), int n) {
    int *out = malloc((size_t)n * sizeof *out), *in = calloc((size_t)n, sizeof *in);
    MPI_Request request;
    MPI_Status status = check_dirty_status();
    fill(out, n, check_rank);
    CHECK_OK(MPI_Irecv(in, n, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(send(out, n, MPI_INT, right, 17, MPI_COMM_WORLD));
    CHECK_OK(MPI_Wait(&request, &status));
    CHECK_STATUS(status, left, 17, MPI_INT, n);
    check_data(in, n, left);
    free(out);
    free(in);
}

static void blocking_modes(void) {
    CASE("send"), blocking(MPI_Send, many);
    CASE("ssend"), blocking(MPI_Ssend, many);
    CASE("rsend"), blocking(MPI_Rsend, many);
    CASE("bsend"), blocking(MPI_Bsend, many);
    CASE("send, large"), blocking(MPI_Send, large);
}

static void exchange_nothing(void) {
    MPI_Request request;
    int out = 1, in = 2;
    CASE("isendrecv with nobody");
    CHECK_OK(MPI_Isendrecv(&out, 1, MPI_INT, MPI_PROC_NULL, 27, &in, 1, MPI_INT, MPI_PROC_NULL, 27, MPI_COMM_WORLD,
                           &request));
    complete(&request);
    CHECK_INT(in, 2);
}

// The program frees the datatype while it is in use; afterwards the number of datatypes is as before.
static void exchange_every_second(void) {
    MPI_Request request;
    MPI_Datatype every_second;
    MPI_Status status;
    CASE("isendrecv with a derived datatype");
    for (int round = 0; round < 20; round++) {
        int out[4] = {check_rank, -2, round, -3}, in[4] = {-1, -1, -1, -1};
        CHECK_OK(MPI_Type_vector(2, 1, 2, MPI_INT, &every_second));
        CHECK_OK(MPI_Type_commit(&every_second));
        CHECK_OK(
            MPI_Isendrecv(out, 1, every_second, right, 28, in, 1, every_second, left, 28, MPI_COMM_WORLD, &request));
        CHECK_OK(MPI_Type_free(&every_second));
        CHECK_OK(MPI_Wait(&request, &status));
        CHECK_STATUS(status, left, 28, MPI_INT, 2);
        CHECK(in[0] == left && in[1] == -1 && in[2] == round && in[3] == -1);
    }
}

static void sendrecv(void) {
    int out[many], in[many];
    MPI_Status status = check_dirty_status();
    CASE("sendrecv");
    fill(out, many, check_rank);
    CHECK_OK(MPI_Sendrecv(out, many, MPI_INT, right, 21, in, many, MPI_INT, left, 21, MPI_COMM_WORLD, &status));
    CHECK_STATUS(status, left, 21, MPI_INT, many);
    CHECK_INT(status.MPI_ERROR, -12347);
    check_data(in, many, left);
    CHECK_OK(MPI_Sendrecv(out, 5, MPI_INT, right, 22, in, many, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                          &status));
    CHECK_STATUS(status, left, 22, MPI_INT, 5);
    CHECK_OK(
        MPI_Sendrecv(out, many, MPI_INT, right, 23, in, many, MPI_INT, left, 23, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CASE("sendrecv_replace");
    CHECK_OK(MPI_Sendrecv_replace(out, many, MPI_INT, right, 24, left, 24, MPI_COMM_WORLD, &status));
    CHECK_STATUS(status, left, 24, MPI_INT, many);
    check_data(out, many, left);

    MPI_Request request = MPI_REQUEST_NULL;
    CASE("isendrecv");
    fill(out, many, check_rank);
    memset(in, 0, sizeof in);
    if (OFFERED(MPI_Isendrecv,
                (out, many - 3, MPI_INT, right, 25, in, many, MPI_INT, MPI_ANY_SOURCE, 25, MPI_COMM_WORLD, &request))) {
        CHECK_OK(MPI_Wait(&request, &status));
        CHECK_STATUS(status, left, 25, MPI_INT, many - 3);
        check_data(in, many - 3, left);
        exchange_nothing();
        exchange_every_second();
    }
    CASE("isendrecv_replace");
    if (OFFERED(MPI_Isendrecv_replace, (out, many, MPI_INT, right, 26, left, 26, MPI_COMM_WORLD, &request))) {
        CHECK_OK(MPI_Waitall(1, &request, &status));
        CHECK_STATUS(status, left, 26, MPI_INT, many);
        CHECK_SAME(request, MPI_REQUEST_NULL);
        check_data(out, many, left);
    }
}

// Every operation with MPI_PROC_NULL succeeds at once and moves nothing.
static void no_process(void) {
    int data = 7;
    MPI_Status status = check_dirty_status();
    MPI_Request requests[6];
    MPI_Comm comm = MPI_COMM_WORLD;
    CASE("proc null");
    CHECK_OK(MPI_Send(&data, 1, MPI_INT, MPI_PROC_NULL, 0, comm));
    CHECK_OK(MPI_Ssend(&data, 1, MPI_INT, MPI_PROC_NULL, 0, comm));
    CHECK_OK(MPI_Rsend(&data, 1, MPI_INT, MPI_PROC_NULL, 0, comm));
    CHECK_OK(MPI_Bsend(&data, 1, MPI_INT, MPI_PROC_NULL, 0, comm));
    CHECK_OK(MPI_Recv(&data, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &status));
    CHECK_STATUS(status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    status = check_dirty_status();
    CHECK_OK(MPI_Recv(&data, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, comm, &status));
    CHECK_STATUS(status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    status = check_dirty_status();
    CHECK_OK(MPI_Sendrecv(&data, 1, MPI_INT, MPI_PROC_NULL, 0, &data, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &status));
    CHECK_STATUS(status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    CHECK_OK(MPI_Sendrecv_replace(&data, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_PROC_NULL, 0, comm, &status));
    CHECK_STATUS(status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    CHECK_OK(MPI_Isend(&data, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &requests[0]));
    CHECK_OK(MPI_Issend(&data, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &requests[1]));
    CHECK_OK(MPI_Irsend(&data, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &requests[2]));
    CHECK_OK(MPI_Ibsend(&data, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &requests[3]));
    CHECK_OK(MPI_Irecv(&data, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &requests[4]));
    CHECK_OK(MPI_Irecv(&data, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &requests[5]));
    status = check_dirty_status();
    CHECK_OK(MPI_Wait(&requests[5], &status));
    CHECK_STATUS(status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    CHECK_OK(MPI_Waitall(5, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 6; i++)
        CHECK_SAME(requests[i], MPI_REQUEST_NULL);
    CHECK_INT(data, 7);
}

// Half of the exchange is with MPI_PROC_NULL; the data of the other half still arrives.
static void half_an_exchange(void) {
    int out = 100 + check_rank, in = -1, last = check_ranks - 1;
    MPI_Status status = check_dirty_status();
    CASE("open chain");
    CHECK_OK(MPI_Sendrecv(&out, 1, MPI_INT, check_rank == last ? MPI_PROC_NULL : right, 3, &in, 1, MPI_INT,
                          check_rank == 0 ? MPI_PROC_NULL : left, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    CHECK_INT(in, check_rank == 0 ? -1 : 100 + left);
    CHECK_STATUS(status, check_rank == 0 ? MPI_PROC_NULL : left, check_rank == 0 ? MPI_ANY_TAG : 3, MPI_INT,
                 check_rank == 0 ? 0 : 1);
}

// Messages with the smallest and the largest tag, received in reverse order.
static void tags(void) {
    int out[2] = {1, 2}, in[2] = {-1, -1}, flag, *bound = NULL;
    MPI_Request requests[2];
    CASE("tags");
    CHECK_OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &flag));
    CHECK_INT(flag, 1);
    CHECK_OK(MPI_Isend(&out[0], 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[0]));
    CHECK_OK(MPI_Isend(&out[1], 1, MPI_INT, right, *bound, MPI_COMM_WORLD, &requests[1]));
    MPI_Status status;
    CHECK_OK(MPI_Recv(&in[1], 1, MPI_INT, left, *bound, MPI_COMM_WORLD, &status));
    CHECK_STATUS(status, left, *bound, MPI_INT, 1);
    CHECK_OK(MPI_Recv(&in[0], 1, MPI_INT, left, 0, MPI_COMM_WORLD, &status));
    CHECK_STATUS(status, left, 0, MPI_INT, 1);
    CHECK_BYTES(in, out, sizeof in);
    CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
}

static void empty_messages_and_bottom(void) {
    MPI_Request request;
    MPI_Status status;
    CASE("empty message");
    CHECK_OK(MPI_Isend(NULL, 0, MPI_INT, right, 8, MPI_COMM_WORLD, &request));
    CHECK_OK(MPI_Recv(NULL, 0, MPI_INT, left, 8, MPI_COMM_WORLD, &status));
    CHECK_STATUS(status, left, 8, MPI_INT, 0);
    complete(&request);

    CASE("absolute addresses");
    int out = 55 + check_rank, in = -1, one = 1;
    MPI_Aint at;
    MPI_Datatype from, to, type = MPI_INT;
    CHECK_OK(MPI_Get_address(&out, &at));
    CHECK_OK(MPI_Type_create_struct(1, &one, &at, &type, &from));
    CHECK_OK(MPI_Get_address(&in, &at));
    CHECK_OK(MPI_Type_create_hindexed(1, &one, &at, type, &to));
    CHECK_OK(MPI_Type_commit(&from));
    CHECK_OK(MPI_Type_commit(&to));
    CHECK_OK(MPI_Sendrecv(MPI_BOTTOM, 1, from, right, 9, MPI_BOTTOM, 1, to, left, 9, MPI_COMM_WORLD, &status));
    CHECK_INT(in, 55 + left);
    CHECK_OK(MPI_Type_free(&from));
    CHECK_OK(MPI_Type_free(&to));
}

// One sender at a time, because only the status names the sender.
static void any_source(void) {
    CASE("any source");
    if (check_rank > 0) {
        CHECK_OK(MPI_Send(&check_rank, 1, MPI_INT, 0, 40 + check_rank, MPI_COMM_WORLD));
        return;
    }
    int seen = 0;
    for (int i = 1; i < check_ranks; i++) {
        int who = -1;
        MPI_Status status = check_dirty_status();
        CHECK_OK(MPI_Recv(&who, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
        CHECK_STATUS(status, who, 40 + who, MPI_INT, 1);
        seen |= 1 << who;
    }
    CHECK_INT(seen, (1 << check_ranks) - 2);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    static char buffer[100000];
    CHECK_OK(MPI_Buffer_attach(buffer, sizeof buffer));
    left = (check_rank + check_ranks - 1) % check_ranks;
    right = (check_rank + 1) % check_ranks;
    blocking_modes();
    nonblocking_modes(MPI_COMM_WORLD);
    MPI_Comm copy;
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    nonblocking_modes(copy);
    CHECK_OK(MPI_Comm_free(&copy));
    sendrecv();
    no_process();
    half_an_exchange();
    tags();
    empty_messages_and_bottom();
    any_source();
    void* detached;
    int size;
    CHECK_OK(MPI_Buffer_detach(&detached, &size));
    return check_end();
}
