// What may be called before MPI_Init and after MPI_Finalize: version, state and, on newer libraries, infos and errors.
// ranks: 1 2
#include "check.h"

static int version, subversion;

static void check_state(int expected_initialised, int expected_finalised) {
    int initialised = -1, finalised = -1;
    CHECK_INT(MPI_Initialized(&initialised), MPI_SUCCESS);
    CHECK_INT(initialised, expected_initialised);
    CHECK_INT(MPI_Finalized(&finalised), MPI_SUCCESS);
    CHECK_INT(finalised, expected_finalised);
}

// MPICH 3 forgets that it was initialised.
static void check_state_after(void) {
    int initialised = -1;
    CHECK_INT(MPI_Initialized(&initialised), MPI_SUCCESS);
    check_state(check_runtime_is("MPICH Version:\t3") ? initialised : 1, 1);
}

static void check_version(void) {
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = -1;
    CHECK_INT(MPI_Get_version(&version, &subversion), MPI_SUCCESS);
    CHECK(version >= 3 && version <= 5 && subversion >= 0 && subversion <= 1);
    memset(text, '?', sizeof text);
    CHECK_INT(MPI_Get_library_version(text, &length), MPI_SUCCESS);
    CHECK(length > 0 && length < MPI_MAX_LIBRARY_VERSION_STRING);
    CHECK(strlen(text) == (size_t)length || strlen(text) == (size_t)length - 1); // Open MPI counts the final zero
}

// MPI 4 allows these at any time; a library that is older ends the program.
static int runtime_allows_infos(void) {
    return !check_runtime_is("Open MPI v4") && !check_runtime_is("MPICH Version:\t3");
}

static void ignore(MPI_Session* session, int* code, ...) {
    (void)session;
    (void)code;
}

// Where sessions are emulated, so is this: until MPI_Finalize.
static int infos_allowed(void) {
    static int sessions_offered = -1;
    MPI_Errhandler handler;
    if (runtime_allows_infos())
        return 1;
    if (sessions_offered < 0) {
        sessions_offered = MPI_Session_create_errhandler(ignore, &handler) == MPI_SUCCESS;
        if (sessions_offered)
            CHECK_INT(MPI_Errhandler_free(&handler), MPI_SUCCESS);
    }
    return sessions_offered;
}

static void check_info(void) {
    MPI_Info info = MPI_INFO_NULL, copy = MPI_INFO_NULL;
    char value[16] = "";
    int flag = 0, keys = -1;
    CHECK_INT(MPI_Info_create(&info), MPI_SUCCESS);
    CHECK(info != MPI_INFO_NULL);
    CHECK_INT(MPI_Info_set(info, "key", "value"), MPI_SUCCESS);
    CHECK_INT(MPI_Info_dup(info, &copy), MPI_SUCCESS);
    CHECK_INT(MPI_Info_get_nkeys(copy, &keys), MPI_SUCCESS);
    CHECK_INT(keys, 1);
    CHECK_INT(MPI_Info_get(copy, "key", 15, value, &flag), MPI_SUCCESS);
    CHECK_INT(flag, 1);
    CHECK_STRING(value, "value");
    CHECK_INT(MPI_Info_free(&copy), MPI_SUCCESS);
    CHECK_INT(MPI_Info_free(&info), MPI_SUCCESS);
    CHECK_SAME(info, MPI_INFO_NULL);
}

static void check_errors(void) {
    char text[MPI_MAX_ERROR_STRING];
    int length = -1, class = -1;
    memset(text, '?', sizeof text);
    CHECK_INT(MPI_Error_string(MPI_ERR_TRUNCATE, text, &length), MPI_SUCCESS);
    CHECK(length > 0 && length < MPI_MAX_ERROR_STRING);
    CHECK_INT(strlen(text), length);
    CHECK_INT(MPI_Error_class(MPI_ERR_NO_SUCH_FILE, &class), MPI_SUCCESS);
    CHECK_INT(class, MPI_ERR_NO_SUCH_FILE);
}

// An info made before MPI_Init is the same object afterwards.
static void carry_over(int* argc, char*** argv) {
    MPI_Info info = MPI_INFO_NULL;
    char value[16] = "";
    int flag = 0;
    CASE("an info from before MPI_Init");
    if (infos_allowed()) {
        CHECK_INT(MPI_Info_create(&info), MPI_SUCCESS);
        CHECK_INT(MPI_Info_set(info, "made", "early"), MPI_SUCCESS);
    }
    MPI_Init(argc, argv);
    check_join();
    if (infos_allowed()) {
        CHECK_OK(MPI_Info_get(info, "made", 15, value, &flag));
        CHECK_STRING(value, "early");
        CHECK_OK(MPI_Info_free(&info));
    } else {
        check_skip("infos and error texts outside MPI_Init and MPI_Finalize", "this MPI is older than MPI 4");
    }
}

static void abi_version(void) {
    int major = -1, minor = -1;
    CASE("Abi_get_version");
#ifdef MPI_ABI_VERSION
    if (OFFERED(MPI_Abi_get_version, (&major, &minor))) {
        CHECK_INT(major, MPI_ABI_VERSION);
        CHECK_INT(minor, MPI_ABI_SUBVERSION);
    }
#endif
}

int main(int argc, char** argv) {
    check_start();
    CASE("before MPI_Init");
    check_state(0, 0);
    check_version();
    if (infos_allowed()) {
        check_info();
        check_errors();
    }
    carry_over(&argc, &argv);
    CASE("between");
    check_state(1, 0);
    check_version();
    abi_version();
    check_merge();
    MPI_Finalize();
    CASE("after MPI_Finalize");
    check_state_after();
    check_version();
    if (runtime_allows_infos()) {
        check_info();
        check_errors();
    }
    return check_report();
}
