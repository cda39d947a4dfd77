// Persistent point-to-point requests: several rounds, inactive requests in completion calls, cancelling.
// ranks: 1 2 4
#include "complete.h"

static int left, right;

typedef int init_function(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

static void rounds(init_function* init, int tag) {
    int out = -1, in = -1;
    MPI_Request requests[2], before[2];
    CHECK_OK(MPI_Recv_init(&in, 1, MPI_INT, left, tag, MPI_COMM_WORLD, &requests[0]));
    CHECK_OK(init(&out, 1, MPI_INT, right, tag, MPI_COMM_WORLD, &requests[1]));
    memcpy(before, requests, sizeof before);
    for (int round = 0; round < 10; round++) {
        MPI_Status status = check_dirty_status();
        out = 100 * round + check_rank;
        CHECK_OK(MPI_Start(&requests[0]));
        CHECK_OK(MPI_Barrier(MPI_COMM_WORLD)); // ready mode: every rank has posted its receive
        CHECK_OK(MPI_Start(&requests[1]));
        CHECK_OK(MPI_Wait(&requests[0], &status));
        CHECK_STATUS(status, left, tag, MPI_INT, 1);
        CHECK_INT(status.MPI_ERROR, -12347);
        complete(&requests[1]);
        CHECK_INT(in, 100 * round + left);
        CHECK_BYTES(requests, before, sizeof before);
    }
    CHECK_OK(MPI_Request_free(&requests[0]));
    CHECK_OK(MPI_Request_free(&requests[1]));
    CHECK_SAME(requests[0], MPI_REQUEST_NULL);
    CHECK_SAME(requests[1], MPI_REQUEST_NULL);
}

static void start_all(void) {
    enum { many = 50 };
    int out[many], in[many];
    MPI_Request requests[2 * many];
    MPI_Status statuses[2 * many];
    CASE("startall");
    for (int i = 0; i < many; i++) {
        CHECK_OK(MPI_Recv_init(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &requests[2 * i]));
        CHECK_OK(MPI_Send_init(&out[i], 1, MPI_INT, right, i, MPI_COMM_WORLD, &requests[2 * i + 1]));
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < many; i++)
            out[i] = 1000 * round + 10 * i + check_rank;
        for (int i = 0; i < 2 * many; i++)
            statuses[i] = check_dirty_status();
        CHECK_OK(MPI_Startall(2 * many, requests));
        CHECK_OK(MPI_Waitall(2 * many, requests, statuses));
        for (int i = 0; i < many; i++) {
            CHECK_INT(in[i], 1000 * round + 10 * i + left);
            CHECK_STATUS(statuses[2 * i], left, i, MPI_INT, 1);
            CHECK_INT(statuses[2 * i].MPI_ERROR, MPI_SUCCESS);
        }
        CHECK_OK(MPI_Barrier(MPI_COMM_WORLD)); // keeps the wildcard receives of the rounds apart
    }
    CHECK_OK(MPI_Startall(0, requests));
    for (int i = 0; i < 2 * many; i++)
        CHECK_OK(MPI_Request_free(&requests[i]));
}

static void check_empty(const MPI_Status* status) {
    int cancelled = -1;
    CHECK_STATUS(*status, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_INT, 0);
    CHECK_OK(MPI_Test_cancelled(status, &cancelled));
    CHECK_INT(cancelled, 0);
}

static void inactive(void) {
    int data = 0, flag = 0;
    MPI_Request request, before;
    MPI_Status status = check_dirty_status();
    CASE("inactive");
    CHECK_OK(MPI_Recv_init(&data, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &request));
    before = request;
    CHECK_OK(MPI_Wait(&request, &status));
    check_empty(&status);
    status = check_dirty_status();
    CHECK_OK(MPI_Test(&request, &flag, &status));
    CHECK_INT(flag, 1);
    check_empty(&status);
    flag = 0;
    status = check_dirty_status();
    CHECK_OK(MPI_Request_get_status(request, &flag, &status));
    CHECK_INT(flag, 1);
    check_empty(&status);
    CHECK_SAME(request, before);
    CHECK_OK(MPI_Request_free(&request));
}

static void no_process(void) {
    int data = 9;
    MPI_Request requests[2];
    MPI_Status statuses[2] = {check_dirty_status(), check_dirty_status()};
    CASE("proc null");
    CHECK_OK(MPI_Recv_init(&data, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]));
    CHECK_OK(MPI_Send_init(&data, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[1]));
    for (int round = 0; round < 2; round++) {
        CHECK_OK(MPI_Startall(2, requests));
        CHECK_OK(MPI_Waitall(2, requests, statuses));
        // MPICH (3.4.3 to 5.0.2) returns the empty status instead of the status of MPI_PROC_NULL.
        int source =
            statuses[0].MPI_SOURCE == MPI_ANY_SOURCE && !check_runtime_is("Open MPI") ? MPI_ANY_SOURCE : MPI_PROC_NULL;
        CHECK_STATUS(statuses[0], source, MPI_ANY_TAG, MPI_INT, 0);
    }
    CHECK_INT(data, 9);
    CHECK_OK(MPI_Request_free(&requests[0]));
    CHECK_OK(MPI_Request_free(&requests[1]));
}

static void cancel(void) {
    int data = 0, cancelled = -1;
    MPI_Request request;
    MPI_Status status = check_dirty_status();
    CASE("cancelled receive");
    CHECK_OK(MPI_Recv_init(&data, 1, MPI_INT, left, 999, MPI_COMM_WORLD, &request));
    CHECK_OK(MPI_Start(&request));
    CHECK_OK(MPI_Cancel(&request));
    CHECK_OK(MPI_Wait(&request, &status));
    CHECK_OK(MPI_Test_cancelled(&status, &cancelled));
    CHECK_INT(cancelled, 1);
    MPI_Status copy = status;
    cancelled = -1;
    CHECK_OK(MPI_Test_cancelled(&copy, &cancelled));
    CHECK_INT(cancelled, 1);
    CHECK_OK(MPI_Request_free(&request));

    CASE("cancelled nonpersistent receive");
    CHECK_OK(MPI_Irecv(&data, 1, MPI_INT, left, 998, MPI_COMM_WORLD, &request));
    CHECK_OK(MPI_Cancel(&request));
    CHECK_OK(MPI_Wait(&request, &status));
    CHECK_OK(MPI_Test_cancelled(&status, &cancelled));
    CHECK_INT(cancelled, 1);
    CHECK_SAME(request, MPI_REQUEST_NULL);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    static char buffer[100000];
    void* detached;
    int size;
    left = (check_rank + check_ranks - 1) % check_ranks;
    right = (check_rank + 1) % check_ranks;
    CHECK_OK(MPI_Buffer_attach(buffer, sizeof buffer));
    CASE("send_init"), rounds(MPI_Send_init, 1);
    CASE("ssend_init"), rounds(MPI_Ssend_init, 2);
    CASE("rsend_init"), rounds(MPI_Rsend_init, 3);
    CASE("bsend_init"), rounds(MPI_Bsend_init, 4);
    CHECK_OK(MPI_Buffer_detach(&detached, &size));
    start_all();
    inactive();
    no_process();
    cancel();
    return check_end();
}
