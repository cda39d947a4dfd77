/* A program of an old release: handles, constants, callbacks, and statuses in memory that must not be overrun. Compiled
   with old_openmpi.h or old_mpich.h (-include). It needs two processes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int MPI_Init_thread(int*, char***, int, int*), MPI_Finalize(void), MPI_Comm_rank(MPI_Comm, int*),
    MPI_Comm_size(MPI_Comm, int*);
int MPI_Send(const void*, int, MPI_Datatype, int, int, MPI_Comm),
    MPI_Recv(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status*);
int MPI_Isend(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
int MPI_Irecv(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
int MPI_Probe(int, int, MPI_Comm, MPI_Status*), MPI_Get_count(const MPI_Status*, MPI_Datatype, int*);
int MPI_Wait(MPI_Request*, MPI_Status*), MPI_Waitall(int, MPI_Request*, MPI_Status*),
    MPI_Waitsome(int, MPI_Request*, int*, int*, MPI_Status*);
int MPI_Testall(int, MPI_Request*, int*, MPI_Status*), MPI_Cancel(MPI_Request*),
    MPI_Test_cancelled(const MPI_Status*, int*);
int MPI_Sendrecv(const void*, int, MPI_Datatype, int, int, void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status*);
int MPI_Comm_set_errhandler(MPI_Comm, MPI_Errhandler), MPI_Error_class(int, int*), MPI_Comm_dup(MPI_Comm, MPI_Comm*),
    MPI_Comm_free(MPI_Comm*);
int MPI_Op_create(void (*)(void*, void*, int*, MPI_Datatype*), int, MPI_Op*), MPI_Op_free(MPI_Op*);
int MPI_Allreduce(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm), MPI_Barrier(MPI_Comm);
int MPI_Comm_create_keyval(int (*)(MPI_Comm, int, void*, void*, void*, int*), int (*)(MPI_Comm, int, void*, void*),
                           int*, void*);
int MPI_Comm_set_attr(MPI_Comm, int, void*), MPI_Comm_get_attr(MPI_Comm, int, void*, int*), MPI_Comm_free_keyval(int*);
int MPI_Type_create_struct(int, const int*, const MPI_Aint*, const MPI_Datatype*, MPI_Datatype*),
    MPI_Type_free(MPI_Datatype*);
int MPI_Type_create_resized(MPI_Datatype, MPI_Aint, MPI_Aint, MPI_Datatype*);
int MPI_Type_get_envelope(MPI_Datatype, int*, int*, int*, int*);
int MPI_Grequest_start(int (*)(void*, MPI_Status*), int (*)(void*), int (*)(void*, int), void*, MPI_Request*),
    MPI_Grequest_complete(MPI_Request);
int MPI_Status_set_elements(MPI_Status*, MPI_Datatype, int), MPI_Status_set_cancelled(MPI_Status*, int);

static int rank, size;

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("rank %d, line %d: %s\n", rank, __LINE__, #condition);                                              \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

// Statuses between bytes that must not change.
enum { MOST = 3 };
static struct {
    char before[64];
    MPI_Status statuses[MOST];
    char after[64];
} guarded;

static MPI_Status* fresh_statuses(void) {
    memset(&guarded, 0x5a, sizeof guarded);
    return guarded.statuses;
}

static void expect_guards(int used) {
    const char* end = (const char*)(guarded.statuses + used);
    for (size_t i = 0; i < sizeof guarded.before; i++)
        EXPECT(guarded.before[i] == 0x5a);
    for (; end < (const char*)(&guarded + 1); end++)
        EXPECT(*end == 0x5a);
}

static void expect_message(const MPI_Status* status, int source, int tag, int count) {
    int seen = -1;
    EXPECT(status->MPI_SOURCE == source && status->MPI_TAG == tag);
    EXPECT(MPI_Get_count(status, MPI_INT, &seen) == 0 && seen == count);
}

static void check_single(void) {
    const int untouched = 0x5a5a5a5a, other = 1 - rank;
    int data[5] = {1, 2, 3, 4, 5};
    MPI_Request request;
    MPI_Status* status = fresh_statuses();
    EXPECT(MPI_Isend(data, 3, MPI_INT, other, 7 + rank, MPI_COMM_WORLD, &request) == 0);
    EXPECT(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status) == 0);
    expect_message(status, other, 7 + other, 3);
    expect_guards(1);
    status = fresh_statuses();
    EXPECT(MPI_Recv(data, 5, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status) == 0);
    expect_message(status, other, 7 + other, 3);
    EXPECT(status->MPI_ERROR == untouched || status->MPI_ERROR == 0); /* Intel MPI 2018 writes it */
    expect_guards(1);
    EXPECT(MPI_Wait(&request, MPI_STATUS_IGNORE) == 0 && request == MPI_REQUEST_NULL);
    status = fresh_statuses();
    EXPECT(MPI_Sendrecv(data, 1, MPI_INT, MPI_PROC_NULL, 0, data, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
                        status) == 0);
    expect_message(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    expect_guards(1);
}

static void check_several(void) {
    const int other = 1 - rank;
    int sent[2] = {10 + rank, 20 + rank}, received[3] = {0}, indices[MOST], count = 0, done = 0, flag = 0;
    MPI_Request requests[MOST], sends[2];
    for (int i = 0; i < 2; i++)
        EXPECT(MPI_Irecv(&received[i], 1, MPI_INT, other, i, MPI_COMM_WORLD, &requests[i]) == 0);
    requests[2] = MPI_REQUEST_NULL;
    for (int i = 0; i < 2; i++)
        EXPECT(MPI_Isend(&sent[i], 1, MPI_INT, other, i, MPI_COMM_WORLD, &sends[i]) == 0);
    MPI_Status* statuses = fresh_statuses();
    EXPECT(MPI_Waitall(3, requests, statuses) == 0);
    for (int i = 0; i < 2; i++)
        expect_message(&statuses[i], other, i, 1);
    expect_message(&statuses[2], MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
    expect_guards(3);
    EXPECT(received[0] == 10 + other && received[1] == 20 + other);
    while (!flag)
        EXPECT(MPI_Testall(2, sends, &flag, fresh_statuses()) == 0);
    expect_guards(2);
    for (int i = 0; i < 2; i++) {
        EXPECT(MPI_Irecv(&received[i], 1, MPI_INT, other, 5 + i, MPI_COMM_WORLD, &requests[i]) == 0);
        EXPECT(MPI_Isend(&sent[i], 1, MPI_INT, other, 5 + i, MPI_COMM_WORLD, &sends[i]) == 0);
    }
    for (; done < 2; done += count) {
        statuses = fresh_statuses();
        EXPECT(MPI_Waitsome(2, requests, &count, indices, statuses) == 0 && count > 0);
        for (int i = 0; i < count; i++)
            expect_message(&statuses[i], other, 5 + indices[i], 1);
        expect_guards(2);
    }
    EXPECT(MPI_Waitall(2, sends, (MPI_Status*)MPI_STATUS_IGNORE) == 0);
}

static void check_cancelled(void) {
    int data = 0, flag = 0;
    MPI_Request request;
    MPI_Status* status = fresh_statuses();
    EXPECT(MPI_Irecv(&data, 1, MPI_INT, rank, 99, MPI_COMM_WORLD, &request) == 0);
    EXPECT(MPI_Cancel(&request) == 0 && MPI_Wait(&request, status) == 0);
    EXPECT(MPI_Test_cancelled(status, &flag) == 0 && flag);
    expect_guards(1);
}

static void check_errors(void) {
    int data[4] = {0}, error = 0;
    EXPECT(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN) == 0);
    MPI_Request request;
    EXPECT(MPI_Isend(data, 4, MPI_INT, rank, 1, MPI_COMM_WORLD, &request) == 0);
    MPI_Status* status = fresh_statuses();
    EXPECT(MPI_Error_class(MPI_Recv(data, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, status), &error) == 0 &&
           error == MPI_ERR_TRUNCATE);
    EXPECT(status->MPI_SOURCE == rank && status->MPI_TAG == 1);
    expect_guards(1);
    EXPECT(MPI_Wait(&request, MPI_STATUS_IGNORE) == 0);
}

static int times_queried, times_freed;

static int query(void* state, MPI_Status* status) {
    times_queried += *(int*)state;
    status->MPI_SOURCE = 5;
    status->MPI_TAG = 6;
    return MPI_Status_set_elements(status, MPI_INT, 4) + MPI_Status_set_cancelled(status, 0);
}

static int release(void* state) {
    times_freed += *(int*)state;
    return 0;
}

static int cancel(void* state, int complete) {
    return state == NULL && complete;
}

static void check_generalized_request(void) {
    int state = 1;
    MPI_Request request;
    EXPECT(MPI_Grequest_start(query, release, cancel, &state, &request) == 0 && MPI_Grequest_complete(request) == 0);
    MPI_Status* status = fresh_statuses();
    EXPECT(MPI_Wait(&request, status) == 0);
    expect_message(status, 5, 6, 4);
    expect_guards(1);
    EXPECT(times_queried >= 1 && times_freed == 1);
}

static void add_up(void* in, void* out, int* count, MPI_Datatype* type) {
    EXPECT(*type == MPI_INT);
    for (int i = 0; i < *count; i++)
        ((int*)out)[i] += ((int*)in)[i];
}

static int copy(MPI_Comm comm, int key, void* extra, void* value, void* copied, int* flag) {
    EXPECT(comm == MPI_COMM_WORLD && key != MPI_KEYVAL_INVALID && extra == &size);
    *(void**)copied = value;
    *flag = 1;
    return 0;
}

static int forget(MPI_Comm comm, int key, void* value, void* extra) {
    return !(comm && key && value && extra);
}

static void check_callbacks(void) {
    int one[2] = {1, 2}, sum[2] = {0}, key = 0, flag = 0, *bound = NULL;
    void* value = NULL;
    MPI_Op op;
    MPI_Comm other;
    EXPECT(MPI_Op_create(add_up, 1, &op) == 0 && MPI_Allreduce(one, sum, 2, MPI_INT, op, MPI_COMM_WORLD) == 0 &&
           MPI_Op_free(&op) == 0);
    EXPECT(sum[0] == size && sum[1] == 2 * size);
    EXPECT(MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == 0 && sum[1] == 2 * size * size);
    EXPECT(MPI_Comm_create_keyval(copy, forget, &key, &size) == 0 && MPI_Comm_set_attr(MPI_COMM_WORLD, key, one) == 0);
    EXPECT(MPI_Comm_dup(MPI_COMM_WORLD, &other) == 0 && MPI_Comm_get_attr(other, key, &value, &flag) == 0 && flag &&
           value == one);
    EXPECT(MPI_Comm_free(&other) == 0 && MPI_Comm_free_keyval(&key) == 0 && key == MPI_KEYVAL_INVALID);
    EXPECT(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &flag) == 0 && flag && *bound >= 32767);
}

static void check_combiners(void) {
    const int lengths[2] = {1, 2};
    const MPI_Aint places[2] = {0, 8};
    const MPI_Datatype parts[2] = {MPI_CHAR, MPI_DOUBLE};
    MPI_Datatype types[2];
    int numbers[4];
    EXPECT(MPI_Type_create_struct(2, lengths, places, parts, &types[0]) == 0);
    EXPECT(MPI_Type_create_resized(types[0], 0, 64, &types[1]) == 0);
    const int expected[2] = {MPI_COMBINER_STRUCT, MPI_COMBINER_RESIZED};
    for (int i = 0; i < 2; i++) {
        EXPECT(MPI_Type_get_envelope(types[i], &numbers[0], &numbers[1], &numbers[2], &numbers[3]) == 0);
        EXPECT(numbers[3] == expected[i] && MPI_Type_free(&types[i]) == 0);
    }
}

#ifdef WITH_TOOLS
int MPI_T_pvar_get_index(const char*, int, int*);
static int check_tools(void) {
    return MPI_T_pvar_get_index("", 0, NULL);
}
#else
static int check_tools(void) {
    return 0;
}
#endif

int main(int argc, char** argv) {
    int level = -1;
    EXPECT(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level) == 0 && level >= 0 &&
           level <= MPI_THREAD_MULTIPLE);
    EXPECT(MPI_Comm_rank(MPI_COMM_WORLD, &rank) == 0 && MPI_Comm_size(MPI_COMM_WORLD, &size) == 0 && size == 2);
    check_single();
    check_several();
    check_cancelled();
    check_callbacks();
    check_combiners();
    check_generalized_request();
    check_errors();
    EXPECT(check_tools() == 0);
    EXPECT(MPI_Barrier(MPI_COMM_WORLD) == 0 && MPI_Finalize() == 0);
    if (rank == 0)
        printf("old release: right\n");
    return 0;
}
