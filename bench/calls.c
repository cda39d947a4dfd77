// Measures one small loop per MPI call; callgrind counts the instructions (see calls.py).
//
// The same source is compiled for every ABI: with the vendor's own mpi.h for the native side and with anympi's mpi.h
// for the other side, so both sides run the same loop. Without arguments it lists its cases. Otherwise
//
//     calls ITERATIONS [CASE...]
//
// runs each case for ITERATIONS and for twice as many, and leaves one callgrind dump for each of the two. The
// difference of the dumps contains nothing that happens once per loop. The program is one rank: a singleton needs no
// launcher.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

// If a library lacks the large forms, they are compared with the small forms.
#if MPI_VERSION < 4
#define MPI_Allreduce_c MPI_Allreduce
#define MPI_Sendrecv_c MPI_Sendrecv
#endif

enum { WINDOW = 64, WARM_UP = 64 };

static int flag, rank, size, bytes, count, error_class, found;
static void* attribute;
static double in = 1, out, incoming[WINDOW], outgoing[WINDOW];
static char packed[64];
static int tag_upper_bound_seen;
static const int one = 1, zero = 0;
static int lengths[3] = {1, 1, 1};
static MPI_Aint offsets[3] = {0, 8, 16};
static MPI_Datatype members[3], derived, made;
static MPI_Comm self, duplicate;
static MPI_Group world_group, group;
static MPI_Op user_sum;
static MPI_Win window;
static double* window_memory;
static MPI_Request pair[2], persistent[2], many[2 * WINDOW], nulls[WINDOW], request;
static MPI_Status status, pair_statuses[2], null_statuses[WINDOW];

static void add_doubles(void* from, void* to, int* length, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *length; i++)
        ((double*)to)[i] += ((double*)from)[i];
}

// Every loop is a function of its own, so that the compiler lays out each loop in the same way on both sides.
#define LOOP(name, ...)                                                                                                \
    static __attribute__((noinline)) void name(long iterations) {                                                      \
        for (long i = 0; i < iterations; i++) {                                                                        \
            __VA_ARGS__;                                                                                               \
        }                                                                                                              \
    }

LOOP(initialized, MPI_Initialized(&flag))
LOOP(comm_rank_world, MPI_Comm_rank(MPI_COMM_WORLD, &rank))
LOOP(comm_rank_dup, MPI_Comm_rank(duplicate, &rank))
LOOP(comm_size_world, MPI_Comm_size(MPI_COMM_WORLD, &size))
LOOP(type_size_int, MPI_Type_size(MPI_INT, &bytes))
LOOP(type_size_derived, MPI_Type_size(derived, &bytes))
LOOP(group_size, MPI_Group_size(world_group, &size))
LOOP(get_count, MPI_Get_count(&status, MPI_DOUBLE, &count))
LOOP(error_class_of, MPI_Error_class(MPI_ERR_TRUNCATE, &error_class))
LOOP(comm_get_attr, MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &attribute, &tag_upper_bound_seen))
LOOP(barrier, MPI_Barrier(MPI_COMM_WORLD))
LOOP(bcast, MPI_Bcast(&in, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD))
LOOP(allreduce_sum, MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))
LOOP(allreduce_large, MPI_Allreduce_c(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))
LOOP(allreduce_user, MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, user_sum, MPI_COMM_WORLD))
LOOP(reduce_local_sum, MPI_Reduce_local(&in, &out, 1, MPI_DOUBLE, MPI_SUM))
LOOP(reduce_local_user, MPI_Reduce_local(&in, &out, 1, MPI_DOUBLE, user_sum))
LOOP(sendrecv_status, MPI_Sendrecv(&in, 1, MPI_DOUBLE, 0, 1, &out, 1, MPI_DOUBLE, 0, 1, self, &status))
LOOP(sendrecv_ignore, MPI_Sendrecv(&in, 1, MPI_DOUBLE, 0, 1, &out, 1, MPI_DOUBLE, 0, 1, self, MPI_STATUS_IGNORE))
LOOP(sendrecv_large, MPI_Sendrecv_c(&in, 1, MPI_DOUBLE, 0, 1, &out, 1, MPI_DOUBLE, 0, 1, self, MPI_STATUS_IGNORE))

#define IRECV_ISEND                                                                                                    \
    MPI_Irecv(&out, 1, MPI_DOUBLE, 0, 1, self, &pair[0]);                                                              \
    MPI_Isend(&in, 1, MPI_DOUBLE, 0, 1, self, &pair[1])
LOOP(waitall_pair_ignore, IRECV_ISEND; MPI_Waitall(2, pair, MPI_STATUSES_IGNORE))
LOOP(waitall_pair_statuses, IRECV_ISEND; MPI_Waitall(2, pair, pair_statuses))
LOOP(wait_wait, IRECV_ISEND; MPI_Wait(&pair[0], &status); MPI_Wait(&pair[1], &status))
LOOP(waitall_window, for (int k = 0; k < WINDOW; k++) MPI_Irecv(&incoming[k], 1, MPI_DOUBLE, 0, 1, self, &many[k]);
     for (int k = 0; k < WINDOW; k++) MPI_Isend(&outgoing[k], 1, MPI_DOUBLE, 0, 1, self, &many[WINDOW + k]);
     MPI_Waitall(2 * WINDOW, many, MPI_STATUSES_IGNORE))

LOOP(waitall_null_ignore, MPI_Waitall(WINDOW, nulls, MPI_STATUSES_IGNORE))
LOOP(waitall_null_statuses, MPI_Waitall(WINDOW, nulls, null_statuses))
LOOP(testall_null, MPI_Testall(WINDOW, nulls, &flag, MPI_STATUSES_IGNORE))
LOOP(test_null, MPI_Test(&request, &flag, &status))
LOOP(iprobe, MPI_Iprobe(0, 2, self, &found, &status))
LOOP(startall, MPI_Startall(2, persistent); MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE))
LOOP(put_flush, MPI_Put(&in, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, window); MPI_Win_flush(0, window))
LOOP(pack, int position = 0; MPI_Pack(&in, 1, MPI_DOUBLE, packed, (int)sizeof packed, &position, MPI_COMM_WORLD))
LOOP(alltoallw, MPI_Alltoallw(&in, &one, &zero, members, &out, &one, &zero, members, MPI_COMM_WORLD))
LOOP(type_contiguous, MPI_Type_contiguous(4, MPI_INT, &made); MPI_Type_commit(&made); MPI_Type_free(&made))
LOOP(type_create_struct, MPI_Type_create_struct(3, lengths, offsets, members, &made); MPI_Type_commit(&made);
     MPI_Type_free(&made))
LOOP(comm_group, MPI_Comm_group(MPI_COMM_WORLD, &group); MPI_Group_free(&group))
LOOP(comm_dup, MPI_Comm made_comm; MPI_Comm_dup(MPI_COMM_WORLD, &made_comm); MPI_Comm_free(&made_comm))

// `calls` is the number of MPI calls in one iteration. `weight` is the number of iterations that one iteration of this
// loop stands for: expensive loops run fewer times.
static const struct test_case {
    const char* name;
    void (*loop)(long);
    int calls;
    int weight;
} cases[] = {
    {"Initialized", initialized, 1, 1},
    {"Comm_rank(WORLD)", comm_rank_world, 1, 1},
    {"Comm_rank(dup)", comm_rank_dup, 1, 1},
    {"Comm_size(WORLD)", comm_size_world, 1, 1},
    {"Type_size(INT)", type_size_int, 1, 1},
    {"Type_size(derived)", type_size_derived, 1, 1},
    {"Group_size", group_size, 1, 1},
    {"Get_count", get_count, 1, 1},
    {"Error_class", error_class_of, 1, 1},
    {"Comm_get_attr(TAG_UB)", comm_get_attr, 1, 1},
    {"Barrier", barrier, 1, 1},
    {"Bcast 8 B", bcast, 1, 1},
    {"Allreduce 8 B SUM", allreduce_sum, 1, 1},
    {"Allreduce_c 8 B SUM", allreduce_large, 1, 1},
    {"Allreduce 8 B user op (not called)", allreduce_user, 1, 1},
    {"Reduce_local SUM", reduce_local_sum, 1, 1},
    {"Reduce_local user op", reduce_local_user, 1, 1},
    {"Sendrecv 8 B, status", sendrecv_status, 1, 1},
    {"Sendrecv 8 B, STATUS_IGNORE", sendrecv_ignore, 1, 1},
    {"Sendrecv_c 8 B, STATUS_IGNORE", sendrecv_large, 1, 1},
    {"Irecv+Isend+Waitall(2), ignore", waitall_pair_ignore, 3, 1},
    {"Irecv+Isend+Waitall(2), statuses", waitall_pair_statuses, 3, 1},
    {"Irecv+Isend+Wait+Wait", wait_wait, 4, 1},
    {"64 Irecv+64 Isend+Waitall(128)", waitall_window, 2 * WINDOW + 1, 32},
    {"Waitall(64 null), ignore", waitall_null_ignore, 1, 1},
    {"Waitall(64 null), statuses", waitall_null_statuses, 1, 1},
    {"Testall(64 null)", testall_null, 1, 1},
    {"Test(null), status", test_null, 1, 1},
    {"Iprobe, nothing there", iprobe, 1, 1},
    {"Startall(2)+Waitall(2)", startall, 2, 1},
    {"Put+Win_flush", put_flush, 2, 1},
    {"Pack 8 B", pack, 1, 1},
    {"Alltoallw", alltoallw, 1, 1},
    {"Type_contiguous+commit+free", type_contiguous, 3, 1},
    {"Type_create_struct(3)+commit+free", type_create_struct, 3, 1},
    {"Comm_group+Group_free", comm_group, 2, 1},
    {"Comm_dup+Comm_free", comm_dup, 2, 1},
};
enum { CASES = sizeof cases / sizeof *cases };

static void make_objects(void) {
    members[0] = MPI_DOUBLE, members[1] = MPI_INT, members[2] = MPI_CHAR;
    for (int i = 0; i < WINDOW; i++)
        nulls[i] = MPI_REQUEST_NULL;
    request = MPI_REQUEST_NULL;
    self = MPI_COMM_SELF;
    MPI_Type_contiguous(3, MPI_INT, &derived);
    MPI_Type_commit(&derived);
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    MPI_Comm_group(MPI_COMM_WORLD, &world_group);
    MPI_Op_create(add_doubles, 1, &user_sum);
    MPI_Recv_init(&out, 1, MPI_DOUBLE, 0, 3, self, &persistent[0]);
    MPI_Send_init(&in, 1, MPI_DOUBLE, 0, 3, self, &persistent[1]);
    MPI_Win_allocate(sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window_memory, &window);
    MPI_Win_lock_all(0, window);
    sendrecv_status(1); // so that get_count has a status to read
}

static void free_objects(void) {
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Request_free(&persistent[0]);
    MPI_Request_free(&persistent[1]);
    MPI_Op_free(&user_sum);
    MPI_Group_free(&world_group);
    MPI_Comm_free(&duplicate);
    MPI_Type_free(&derived);
}

static void expect(int right, const char* what) {
    if (right)
        return;
    fprintf(stderr, "calls: wrong result: %s\n", what);
    exit(2);
}

// A call that does nothing would look fast, so check the results of the loops.
static void check_results(void) {
    comm_rank_world(1), comm_size_world(1), type_size_derived(1), sendrecv_status(1), get_count(1);
    expect(rank == 0 && size == 1, "rank 0 of 1");
    expect(bytes == 3 * (int)sizeof(int), "size of the derived type");
    expect(count == 1 && status.MPI_SOURCE == 0 && status.MPI_TAG == 1, "status of Sendrecv");
    error_class_of(1);
    expect(error_class == MPI_ERR_TRUNCATE, "Error_class");
    out = 0;
    allreduce_sum(1);
    expect(out == in, "Allreduce");
    reduce_local_sum(1), reduce_local_user(1);
    expect(out == 3 * in, "Reduce_local");
    comm_get_attr(1);
    expect(tag_upper_bound_seen && *(int*)attribute >= 32767, "MPI_TAG_UB");
    out = 0, waitall_pair_statuses(1);
    expect(out == in && pair_statuses[0].MPI_TAG == 1, "Waitall");
    expect(pair[0] == MPI_REQUEST_NULL && pair[1] == MPI_REQUEST_NULL, "requests set to null");
    out = 0, startall(1);
    expect(out == in, "Startall");
    put_flush(1);
    expect(*window_memory == in, "Put");
    iprobe(1), testall_null(1);
    expect(!found && flag, "Iprobe and Testall");
}

// Warm up first: caches, free lists and objects that the library makes on first use are not measured.
static void measure(const struct test_case* c, long iterations) {
    char name[128];
    iterations = iterations / c->weight ? iterations / c->weight : 1;
    c->loop(WARM_UP);
    for (int twice = 1; twice <= 2; twice++) {
        snprintf(name, sizeof name, "%s|%ld", c->name, twice * iterations);
        CALLGRIND_TOGGLE_COLLECT;
        c->loop(twice * iterations);
        CALLGRIND_TOGGLE_COLLECT;
        CALLGRIND_DUMP_STATS_AT(name);
    }
}

static int chosen(const char* name, int argc, char** argv) {
    for (int i = 2; i < argc; i++)
        if (!strcmp(name, argv[i]))
            return 1;
    return argc <= 2;
}

// Prints the file that defines the calls: calls.py refuses to compare a library with itself.
static void print_library(void) {
    Dl_info where;
    expect(dladdr((void*)(size_t)&MPI_Comm_rank, &where) != 0, "dladdr");
    printf("library|%s\n", where.dli_fname);
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    printf("version|%.*s\n", (int)strcspn(version, "\n"), version);
}

int main(int argc, char** argv) {
    if (argc < 2) {
        for (int i = 0; i < CASES; i++)
            printf("%s|%d\n", cases[i].name, cases[i].calls);
        return 0;
    }
    MPI_Init(&argc, &argv);
    print_library();
    make_objects();
    check_results();
    CALLGRIND_START_INSTRUMENTATION;
    for (int i = 0; i < CASES; i++)
        if (chosen(cases[i].name, argc, argv))
            measure(&cases[i], strtol(argv[1], NULL, 10));
    CALLGRIND_STOP_INSTRUMENTATION;
    free_objects();
    MPI_Finalize();
    return 0;
}
