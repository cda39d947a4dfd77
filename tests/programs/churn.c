// Creates, uses and frees a hundred thousand of every kind of object that a library may have to remember: memory must
// not grow. Also uses thousands of the program's functions at the same time: each must be called as itself.
// ranks: 1
// seconds: 300
#include "check.h"

enum {
    turns = 100000,
    warm_up = 20000,    // caches and pools have their final size by then
    allowed_kib = 1024, // growth afterwards; a leak of 16 bytes in every turn would be 1250 KiB
};

static MPI_Comm comm;

static long resident_kib(void) {
    char line[256];
    long kib = -1;
    FILE* status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmRSS: %ld", &kib) == 1)
            break;
    if (status)
        fclose(status);
    return kib;
}

// Runs a test many times. `turn` returns true if all went well.
static void churn(const char* what, int (*turn)(int number)) {
    int good = 1;
    long before = -1, after;
    check_case = what;
    for (int number = 0; number < turns && good; number++) {
        if (number == warm_up)
            before = resident_kib();
        good = turn(number);
    }
    CHECK(good);
    after = resident_kib();
    if (!CHECK(before > 0 && after - before <= allowed_kib))
        check_say("%s: %ld KiB before, %ld KiB after %d turns", what, before, after, turns - warm_up);
}

// ---- functions of the program ---------------------------------------------------------------------------------------

enum { functions = 1024, first_function = 0x1000 };

static int last_handler;

static void add_multiple(const int* in, int* inout, const int* count, int factor) {
    for (int i = 0; i < *count; i++)
        inout[i] += in[i] * factor;
}

// Defines functions for a hexadecimal number, their factor. Used for 1024 numbers.
#define DEFINE(number)                                                                                                 \
    static void operation_##number(void* in, void* inout, int* count, MPI_Datatype* type) {                            \
        (void)type;                                                                                                    \
        add_multiple(in, inout, count, 0x##number);                                                                    \
    }                                                                                                                  \
    static void handler_##number(MPI_Comm* unused, int* code, ...) {                                                   \
        (void)unused;                                                                                                  \
        (void)code;                                                                                                    \
        last_handler = 0x##number;                                                                                     \
    }
#define OPERATION(number) operation_##number,
#define HANDLER(number) handler_##number,

// clang-format off
#define FOR_16(make, n) make(n##0) make(n##1) make(n##2) make(n##3) make(n##4) make(n##5) make(n##6) make(n##7) \
                        make(n##8) make(n##9) make(n##a) make(n##b) make(n##c) make(n##d) make(n##e) make(n##f)
#define FOR_256(make, n) \
    FOR_16(make, n##0) FOR_16(make, n##1) FOR_16(make, n##2) FOR_16(make, n##3) FOR_16(make, n##4) FOR_16(make, n##5) \
    FOR_16(make, n##6) FOR_16(make, n##7) FOR_16(make, n##8) FOR_16(make, n##9) FOR_16(make, n##a) FOR_16(make, n##b) \
    FOR_16(make, n##c) FOR_16(make, n##d) FOR_16(make, n##e) FOR_16(make, n##f)
#define FOR_ALL(make) FOR_256(make, 10) FOR_256(make, 11) FOR_256(make, 12) FOR_256(make, 13)
// clang-format on

FOR_ALL(DEFINE)
static MPI_User_function* const operations[functions] = {FOR_ALL(OPERATION)};
static MPI_Comm_errhandler_function* const handlers[functions] = {FOR_ALL(HANDLER)};

static void all_operations_at_once(void) {
    static MPI_Op ops[functions];
    int mine[2] = {1, 2};
    CASE("1024 operations alive");
    for (int i = 0; i < functions; i++)
        CHECK_OK(MPI_Op_create(operations[i], 1, &ops[i]));
    for (int i = 0; i < functions; i++) {
        int result[2] = {10, 20};
        CHECK_OK(MPI_Reduce_local(mine, result, 2, MPI_INT, ops[i]));
        CHECK_INT(result[0], 10 + first_function + i);
        CHECK_INT(result[1], 20 + 2 * (first_function + i));
    }
    for (int i = 0; i < functions; i++) {
        CHECK_OK(MPI_Op_free(&ops[i]));
        CHECK_SAME(ops[i], MPI_OP_NULL);
    }
}

static void all_handlers_at_once(void) {
    static MPI_Errhandler made[functions];
    CASE("1024 error handlers alive");
    for (int i = 0; i < functions; i++)
        CHECK_OK(MPI_Comm_create_errhandler(handlers[i], &made[i]));
    for (int i = 0; i < functions; i++) {
        CHECK_OK(MPI_Comm_set_errhandler(comm, made[i]));
        CHECK_OK(MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER));
        CHECK_INT(last_handler, first_function + i);
    }
    CHECK_OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    for (int i = 0; i < functions; i++)
        CHECK_OK(MPI_Errhandler_free(&made[i]));
}

static int operation_turn(int number) {
    MPI_Op op = MPI_OP_NULL;
    int mine = 1, result = 0, i = number % functions;
    return MPI_Op_create(operations[i], number & 1, &op) == MPI_SUCCESS &&
           MPI_Reduce_local(&mine, &result, 1, MPI_INT, op) == MPI_SUCCESS && result == first_function + i &&
           MPI_Op_free(&op) == MPI_SUCCESS;
}

static int handler_turn(int number) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    int i = number % functions;
    return MPI_Comm_create_errhandler(handlers[i], &handler) == MPI_SUCCESS &&
           MPI_Comm_set_errhandler(comm, handler) == MPI_SUCCESS && MPI_Errhandler_free(&handler) == MPI_SUCCESS &&
           MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER) == MPI_SUCCESS && last_handler == first_function + i;
}

// ---- attributes -----------------------------------------------------------------------------------------------------

static int copies, deletes;

static int on_copy(MPI_Comm from, int keyval, void* state, void* value, void* result, int* flag) {
    (void)from;
    (void)keyval;
    copies += state == &copies;
    *(void**)result = value;
    *flag = 1;
    return MPI_SUCCESS;
}

static int on_delete(MPI_Comm from, int keyval, void* value, void* state) {
    (void)from;
    (void)keyval;
    deletes += value == &deletes && state == &copies;
    return MPI_SUCCESS;
}

// In every second turn the keyval is freed first: then the last attribute frees its record.
static int keyval_turn(int number) {
    int keyval = MPI_KEYVAL_INVALID, number_of_keyval, before = deletes;
    if (MPI_Comm_create_keyval(on_copy, on_delete, &keyval, &copies) != MPI_SUCCESS ||
        MPI_Comm_set_attr(comm, keyval, &deletes) != MPI_SUCCESS)
        return 0;
    number_of_keyval = keyval;
    if (number % 2 && MPI_Comm_free_keyval(&keyval) != MPI_SUCCESS)
        return 0;
    if (MPI_Comm_delete_attr(comm, number_of_keyval) != MPI_SUCCESS || deletes != before + 1)
        return 0;
    return number % 2 || MPI_Comm_free_keyval(&keyval) == MPI_SUCCESS;
}

static int type_keyval_turn(int number) {
    int keyval = MPI_KEYVAL_INVALID;
    MPI_Datatype type, copy;
    (void)number;
    return MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, NULL) == MPI_SUCCESS &&
           MPI_Type_contiguous(3, MPI_INT, &type) == MPI_SUCCESS &&
           MPI_Type_set_attr(type, keyval, &copies) == MPI_SUCCESS && MPI_Type_dup(type, &copy) == MPI_SUCCESS &&
           MPI_Type_free(&copy) == MPI_SUCCESS && MPI_Type_free_keyval(&keyval) == MPI_SUCCESS &&
           MPI_Type_free(&type) == MPI_SUCCESS;
}

static int copied_keyval;

static int copy_turn(int number) {
    MPI_Comm copy = MPI_COMM_NULL;
    int before = copies;
    (void)number;
    return MPI_Comm_dup(comm, &copy) == MPI_SUCCESS && copies == before + 1 && MPI_Comm_free(&copy) == MPI_SUCCESS;
}

// ---- requests and other objects -------------------------------------------------------------------------------------

static int request_turn(int number) {
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status statuses[2];
    int found = -1;
    return MPI_Irecv(&found, 1, MPI_INT, 0, 1, comm, &requests[0]) == MPI_SUCCESS &&
           MPI_Isend(&number, 1, MPI_INT, 0, 1, comm, &requests[1]) == MPI_SUCCESS &&
           MPI_Waitall(2, requests, statuses) == MPI_SUCCESS && found == number && requests[0] == MPI_REQUEST_NULL &&
           statuses[0].MPI_TAG == 1;
}

static int persistent_turn(int number) {
    MPI_Request request = MPI_REQUEST_NULL;
    int found = -1;
    return MPI_Recv_init(&found, 1, MPI_INT, 0, 2, comm, &request) == MPI_SUCCESS &&
           MPI_Start(&request) == MPI_SUCCESS && MPI_Send(&number, 1, MPI_INT, 0, 2, comm) == MPI_SUCCESS &&
           MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS && found == number &&
           MPI_Request_free(&request) == MPI_SUCCESS && request == MPI_REQUEST_NULL;
}

// The array of datatypes must live until the request is complete, and no longer.
static int alltoallw_turn(int number) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Datatype type = MPI_INT;
    int found = -1, count = 1, place = 0;
    return MPI_Ialltoallw(&number, &count, &place, &type, &found, &count, &place, &type, comm, &request) ==
               MPI_SUCCESS &&
           MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS && found == number;
}

static int grequest_query(void* state, MPI_Status* status) {
    (void)state;
    MPI_Status_set_cancelled(status, 0);
    return MPI_Status_set_elements(status, MPI_INT, 4);
}

static int grequest_free(void* state) {
    ++*(int*)state;
    return MPI_SUCCESS;
}

static int grequest_cancel(void* state, int complete) {
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

static int grequest_turn(int number) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    int freed = 0, count = -1;
    (void)number;
    return MPI_Grequest_start(grequest_query, grequest_free, grequest_cancel, &freed, &request) == MPI_SUCCESS &&
           MPI_Grequest_complete(request) == MPI_SUCCESS && MPI_Wait(&request, &status) == MPI_SUCCESS && freed == 1 &&
           MPI_Get_count(&status, MPI_INT, &count) == MPI_SUCCESS && count == 4;
}

// Only the contiguous datatype is committed, because MPICH 4.0.2 itself loses 64 bytes with every committed vector in
// some runs.
static int datatype_turn(int number) {
    MPI_Datatype vector, nested, plain;
    int size = -1;
    return MPI_Type_vector(2, 1, 2, MPI_INT, &vector) == MPI_SUCCESS &&
           MPI_Type_contiguous(1 + number % 5, vector, &nested) == MPI_SUCCESS &&
           MPI_Type_size(nested, &size) == MPI_SUCCESS && size == 8 * (1 + number % 5) &&
           MPI_Type_free(&nested) == MPI_SUCCESS && MPI_Type_free(&vector) == MPI_SUCCESS &&
           MPI_Type_contiguous(3, MPI_DOUBLE, &plain) == MPI_SUCCESS && MPI_Type_commit(&plain) == MPI_SUCCESS &&
           MPI_Type_free(&plain) == MPI_SUCCESS && plain == MPI_DATATYPE_NULL;
}

static int small_objects_turn(int number) {
    MPI_Group group;
    MPI_Info info;
    (void)number;
    return MPI_Comm_group(comm, &group) == MPI_SUCCESS && MPI_Group_free(&group) == MPI_SUCCESS &&
           MPI_Info_create(&info) == MPI_SUCCESS && MPI_Info_set(info, "key", "value") == MPI_SUCCESS &&
           MPI_Info_free(&info) == MPI_SUCCESS;
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    all_operations_at_once();
    all_handlers_at_once();
    churn("operations", operation_turn);
    churn("error handlers", handler_turn);
    CHECK_OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    churn("keyvals", keyval_turn);
    churn("keyvals of datatypes", type_keyval_turn);
    CHECK_OK(MPI_Comm_create_keyval(on_copy, on_delete, &copied_keyval, &copies));
    CHECK_OK(MPI_Comm_set_attr(comm, copied_keyval, &deletes));
    churn("copied attributes", copy_turn);
    CHECK_OK(MPI_Comm_free_keyval(&copied_keyval));
    churn("requests", request_turn);
    churn("persistent requests", persistent_turn);
    churn("requests with arrays of datatypes", alltoallw_turn);
    churn("generalised requests", grequest_turn);
    churn("datatypes", datatype_turn);
    churn("groups and infos", small_objects_turn);
    CHECK_OK(MPI_Comm_free(&comm));
    return check_end();
}
