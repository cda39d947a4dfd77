// The tools interface: control and performance variables, categories, enumerations and events; every number that it
// returns must be one of the standard's; variables that belong to a communicator; all of it also before MPI_Init.
// ranks: 1 2
#include "check.h"

enum { text_length = 4096, most_values = 4096 };

static char name[text_length], text[text_length];
static union {
    int i[most_values];
    long long l[most_values];
    double d[most_values];
    char c[most_values];
} values;

// True if the number is in the list. Each ABI has other numbers, so a number that was not converted is noticed.
#define ONE_OF(number, ...)                                                                                            \
    is_one_of(number, (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

static int is_one_of(int number, const int* list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (list[i] == number)
            return 1;
    return 0;
}

static int is_verbosity(int number) {
    return ONE_OF(number, MPI_T_VERBOSITY_USER_BASIC, MPI_T_VERBOSITY_USER_DETAIL, MPI_T_VERBOSITY_USER_ALL,
                  MPI_T_VERBOSITY_TUNER_BASIC, MPI_T_VERBOSITY_TUNER_DETAIL, MPI_T_VERBOSITY_TUNER_ALL,
                  MPI_T_VERBOSITY_MPIDEV_BASIC, MPI_T_VERBOSITY_MPIDEV_DETAIL, MPI_T_VERBOSITY_MPIDEV_ALL);
}

static int is_bind(int number) {
    return ONE_OF(number, MPI_T_BIND_NO_OBJECT, MPI_T_BIND_MPI_COMM, MPI_T_BIND_MPI_DATATYPE, MPI_T_BIND_MPI_ERRHANDLER,
                  MPI_T_BIND_MPI_FILE, MPI_T_BIND_MPI_GROUP, MPI_T_BIND_MPI_OP, MPI_T_BIND_MPI_REQUEST,
                  MPI_T_BIND_MPI_WIN, MPI_T_BIND_MPI_MESSAGE, MPI_T_BIND_MPI_INFO, MPI_T_BIND_MPI_SESSION);
}

static int is_scope(int number) {
    return ONE_OF(number, MPI_T_SCOPE_CONSTANT, MPI_T_SCOPE_READONLY, MPI_T_SCOPE_LOCAL, MPI_T_SCOPE_GROUP,
                  MPI_T_SCOPE_GROUP_EQ, MPI_T_SCOPE_ALL, MPI_T_SCOPE_ALL_EQ);
}

static int is_class(int number) {
    return ONE_OF(number, MPI_T_PVAR_CLASS_STATE, MPI_T_PVAR_CLASS_LEVEL, MPI_T_PVAR_CLASS_SIZE,
                  MPI_T_PVAR_CLASS_PERCENTAGE, MPI_T_PVAR_CLASS_HIGHWATERMARK, MPI_T_PVAR_CLASS_LOWWATERMARK,
                  MPI_T_PVAR_CLASS_COUNTER, MPI_T_PVAR_CLASS_AGGREGATE, MPI_T_PVAR_CLASS_TIMER,
                  MPI_T_PVAR_CLASS_GENERIC);
}

// Variables have one of a few named types. Open MPI also has MPI_INT32_T and the like.
static int is_variable_type(MPI_Datatype type) {
    return type == MPI_INT || type == MPI_UNSIGNED || type == MPI_UNSIGNED_LONG || type == MPI_UNSIGNED_LONG_LONG ||
           type == MPI_COUNT || type == MPI_CHAR || type == MPI_DOUBLE || type == MPI_LONG || type == MPI_INT32_T ||
           type == MPI_INT64_T || type == MPI_UINT32_T || type == MPI_UINT64_T || type == MPI_C_BOOL ||
           type == MPI_BYTE || type == MPI_FLOAT;
}

static void check_enumeration(MPI_T_enum type) {
    int count = -1, length = text_length, value;
    if (!CHECK_INT(MPI_T_enum_get_info(type, &count, name, &length), MPI_SUCCESS))
        return;
    CHECK(count >= 0);
    for (int item = 0; item < count; item++) {
        length = text_length;
        CHECK_INT(MPI_T_enum_get_item(type, item, &value, name, &length), MPI_SUCCESS);
        CHECK(length > 0 && strlen(name) == (size_t)length - 1);
    }
}

// Open MPI keeps the indexes of variables whose plug-in was closed.
static int is_gone(int code) {
    return code == MPI_T_ERR_INVALID_INDEX || code == MPI_T_ERR_INVALID;
}

// Debian's Open MPI crashes when a variable of a closed plug-in is read, so only variables of the library itself are
// read.
static int is_lasting(const char* variable) {
    return strncmp(variable, "mpi_", 4) == 0 || strncmp(variable, "MPIR_", 5) == 0;
}

static void control_variable(int index) {
    int length = text_length, text_size = text_length, verbosity = -1, bind = -1, scope = -1, found = -1, count = -1;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int code =
        MPI_T_cvar_get_info(index, name, &length, &verbosity, &type, &enumeration, text, &text_size, &bind, &scope);
    if (is_gone(code) || !CHECK_INT(code, MPI_SUCCESS))
        return;
    CHECK(is_verbosity(verbosity));
    CHECK(is_bind(bind));
    CHECK(is_scope(scope));
    CHECK(is_variable_type(type));
    CHECK_INT(strlen(name), length - 1);
    CHECK_INT(MPI_T_cvar_get_index(name, &found), MPI_SUCCESS);
    CHECK_INT(found, index);
    if (enumeration != MPI_T_ENUM_NULL)
        check_enumeration(enumeration);
    if (is_lasting(name) && bind == MPI_T_BIND_NO_OBJECT &&
        MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS) {
        CHECK(handle != MPI_T_CVAR_HANDLE_NULL && count >= 0);
        if (count * 8 <= (int)sizeof values)
            CHECK_INT(MPI_T_cvar_read(handle, &values), MPI_SUCCESS);
        CHECK_INT(MPI_T_cvar_handle_free(&handle), MPI_SUCCESS);
        CHECK_SAME(handle, MPI_T_CVAR_HANDLE_NULL);
    }
}

static void control_variables(void) {
    int count = -1, verbosity = -1, index;
    CASE("control variables");
    CHECK_INT(MPI_T_cvar_get_num(&count), MPI_SUCCESS);
    CHECK(count > 0);
    for (int i = 0; i < count; i++)
        control_variable(i);
    CASE("control variables: parts of the description"); // every output argument may be NULL
    CHECK_INT(MPI_T_cvar_get_info(0, NULL, NULL, &verbosity, NULL, NULL, NULL, NULL, NULL, NULL), MPI_SUCCESS);
    CHECK(is_verbosity(verbosity));
    CASE("control variables: errors");
    CHECK_INT(MPI_T_cvar_get_index("anympi has no such variable", &index), MPI_T_ERR_INVALID_NAME);
}

static void performance_variable(int index, MPI_T_pvar_session session) {
    int length = text_length, text_size = text_length, verbosity, kind, bind, readonly, continuous, atomic;
    int found = -1, count = -1;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    int code = MPI_T_pvar_get_info(index, name, &length, &verbosity, &kind, &type, &enumeration, text, &text_size,
                                   &bind, &readonly, &continuous, &atomic);
    if (is_gone(code) || !CHECK_INT(code, MPI_SUCCESS))
        return;
    CHECK(is_verbosity(verbosity));
    CHECK(is_class(kind));
    CHECK(is_bind(bind));
    CHECK(is_variable_type(type));
    CHECK_INT(MPI_T_pvar_get_index(name, kind, &found), MPI_SUCCESS);
    CHECK_INT(found, index);
    if (bind != MPI_T_BIND_NO_OBJECT || MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count) != MPI_SUCCESS)
        return;
    CHECK(handle != MPI_T_PVAR_HANDLE_NULL && count >= 0);
    if (!continuous)
        CHECK_INT(MPI_T_pvar_start(session, handle), MPI_SUCCESS);
    if (count * 8 <= (int)sizeof values)
        CHECK_INT(MPI_T_pvar_read(session, handle, &values), MPI_SUCCESS);
    CHECK_INT(MPI_T_pvar_stop(session, handle), continuous ? MPI_T_ERR_PVAR_NO_STARTSTOP : MPI_SUCCESS);
    CHECK_INT(MPI_T_pvar_handle_free(session, &handle), MPI_SUCCESS);
    CHECK_SAME(handle, MPI_T_PVAR_HANDLE_NULL);
}

static void performance_variables(void) {
    int count = -1, index;
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
    CASE("performance variables");
    CHECK_INT(MPI_T_pvar_get_num(&count), MPI_SUCCESS);
    CHECK(count >= 0);
    CHECK_INT(MPI_T_pvar_session_create(&session), MPI_SUCCESS);
    for (int i = 0; i < count; i++)
        performance_variable(i, session);
    CASE("performance variables: all handles");
    if (check_runtime_is("MPICH Version:      5")) {
        check_skip("MPI_T_PVAR_ALL_HANDLES", "the standard-ABI library of MPICH 5.0.2 crashes");
    } else {
        CHECK_INT(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
        CHECK_INT(MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
    }
    CHECK_INT(MPI_T_pvar_session_free(&session), MPI_SUCCESS);
    CHECK_SAME(session, MPI_T_PVAR_SESSION_NULL);
    CASE("performance variables: errors");
    CHECK_INT(MPI_T_pvar_get_index("anympi has no such variable", MPI_T_PVAR_CLASS_COUNTER, &index),
              MPI_T_ERR_INVALID_NAME);
}

// Open MPI counts unexpected messages for each communicator and rank; no other variable here belongs to an object.
static void variable_of_communicator(MPI_Comm comm) {
    int index, count = -1, mine = 5, found = 0, waiting = 0;
    MPI_Request requests[3];
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    CASE("a variable that belongs to a communicator");
    const int code = MPI_T_pvar_get_index("pml_ob1_unexpected_msgq_length", MPI_T_PVAR_CLASS_SIZE, &index);
    if (code != MPI_SUCCESS && !check_runtime_is("Open MPI")) {
        check_skip("variables of a communicator", "this MPI has no known one");
        return;
    }
    if (!CHECK_INT(code, MPI_SUCCESS))
        return;
    CHECK_INT(MPI_T_pvar_session_create(&session), MPI_SUCCESS);
    CHECK_INT(MPI_T_pvar_handle_alloc(session, index, &comm, &handle, &count), MPI_SUCCESS);
    CHECK_INT(count, check_ranks);
    for (int i = 0; i < 3; i++)
        CHECK_OK(MPI_Isend(&mine, 1, MPI_INT, check_rank, i, comm, &requests[i]));
    CHECK_OK(MPI_Iprobe(check_rank, 2, comm, &waiting, MPI_STATUS_IGNORE));
    memset(&values, -1, sizeof values);
    CHECK_INT(MPI_T_pvar_read(session, handle, &values), MPI_SUCCESS);
    CHECK_INT(values.i[check_rank], 3);
    for (int i = 0; i < 3; i++)
        CHECK_OK(MPI_Recv(&found, 1, MPI_INT, check_rank, i, comm, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
    CHECK_INT(MPI_T_pvar_handle_free(session, &handle), MPI_SUCCESS);
    CHECK_INT(MPI_T_pvar_session_free(&session), MPI_SUCCESS);
}

static void categories(void) {
    static int members[most_values];
    int count = -1, stamp = -1, found = -1;
    CASE("categories");
    CHECK_INT(MPI_T_category_get_num(&count), MPI_SUCCESS);
    CHECK_INT(MPI_T_category_changed(&stamp), MPI_SUCCESS);
    for (int category = 0; category < count; category++) {
        int length = text_length, text_size = text_length, cvars = -1, pvars = -1, inner = -1;
        int code = MPI_T_category_get_info(category, name, &length, text, &text_size, &cvars, &pvars, &inner);
        if (is_gone(code) || !CHECK_INT(code, MPI_SUCCESS))
            continue;
        CHECK_INT(strlen(name), length - 1);
        CHECK(cvars >= 0 && pvars >= 0 && inner >= 0);
        CHECK_INT(MPI_T_category_get_index(name, &found), MPI_SUCCESS);
        CHECK_INT(found, category);
        CHECK_INT(MPI_T_category_get_cvars(category, most_values, members), MPI_SUCCESS);
        CHECK_INT(MPI_T_category_get_pvars(category, most_values, members), MPI_SUCCESS);
        CHECK_INT(MPI_T_category_get_categories(category, most_values, members), MPI_SUCCESS);
    }
}

static void events(void) {
    int count = -1, index = -1;
    MPI_T_source_order order = MPI_T_SOURCE_ORDERED;
    CASE("events and sources");
    if (OFFERED(MPI_T_event_get_num, (&count))) {
        CHECK(count >= 0);
        CHECK_INT(MPI_T_event_get_index("anympi has no such event", &index), MPI_T_ERR_INVALID_NAME);
        CHECK_INT(MPI_T_source_get_num(&count), MPI_SUCCESS);
        for (int source = 0; source < count; source++) {
            CHECK_INT(MPI_T_source_get_info(source, NULL, NULL, NULL, NULL, &order, NULL, NULL, NULL), MPI_SUCCESS);
            CHECK(ONE_OF((int)order, MPI_T_SOURCE_ORDERED, MPI_T_SOURCE_UNORDERED));
        }
    }
}

int main(int argc, char** argv) {
    MPI_Comm comm;
    int count, provided = -1;
    check_start();
    CASE("before MPI_T_init_thread");
    if (!check_runtime_is("MPICH Version:\t3")) // MPICH 3 aborts
        CHECK_INT(MPI_T_cvar_get_num(&count), MPI_T_ERR_NOT_INITIALIZED);
    CASE("before MPI_Init");
    CHECK_INT(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided), MPI_SUCCESS);
    CHECK(ONE_OF(provided, MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE));
    control_variables();
    MPI_Init(&argc, &argv);
    check_join();
    CASE("nested MPI_T_init_thread");
    CHECK_INT(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), MPI_SUCCESS);
    CHECK_INT(MPI_T_finalize(), MPI_SUCCESS);
    control_variables();
    performance_variables();
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    variable_of_communicator(MPI_COMM_WORLD);
    variable_of_communicator(comm);
    CHECK_OK(MPI_Comm_free(&comm));
    categories();
    events();
    CHECK_INT(MPI_T_finalize(), MPI_SUCCESS);
    return check_end();
}
