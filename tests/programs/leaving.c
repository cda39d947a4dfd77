// Error handlers that leave a call by longjmp: its requests are in the same state as if it had returned, and MPI
// continues to work.
// ranks: 1
#include "check.h"
#include <setjmp.h>

static jmp_buf before_call;
static int can_leave;
static int told; // the number of errors

static void leave(MPI_Comm* of, int* code, ...) {
    (void)of, (void)code;
    told++;
    if (can_leave)
        longjmp(before_call, 1);
}

enum { most = 5, too_many = 4 };
static MPI_Comm comm;
static MPI_Errhandler leaving;
static int small[most];
static int large[too_many];
static MPI_Request requests[most];
static MPI_Request sends[most];
static MPI_Status statuses[most];

// MPICH reports errors of several requests to the handlers of the predefined communicators.
static void use_handler(MPI_Errhandler handler) {
    CHECK_OK(MPI_Comm_set_errhandler(comm, handler));
    CHECK_OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    CHECK_OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
}

// ---- requests that fail ----

typedef void begin(int i, int tag);

// A receive that is too short for the message. The message is sent first, because Open MPI writes all of it into a
// receive that is already posted.
static void begin_plain(int i, int tag) {
    CHECK_OK(MPI_Isend(large, too_many, MPI_INT, 0, tag, comm, &sends[i]));
    CHECK_OK(MPI_Irecv(&small[i], 1, MPI_INT, 0, tag, comm, &requests[i]));
}
// The same with a request that most libraries lack.
static void begin_emulated(int i, int tag) {
    CHECK_OK(MPI_Isend(large, too_many, MPI_INT, 0, tag, comm, &sends[i]));
    CHECK_OK(MPI_Isendrecv(large, 1, MPI_INT, MPI_PROC_NULL, 0, &small[i], 1, MPI_INT, 0, tag, comm, &requests[i]));
}

// The first request fails, the others complete.
static void begin_several(begin* first, int count) {
    first(0, 0);
    for (int i = 1; i < count; i++) {
        CHECK_OK(MPI_Irecv(&small[i], 1, MPI_INT, 0, i, comm, &requests[i]));
        CHECK_OK(MPI_Send(large, 1, MPI_INT, 0, i, comm));
    }
}

// Completes the requests that a call has left.
static void end_several(int count) {
    for (int i = 0; i < count; i++) {
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        CHECK_SAME(requests[i], MPI_REQUEST_NULL);
    }
    MPI_Wait(&sends[0], MPI_STATUS_IGNORE);
}

// ---- calls that complete them ----

static int wait_for_one(int count) {
    (void)count;
    return MPI_Wait(&requests[0], &statuses[0]);
}
static int test_one(int count) {
    int flag = 0, code = MPI_SUCCESS;
    (void)count;
    while (!flag && code == MPI_SUCCESS)
        code = MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    return code;
}
static int wait_for_all(int count) {
    return MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}
static int wait_for_all_statuses(int count) {
    return MPI_Waitall(count, requests, statuses);
}
static int test_all(int count) {
    int flag = 0, code = MPI_SUCCESS;
    while (!flag && code == MPI_SUCCESS)
        code = MPI_Testall(count, requests, &flag, statuses);
    return code;
}
static int wait_for_any(int count) {
    int code = MPI_SUCCESS;
    for (int i = 0, index = 0; i < count && code == MPI_SUCCESS; i++)
        code = MPI_Waitany(count, requests, &index, &statuses[0]);
    return code;
}
static int test_any(int count) {
    int flag = 0, index = 0, code = MPI_SUCCESS;
    while ((!flag || index != MPI_UNDEFINED) && code == MPI_SUCCESS)
        code = MPI_Testany(count, requests, &index, &flag, &statuses[0]);
    return code;
}
static int wait_for_some(int count) {
    int completed = 0, code = MPI_SUCCESS, indices[most];
    while (completed != MPI_UNDEFINED && code == MPI_SUCCESS)
        code = MPI_Waitsome(count, requests, &completed, indices, statuses);
    return code;
}
static int test_some(int count) {
    int completed = 0, code = MPI_SUCCESS, indices[most];
    while (completed != MPI_UNDEFINED && code == MPI_SUCCESS)
        code = MPI_Testsome(count, requests, &completed, indices, statuses);
    return code;
}

typedef struct {
    const char* name;
    int (*call)(int count);
    int most;
} completion;
static const completion completions[] = {
    {"MPI_Wait", wait_for_one, 1},       {"MPI_Test", test_one, 1},
    {"MPI_Waitall", wait_for_all, most}, {"MPI_Waitall with statuses", wait_for_all_statuses, most},
    {"MPI_Testall", test_all, most},     {"MPI_Waitany", wait_for_any, most},
    {"MPI_Testany", test_any, most},     {"MPI_Waitsome", wait_for_some, most},
    {"MPI_Testsome", test_some, most},
};

// ---- the state that they leave ----

// The result of the call if errors are returned. Not all libraries notice all errors, or complete failed requests.
typedef struct {
    int is_error;
    int is_null; // the request that failed is null
} outcome;

static outcome returned(begin* of, const completion* by, int count) {
    outcome result;
    use_handler(MPI_ERRORS_RETURN);
    begin_several(of, count);
    result.is_error = by->call(count) != MPI_SUCCESS;
    result.is_null = requests[0] == MPI_REQUEST_NULL;
    end_several(count);
    use_handler(leaving);
    return result;
}

// Checks the program's statuses, not the library's. A library may not complete requests after one that failed.
static void check_statuses(int count) {
    CHECK_CLASS(statuses[0].MPI_ERROR, MPI_ERR_TRUNCATE);
    for (int i = 1; i < count; i++) {
        CHECK_CLASS(statuses[i].MPI_ERROR, MPI_SUCCESS, MPI_ERR_PENDING);
        if (requests[i] != MPI_REQUEST_NULL)
            continue;
        CHECK_INT(statuses[i].MPI_SOURCE, 0);
        CHECK_INT(statuses[i].MPI_TAG, i);
    }
}

// MPICH 3.4 itself calls no handler in these functions.
static int is_silent(begin* of, const completion* by) {
    return check_mpich_major() == 3 && of == begin_plain && (by->call == wait_for_some || by->call == test_some);
}

// Checks the state after the handler has left the call.
static void check_left(begin* of, const completion* by, int count) {
    const outcome expected = returned(of, by, count);
    begin_several(of, count);
    told = 0;
    can_leave = 1;
    if (setjmp(before_call) == 0)
        by->call(count);
    can_leave = 0;
    CHECK_INT(told, expected.is_error && !is_silent(of, by));
    CHECK_INT(requests[0] == MPI_REQUEST_NULL, expected.is_null);
    if (expected.is_error && by->call == wait_for_all_statuses)
        check_statuses(count);
    end_several(count);
}

static void check_all(begin* of) {
    for (size_t i = 0; i < sizeof completions / sizeof *completions; i++)
        for (int count = 1; count <= completions[i].most; count++) {
            CASE(completions[i].name);
            check_left(of, &completions[i], count);
        }
}

// A persistent request stays persistent. (Open MPI frees one that failed.)
static void persistent(void) {
    CASE("persistent");
    CHECK_OK(MPI_Recv_init(&small[0], 1, MPI_INT, 0, 0, comm, &requests[0]));
    const MPI_Request made = requests[0];
    for (volatile int i = 0; i < 3 && requests[0] != MPI_REQUEST_NULL; i++) {
        CHECK_OK(MPI_Isend(large, too_many, MPI_INT, 0, 0, comm, &sends[0]));
        CHECK_OK(MPI_Start(&requests[0]));
        told = 0;
        can_leave = 1;
        if (setjmp(before_call) == 0)
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        can_leave = 0;
        CHECK_INT(told, 1);
        CHECK(requests[0] == made || requests[0] == MPI_REQUEST_NULL);
        MPI_Wait(&sends[0], MPI_STATUS_IGNORE);
    }
    if (requests[0] != MPI_REQUEST_NULL)
        CHECK_OK(MPI_Request_free(&requests[0]));
    CHECK_SAME(requests[0], MPI_REQUEST_NULL);
}

// MPI_Request_get_status does not complete the request: it can be completed or freed afterwards.
static void asked(void) {
    CASE("asked");
    for (volatile int i = 0; i < 2; i++) {
        int flag = 0;
        begin_emulated(0, 0);
        can_leave = 1;
        if (setjmp(before_call) == 0)
            while (!flag)
                MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
        can_leave = 0;
        if (i == 1) // otherwise it is completed
            MPI_Request_free(&requests[0]);
        end_several(1);
    }
}

// Errors of requests that are freed while they are active are not reported; MPI_Finalize waits for these requests.
static void freed(void) {
    CASE("freed");
    if (check_runtime_is("Open MPI v5")) {
        check_skip("freeing", "Open MPI 5 cannot free a request of MPI_Isendrecv");
        return;
    }
    begin_emulated(0, 0);
    CHECK_OK(MPI_Request_free(&requests[0]));
    told = 0;
    for (int i = 0; i < 100; i++) {
        end_several(1);
        begin_emulated(0, 0);
        CHECK_OK(MPI_Request_free(&requests[0]));
    }
    end_several(1);
    CHECK_INT(told, 0);
}

// A handler that returns sees the requests as the program's handles.
static MPI_Request seen[2];
static void look(MPI_Comm* of, int* code, ...) {
    (void)of, (void)code;
    told++;
    memcpy(seen, requests, sizeof seen);
}

static void looked_at(begin* of) {
    MPI_Errhandler looking;
    CASE("looked at");
    if (!returned(of, &completions[3], 2).is_error)
        return;
    CHECK_OK(MPI_Comm_create_errhandler(look, &looking));
    use_handler(looking);
    begin_several(of, 2);
    told = 0;
    memset(seen, 0, sizeof seen);
    MPI_Waitall(2, requests, statuses);
    CHECK_INT(told, 1);
    CHECK_SAME(seen[0], requests[0]);
    CHECK_SAME(seen[1], requests[1]);
    check_statuses(2);
    end_several(2);
    CHECK_OK(MPI_Errhandler_free(&looking));
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    CHECK_OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    CHECK_OK(MPI_Comm_create_errhandler(leave, &leaving));
    use_handler(leaving);
    check_all(begin_plain);
    persistent();
    check_all(begin_emulated);
    asked();
    freed();
    looked_at(begin_plain);
    looked_at(begin_emulated);
    use_handler(MPI_ERRORS_RETURN);
    CHECK_OK(MPI_Errhandler_free(&leaving));
    CHECK_OK(MPI_Comm_free(&comm));
    return check_end();
}
