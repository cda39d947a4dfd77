// Generalized requests: an operation of the program that has a request of MPI.
// ranks: 1
#include "complete.h"

enum { user_error = 78 };

typedef struct operation {
    int queries, frees, cancels, cancelled_with;
    int query_result, free_result;
} operation;

static int query(void* state, MPI_Status* status) {
    operation* op = state;
    op->queries++;
    MPI_Status_set_elements(status, MPI_INT, 6);
    MPI_Status_set_cancelled(status, op->cancels > 0);
    status->MPI_SOURCE = 17;
    status->MPI_TAG = 18;
    return op->query_result;
}

static int free_it(void* state) {
    operation* op = state;
    op->frees++;
    return op->free_result;
}

static int cancel_it(void* state, int complete_already) {
    operation* op = state;
    op->cancels++;
    op->cancelled_with = complete_already;
    return MPI_SUCCESS;
}

static MPI_Request start(operation* op) {
    MPI_Request request = MPI_REQUEST_NULL;
    memset(op, 0, sizeof *op);
    CHECK_OK(MPI_Grequest_start(query, free_it, cancel_it, op, &request));
    CHECK(request != MPI_REQUEST_NULL);
    return request;
}

static void check_status(const MPI_Status* status) {
    CHECK_STATUS(*status, 17, 18, MPI_INT, 6);
    int flag = -1;
    CHECK_OK(MPI_Test_cancelled(status, &flag));
    CHECK_INT(!!flag, 0);
}

static void waiting(void) {
    operation op;
    MPI_Request request = start(&op);
    MPI_Status status = check_dirty_status();
    int flag = 1;
    CASE("test, complete, wait");
    CHECK_OK(MPI_Test(&request, &flag, &status));
    CHECK_INT(flag, 0);
    CHECK_INT(op.queries, 0);
    CHECK_OK(MPI_Grequest_complete(request));
    CHECK_OK(MPI_Wait(&request, &status));
    CHECK_SAME(request, MPI_REQUEST_NULL);
    check_status(&status);
    CHECK_INT(op.queries, 1);
    CHECK_INT(op.frees, 1);
    CHECK_INT(op.cancels, 0);
}

static void every_way(void) {
    CASE("every way to complete");
    for (int i = 0; i < 8; i++) {
        operation op;
        MPI_Request request = start(&op);
        CHECK_OK(MPI_Grequest_complete(request));
        complete(&request);
        CHECK_SAME(request, MPI_REQUEST_NULL);
        CHECK(op.queries >= 1); // also if the status is ignored; MPICH asks twice in MPI_Testall
        CHECK_INT(op.frees, 1);
    }
}

static void among_others(void) {
    operation ops[3];
    MPI_Request requests[5];
    MPI_Status statuses[5];
    int out = 4, in = 0;
    CASE("among other requests");
    for (int i = 0; i < 3; i++) {
        requests[i] = start(&ops[i]);
        CHECK_OK(MPI_Grequest_complete(requests[i]));
    }
    CHECK_OK(MPI_Irecv(&in, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &requests[3]));
    CHECK_OK(MPI_Isend(&out, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &requests[4]));
    CHECK_OK(MPI_Waitall(5, requests, statuses));
    for (int i = 0; i < 3; i++) {
        check_status(&statuses[i]);
        CHECK_INT(ops[i].queries, 1);
        CHECK_INT(ops[i].frees, 1);
    }
    CHECK_STATUS(statuses[3], 0, 5, MPI_INT, 1);
    CHECK_INT(in, 4);
}

static void cancelling(void) {
    operation op;
    MPI_Request request = start(&op);
    MPI_Status status;
    int flag = 0;
    CASE("cancel");
    CHECK_OK(MPI_Cancel(&request));
    CHECK_INT(op.cancels, 1);
    CHECK_INT(op.cancelled_with, 0);
    CHECK_OK(MPI_Grequest_complete(request));
    CHECK_OK(MPI_Wait(&request, &status));
    CHECK_OK(MPI_Test_cancelled(&status, &flag));
    CHECK_INT(!!flag, 1);
    CHECK_INT(op.frees, 1);
}

static void asking_and_freeing(void) {
    operation op;
    MPI_Request request = start(&op);
    MPI_Status status = check_dirty_status();
    int flag = 0;
    CASE("get_status");
    CHECK_OK(MPI_Grequest_complete(request));
    CHECK_OK(MPI_Request_get_status(request, &flag, &status));
    CHECK_INT(flag, 1);
    check_status(&status);
    CHECK_INT(op.frees, 0);
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(op.frees, 1);

    CASE("freed before it is complete");
    request = start(&op);
    MPI_Request kept = request;
    CHECK_OK(MPI_Request_free(&request));
    CHECK_SAME(request, MPI_REQUEST_NULL);
    CHECK(op.frees == 0 || check_runtime_is("MPICH Version:")); // MPICH up to 4.1 calls the function at once
    CHECK_OK(MPI_Grequest_complete(kept));
    CHECK_INT(op.frees, 1);
}

// The completing call returns the results of the callbacks.
static void errors(void) {
    operation op;
    MPI_Request request = start(&op);
    CASE("error of the query function");
    op.query_result = user_error;
    CHECK_OK(MPI_Grequest_complete(request));
    CHECK_INT(MPI_Wait(&request, MPI_STATUS_IGNORE), user_error);
    CHECK_INT(op.queries, 1);
}

// Each status contains the code of its own request if the library passes on codes; MPICH gives both statuses the same
// code.
static void two_errors(void) {
    operation ops[2];
    MPI_Request requests[2] = {start(&ops[0]), start(&ops[1])};
    MPI_Status statuses[2];
    CASE("two query functions that fail in one call");
    for (int i = 0; i < 2; i++) {
        ops[i].query_result = user_error + i;
        CHECK_OK(MPI_Grequest_complete(requests[i]));
    }
    CHECK_CLASS(MPI_Waitall(2, requests, statuses), MPI_ERR_IN_STATUS);
    for (int i = 0; i < 2 && check_runtime_is("Open MPI"); i++)
        CHECK_INT(statuses[i].MPI_ERROR, user_error + i);
}

// The error of a callback is lost if its request is never completed. A later error must not be confused with it.
static int seen_code;

static void note(MPI_Comm* comm, int* code, ...) {
    (void)comm;
    seen_code = *code;
}

static void lost_error(void) {
    operation op;
    MPI_Request request = start(&op), kept = request;
    MPI_Comm comm;
    MPI_Errhandler handler;
    CASE("error that is lost");
    op.free_result = user_error;
    MPI_Request_free(&request); // may or may not return the error
    MPI_Grequest_complete(kept);
    CHECK_INT(op.frees, 1);
    CHECK_OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    CHECK_OK(MPI_Comm_create_errhandler(note, &handler));
    CHECK_OK(MPI_Comm_set_errhandler(comm, handler));
    CHECK_OK(MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER));
    CHECK_INT(seen_code, MPI_ERR_OTHER);
    CHECK_OK(MPI_Errhandler_free(&handler));
    CHECK_OK(MPI_Comm_free(&comm));
}

static void many(void) {
    enum { number = 500 };
    static operation ops[number];
    static MPI_Request requests[number];
    int wrong = 0;
    CASE("many");
    for (int i = 0; i < number; i++)
        wrong += MPI_Grequest_start(query, free_it, cancel_it, &ops[i], &requests[i]) != MPI_SUCCESS;
    for (int i = number - 1; i >= 0; i--)
        wrong += MPI_Grequest_complete(requests[i]) != MPI_SUCCESS;
    wrong += MPI_Waitall(number, requests, MPI_STATUSES_IGNORE) != MPI_SUCCESS;
    for (int i = 0; i < number; i++)
        wrong += ops[i].queries != 1 || ops[i].frees != 1 || requests[i] != MPI_REQUEST_NULL;
    CHECK_INT(wrong, 0);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    waiting();
    every_way();
    among_others();
    cancelling();
    asking_and_freeing();
    errors();
    two_errors();
    lost_error();
    many();
    return check_end();
}
