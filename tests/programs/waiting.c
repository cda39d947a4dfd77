// How the front waits for a request that it emulates: it tests many times before it yields the core, because on a busy
// machine a process that yields gets the core back many milliseconds later, and most operations complete in
// microseconds.
// ranks: 2
// abi: standard
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>
#include <time.h>

enum { rounds = 20, ways = 4, tests = 20, late = 3000000 }; // `late` is in nanoseconds

// In nanoseconds.
static long long first_yield, shortest_test = late;

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static const void* library_of(const void* address) {
    Dl_info found;
    return dladdr(address, &found) ? found.dli_fbase : NULL;
}

// Replaces the C library's function. The runtime may yield as it likes.
int sched_yield(void) {
    const long long time = now();
    if (first_yield == 0 && library_of(__builtin_return_address(0)) == library_of((const void*)(uintptr_t)MPI_Wait))
        first_yield = time;
    return 0;
}

static const char* const names[ways] = {"MPI_Wait", "MPI_Waitall", "MPI_Waitany", "MPI_Waitsome"};

static int wait_for(MPI_Request* request, int way) {
    int index, count;
    switch (way) {
    case 0:
        return MPI_Wait(request, MPI_STATUS_IGNORE);
    case 1:
        return MPI_Waitall(1, request, MPI_STATUSES_IGNORE);
    case 2:
        return MPI_Waitany(1, request, &index, MPI_STATUS_IGNORE);
    default:
        return MPI_Waitsome(1, request, &count, &index, MPI_STATUSES_IGNORE);
    }
}

static void test_some_times(MPI_Request* request) {
    for (int i = 0; i < tests; i++) {
        int flag;
        const long long before = now();
        CHECK_OK(MPI_Test(request, &flag, MPI_STATUS_IGNORE));
        const long long took = now() - before;
        shortest_test = took < shortest_test ? took : shortest_test;
    }
}

// Rank 1 is late, so rank 0 must wait, and yields in the end. Returns the time before the yield.
static long long exchange(int way) {
    int out[2] = {check_rank, check_rank}, in[2] = {-1, -1};
    const int counts[2] = {1, 1}, displacements[2] = {0, sizeof(int)};
    const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    const struct timespec delay = {0, late};
    MPI_Request request;
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    if (check_rank == 1)
        nanosleep(&delay, NULL);
    CHECK_OK(
        MPI_Ialltoallw(out, counts, displacements, types, in, counts, displacements, types, MPI_COMM_WORLD, &request));
    test_some_times(&request);
    first_yield = 0;
    const long long begin = now();
    CHECK_OK(wait_for(&request, way));
    CHECK_INT(in[0], 0);
    CHECK_INT(in[1], 1);
    return first_yield == 0 ? late : first_yield - begin;
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    for (int way = 0; way < ways; way++) {
        CASE(names[way]);
        long long soonest = late;
        for (int round = 0; round < rounds; round++) {
            const long long found = exchange(way);
            soonest = found < soonest ? found : soonest;
        }
        if (check_rank == 0) // about 500 tests; a front that yields at once makes 2
            CHECK(soonest > 50 * shortest_test);
    }
    return check_end();
}
