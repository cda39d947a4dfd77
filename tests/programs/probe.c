// Probes that leave a message in the queue, and matched probes that take it out.
// ranks: 1 2 3
#include "complete.h"

static int left, right;

static void send_right(int n, int tag, MPI_Request* request) {
    static const int data[4] = {11, 22, 33, 44};
    CHECK_OK(MPI_Isend(data, n, MPI_INT, right, tag, MPI_COMM_WORLD, request));
}

static void check_received(const int* data, int n) {
    for (int i = 0; i < n; i++)
        CHECK_INT(data[i], 11 * (i + 1));
}

static void probe(void) {
    int in[4], flag = 0, count, code = MPI_SUCCESS;
    MPI_Request request;
    MPI_Status status = check_dirty_status();
    CASE("probe");
    send_right(3, 5, &request);
    CHECK_OK(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    CHECK_STATUS(status, left, 5, MPI_INT, 3);
    CHECK_OK(MPI_Get_elements(&status, MPI_BYTE, &count));
    CHECK_INT(count, 3 * (int)sizeof(int));
    CHECK_OK(MPI_Probe(left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)); // still there
    CHECK_OK(MPI_Recv(in, 4, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status));
    check_received(in, 3);
    complete(&request);

    CASE("iprobe");
    send_right(2, 6, &request);
    status = check_dirty_status();
    while (!flag && code == MPI_SUCCESS)
        code = MPI_Iprobe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &flag, &status);
    CHECK_OK(code);
    CHECK_STATUS(status, left, 6, MPI_INT, 2);
    CHECK_OK(MPI_Iprobe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    CHECK_INT(flag, 1);
    CHECK_OK(MPI_Recv(in, 4, MPI_INT, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    complete(&request);

    CASE("iprobe without a message");
    status = check_dirty_status();
    MPI_Status before = status;
    CHECK_OK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, &status));
    CHECK_INT(flag, 0);
    CHECK_BYTES(&status, &before, sizeof status);
}

static void matched_probe(void) {
    int in[4], flag = 0, code = MPI_SUCCESS;
    MPI_Request request;
    MPI_Message message = MPI_MESSAGE_NULL, null = MPI_MESSAGE_NULL;
    MPI_Status status = check_dirty_status();
    CASE("mprobe and mrecv");
    send_right(4, 7, &request);
    CHECK_OK(MPI_Mprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &message, &status));
    CHECK_STATUS(status, left, 7, MPI_INT, 4);
    CHECK(message != null && message != MPI_MESSAGE_NO_PROC);
    CHECK_OK(MPI_Iprobe(left, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    CHECK_INT(flag, 0); // no other call can find it now
    status = check_dirty_status();
    CHECK_OK(MPI_Mrecv(in, 4, MPI_INT, &message, &status));
    CHECK_STATUS(status, left, 7, MPI_INT, 4);
    CHECK_SAME(message, MPI_MESSAGE_NULL);
    check_received(in, 4);
    complete(&request);

    CASE("improbe and imrecv");
    MPI_Request receive;
    send_right(1, 8, &request);
    flag = 0;
    while (!flag && code == MPI_SUCCESS)
        code = MPI_Improbe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status);
    CHECK_OK(code);
    CHECK_STATUS(status, left, 8, MPI_INT, 1);
    memset(in, 0, sizeof in);
    CHECK_OK(MPI_Imrecv(in, 1, MPI_INT, &message, &receive));
    CHECK_SAME(message, MPI_MESSAGE_NULL);
    status = check_dirty_status();
    CHECK_OK(MPI_Wait(&receive, &status));
    CHECK_STATUS(status, left, 8, MPI_INT, 1);
    CHECK_INT(status.MPI_ERROR, -12347);
    check_received(in, 1);
    complete(&request);

    CASE("improbe without a message");
    status = check_dirty_status();
    MPI_Status before = status;
    CHECK_OK(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, &message, &status));
    CHECK_INT(flag, 0);
    CHECK_BYTES(&status, &before, sizeof status);
}

static void no_process(void) {
    int flag = 0, data = 5;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Request request;
    MPI_Status status = check_dirty_status();
    CASE("proc null");
    CHECK_OK(MPI_Probe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status));
    CHECK_STATUS(status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    status = check_dirty_status();
    CHECK_OK(MPI_Iprobe(MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status));
    CHECK_INT(flag, 1);
    CHECK_STATUS(status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);

    status = check_dirty_status();
    CHECK_OK(MPI_Mprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &message, &status));
    CHECK_SAME(message, MPI_MESSAGE_NO_PROC);
    CHECK_STATUS(status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    status = check_dirty_status();
    CHECK_OK(MPI_Mrecv(&data, 1, MPI_INT, &message, &status));
    CHECK_SAME(message, MPI_MESSAGE_NULL);
    CHECK_STATUS(status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);

    flag = 0;
    CHECK_OK(MPI_Improbe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE));
    CHECK_INT(flag, 1);
    CHECK_SAME(message, MPI_MESSAGE_NO_PROC);
    CHECK_OK(MPI_Imrecv(&data, 1, MPI_INT, &message, &request));
    CHECK_SAME(message, MPI_MESSAGE_NULL);
    status = check_dirty_status();
    CHECK_OK(MPI_Wait(&request, &status));
    CHECK_STATUS(status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    CHECK_INT(data, 5);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    left = (check_rank + check_ranks - 1) % check_ranks;
    right = (check_rank + 1) % check_ranks;
    probe();
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD)); // the next case matches any source
    matched_probe();
    no_process();
    return check_end();
}
