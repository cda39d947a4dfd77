// Errors that pass through the runtime: numbers of the program, and handlers that change them. Also the state that
// failed calls leave.
// ranks: 1
#include "check.h"

// ---- numbers of the program ----

static int seen, asks;

static void look_up(MPI_Comm* comm, int* code, ...) {
    char text[MPI_MAX_ERROR_STRING];
    int length, class;
    (void)comm;
    seen = *code;
    if (asks) { // the query must not overwrite the failing call's result
        MPI_Error_string(*code, text, &length);
        MPI_Error_class(*code, &class);
    }
}

static int refuse_copy(MPI_Comm comm, int keyval, void* state, void* value, void* copied, int* flag) {
    (void)comm, (void)keyval, (void)state, (void)value, (void)copied;
    *flag = 0;
    return 77;
}

static void set_handler(MPI_Comm comm) {
    MPI_Errhandler handler;
    CHECK_OK(MPI_Comm_create_errhandler(look_up, &handler));
    CHECK_OK(MPI_Comm_set_errhandler(comm, handler));
    CHECK_OK(MPI_Errhandler_free(&handler));
}

static void callback_code(void) {
    MPI_Comm comm, copy = MPI_COMM_NULL;
    int keyval;
    CASE("code of a copy callback, with a handler that asks for its text");
    CHECK_OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    CHECK_OK(MPI_Comm_create_keyval(refuse_copy, MPI_COMM_NULL_DELETE_FN, &keyval, NULL));
    CHECK_OK(MPI_Comm_set_attr(comm, keyval, NULL));
    set_handler(comm);
    for (asks = 0; asks < 2; asks++) {
        seen = 0;
        int code = MPI_Comm_dup(comm, &copy);
        CHECK_INT(seen, 77);
        if (code != MPI_SUCCESS) // MPICH 4.3 returns success after the handler has returned
            CHECK_INT(code, 77);
    }
    CHECK_OK(MPI_Comm_free_keyval(&keyval));
    CHECK_OK(MPI_Comm_free(&comm));
    CASE("the handler does not get another error");
    CHECK_CLASS(MPI_Comm_free_keyval(&keyval), MPI_ERR_KEYVAL, MPI_ERR_ARG, MPI_ERR_OTHER);
}

static void called_handlers(void) {
    const int codes[] = {77, 5000, 20000, MPI_ERR_TRUNCATE};
    MPI_Comm comm;
    CASE("codes given to MPI_Comm_call_errhandler");
    CHECK_OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    set_handler(comm);
    for (int i = 0; i < 4; i++) {
        CHECK_OK(MPI_Comm_call_errhandler(comm, codes[i]));
        CHECK_INT(seen, codes[i]);
    }
    CHECK_OK(MPI_Comm_free(&comm));
}

// ---- the state after failed calls ----

static void truncated_test(void) {
    int two[2] = {1, 2}, one = 0, flag = 0, code = MPI_SUCCESS;
    MPI_Request receive, send;
    MPI_Status status = {.MPI_SOURCE = -77, .MPI_TAG = -77};
    CASE("status of a truncated receive that MPI_Test completes");
    CHECK_OK(MPI_Isend(two, 2, MPI_INT, 0, 9, MPI_COMM_SELF, &send));
    CHECK_OK(MPI_Irecv(&one, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &receive));
    while (code == MPI_SUCCESS && !flag)
        code = MPI_Test(&receive, &flag, &status);
    CHECK_CLASS(code, MPI_ERR_TRUNCATE);
    CHECK_INT(status.MPI_SOURCE, 0);
    CHECK_INT(status.MPI_TAG, 9);
    CHECK_SAME(receive, MPI_REQUEST_NULL);
    MPI_Wait(&send, MPI_STATUS_IGNORE); // some libraries also report the other side's error here
}

static void truncated_message(void) {
    int two[2] = {1, 2}, one = 0;
    MPI_Request send;
    MPI_Message message;
    CASE("message of a truncated matched receive");
    CHECK_OK(MPI_Isend(two, 2, MPI_INT, 0, 4, MPI_COMM_SELF, &send));
    CHECK_OK(MPI_Mprobe(0, 4, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE));
    CHECK_CLASS(MPI_Mrecv(&one, 1, MPI_INT, &message, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
    if (check_runtime_is("Open MPI")) // MPICH leaves it unchanged
        CHECK_SAME(message, MPI_MESSAGE_NULL);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
}

static void datarep_without_extent(void) {
    CASE("data representation without an extent function");
    CHECK(MPI_Register_datarep("anympi-none", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, NULL, NULL) !=
              MPI_SUCCESS ||
          check_runtime_is("Open MPI")); // Open MPI does not check it
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    callback_code();
    called_handlers();
    truncated_test();
    truncated_message();
    if (check_mpich_major() != 3 && check_mpich_major() != 5) // built without checks
        datarep_without_extent();
    return check_end();
}
