// Statuses: the fields that a call writes and those that it leaves unchanged, counts of statuses and of their copies,
// and statuses that the program fills itself.
// ranks: 1 2
#include "check.h"

static int left, right;

static void check_count_of(const MPI_Status* status, MPI_Datatype type, int expected) {
    int count = -1;
    CHECK_OK(MPI_Get_count(status, type, &count));
    CHECK_INT(count, expected);
}

static void check_cancelled(const MPI_Status* status, int expected) {
    int flag = -1;
    CHECK_OK(MPI_Test_cancelled(status, &flag));
    CHECK_INT(!!flag, expected);
}

static void check_empty(const MPI_Status* status) {
    CHECK_STATUS(*status, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_INT, 0);
    check_cancelled(status, 0);
}

static void received(void) {
    // An int before it, because a status is aligned like an int.
    struct {
        int before;
        MPI_Status status;
        int after;
    } box = {111, check_dirty_status(), 222};
    short out[6] = {1, 2, 3, 4, 5, 6}, in[6];
    CASE("of a receive");
    CHECK_OK(MPI_Sendrecv(out, 6, MPI_SHORT, right, 31, in, 6, MPI_SHORT, left, 31, MPI_COMM_WORLD, &box.status));
    CHECK_INT(box.status.MPI_SOURCE, left);
    CHECK_INT(box.status.MPI_TAG, 31);
    CHECK_INT(box.status.MPI_ERROR, -12347);
    CHECK_INT(box.before, 111);
    CHECK_INT(box.after, 222);
    check_count_of(&box.status, MPI_SHORT, 6);
    check_count_of(&box.status, MPI_INT, 3);
    check_count_of(&box.status, MPI_BYTE, 12);
    check_count_of(&box.status, MPI_DOUBLE, MPI_UNDEFINED); // 12 bytes are not a multiple of its size
    check_cancelled(&box.status, 0);
    int elements = -1;
    MPI_Count elements_x = -1;
    CHECK_OK(MPI_Get_elements(&box.status, MPI_SHORT, &elements));
    CHECK_INT(elements, 6);
    CHECK_OK(MPI_Get_elements_x(&box.status, MPI_SHORT, &elements_x));
    CHECK_INT(elements_x, 6);

    CASE("copies of a status");
    MPI_Status* copy = malloc(sizeof *copy);
    memcpy(copy, &box.status, sizeof *copy);
    memset(&box.status, 0xff, sizeof box.status);
    check_count_of(copy, MPI_SHORT, 6);
    check_cancelled(copy, 0);
    CHECK_INT(copy->MPI_SOURCE, left);
    free(copy);
}

static void not_complete(void) {
    int data = 0, flag = 1;
    MPI_Request request, before;
    MPI_Status status = check_dirty_status(), untouched = status;
    memset((char*)&status + 12, 0x5a, sizeof status - 12); // overwrites the private part as well
    memcpy(&untouched, &status, sizeof status);
    CASE("nothing completed: left alone");
    CHECK_OK(MPI_Irecv(&data, 1, MPI_INT, left, 77, MPI_COMM_WORLD, &request));
    before = request;
    CHECK_OK(MPI_Test(&request, &flag, &status));
    CHECK_INT(flag, 0);
    CHECK_BYTES(&status, &untouched, sizeof status);
    CHECK_SAME(request, before);
    int index = 5, count = -1, indices[1];
    flag = 1;
    CHECK_OK(MPI_Testany(1, &request, &index, &flag, &status));
    CHECK_INT(flag, 0);
    CHECK_INT(index, MPI_UNDEFINED);
    CHECK_BYTES(&status, &untouched, sizeof status);
    flag = 1;
    CHECK_OK(MPI_Request_get_status(request, &flag, &status));
    CHECK_INT(flag, 0);
    CHECK_BYTES(&status, &untouched, sizeof status);
    CHECK_OK(MPI_Testsome(1, &request, &count, indices, &status));
    CHECK_INT(count, 0);
    CHECK_BYTES(&status, &untouched, sizeof status);
    CHECK_SAME(request, before);

    CASE("asked without completing");
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Send(&check_rank, 1, MPI_INT, right, 77, MPI_COMM_WORLD));
    for (flag = 0; !flag;)
        MPI_Request_get_status(request, &flag, &status);
    CHECK_STATUS(status, left, 77, MPI_INT, 1);
    CHECK_SAME(request, before); // the request stays active until it is completed
    status = check_dirty_status();
    CHECK_OK(MPI_Wait(&request, &status));
    CHECK_STATUS(status, left, 77, MPI_INT, 1);
    CHECK_INT(status.MPI_ERROR, -12347);
    CHECK_INT(data, left);
}

static void null_requests(void) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status = check_dirty_status();
    int flag = 0, index = 0;
    CASE("empty statuses of null requests");
    CHECK_OK(MPI_Wait(&request, &status));
    check_empty(&status);
    status = check_dirty_status();
    CHECK_OK(MPI_Test(&request, &flag, &status));
    CHECK_INT(flag, 1);
    check_empty(&status);
    status = check_dirty_status();
    CHECK_OK(MPI_Waitany(1, &request, &index, &status));
    CHECK_INT(index, MPI_UNDEFINED);
    check_empty(&status);
    status = check_dirty_status();
    flag = index = 0;
    CHECK_OK(MPI_Testany(1, &request, &index, &flag, &status));
    CHECK_INT(flag, 1);
    CHECK_INT(index, MPI_UNDEFINED);
    check_empty(&status);
    status = check_dirty_status();
    flag = 0;
    CHECK_OK(MPI_Request_get_status(request, &flag, &status));
    CHECK_INT(flag, 1);
    check_empty(&status);
    MPI_Status statuses[2] = {check_dirty_status(), check_dirty_status()};
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    CHECK_OK(MPI_Waitall(2, requests, statuses));
    check_empty(&statuses[0]);
    check_empty(&statuses[1]);
}

// Multiple completions set the error field of every status.
static void error_field(void) {
    int in[2], out[2] = {5, 6};
    MPI_Request requests[4];
    MPI_Status statuses[4];
    CASE("error field of multiple completions");
    for (int i = 0; i < 4; i++)
        statuses[i] = check_dirty_status();
    CHECK_OK(MPI_Irecv(&in[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]));
    CHECK_OK(MPI_Irecv(&in[1], 1, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[1]));
    CHECK_OK(MPI_Isend(&out[0], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[2]));
    CHECK_OK(MPI_Isend(&out[1], 1, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[3]));
    CHECK_OK(MPI_Waitall(4, requests, statuses));
    for (int i = 0; i < 4; i++)
        CHECK_INT(statuses[i].MPI_ERROR, MPI_SUCCESS);
    for (int i = 0; i < 2; i++)
        CHECK_STATUS(statuses[i], left, i + 1, MPI_INT, 1);
    check_cancelled(&statuses[2], 0);
}

// MPICH writes nothing into the status of a send; the program must not read random data.
static void of_sends(void) {
    int data = 1, in = 0;
    MPI_Request request;
    MPI_Status status, statuses[3];
    CASE("of a send");
    if (check_mpich_major() == 5) {
        check_skip("status of a send", "MPICH 5's own standard ABI leaves it as it was");
        return;
    }
    memset(&status, 0xff, sizeof status);
    memset(statuses, 0xff, sizeof statuses);
    CHECK_OK(MPI_Isend(&data, 1, MPI_INT, right, 12, MPI_COMM_WORLD, &request));
    CHECK_OK(MPI_Recv(&in, 1, MPI_INT, left, 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Wait(&request, &status));
    check_cancelled(&status, 0);
    check_count_of(&status, MPI_BYTE, 0);
    MPI_Request several[3];
    for (int i = 0; i < 3; i++)
        CHECK_OK(MPI_Isend(&data, 1, MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD, &several[i]));
    CHECK_OK(MPI_Waitall(3, several, statuses));
    for (int i = 0; i < 3; i++) {
        check_cancelled(&statuses[i], 0);
        check_count_of(&statuses[i], MPI_BYTE, 0);
    }
}

static void truncated(void) {
    int out[4] = {1, 2, 3, 4}, in = -1;
    MPI_Request request;
    MPI_Status status = check_dirty_status();
    CASE("truncated message");
    CHECK_OK(MPI_Isend(out, 4, MPI_INT, right, 3, MPI_COMM_WORLD, &request));
    CHECK_CLASS(MPI_Recv(&in, 1, MPI_INT, left, 3, MPI_COMM_WORLD, &status), MPI_ERR_TRUNCATE);
    CHECK_INT(status.MPI_SOURCE, left);
    CHECK_INT(status.MPI_TAG, 3);
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void filled_by_the_program(void) {
    MPI_Status status;
    MPI_Count elements = -1;
    int small = -1;
    CASE("set by the program");
    memset(&status, 0, sizeof status);
    check_count_of(&status, MPI_INT, 0);
    check_cancelled(&status, 0);
    CHECK_OK(MPI_Status_set_elements(&status, MPI_INT, 9));
    check_count_of(&status, MPI_INT, 9);
    check_count_of(&status, MPI_BYTE, 36);
    CHECK_OK(MPI_Get_elements(&status, MPI_INT, &small));
    CHECK_INT(small, 9);
    CHECK_OK(MPI_Status_set_cancelled(&status, 1));
    check_cancelled(&status, 1);
    check_count_of(&status, MPI_INT, 9);
    CHECK_OK(MPI_Status_set_cancelled(&status, 0));
    check_cancelled(&status, 0);
    status.MPI_SOURCE = 3;
    status.MPI_TAG = 4;
    status.MPI_ERROR = MPI_ERR_OTHER;

    const MPI_Count large = 0x511223344;
    CHECK_OK(MPI_Status_set_elements_x(&status, MPI_BYTE, large));
    CHECK_OK(MPI_Get_elements_x(&status, MPI_BYTE, &elements));
    CHECK_INT(elements, large);
    check_count_of(&status, MPI_BYTE, MPI_UNDEFINED); // more than fits into an int
    CHECK_OK(MPI_Status_set_cancelled(&status, 1));
    CHECK_OK(MPI_Get_elements_x(&status, MPI_BYTE, &elements));
    CHECK_INT(elements, large);
    CHECK_INT(status.MPI_SOURCE, 3); // the public fields are unchanged
    CHECK_INT(status.MPI_TAG, 4);
    CHECK_INT(status.MPI_ERROR, MPI_ERR_OTHER);

    CASE("set by the program, large forms");
    memset(&status, 0, sizeof status);
    if (OFFERED(MPI_Status_set_elements_c, (&status, MPI_BYTE, large)) &&
        OFFERED(MPI_Get_count_c, (&status, MPI_BYTE, &elements))) {
        CHECK_INT(elements, large);
        CHECK_OK(MPI_Get_elements_c(&status, MPI_BYTE, &elements));
        CHECK_INT(elements, large);
        CHECK_OK(MPI_Get_count_c(&status, MPI_SHORT, &elements));
        CHECK_INT(elements, large / 2);
    }
}

static void field_functions(void) {
    MPI_Status status = check_dirty_status();
    int value = 0;
    CASE("fields by function");
    if (!OFFERED(MPI_Status_set_source, (&status, 12)))
        return;
    CHECK_INT(status.MPI_SOURCE, 12);
    CHECK_OK(MPI_Status_set_tag(&status, 13));
    CHECK_INT(status.MPI_TAG, 13);
    CHECK_OK(MPI_Status_set_error(&status, MPI_ERR_TRUNCATE));
    CHECK_INT(status.MPI_ERROR, MPI_ERR_TRUNCATE);
    CHECK_OK(MPI_Status_get_source(&status, &value));
    CHECK_INT(value, 12);
    CHECK_OK(MPI_Status_get_tag(&status, &value));
    CHECK_INT(value, 13);
    CHECK_OK(MPI_Status_get_error(&status, &value));
    CHECK_INT(value, MPI_ERR_TRUNCATE);
    CHECK_OK(MPI_Status_set_source(&status, MPI_ANY_SOURCE));
    CHECK_INT(status.MPI_SOURCE, MPI_ANY_SOURCE);
    CHECK_OK(MPI_Status_set_tag(&status, MPI_ANY_TAG));
    CHECK_OK(MPI_Status_get_tag(&status, &value));
    CHECK_INT(value, MPI_ANY_TAG);
}

static void ignored(void) {
    int data = 1, in = 0, flag = 0;
    MPI_Request requests[2];
    CASE("ignored");
    CHECK_OK(MPI_Irecv(&in, 1, MPI_INT, left, 4, MPI_COMM_WORLD, &requests[0]));
    CHECK_OK(MPI_Isend(&data, 1, MPI_INT, right, 4, MPI_COMM_WORLD, &requests[1]));
    CHECK_OK(MPI_Probe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
    for (flag = 0; !flag;)
        MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
    CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK_INT(in, 1);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    left = (check_rank + check_ranks - 1) % check_ranks;
    right = (check_rank + 1) % check_ranks;
#ifdef MPI_ABI_VERSION // the standard's header, not a vendor's
    CASE("layout");
    CHECK_INT(offsetof(MPI_Status, MPI_SOURCE), 0);
    CHECK_INT(offsetof(MPI_Status, MPI_TAG), 4);
    CHECK_INT(offsetof(MPI_Status, MPI_ERROR), 8);
    CHECK_INT(sizeof(MPI_Status), 32);
#endif
    received();
    not_complete();
    null_requests();
    error_field();
    of_sends();
    truncated();
    filled_by_the_program();
    field_functions();
    ignored();
    return check_end();
}
