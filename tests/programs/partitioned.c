// Partitioned communication: partitions made ready one by one, in ranges and lists, and seen on the other side.
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

// Rank 0 sends to the last rank, in a world of one to itself.
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
        CHECK(requests[i] != MPI_REQUEST_NULL); // persistent: inactive now, and to be started again
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
        CHECK_SAME(requests[0], MPI_REQUEST_NULL); // a refused call leaves the request alone
    return offered ? count : 0;
}

// The official header has these beside the others; libraries made by the text of MPI 5.0 have not.
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

int main(int argc, char** argv) {
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int count;
    check_begin(&argc, &argv);
    count = created(requests);
    use(requests, count);
    if (count) {
        use(requests, created_large(requests));
        if (!check_runtime_is("Open MPI")) // it ends the job on a bad rank
            errors();
    }
    return check_end();
}
