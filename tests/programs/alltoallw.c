// The arrays of datatypes of a nonblocking alltoallw. MPI requires the program to keep them until completion, but the
// runtime reads a converted copy that anympi owns. So this program overwrites its own arrays as soon as the call has
// returned.
// ranks: 1 2 4
#include "complete.h"

enum { many = 30 };

typedef struct arrays { // everything that the call reads, on the heap so that a later read is seen
    int *counts, *displacements;
    MPI_Datatype* types;
} arrays;

static arrays make_arrays(MPI_Datatype type) {
    arrays a = {malloc(4 * sizeof(int)), malloc(4 * sizeof(int)), malloc(4 * sizeof(MPI_Datatype))};
    for (int i = 0; i < check_ranks; i++) {
        a.counts[i] = 1;
        a.displacements[i] = 8 * i;
        a.types[i] = type;
    }
    return a;
}

// The counts and displacements are not converted and stay until completion, as MPI requires.
static void spoil_types(arrays* a) {
    for (int i = 0; i < check_ranks; i++)
        a->types[i] = (MPI_Datatype)(uintptr_t)0x13;
    free(a->types);
    a->types = NULL;
    for (size_t size = 16; size <= 256; size += 16) { // reuses the memory of a copy that was freed too early
        void* block = malloc(size);
        memset(block, 0x13, size);
        free(block);
    }
}

static void release(arrays* a) {
    free(a->counts);
    free(a->displacements);
}

static void fill(long long* out, int round) {
    for (int i = 0; i < check_ranks; i++)
        out[i] = 1000 * round + 10 * check_rank + i;
}

static void check_received(const long long* in, int round) {
    for (int i = 0; i < check_ranks; i++)
        CHECK_INT(in[i], 1000 * round + 10 * i + check_rank);
}

// The datatypes are derived and freed at once, because the operation keeps them.
static void one_by_one(void) {
    CASE("one by one");
    for (int round = 0; round < 16; round++) { // every way to complete a request, twice
        long long out[4], in[4] = {-1, -1, -1, -1};
        MPI_Request request;
        MPI_Datatype pair;
        CHECK_OK(MPI_Type_contiguous(2, MPI_INT, &pair));
        CHECK_OK(MPI_Type_commit(&pair));
        arrays a = make_arrays(round % 2 ? pair : MPI_LONG_LONG);
        fill(out, round);
        CHECK_OK(MPI_Ialltoallw(out, a.counts, a.displacements, a.types, in, a.counts, a.displacements, a.types,
                                MPI_COMM_WORLD, &request));
        CHECK_OK(MPI_Type_free(&pair));
        spoil_types(&a);
        complete(&request);
        CHECK_SAME(request, MPI_REQUEST_NULL);
        check_received(in, round);
        release(&a);
    }
}

static void many_at_once(void) {
    static long long out[many][4], in[many][4];
    arrays a[many];
    MPI_Request requests[many + 1];
    CASE("many at once");
    for (int i = 0; i < many; i++) {
        a[i] = make_arrays(i % 2 ? MPI_LONG_LONG : MPI_INT64_T);
        fill(out[i], i);
        CHECK_OK(MPI_Ialltoallw(out[i], a[i].counts, a[i].displacements, a[i].types, in[i], a[i].counts,
                                a[i].displacements, a[i].types, MPI_COMM_WORLD, &requests[i]));
        spoil_types(&a[i]);
    }
    requests[many] = MPI_REQUEST_NULL;
    int done = 0;
    while (done < many) { // some at a time, in whatever order they complete
        int count = 0, indices[many + 1];
        if (!CHECK_OK(MPI_Waitsome(many + 1, requests, &count, indices, MPI_STATUSES_IGNORE)) || count == MPI_UNDEFINED)
            break;
        done += count;
    }
    CHECK_INT(done, many);
    for (int i = 0; i < many; i++) {
        CHECK_SAME(requests[i], MPI_REQUEST_NULL);
        check_received(in[i], i);
        release(&a[i]);
    }
}

// Other nonblocking operations in between: requests of different operations must not be confused.
static void mixed(void) {
    long long out[4], in[4];
    int value = 5, sum = 0;
    MPI_Request requests[3];
    CASE("mixed with other requests");
    for (int round = 0; round < 20; round++) {
        arrays a = make_arrays(MPI_LONG_LONG);
        fill(out, round);
        CHECK_OK(MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]));
        CHECK_OK(MPI_Ialltoallw(out, a.counts, a.displacements, a.types, in, a.counts, a.displacements, a.types,
                                MPI_COMM_WORLD, &requests[1]));
        spoil_types(&a);
        CHECK_OK(MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]));
        int index = -1;
        for (int i = 0; i < 3; i++) {
            CHECK_OK(MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE));
            CHECK(index >= 0 && index < 3);
        }
        CHECK_INT(sum, 5 * check_ranks);
        check_received(in, round);
        release(&a);
    }
}

static void in_place(void) {
    long long data[4];
    MPI_Request request;
    CASE("in place");
    arrays a = make_arrays(MPI_LONG_LONG);
    fill(data, 3);
    CHECK_OK(MPI_Ialltoallw(MPI_IN_PLACE, NULL, NULL, NULL, data, a.counts, a.displacements, a.types, MPI_COMM_WORLD,
                            &request));
    spoil_types(&a);
    complete(&request);
    check_received(data, 3);
    release(&a);
}

// The neighborhood form on a ring. Both neighbors get the same value, because they may be one rank.
static void neighbors(void) {
    MPI_Comm ring;
    int n = check_ranks, periodic = 1, rank;
    CASE("neighbourhood");
    CHECK_OK(MPI_Cart_create(MPI_COMM_WORLD, 1, &n, &periodic, 0, &ring));
    CHECK_OK(MPI_Comm_rank(ring, &rank));
    for (int round = 0; round < 8; round++) {
        int out[2] = {100 * round + rank, 100 * round + rank}, in[2] = {-1, -1};
        int* counts = malloc(2 * sizeof *counts);
        MPI_Aint* displacements = malloc(2 * sizeof *displacements);
        MPI_Datatype* types = malloc(2 * sizeof *types);
        MPI_Request request;
        for (int i = 0; i < 2; i++) {
            counts[i] = 1;
            displacements[i] = i * (MPI_Aint)sizeof(int);
            types[i] = MPI_INT;
        }
        CHECK_OK(MPI_Ineighbor_alltoallw(out, counts, displacements, types, in, counts, displacements, types, ring,
                                         &request));
        types[0] = types[1] = (MPI_Datatype)(uintptr_t)0x13;
        free(types);
        complete(&request);
        CHECK_INT(in[0], 100 * round + (rank + n - 1) % n);
        CHECK_INT(in[1], 100 * round + (rank + 1) % n);
        free(counts);
        free(displacements);
    }
    CHECK_OK(MPI_Comm_free(&ring));
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    one_by_one();
    many_at_once();
    mixed();
    in_place();
    neighbors();
    return check_end();
}
