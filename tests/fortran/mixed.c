// The part of mixed.f90 that is in C. Its functions have the names and arguments that Fortran compilers use.
#include "checks.c" // all in one file, since every file with check.h counts its own checks
#include "registered_datarep.h"

static int first_numbers[4]; // their addresses are attributes

// ---- handles ----

void use_handles_(MPI_Fint* comm, MPI_Fint* type, MPI_Fint* group, MPI_Fint* info, MPI_Fint* win, MPI_Fint* request,
                  MPI_Fint* op) {
    int size, flag, commutes;
    char value[20] = "";
    MPI_Group of_win;
    CHECK_OK(MPI_Comm_size(MPI_Comm_f2c(*comm), &size));
    CHECK_INT(size, check_ranks);
    CHECK_INT(MPI_Comm_c2f(MPI_Comm_f2c(*comm)), *comm);
    CHECK_OK(MPI_Type_size(MPI_Type_f2c(*type), &size));
    CHECK_INT(size, 12);
    CHECK_INT(MPI_Type_c2f(MPI_Type_f2c(*type)), *type);
    CHECK_OK(MPI_Group_size(MPI_Group_f2c(*group), &size));
    CHECK_INT(size, check_ranks);
    CHECK_OK(MPI_Info_get(MPI_Info_f2c(*info), "language", 19, value, &flag));
    CHECK(flag);
    CHECK_STRING(value, "Fortran");
    CHECK_OK(MPI_Win_get_group(MPI_Win_f2c(*win), &of_win));
    CHECK_OK(MPI_Group_free(&of_win));
    CHECK_OK(MPI_Op_commutative(MPI_Op_f2c(*op), &commutes));
    CHECK(commutes);
    MPI_Request started = MPI_Request_f2c(*request);
    CHECK_OK(MPI_Start(&started));
    CHECK_OK(MPI_Wait(&started, MPI_STATUS_IGNORE));
    CHECK_INT(MPI_Request_c2f(started), *request);
}

void use_predefined_(MPI_Fint* world, MPI_Fint* no_comm, MPI_Fint* integer, MPI_Fint* real8, MPI_Fint* no_type,
                     MPI_Fint* sum, MPI_Fint* empty, MPI_Fint* no_info, MPI_Fint* no_request, MPI_Fint* errors_return) {
    CHECK_SAME(MPI_Comm_f2c(*world), MPI_COMM_WORLD);
    CHECK_INT(MPI_Comm_c2f(MPI_COMM_WORLD), *world);
    CHECK_SAME(MPI_Comm_f2c(*no_comm), MPI_COMM_NULL);
    CHECK_SAME(MPI_Type_f2c(*integer), MPI_INTEGER);
    CHECK_INT(MPI_Type_c2f(MPI_INTEGER), *integer);
    CHECK_SAME(MPI_Type_f2c(*real8), MPI_DOUBLE_PRECISION);
    CHECK_SAME(MPI_Type_f2c(*no_type), MPI_DATATYPE_NULL);
    CHECK_SAME(MPI_Op_f2c(*sum), MPI_SUM);
    CHECK_SAME(MPI_Group_f2c(*empty), MPI_GROUP_EMPTY);
    CHECK_SAME(MPI_Info_f2c(*no_info), MPI_INFO_NULL);
    CHECK_SAME(MPI_Request_f2c(*no_request), MPI_REQUEST_NULL);
    CHECK_SAME(MPI_Errhandler_f2c(*errors_return), MPI_ERRORS_RETURN);
}

void make_handles_(MPI_Fint* comm, MPI_Fint* type) {
    MPI_Comm made;
    MPI_Datatype made_type;
    CHECK_OK(MPI_Comm_dup(MPI_COMM_SELF, &made));
    CHECK_OK(MPI_Type_contiguous(5, MPI_CHAR, &made_type));
    *comm = MPI_Comm_c2f(made);
    *type = MPI_Type_c2f(made_type);
}

// ---- texts ----

// Declared as a compiler calls it that passes the length of a text as an int: the upper half of the place may hold
// anything.
void mpi_comm_set_name_(MPI_Fint* comm, const char* name, MPI_Fint* ierror, uint64_t length);
void mpi_comm_get_name_(MPI_Fint* comm, char* name, MPI_Fint* used, MPI_Fint* ierror, uint64_t length);
void mpi_info_set_(MPI_Fint* info, const char* key, const char* value, MPI_Fint* ierror, uint64_t key_length,
                   uint64_t value_length);
void mpi_info_get_(MPI_Fint* info, const char* key, MPI_Fint* room, char* value, MPI_Fint* flag, MPI_Fint* ierror,
                   uint64_t key_length, uint64_t value_length);

void use_lengths_(MPI_Fint* comm, MPI_Fint* info) {
    const uint64_t anything = 0xabadcafe00000000;
    MPI_Fint ierror = -1, used = -1, room = 8, flag = 0;
    char name[] = "????????", value[] = "????????";
    mpi_comm_set_name_(comm, "short and long", &ierror, anything | 5);
    CHECK_INT(ierror, MPI_SUCCESS);
    mpi_comm_get_name_(comm, name, &used, &ierror, anything | 7);
    CHECK_INT(ierror, MPI_SUCCESS);
    CHECK_INT(used, 5);
    CHECK_STRING(name, "short  ?");
    mpi_info_set_(info, " key and more", "value and more", &ierror, anything | 4, anything | 5);
    CHECK_INT(ierror, MPI_SUCCESS);
    mpi_info_get_(info, "key and more", &room, value, &flag, &ierror, anything | 3, anything | 7);
    CHECK_INT(ierror, MPI_SUCCESS);
    CHECK(flag);
    CHECK_STRING(value, "value  ?");
}

// ---- requests ----

void start_in_c_(int* received, const int* sent, MPI_Fint* pair) {
    MPI_Request both[2];
    CHECK_OK(MPI_Irecv(received, 1, MPI_INT, 0, 4, MPI_COMM_SELF, &both[0]));
    CHECK_OK(MPI_Isend(sent, 1, MPI_INT, 0, 4, MPI_COMM_SELF, &both[1]));
    for (int i = 0; i < 2; i++)
        pair[i] = MPI_Request_c2f(both[i]);
}

void complete_in_c_(MPI_Fint* pair) {
    MPI_Request both[2];
    for (int i = 0; i < 2; i++) {
        both[i] = MPI_Request_f2c(pair[i]);
        CHECK_INT(MPI_Request_c2f(both[i]), pair[i]);
    }
    CHECK_OK(MPI_Waitall(2, both, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 2; i++)
        pair[i] = MPI_Request_c2f(both[i]);
}

static long kib_before;

static long resident_kib(void) {
    long pages = -1;
    FILE* sizes = fopen("/proc/self/statm", "r");
    if (!sizes || fscanf(sizes, "%*d %ld", &pages) != 1)
        pages = -1;
    if (sizes)
        fclose(sizes);
    return pages * 4;
}

void remember_memory_(void) {
    kib_before = resident_kib();
}
void compare_memory_(void) {
    CHECK(kib_before > 0 && resident_kib() - kib_before <= 1024);
}

// ---- statuses ----

static void check_status(const MPI_Status* status, int source, int tag, int count) {
    int received = -1;
    CHECK_INT(status->MPI_SOURCE, source);
    CHECK_INT(status->MPI_TAG, tag);
    CHECK_OK(MPI_Get_count(status, MPI_INT, &received));
    CHECK_INT(received, count);
}

void use_status_(MPI_Fint* status, int* source, int* tag, int* count) {
    MPI_Status in_c = check_dirty_status();
    CHECK_OK(MPI_Status_f2c(status, &in_c));
    check_status(&in_c, *source, *tag, *count);
}

void make_status_(MPI_Fint* status, int* source, int* count) {
    int mine[2] = {1, 2}, theirs[4];
    MPI_Status received;
    CHECK_OK(
        MPI_Sendrecv(mine, *count, MPI_INT, *source, 22, theirs, 4, MPI_INT, *source, 22, MPI_COMM_WORLD, &received));
    CHECK_OK(MPI_Status_c2f(&received, status));
#if MPI_VERSION >= 4
    MPI_Status back = check_dirty_status();
    MPI_F08_status f08;
    memset(&f08, 0xff, sizeof f08);
    CHECK_OK(MPI_Status_c2f08(&received, &f08));
    CHECK_INT(f08.MPI_SOURCE, *source);
    CHECK_INT(f08.MPI_TAG, 22);
    CHECK_OK(MPI_Status_f082c(&f08, &back));
    check_status(&back, *source, 22, *count);
#endif
}

void ignore_status_(MPI_Fint* status, MPI_Fint* statuses) {
    CHECK_SAME(status, MPI_F_STATUS_IGNORE);
    CHECK_SAME(statuses, MPI_F_STATUSES_IGNORE);
}

// ---- attributes ----

static MPI_Aint* copied_from;

static int copy(MPI_Comm comm, int keyval, void* state, void* value, void* out, int* flag) {
    (void)comm, (void)keyval;
    CHECK_SAME(state, first_numbers);
    copied_from = value;
    *(void**)out = value;
    *flag = 1;
    return MPI_SUCCESS;
}

void make_key_(int* keyval) {
    CHECK_OK(MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, keyval, first_numbers));
}
void free_key_(int* keyval) {
    CHECK_OK(MPI_Comm_free_keyval(keyval));
    CHECK_INT(*keyval, MPI_KEYVAL_INVALID);
}

void was_copied_in_c_(MPI_Aint* expected) {
    CHECK(copied_from != NULL);
    CHECK_INT(*copied_from, *expected);
}

static void* attribute(MPI_Fint comm, int keyval) {
    void* value = NULL;
    int flag = 0;
    CHECK_OK(MPI_Comm_get_attr(MPI_Comm_f2c(comm), keyval, &value, &flag));
    CHECK(flag);
    return value;
}

void read_long_(MPI_Fint* comm, int* keyval, MPI_Aint* expected) {
    const MPI_Aint* value = attribute(*comm, *keyval);
    if (CHECK(value != NULL))
        CHECK_INT(*value, *expected);
}
void read_int_(MPI_Fint* comm, int* keyval, int* expected) {
    const int* value = attribute(*comm, *keyval);
    if (CHECK(value != NULL))
        CHECK_INT(*value, *expected);
}
void read_address_(MPI_Fint* comm, int* keyval, MPI_Aint* expected) {
    CHECK_SAME(attribute(*comm, *keyval), *expected);
}

void set_address_(MPI_Fint* comm, int* keyval, MPI_Aint* address) {
    CHECK_OK(MPI_Comm_set_attr(MPI_Comm_f2c(*comm), *keyval, first_numbers));
    *address = (MPI_Aint)first_numbers;
}
void set_null_(MPI_Fint* comm, int* keyval) {
    CHECK_OK(MPI_Comm_set_attr(MPI_Comm_f2c(*comm), *keyval, NULL));
}
void pass_on_(MPI_Fint* from, MPI_Fint* to, int* keyval) {
    CHECK_OK(MPI_Comm_set_attr(MPI_Comm_f2c(*to), *keyval, attribute(*from, *keyval)));
}

// ---- reductions ----

static void take_larger(void* in, void* inout, int* length, MPI_Datatype* type) {
    CHECK_SAME(*type, MPI_INTEGER);
    for (int i = 0; i < *length; i++)
        if (((int*)in)[i] > ((int*)inout)[i])
            ((int*)inout)[i] = ((int*)in)[i];
}

void make_op_(MPI_Fint* op) {
    MPI_Op made;
    CHECK_OK(MPI_Op_create(take_larger, 1, &made));
    *op = MPI_Op_c2f(made);
}

static void check_sum(MPI_Op op) {
    int in[3] = {1, 2, 3}, inout[3] = {10, 20, 30};
    const int expected[3] = {11, 22, 33};
    CHECK_OK(MPI_Reduce_local(in, inout, 3, MPI_INT, op));
    CHECK_BYTES(inout, expected, sizeof inout);
}

void use_op_(MPI_Fint* op) {
    int commutes = 1;
    check_sum(MPI_Op_f2c(*op));
    CHECK_OK(MPI_Op_commutative(MPI_Op_f2c(*op), &commutes));
    CHECK(!commutes);
}

// Entries for tools and for wrappers in C, which pass a function of Fortran on to MPI.
int MPI_Op_create_fcb(void*, int, MPI_Op*) __attribute__((weak));
int MPI_Op_create_f08cb(void*, int, MPI_Op*) __attribute__((weak));
int PMPI_Op_create_fcb(void*, int, MPI_Op*) __attribute__((weak));

void use_fortran_callback_(void* add) {
    int (*const create[3])(void*, int, MPI_Op*) = {MPI_Op_create_fcb, MPI_Op_create_f08cb, PMPI_Op_create_fcb};
    MPI_Op op;
#ifdef MPI_ABI_VERSION
    CHECK(create[0] && create[1] && create[2]);
#endif
    for (int i = 0; i < 3 && create[i]; i++) {
        CHECK_OK(create[i](add, 1, &op));
        check_sum(op);
        CHECK_OK(MPI_Op_free(&op));
    }
}

// ---- error handlers ----

static MPI_Comm handled_comm;
static int handled_code;

static void handle(MPI_Comm* comm, int* code, ...) {
    handled_comm = *comm;
    handled_code = *code;
}

void make_handler_(MPI_Fint* handler) {
    MPI_Errhandler made;
    CHECK_OK(MPI_Comm_create_errhandler(handle, &made));
    *handler = MPI_Errhandler_c2f(made);
}
void use_handler_(MPI_Fint* comm, MPI_Fint* handler) {
    CHECK_OK(MPI_Comm_set_errhandler(MPI_Comm_f2c(*comm), MPI_Errhandler_f2c(*handler)));
    CHECK_OK(MPI_Comm_call_errhandler(MPI_Comm_f2c(*comm), MPI_ERR_TOPOLOGY));
}
void was_handled_in_c_(MPI_Fint* comm, int* code) {
    CHECK_SAME(handled_comm, MPI_Comm_f2c(*comm));
    CHECK_INT(handled_code, *code);
}

// ---- generalized requests ----

static int seen_by_tool;

#ifdef MPI_ABI_VERSION
// Fortran calls this function instead of MPI's, as with a tool.
int PMPI_Grequest_start_fcb(void*, void*, void*, void*, MPI_Request*);
int MPI_Grequest_start_fcb(void* query, void* free, void* cancel, void* state, MPI_Request* request) {
    seen_by_tool++;
    return PMPI_Grequest_start_fcb(query, free, cancel, state, request);
}
#else
int MPI_Grequest_start(MPI_Grequest_query_function* query, MPI_Grequest_free_function* free,
                       MPI_Grequest_cancel_function* cancel, void* state, MPI_Request* request) {
    seen_by_tool++;
    return PMPI_Grequest_start(query, free, cancel, state, request);
}
#endif

void complete_request_(MPI_Fint* request) {
    MPI_Request in_c = MPI_Request_f2c(*request);
    MPI_Status status = check_dirty_status();
    int cancelled = 0;
    CHECK_INT(seen_by_tool, 1);
    CHECK_OK(MPI_Grequest_complete(in_c));
    CHECK_OK(MPI_Wait(&in_c, &status));
    check_status(&status, 8, 9, 7);
    CHECK_OK(MPI_Test_cancelled(&status, &cancelled));
    CHECK(cancelled);
    CHECK_SAME(in_c, MPI_REQUEST_NULL);
}

// ---- data representations ----

REGISTERED_BY(MPI_Register_datarep, MPI_Datarep_conversion_function)

void call_conversions_(MPI_Aint* state) {
    int in_file[2] = {6, 7}, memory[2] = {0, 0};
    MPI_Aint extent = 0;
    CHECK_STRING(registered.name, "mine");
    CHECK(registered.write == MPI_CONVERSION_FN_NULL);
    if (!CHECK(registered.read != MPI_CONVERSION_FN_NULL) || !CHECK(registered.extent != NULL))
        return;
    CHECK_INT(registered.extent(MPI_INTEGER, &extent, registered.state), MPI_SUCCESS);
    CHECK_INT(extent, *state + 1);
    CHECK_INT(registered.read(memory, MPI_INTEGER, 2, in_file, (MPI_Offset)1 << 33, registered.state),
              MPI_ERR_CONVERSION);
    CHECK_INT(memory[1], 8);
}
