// Error handlers of communicators, windows, files and sessions: they get the program's own handle and code.
// ranks: 1 2
#include "check.h"
#include <setjmp.h>
#include <sys/resource.h>

static struct {
    int calls, code;
    uintptr_t object;
} seen;

static void note(uintptr_t object, int code) {
    seen.calls++;
    seen.object = object;
    seen.code = code;
}

static void on_comm(MPI_Comm* comm, int* code, ...) {
    note((uintptr_t)*comm, *code);
}
static void on_win(MPI_Win* win, int* code, ...) {
    note((uintptr_t)*win, *code);
}
static void on_file(MPI_File* file, int* code, ...) {
    note((uintptr_t)*file, *code);
}
static void on_session(MPI_Session* session, int* code, ...) {
    note((uintptr_t)*session, *code);
}

static void forget(void) {
    memset(&seen, 0, sizeof seen);
}

// A call with a bad rank fails in every runtime. After a handler of the program, MPICH 4.3 to 5.0 return MPI_SUCCESS.
static int bad_call(MPI_Comm comm) {
    int data = 0;
    return MPI_Send(&data, 1, MPI_INT, check_ranks + 5, 0, comm);
}

static void check_seen(uintptr_t object, int class) {
    CHECK_INT(seen.calls, 1);
    CHECK_SAME(seen.object, object);
    CHECK_CLASS(seen.code, class);
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    CHECK_OK(MPI_Error_string(seen.code, text, &length)); // the code must be valid in other calls
    CHECK(length > 0 && length == (int)strlen(text));
}

static void predefined(void) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm comm;
    CASE("predefined handlers");
    CHECK_OK(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler));
    CHECK_SAME(handler, MPI_ERRORS_RETURN); // set by check_begin()
    CHECK_OK(MPI_Errhandler_free(&handler));
    CHECK_SAME(handler, MPI_ERRHANDLER_NULL);
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    if (check_runtime_is("MPICH Version:\t4.0")) // MPICH 4.0 ends with a failed assertion
        check_skip("MPI_ERRORS_ABORT", "broken in MPICH 4.0");
    else {
        CHECK_OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_ABORT));
        CHECK_OK(MPI_Comm_get_errhandler(comm, &handler));
        CHECK_SAME(handler, MPI_ERRORS_ABORT);
        CHECK_OK(MPI_Errhandler_free(&handler));
    }
    CHECK_OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL));
    CHECK_OK(MPI_Comm_get_errhandler(comm, &handler));
    CHECK_SAME(handler, MPI_ERRORS_ARE_FATAL);
    CHECK_OK(MPI_Errhandler_free(&handler));
    CHECK_OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    CHECK_CLASS(bad_call(comm), MPI_ERR_RANK);
    CHECK_OK(MPI_Comm_free(&comm));
}

static void communicators(void) {
    MPI_Errhandler mine, got;
    MPI_Comm comm, copy;
    CASE("communicator");
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_OK(MPI_Comm_create_errhandler(on_comm, &mine));
    CHECK_OK(MPI_Comm_set_errhandler(comm, mine));
    CHECK_OK(MPI_Comm_get_errhandler(comm, &got));
    CHECK_SAME(got, mine);
    CHECK_OK(MPI_Errhandler_free(&got));
    forget();
    CHECK_CLASS(bad_call(comm), MPI_ERR_RANK, MPI_SUCCESS);
    check_seen((uintptr_t)comm, MPI_ERR_RANK);

    CASE("communicator: inherited by dup");
    CHECK_OK(MPI_Comm_dup(comm, &copy));
    forget();
    bad_call(copy);
    check_seen((uintptr_t)copy, MPI_ERR_RANK);

    CASE("communicator: freed but still in use");
    CHECK_OK(MPI_Errhandler_free(&mine));
    CHECK_SAME(mine, MPI_ERRHANDLER_NULL);
    forget();
    bad_call(comm);
    check_seen((uintptr_t)comm, MPI_ERR_RANK);
    CHECK_OK(MPI_Comm_free(&comm));
    forget();
    bad_call(copy);
    check_seen((uintptr_t)copy, MPI_ERR_RANK);
    CHECK_OK(MPI_Comm_free(&copy));

    CASE("communicator: world");
    CHECK_OK(MPI_Comm_create_errhandler(on_comm, &mine));
    CHECK_OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine));
    forget();
    bad_call(MPI_COMM_WORLD);
    check_seen((uintptr_t)MPI_COMM_WORLD, MPI_ERR_RANK); // the constant itself
    CHECK_OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_OK(MPI_Errhandler_free(&mine));
}

// The call returns the result of a callback, whatever the error handler does meanwhile.
static int refuse_deletion(MPI_Comm comm, int keyval, void* value, void* state) {
    (void)comm, (void)keyval, (void)value;
    return *(int*)state;
}

static void call_mpi(MPI_Comm* comm, int* code, ...) {
    MPI_Datatype type;
    (void)comm, (void)code;
    CHECK_OK(MPI_Type_dup(MPI_INT, &type));
    CHECK_OK(MPI_Type_free(&type));
}

static void handler_that_calls_mpi(void) {
    MPI_Errhandler mine;
    MPI_Comm comm;
    int keyval, answer = 78;
    CASE("handler that calls MPI");
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_OK(MPI_Comm_create_errhandler(call_mpi, &mine));
    CHECK_OK(MPI_Comm_set_errhandler(comm, mine));
    CHECK_OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse_deletion, &keyval, &answer));
    CHECK_OK(MPI_Comm_set_attr(comm, keyval, &answer));
    int code = MPI_Comm_delete_attr(comm, keyval);
    CHECK(code == 78 || code == MPI_SUCCESS); // MPICH 4.3 and newer return success after the handler
    answer = MPI_SUCCESS;
    CHECK_OK(MPI_Comm_delete_attr(comm, keyval));
    CHECK_OK(MPI_Comm_free_keyval(&keyval));
    CHECK_OK(MPI_Errhandler_free(&mine));
    CHECK_OK(MPI_Comm_free(&comm));
}

// MPI_X_call_errhandler passes on any code, also a code that the program added.
static void called_by_the_program(void) {
    MPI_Errhandler mine;
    MPI_Comm comm;
    int class = 0, code = 0;
    CASE("call_errhandler");
    CHECK_OK(MPI_Add_error_class(&class));
    CHECK_OK(MPI_Add_error_code(class, &code));
    CHECK_OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    CHECK_OK(MPI_Comm_create_errhandler(on_comm, &mine));
    CHECK_OK(MPI_Comm_set_errhandler(comm, mine));
    const int codes[] = {MPI_ERR_OTHER, MPI_ERR_REQUEST, MPI_ERR_RMA_SYNC, MPI_ERR_IN_STATUS, class, code};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        forget();
        CHECK_CLASS(MPI_Comm_call_errhandler(comm, codes[i]), MPI_SUCCESS);
        CHECK_INT(seen.calls, 1);
        CHECK_INT(seen.code, codes[i]);
        CHECK_SAME(seen.object, comm);
    }
    CHECK_OK(MPI_Errhandler_free(&mine));
    CHECK_OK(MPI_Comm_free(&comm));
}

// A handler may leave by longjmp: no state of anympi may depend on its return.
static jmp_buf escape;

static void jump(MPI_Comm* comm, int* code, ...) {
    note((uintptr_t)*comm, *code);
    longjmp(escape, 1);
}

static void jumping(void) {
    MPI_Errhandler mine;
    MPI_Comm comm;
    CASE("handler that jumps");
    CHECK_OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    CHECK_OK(MPI_Comm_create_errhandler(jump, &mine));
    CHECK_OK(MPI_Comm_set_errhandler(comm, mine));
    for (volatile int i = 0; i < 3; i++) {
        forget();
        if (setjmp(escape) == 0) {
            MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
            CHECK(!"the handler came back");
        }
        CHECK_INT(seen.calls, 1);
        CHECK_SAME(seen.object, comm);
    }
    int rank = -1;
    CHECK_OK(MPI_Comm_rank(comm, &rank)); // MPI still works
    CHECK_INT(rank, 0);
    CHECK_OK(MPI_Errhandler_free(&mine));
    CHECK_OK(MPI_Comm_free(&comm));
}

static void windows(void) {
    MPI_Errhandler mine, got;
    MPI_Win win;
    void* memory = NULL;
    CASE("window");
    CHECK_OK(MPI_Win_allocate_shared(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    CHECK_OK(MPI_Win_create_errhandler(on_win, &mine));
    CHECK_OK(MPI_Win_set_errhandler(win, mine));
    CHECK_OK(MPI_Win_get_errhandler(win, &got));
    CHECK_SAME(got, mine);
    CHECK_OK(MPI_Errhandler_free(&got));
    forget();
    CHECK_OK(MPI_Win_call_errhandler(win, MPI_ERR_RMA_RANGE));
    CHECK_INT(seen.calls, 1);
    CHECK_INT(seen.code, MPI_ERR_RMA_RANGE);
    CHECK_SAME(seen.object, win);
    CHECK_OK(MPI_Errhandler_free(&mine));
    CHECK_OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    CHECK_OK(MPI_Win_get_errhandler(win, &got));
    CHECK_SAME(got, MPI_ERRORS_RETURN);
    CHECK_OK(MPI_Errhandler_free(&got));
    CHECK_OK(MPI_Win_free(&win));
}

static void files(void) {
    MPI_Errhandler mine, got;
    MPI_File file = MPI_FILE_NULL;
    int class_of_missing;
    CASE("file: default");
    CHECK_OK(MPI_File_get_errhandler(MPI_FILE_NULL, &got));
    CHECK_SAME(got, MPI_ERRORS_RETURN);
    class_of_missing = MPI_File_open(MPI_COMM_SELF, "there is no such file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    CHECK_CLASS(class_of_missing, MPI_ERR_NO_SUCH_FILE);

    CASE("file: handler of no file");
    CHECK_OK(MPI_File_create_errhandler(on_file, &mine));
    CHECK_OK(MPI_File_set_errhandler(MPI_FILE_NULL, mine));
    forget();
    MPI_File_open(MPI_COMM_SELF, "there is no such file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    CHECK_INT(seen.calls, 1);
    CHECK_SAME(seen.object, MPI_FILE_NULL);
    CHECK_CLASS(seen.code, MPI_ERR_NO_SUCH_FILE);
    CHECK_OK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));

    CASE("file: own handler");
    char name[40];
    snprintf(name, sizeof name, "errhandlers.%d", check_rank);
    if (CHECK_OK(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                               MPI_INFO_NULL, &file))) {
        CHECK_OK(MPI_File_set_errhandler(file, mine));
        CHECK_OK(MPI_File_get_errhandler(file, &got));
        CHECK_SAME(got, mine);
        CHECK_OK(MPI_Errhandler_free(&got));
        forget();
        CHECK_OK(MPI_File_call_errhandler(file, MPI_ERR_QUOTA));
        CHECK_INT(seen.calls, 1);
        CHECK_INT(seen.code, MPI_ERR_QUOTA);
        CHECK_SAME(seen.object, file);
        CHECK_OK(MPI_File_close(&file));
        CHECK_SAME(file, MPI_FILE_NULL);
    }
    CHECK_OK(MPI_Errhandler_free(&mine));
}

static void sessions(void) {
    MPI_Errhandler mine = MPI_ERRHANDLER_NULL, got;
    MPI_Session session = MPI_SESSION_NULL;
    CASE("session");
    if (!OFFERED(MPI_Session_create_errhandler, (on_session, &mine)))
        return;
    if (OFFERED(MPI_Session_init, (MPI_INFO_NULL, MPI_ERRORS_RETURN, &session))) {
        CHECK_OK(MPI_Session_set_errhandler(session, mine));
        CHECK_OK(MPI_Session_get_errhandler(session, &got));
        CHECK_SAME(got, mine);
        CHECK_OK(MPI_Errhandler_free(&got));
        forget();
        CHECK_OK(MPI_Session_call_errhandler(session, MPI_ERR_ARG));
        CHECK_INT(seen.calls, 1);
        CHECK_INT(seen.code, MPI_ERR_ARG);
        CHECK_SAME(seen.object, session);
        CHECK_OK(MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN));
        CHECK_OK(MPI_Session_finalize(&session));
        CHECK_SAME(session, MPI_SESSION_NULL);
    }
    CHECK_OK(MPI_Errhandler_free(&mine));
}

// Several handlers at the same time: each communicator calls its own one.
static int second_calls;

static void on_comm_second(MPI_Comm* comm, int* code, ...) {
    (void)comm;
    (void)code;
    second_calls++;
}

static void two_handlers(void) {
    MPI_Errhandler first, second;
    MPI_Comm a, b;
    CASE("two handlers");
    CHECK_OK(MPI_Comm_dup(MPI_COMM_SELF, &a));
    CHECK_OK(MPI_Comm_dup(MPI_COMM_SELF, &b));
    CHECK_OK(MPI_Comm_create_errhandler(on_comm, &first));
    CHECK_OK(MPI_Comm_create_errhandler(on_comm_second, &second));
    CHECK(first != second);
    CHECK_OK(MPI_Comm_set_errhandler(a, first));
    CHECK_OK(MPI_Comm_set_errhandler(b, second));
    forget();
    bad_call(b);
    CHECK_INT(seen.calls, 0);
    CHECK_INT(second_calls, 1);
    bad_call(a);
    check_seen((uintptr_t)a, MPI_ERR_RANK);
    CHECK_INT(second_calls, 1);
    CHECK_OK(MPI_Errhandler_free(&first));
    CHECK_OK(MPI_Errhandler_free(&second));
    CHECK_OK(MPI_Comm_free(&a));
    CHECK_OK(MPI_Comm_free(&b));
}

// Lack of memory for a converted array is an ordinary error: the handler is called. If no conversion is necessary, the
// call succeeds. Not under AddressSanitizer, which would end the program.
static inline void exhausted(void) {
    enum { many = 1 << 22 };
    MPI_Request* requests = malloc(many * sizeof *requests);
    MPI_Errhandler handler;
    struct rlimit before, small;
    CASE("memory is exhausted");
    for (int i = 0; i < many; i++)
        requests[i] = MPI_REQUEST_NULL;
    CHECK_OK(MPI_Comm_create_errhandler(on_comm, &handler));
    CHECK_OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    CHECK_OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
    forget();
    getrlimit(RLIMIT_AS, &before);
    small = before;
    small.rlim_cur = 1 << 20;
    setrlimit(RLIMIT_AS, &small);
    const int code = MPI_Waitall(many, requests, MPI_STATUSES_IGNORE);
    setrlimit(RLIMIT_AS, &before);
    CHECK_CLASS(code, MPI_SUCCESS, MPI_ERR_NO_MEM, MPI_ERR_OTHER); // MPI_ERR_OTHER is MPICH's own error
    if (code != MPI_SUCCESS) {
        CHECK_INT(seen.calls, 1);
        CHECK_INT(seen.code, code);
    }
    CHECK_OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_OK(MPI_Errhandler_free(&handler));
    free(requests);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    predefined();
    communicators();
    handler_that_calls_mpi();
    two_handlers();
    called_by_the_program();
    jumping();
    windows();
    files();
    sessions();
#ifndef __SANITIZE_ADDRESS__
    exhausted();
#endif
    return check_end();
}
