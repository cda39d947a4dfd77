// Partitioned communication: partitions marked as ready one by one, in ranges and lists, and tested on the other side.
// ranks: 1 2
#include "check.h"

enum { partitions = 4, each = 3 };

static int out[partitions * each], in[partitions * each];

static void fill(int first) {
    for (int i = 0; i < partitions * each; i++) {
        out[i] = first + i;
        in[i] = -1;
    }
}

// Rank 0 sends to the last rank; with one rank, to itself.
static void transfer(MPI_Request* requests, int count, int round) {
    int order[2] = {3, 1}, flag = 0;
    MPI_Status status[2];
    CASE("partitions ready and arrived");
    fill(1000 * round);
    CHECK_OK(MPI_Startall(count, requests));
    if (check_rank == 0) {
        MPI_Request send = requests[count - 1];
        CHECK_OK(MPI_Pready(2, send));
        CHECK_OK(MPI_Pready_list(2, order, send));
        CHECK_OK(MPI_Pready_range(0, 0, send));
    }
    if (check_rank == check_ranks - 1) {
        int code = MPI_SUCCESS;
        while (!flag && code == MPI_SUCCESS)
            code = MPI_Parrived(requests[0], 1, &flag);
        CHECK_OK(code);
        for (int i = each; i < 2 * each; i++)
            CHECK_INT(in[i], 1000 * round + i);
    }
    CHECK_OK(MPI_Waitall(count, requests, status));
    for (int i = 0; i < count; i++) {
        CHECK(requests[i] != MPI_REQUEST_NULL); // persistent: inactive now, and can be started again
        CHECK_INT(status[i].MPI_ERROR, MPI_SUCCESS);
    }
    if (check_rank == check_ranks - 1) {
        CHECK_BYTES(in, out, sizeof out);
        CHECK_INT(status[0].MPI_SOURCE, 0);
        CHECK_INT(status[0].MPI_TAG, 17);
    }
}

static int created(MPI_Request* requests) {
    int count = 0, offered = 1;
    CASE("Psend_init, Precv_init");
    if (check_rank == check_ranks - 1)
        offered = OFFERED(MPI_Precv_init,
                          (in, partitions, each, MPI_INT, 0, 17, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[count++]));
    if (check_rank == 0)
        offered = OFFERED(MPI_Psend_init, (out, partitions, each, MPI_INT, check_ranks - 1, 17, MPI_COMM_WORLD,
                                           MPI_INFO_NULL, &requests[count++]));
    if (!offered)
        CHECK_SAME(requests[0], MPI_REQUEST_NULL); // a call that fails does not change the request
    return offered ? count : 0;
}

// The official header has these functions as well as the others; libraries that follow the text of MPI 5.0 lack them.
static int created_large(MPI_Request* requests) {
    int count = 0, offered = 1;
    CASE("Psend_init_c, Precv_init_c");
    if (check_rank == check_ranks - 1)
        offered = OFFERED(MPI_Precv_init_c,
                          (in, partitions, each, MPI_INT, 0, 17, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[count++]));
    if (check_rank == 0)
        offered = OFFERED(MPI_Psend_init_c, (out, partitions, each, MPI_INT, check_ranks - 1, 17, MPI_COMM_WORLD,
                                             MPI_INFO_NULL, &requests[count++]));
    return offered ? count : 0;
}

static void use(MPI_Request* requests, int count) {
    if (!count)
        return;
    transfer(requests, count, 1);
    transfer(requests, count, 2);
    for (int i = 0; i < count; i++) {
        CHECK_OK(MPI_Request_free(&requests[i]));
        CHECK_SAME(requests[i], MPI_REQUEST_NULL);
    }
}

static void errors(void) {
    MPI_Request request = MPI_REQUEST_NULL;
    CASE("errors");
    CHECK_CLASS(MPI_Psend_init(out, partitions, each, MPI_INT, check_ranks, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
                MPI_ERR_RANK);
    CHECK_CLASS(MPI_Psend_init(out, partitions, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
                MPI_ERR_COUNT, MPI_ERR_ARG);
}

// ---- properties of the front's own implementation, for runtimes without one ----

static MPI_Request make_send(const void* buffer, int count, int length, int tag) {
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_OK(
        MPI_Psend_init(buffer, count, length, MPI_INT, check_ranks - 1, tag, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    return request;
}
static MPI_Request make_receive(void* buffer, int count, int length, int tag) {
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_OK(MPI_Precv_init(buffer, count, length, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    return request;
}
static int sends(void) {
    return check_rank == 0;
}
static int receives(void) {
    return check_rank == check_ranks - 1;
}

// Pairs are matched in the order of their creation, whatever the order of their starts, and match no other message.
static void matched_by_order_of_making(void) {
    enum { pairs = 3 };
    MPI_Request send[pairs], receive[pairs];
    int values[pairs] = {10, 20, 30}, got[pairs] = {-1, -1, -1}, plain = 99, plain_got = -1;
    CASE("matched by the order of making");
    for (int i = 0; i < pairs; i++) {
        if (sends())
            send[i] = make_send(&values[i], 1, 1, 23);
        if (receives())
            receive[i] = make_receive(&got[i], 1, 1, 23);
    }
    for (int i = 0; i < pairs && receives(); i++)
        CHECK_OK(MPI_Start(&receive[i]));
    MPI_Request other = MPI_REQUEST_NULL;
    if (sends())
        CHECK_OK(MPI_Isend(&plain, 1, MPI_INT, check_ranks - 1, 23, MPI_COMM_WORLD, &other));
    for (int i = pairs - 1; i >= 0 && sends(); i--) {
        CHECK_OK(MPI_Start(&send[i]));
        CHECK_OK(MPI_Pready(0, send[i]));
    }
    if (receives()) {
        CHECK_OK(MPI_Recv(&plain_got, 1, MPI_INT, 0, 23, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_INT(plain_got, 99);
        CHECK_OK(MPI_Waitall(pairs, receive, MPI_STATUSES_IGNORE));
        CHECK_BYTES(got, values, sizeof got);
    }
    if (sends())
        CHECK_OK(MPI_Waitall(pairs, send, MPI_STATUSES_IGNORE));
    CHECK_OK(MPI_Wait(&other, MPI_STATUS_IGNORE));
    for (int i = 0; i < pairs; i++) {
        if (sends())
            CHECK_OK(MPI_Request_free(&send[i]));
        if (receives())
            CHECK_OK(MPI_Request_free(&receive[i]));
    }
}

// The sides divide the same data differently; the operation is not complete before the last partition is ready.
static void divided_differently(void) {
    MPI_Request send = MPI_REQUEST_NULL, receive = MPI_REQUEST_NULL;
    int flag = -1;
    CASE("divided differently");
    if (sends())
        send = make_send(out, 6, 2, 24);
    if (receives())
        receive = make_receive(in, 3, 4, 24);
    for (int round = 0; round < 100; round++) {
        fill(round);
        if (receives())
            CHECK_OK(MPI_Start(&receive));
        if (sends()) {
            CHECK_OK(MPI_Start(&send));
            CHECK_OK(MPI_Pready_range(0, 4, send));
            CHECK_OK(MPI_Test(&send, &flag, MPI_STATUS_IGNORE));
            CHECK_INT(flag, 0);
            CHECK_OK(MPI_Pready(5, send));
            CHECK_OK(MPI_Wait(&send, MPI_STATUS_IGNORE));
        }
        if (receives()) {
            CHECK_OK(MPI_Wait(&receive, MPI_STATUS_IGNORE));
            CHECK_BYTES(in, out, sizeof out);
            CHECK_OK(MPI_Parrived(receive, 2, &flag)); // inactive
            CHECK_INT(flag, 1);
        }
    }
    if (sends())
        CHECK_OK(MPI_Request_free(&send));
    if (receives())
        CHECK_OK(MPI_Request_free(&receive));
}

static void without_data_or_peer(void) {
    MPI_Request request;
    int flag = 0;
    CASE("no partitions, no peer");
    request = MPI_REQUEST_NULL;
    CHECK_OK(MPI_Parrived(request, 0, &flag));
    CHECK_INT(flag, 1);
    CHECK_OK(MPI_Psend_init(out, 2, 1, MPI_INT, MPI_PROC_NULL, 25, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    CHECK_OK(MPI_Start(&request));
    CHECK_OK(MPI_Pready_range(0, 1, request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Request_free(&request));
    CHECK_OK(MPI_Precv_init(in, 2, 1, MPI_INT, MPI_PROC_NULL, 25, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    MPI_Status status = check_dirty_status();
    CHECK_OK(MPI_Start(&request));
    CHECK_OK(MPI_Wait(&request, &status));
    CHECK_STATUS(status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    CHECK_OK(MPI_Request_free(&request));
    CHECK_OK(MPI_Psend_init(out, 0, 0, MPI_INT, MPI_PROC_NULL, 25, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    CHECK_OK(MPI_Start(&request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE)); // it has no partition to mark as ready
    CHECK_OK(MPI_Request_free(&request));
}

static void mistakes(void) {
    MPI_Request send;
    int outside = 4, flag;
    CASE("mistakes");
    CHECK_OK(MPI_Psend_init(out, 4, 1, MPI_INT, MPI_PROC_NULL, 26, MPI_COMM_WORLD, MPI_INFO_NULL, &send));
    CHECK_CLASS(MPI_Pready(0, send), MPI_ERR_REQUEST); // inactive
    CHECK_OK(MPI_Start(&send));
    CHECK_CLASS(MPI_Start(&send), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Pready(4, send), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Pready(-1, send), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Pready_list(1, &outside, send), MPI_ERR_ARG);
    CHECK_OK(MPI_Pready(1, send));
    CHECK_CLASS(MPI_Pready(1, send), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Parrived(send, 0, &flag), MPI_ERR_REQUEST);
    CHECK_OK(MPI_Request_free(&send)); // it was never started
    CHECK_CLASS(MPI_Psend_init(out, 1, 1, MPI_INT, 0, INT_MAX / 2, MPI_COMM_WORLD, MPI_INFO_NULL, &send), MPI_ERR_TAG);
    CHECK_CLASS(MPI_Precv_init(in, 1, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &send),
                MPI_ERR_RANK);
    CHECK_CLASS(MPI_Precv_init(in, 1, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &send), MPI_ERR_TAG);
    CHECK_CLASS(MPI_Psend_init(out, -1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &send), MPI_ERR_ARG);
}

static int reports;
static void count_report(MPI_Comm* comm, int* code, ...) {
    (void)comm, (void)code;
    reports++;
}

static void reported_once(void) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Errhandler counts;
    CASE("an error is reported once");
    CHECK_OK(MPI_Comm_create_errhandler(count_report, &counts));
    CHECK_OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, counts));
    CHECK_OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, counts));
    CHECK_CLASS(MPI_Psend_init(out, partitions, each, MPI_INT, 0, 0, MPI_COMM_NULL, MPI_INFO_NULL, &request),
                MPI_ERR_COMM);
    CHECK_INT(reports, 1);
    CHECK_OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_OK(MPI_Errhandler_free(&counts));
}

int main(int argc, char** argv) {
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int count;
    check_begin(&argc, &argv);
    count = created(requests);
    use(requests, count);
    if (count) {
        use(requests, created_large(requests));
        if (!check_runtime_is("Open MPI")) // Open MPI ends the job on a bad rank
            errors();
    }
    if (count && (check_mpich_major() == 3 || check_runtime_is("Open MPI v4"))) {
        matched_by_order_of_making();
        divided_differently();
        without_data_or_peer();
        mistakes();
        reported_once();
    }
    return check_end();
}
