// Arrays of requests of many lengths in all completion calls: null and inactive requests between active ones, with and
// without statuses, with errors.
// ranks: 1 2
#include "check.h"

enum { longest = 1000 };

static int left, right;
static int out[longest], in[longest];
static MPI_Request room[longest + 1];
static MPI_Request* requests = room;
static MPI_Status statuses[longest];
static int indices[longest];

// Every third request is null, every fifth is an inactive persistent one; the others receive.
static int is_null(int i) {
    return i % 3 == 2;
}
static int is_inactive(int i) {
    return !is_null(i) && i % 5 == 4;
}
static int is_active(int i) {
    return !is_null(i) && !is_inactive(i);
}

static int post(int n) {
    int active = 0, bad = 0;
    for (int i = 0; i < n; i++) {
        in[i] = -1;
        out[i] = 10000 * check_rank + i;
        statuses[i] = check_dirty_status();
        requests[i] = MPI_REQUEST_NULL;
        if (is_inactive(i))
            bad += MPI_Recv_init(&in[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &requests[i]) != MPI_SUCCESS;
        if (is_active(i))
            bad += MPI_Irecv(&in[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &requests[i]) != MPI_SUCCESS;
        active += is_active(i);
    }
    CHECK_INT(bad, 0);
    return active;
}

static void send_all(int n) {
    int bad = 0;
    for (int i = 0; i < n; i++)
        if (is_active(i))
            bad += MPI_Send(&out[i], 1, MPI_INT, right, i, MPI_COMM_WORLD) != MPI_SUCCESS;
    CHECK_INT(bad, 0);
}

// Without an error, the field of each status is either unchanged or success.
static void check_error_field(const MPI_Status* status) {
    CHECK(status->MPI_ERROR == MPI_SUCCESS || status->MPI_ERROR == check_dirty_status().MPI_ERROR);
}

static void check_one_status(const MPI_Status* status, int i) {
    CHECK_STATUS(*status, is_active(i) ? left : MPI_ANY_SOURCE, is_active(i) ? i : MPI_ANY_TAG, MPI_INT, is_active(i));
}

// After all have completed: checks the data and the handles (null, or unchanged for inactive ones), then frees the
// persistent requests.
static void check_finished(int n) {
    int wrong_data = 0, wrong_handles = 0;
    for (int i = 0; i < n; i++) {
        wrong_data += in[i] != (is_active(i) ? 10000 * left + i : -1);
        wrong_handles += (requests[i] == MPI_REQUEST_NULL) != !is_inactive(i);
        if (is_inactive(i))
            wrong_handles += MPI_Request_free(&requests[i]) != MPI_SUCCESS;
    }
    CHECK_INT(wrong_data, 0);
    CHECK_INT(wrong_handles, 0);
}

static void wait_all(int n, int with_statuses) {
    post(n);
    send_all(n);
    CHECK_OK(MPI_Waitall(n, requests, with_statuses ? statuses : MPI_STATUSES_IGNORE));
    for (int i = 0; i < n && with_statuses; i++) {
        check_one_status(&statuses[i], i);
        check_error_field(&statuses[i]);
    }
    check_finished(n);
}

static void test_all(int n, int with_statuses) {
    int flag = -1, code = MPI_SUCCESS;
    MPI_Status* array = with_statuses ? statuses : MPI_STATUSES_IGNORE;
    int active = post(n);
    CHECK_OK(MPI_Testall(n, requests, &flag, array));
    CHECK_INT(!!flag, active == 0);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD)); // no message was sent before that test
    send_all(n);
    for (flag = 0; !flag && code == MPI_SUCCESS;)
        code = MPI_Testall(n, requests, &flag, array);
    CHECK_OK(code);
    for (int i = 0; i < n && with_statuses; i++)
        check_one_status(&statuses[i], i);
    check_finished(n);
}

static void wait_any(int n, int with_status) {
    int active = post(n);
    send_all(n);
    for (int i = 0; i < active; i++) {
        MPI_Status status = check_dirty_status();
        int index = -1;
        CHECK_OK(MPI_Waitany(n, requests, &index, with_status ? &status : MPI_STATUS_IGNORE));
        if (!CHECK(index >= 0 && index < n && is_active(index)))
            break;
        if (with_status) {
            check_one_status(&status, index);
            CHECK_INT(status.MPI_ERROR, -12347);
        }
    }
    int index = 0;
    CHECK_OK(MPI_Waitany(n, requests, &index, MPI_STATUS_IGNORE)); // only null and inactive requests are left
    CHECK_INT(index, MPI_UNDEFINED);
    check_finished(n);
}

static void test_any(int n) {
    int index = 0, flag = 0, active = post(n), code = MPI_SUCCESS;
    CHECK_OK(MPI_Testany(n, requests, &index, &flag, MPI_STATUS_IGNORE));
    CHECK_INT(!!flag, active == 0);
    CHECK_INT(index, MPI_UNDEFINED);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    send_all(n);
    for (int i = 0; i < active && code == MPI_SUCCESS; i++) {
        MPI_Status status;
        for (flag = 0; !flag && code == MPI_SUCCESS;)
            code = MPI_Testany(n, requests, &index, &flag, &status);
        if (CHECK(index >= 0 && index < n))
            check_one_status(&status, index);
    }
    CHECK_OK(code);
    check_finished(n);
}

static void some(int n, int test, int with_statuses) {
    int active = post(n), done = 0, count = -1, code = MPI_SUCCESS;
    MPI_Status* array = with_statuses ? statuses : MPI_STATUSES_IGNORE;
    send_all(n);
    while (done < active && code == MPI_SUCCESS) {
        code = test ? MPI_Testsome(n, requests, &count, indices, array)
                    : MPI_Waitsome(n, requests, &count, indices, array);
        if (code != MPI_SUCCESS || count == MPI_UNDEFINED)
            break;
        for (int i = 0; i < count && with_statuses; i++) {
            check_one_status(&statuses[i], indices[i]);
            check_error_field(&statuses[i]);
        }
        done += count;
    }
    CHECK_OK(code);
    CHECK_INT(done, active);
    count = 0;
    CHECK_OK(test ? MPI_Testsome(n, requests, &count, indices, array)
                  : MPI_Waitsome(n, requests, &count, indices, array));
    CHECK_INT(count, MPI_UNDEFINED);
    check_finished(n);
}

static void all_lengths(void) {
    static const int lengths[] = {1, 2, 3, 7, 8, 9, 64, 300, 1000};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        int n = lengths[i];
        requests = room + n % 2; // aligned only to the size of one request
        CASE("waitall"), wait_all(n, 1);
        CASE("waitall, statuses ignored"), wait_all(n, 0);
        CASE("testall"), test_all(n, 1);
        CASE("testall, statuses ignored"), test_all(n, 0);
        CASE("waitsome"), some(n, 0, 1);
        CASE("waitsome, statuses ignored"), some(n, 0, 0);
        CASE("testsome"), some(n, 1, 1);
        CASE("testsome, statuses ignored"), some(n, 1, 0);
        if (n > 300)
            continue; // would be n calls with n requests each
        CASE("waitany"), wait_any(n, 1);
        CASE("waitany, status ignored"), wait_any(n, 0);
        CASE("testany"), test_any(n);
    }
}

static void no_requests(void) {
    int index = 0, flag = 0, count = 0;
    MPI_Status status = check_dirty_status();
    CASE("no requests");
    CHECK_OK(MPI_Waitall(0, requests, statuses));
    CHECK_OK(MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE));
    CHECK_OK(MPI_Testall(0, requests, &flag, statuses));
    CHECK_INT(!!flag, 1);
    CHECK_OK(MPI_Waitany(0, requests, &index, &status));
    CHECK_INT(index, MPI_UNDEFINED);
    flag = index = 0;
    CHECK_OK(MPI_Testany(0, requests, &index, &flag, &status));
    CHECK_INT(!!flag, 1);
    CHECK_INT(index, MPI_UNDEFINED);
    CHECK_OK(MPI_Waitsome(0, requests, &count, indices, statuses));
    CHECK_INT(count, MPI_UNDEFINED);
    count = 0;
    CHECK_OK(MPI_Testsome(0, requests, &count, indices, statuses));
    CHECK_INT(count, MPI_UNDEFINED);
}

static void all_null(void) {
    static const int lengths[] = {1, 2, 7, 8, 9, 17, 64, 300};
    CASE("only null requests");
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        int n = lengths[k], flag = 0, wrong = 0;
        for (int i = 0; i < n; i++) {
            requests[i] = MPI_REQUEST_NULL;
            statuses[i] = check_dirty_status();
        }
        CHECK_OK(MPI_Waitall(n, requests, statuses));
        CHECK_OK(MPI_Waitall(n, requests, MPI_STATUSES_IGNORE));
        for (int i = 0; i < n; i++)
            wrong += requests[i] != MPI_REQUEST_NULL || statuses[i].MPI_SOURCE != MPI_ANY_SOURCE ||
                     statuses[i].MPI_TAG != MPI_ANY_TAG;
        CHECK_INT(wrong, 0);
        CHECK_OK(MPI_Testall(n, requests, &flag, MPI_STATUSES_IGNORE));
        CHECK_INT(!!flag, 1);
    }
}

// A null or inactive request at each index among active ones.
static void one_among_active(void) {
    enum { n = 17 };
    static MPI_Request before[n];
    for (int place = 0; place < 2 * n; place++) {
        int other = place % n, null = place < n, flag = -1, wrong = 0;
        for (int i = 0; i < n; i++) {
            out[i] = 10000 * check_rank + i;
            in[i] = -1;
            if (i != other)
                wrong += MPI_Irecv(&in[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &requests[i]) != MPI_SUCCESS;
        }
        requests[other] = MPI_REQUEST_NULL;
        if (!null)
            wrong +=
                MPI_Recv_init(&in[other], 1, MPI_INT, left, other, MPI_COMM_WORLD, &requests[other]) != MPI_SUCCESS;
        memcpy(before, requests, sizeof before);
        CHECK_OK(MPI_Testall(n, requests, &flag, MPI_STATUSES_IGNORE)); // no message was sent: all requests stay active
        CHECK_INT(!!flag, 0);
        CHECK(memcmp(before, requests, sizeof before) == 0);
        CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
        for (int i = 0; i < n; i++)
            if (i != other)
                wrong += MPI_Send(&out[i], 1, MPI_INT, right, i, MPI_COMM_WORLD) != MPI_SUCCESS;
        CHECK_OK(MPI_Waitall(n, requests, MPI_STATUSES_IGNORE));
        for (int i = 0; i < n; i++) {
            wrong += in[i] != (i != other ? 10000 * left + i : -1);
            wrong += (requests[i] == MPI_REQUEST_NULL) != (i != other || null);
        }
        CHECK_SAME(requests[other], before[other]);
        if (!null)
            wrong += MPI_Request_free(&requests[other]) != MPI_SUCCESS;
        CHECK_INT(wrong, 0);
    }
}

// One message is too long: the call returns MPI_ERR_IN_STATUS, and each status has its own error.
static void errors_inside(int n) {
    int data[2] = {1, 2}, bad = n / 2;
    for (int i = 0; i < n; i++) {
        statuses[i] = check_dirty_status();
        in[i] = -1;
        CHECK_OK(MPI_Irecv(&in[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &requests[i]));
    }
    for (int i = 0; i < n; i++)
        CHECK_OK(MPI_Send(data, i == bad ? 2 : 1, MPI_INT, right, i, MPI_COMM_WORLD));
    // Everything arrives before the call, so no status can be "pending".
    for (int i = 0, flag = 0; i < n; i++, flag = 0)
        while (!flag && i != bad)
            MPI_Request_get_status(requests[i], &flag, MPI_STATUS_IGNORE);
    CHECK_CLASS(MPI_Waitall(n, requests, statuses), MPI_ERR_IN_STATUS);
    for (int i = 0; i < n; i++) {
        if (i == bad)
            CHECK_CLASS(statuses[i].MPI_ERROR, MPI_ERR_TRUNCATE);
        else
            CHECK_CLASS(statuses[i].MPI_ERROR, MPI_SUCCESS, MPI_ERR_PENDING);
        // MPICH 4.0 returns success for some requests that it did not complete; such a request is still active.
        if (requests[i] != MPI_REQUEST_NULL)
            MPI_Wait(&requests[i], &statuses[i]);
        CHECK_SAME(requests[i], MPI_REQUEST_NULL);
        if (i != bad) {
            CHECK_STATUS(statuses[i], left, i, MPI_INT, 1);
            CHECK_INT(in[i], 1);
        }
    }
}

static void get_status_of_arrays(void) {
    int flag = 0, index = -1, count = -1, data[3] = {7, 8, 9}, n = 3;
    MPI_Status status;
    for (int i = 0; i < n; i++)
        requests[i] = MPI_REQUEST_NULL;
    CASE("get_status of arrays");
    CHECK_OK(MPI_Irecv(&in[1], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[1]));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    if (OFFERED(MPI_Request_get_status_any, (n, requests, &index, &flag, &status))) {
        CHECK_INT(!!flag, 0);
        CHECK_OK(MPI_Request_get_status_all(n, requests, &flag, statuses));
        CHECK_INT(!!flag, 0);
        CHECK_OK(MPI_Request_get_status_some(n, requests, &count, indices, statuses));
        CHECK_INT(count, 0);
        CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_OK(MPI_Send(data, 1, MPI_INT, right, 1, MPI_COMM_WORLD));
        for (flag = 0; !flag;)
            MPI_Request_get_status_any(n, requests, &index, &flag, &status);
        CHECK_INT(index, 1);
        CHECK_STATUS(status, left, 1, MPI_INT, 1);
        CHECK_OK(MPI_Request_get_status_all(n, requests, &flag, statuses));
        CHECK_INT(!!flag, 1);
        CHECK_STATUS(statuses[1], left, 1, MPI_INT, 1);
        CHECK_OK(MPI_Request_get_status_some(n, requests, &count, indices, statuses));
        CHECK_INT(count, 1);
        CHECK_INT(indices[0], 1);
    } else
        CHECK_OK(MPI_Send(data, 1, MPI_INT, right, 1, MPI_COMM_WORLD));
    CHECK(requests[1] != MPI_REQUEST_NULL); // no call completes anything
    CHECK_OK(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
    CHECK_INT(in[1], 7);
}

// An inactive request is not reported as complete.
static void get_status_of_inactive(void) {
    int count = -1, data = 7, n = 3;
    CASE("get_status of inactive requests");
    for (int i = 0; i < n; i++)
        requests[i] = MPI_REQUEST_NULL;
    CHECK_OK(MPI_Recv_init(&in[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]));
    if (OFFERED(MPI_Request_get_status_some, (n, requests, &count, indices, statuses))) {
        CHECK_INT(count, MPI_UNDEFINED);
        MPI_Request coming; // not in the array; without it a message to the same process may stay in the library
        CHECK_OK(MPI_Irecv(&in[1], 1, MPI_INT, left, 2, MPI_COMM_WORLD, &coming));
        CHECK_OK(MPI_Isend(&data, 1, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[2]));
        for (count = 0; count == 0;)
            MPI_Request_get_status_some(n, requests, &count, indices, statuses);
        CHECK_INT(count, 1);
        CHECK_INT(indices[0], 2);
        CHECK_OK(MPI_Wait(&requests[2], MPI_STATUS_IGNORE));
        CHECK_OK(MPI_Wait(&coming, MPI_STATUS_IGNORE));
    }
    CHECK_OK(MPI_Request_free(&requests[0]));
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    left = (check_rank + check_ranks - 1) % check_ranks;
    right = (check_rank + 1) % check_ranks;
    no_requests();
    all_null();
    all_lengths();
    CASE("one among active ones"), one_among_active();
    if (check_ranks > 1) { // Open MPI returns no error for messages of a rank to itself
        CASE("error inside two"), errors_inside(2);
        CASE("error inside ten"), errors_inside(10);
        CASE("error inside three hundred"), errors_inside(300);
    }
    get_status_of_arrays();
    get_status_of_inactive();
    return check_end();
}
