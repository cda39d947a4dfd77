// Error handlers of the program in nested calls, handlers that leave a call which has stored an error, and the statuses
// if several requests complete and one has failed.
// ranks: 1
#include "check.h"
#include <setjmp.h>

static int told, can_leave;
static jmp_buf way_out;

static void count_error(MPI_Comm* comm, int* code, ...) {
    (void)comm, (void)code;
    told++;
    if (can_leave)
        longjmp(way_out, 1);
}

// Checks that the handler is called for an error of a call that does not involve requests.
static void expect_told(void) {
    int value = 1;
    told = 0;
    MPI_Send(&value, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
    CHECK_INT(told, 1);
}

static void exchange_with_self(void) {
    int sent = 7, received = 0;
    MPI_Request requests[2];
    CHECK_OK(MPI_Irecv(&received, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &requests[0]));
    CHECK_OK(MPI_Isend(&sent, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &requests[1]));
    CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK_INT(received, 7);
}

static int query(void* state, MPI_Status* status) {
    (void)state;
    exchange_with_self();
    MPI_Status_set_elements(status, MPI_INT, 1);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}
static int do_nothing(void* state) {
    (void)state;
    return MPI_SUCCESS;
}
static int cancel_nothing(void* state, int is_complete) {
    (void)state, (void)is_complete;
    return MPI_SUCCESS;
}

static void in_generalized_request(void) {
    MPI_Request request;
    CASE("a completion inside the query of a generalized request");
    CHECK_OK(MPI_Grequest_start(query, do_nothing, cancel_nothing, NULL, &request));
    CHECK_OK(MPI_Grequest_complete(request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    expect_told();
    expect_told();
}

static void add_and_test(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)type;
    MPI_Request none = MPI_REQUEST_NULL;
    int flag = 0;
    for (int i = 0; i < *length; i++)
        ((int*)inout)[i] += ((int*)in)[i];
    MPI_Test(&none, &flag, MPI_STATUS_IGNORE);
}

static void in_reduction(void) {
    int value = 1, sum = 0;
    MPI_Op add;
    MPI_Request request;
    CASE("a completion inside a reduction");
    CHECK_OK(MPI_Op_create(add_and_test, 1, &add));
    CHECK_OK(MPI_Iallreduce(&value, &sum, 1, MPI_INT, add, MPI_COMM_SELF, &request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(sum, 1);
    CHECK_OK(MPI_Reduce_local(&value, &sum, 1, MPI_INT, add));
    CHECK_INT(sum, 2);
    expect_told();
    CHECK_OK(MPI_Op_free(&add));
}

// Starts requests; the message for the first one is too long. The second request is of `kind`.
enum { plain, emulated };
static void begin_failing(int kind, MPI_Request* send, MPI_Request requests[3]) {
    static int sent[4], received, in, out;
    static const int one = 1, zero = 0;
    static const MPI_Datatype* type;
    static MPI_Datatype int_type;
    int_type = MPI_INT;
    type = &int_type;
    CHECK_OK(MPI_Isend(sent, 4, MPI_INT, 0, 1, MPI_COMM_SELF, send));
    MPI_Irecv(&received, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[0]);
    if (kind == emulated)
        CHECK_OK(MPI_Ialltoallw(&in, &one, &zero, type, &out, &one, &zero, type, MPI_COMM_SELF, &requests[1]));
    else
        CHECK_OK(MPI_Irecv(&in, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &requests[1]));
    CHECK_OK(MPI_Irecv(&in, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &requests[2]));
}

static void errors_in_statuses(int kind, int count, int some) {
    MPI_Request send, requests[3];
    MPI_Status statuses[3];
    int completed = 0, indices[3] = {-1, -1, -1}, failed = -1;
    begin_failing(kind, &send, requests);
    for (int i = 0; i < 3; i++)
        statuses[i].MPI_ERROR = MPI_SUCCESS;
    if (some)
        MPI_Waitsome(count, requests, &completed, indices, statuses);
    else
        MPI_Waitall(count, requests, statuses);
    for (int i = 0; i < (some ? completed : count); i++)
        if (!some || indices[i] == 0)
            failed = failed < 0 ? check_class_of(statuses[i].MPI_ERROR) : failed;
    CHECK_INT(failed, MPI_ERR_TRUNCATE);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    CHECK_OK(MPI_Wait(&send, MPI_STATUS_IGNORE));
}

// While a session is open, anympi deletes the attributes of MPI_COMM_SELF.
static void left_attribute(void) {
    int key = MPI_KEYVAL_INVALID;
    CASE("a handler leaves MPI_Comm_set_attr");
    CHECK_OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL));
    const int gone = key;
    CHECK_OK(MPI_Comm_free_keyval(&key));
    can_leave = 1;
    if (!setjmp(way_out))
        MPI_Comm_set_attr(MPI_COMM_SELF, gone, NULL);
    can_leave = 0;
}

int main(int argc, char** argv) {
    MPI_Errhandler handler;
    MPI_Session session;
    check_begin(&argc, &argv);
    CHECK_OK(MPI_Comm_create_errhandler(count_error, &handler));
    CHECK_OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    CHECK_OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
    expect_told();
    in_generalized_request();
    in_reduction();
    CASE("errors in statuses");
    for (int kind = plain; kind <= emulated; kind++)
        for (int count = 2; count <= 3; count++)
            for (int some = 0; some < 2; some++)
                errors_in_statuses(kind, count, some);
    left_attribute();
    CHECK_OK(MPI_Errhandler_free(&handler));
    CASE("the end with an open session");
    CHECK_OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    check_merge();
    CHECK_INT(MPI_Finalize(), MPI_SUCCESS);
    CHECK_INT(MPI_Session_finalize(&session), MPI_SUCCESS);
    return check_report();
}
