// One-sided communication with passive targets: lock types and assertions, flushes, requests, atomic counters.
// ranks: 1 2 4
#include "rma.h"
#include <time.h>

enum { length = 8, rounds = 50 };

static int* memory;
static MPI_Win window;
static int left, right;

// Collective: sets new values that all ranks see.
static void reset(int value) {
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, check_rank, 0, window));
    for (int i = 0; i < length; i++)
        memory[i] = value;
    CHECK_OK(MPI_Win_unlock(check_rank, window));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
}

// The barrier orders the accesses of other ranks, the lock makes them visible here.
static int read_own(int place) {
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, check_rank, 0, window));
    int value = memory[place];
    CHECK_OK(MPI_Win_unlock(check_rank, window));
    return value;
}

static void locks(void) {
    int mine = 40 + check_rank, found = -1;
    CASE("exclusive lock, put");
    reset(0);
    CHECK_OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, window));
    CHECK_OK(MPI_Put(&mine, 1, MPI_INT, right, 3, 1, MPI_INT, window));
    CHECK_OK(MPI_Win_unlock(right, window));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_INT(read_own(3), 40 + left);

    CASE("shared lock, get");
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, right, 0, window));
    CHECK_OK(MPI_Get(&found, 1, MPI_INT, right, 3, 1, MPI_INT, window));
    CHECK_OK(MPI_Win_unlock(right, window));
    CHECK_INT(found, mine);
}

// Reads, adds and writes back: correct only if the lock is really exclusive.
static void mutual_exclusion(void) {
    CASE("exclusive lock as a mutex");
    reset(0);
    for (int i = 0; i < rounds; i++) {
        int value = 0;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_flush(0, window);
        nanosleep(&(struct timespec){0, 50000}, NULL); // gives other ranks time to interfere
        value++;
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_unlock(0, window);
    }
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    if (check_rank == 0)
        CHECK_INT(read_own(0), rounds * check_ranks);
}

// While all ranks hold their lock they meet in a barrier: with exclusive locks the barrier would never end.
static void locks_held_together(void) {
    int found = -1;
    CASE("shared locks at the same time");
    reset(7);
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window));
    CHECK_OK(MPI_Get(&found, 1, MPI_INT, 0, 2, 1, MPI_INT, window));
    CHECK_OK(MPI_Win_flush(0, window));
    CHECK_INT(found, 7);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Win_unlock(0, window));
}

static void flushes(void) {
    int mine[2] = {1 + check_rank, 2 + check_rank}, found = -1;
    CASE("lock_all and flushes");
    reset(0);
    CHECK_OK(MPI_Win_lock_all(0, window));
    CHECK_OK(MPI_Put(&mine[0], 1, MPI_INT, right, 0, 1, MPI_INT, window));
    CHECK_OK(MPI_Win_flush(right, window));
    CHECK_OK(MPI_Get(&found, 1, MPI_INT, right, 0, 1, MPI_INT, window));
    CHECK_OK(MPI_Win_flush_local(right, window));
    CHECK_INT(found, mine[0]);
    CHECK_OK(MPI_Put(&mine[1], 1, MPI_INT, right, 1, 1, MPI_INT, window));
    CHECK_OK(MPI_Win_flush_local_all(window));
    CHECK_OK(MPI_Win_flush_all(window));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Win_sync(window));
    CHECK_INT(memory[0], 1 + left);
    CHECK_INT(memory[1], 2 + left);
    CHECK_OK(MPI_Win_unlock_all(window));
}

static void put_requests(void) {
    int mine[length], found[length];
    MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status statuses[3];
    int cancelled = -1;
    CASE("rput, rget");
    reset(-1);
    for (int i = 0; i < length; i++) {
        mine[i] = 100 * check_rank + i;
        found[i] = -2;
    }
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, right, 0, window));
    CHECK_OK(MPI_Rput(mine, 4, MPI_INT, right, 0, 4, MPI_INT, window, &requests[0]));
    CHECK_OK(MPI_Rput(mine + 4, 4, MPI_INT, right, 4, 4, MPI_INT, window, &requests[1]));
    CHECK_OK(MPI_Rput(mine, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, window, &requests[2]));
    CHECK_OK(MPI_Waitall(3, requests, statuses));
    for (int i = 0; i < 3; i++) {
        CHECK_SAME(requests[i], MPI_REQUEST_NULL);
        CHECK_INT(statuses[i].MPI_ERROR, MPI_SUCCESS);
        CHECK_OK(MPI_Test_cancelled(&statuses[i], &cancelled));
        CHECK_INT(cancelled, 0);
    }
    CHECK_OK(MPI_Win_flush(right, window));
    CHECK_OK(MPI_Rget(found, length, MPI_INT, right, 0, length, MPI_INT, window, &requests[0]));
    CHECK_OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    CHECK_SAME(requests[0], MPI_REQUEST_NULL);
    CHECK_BYTES(found, mine, sizeof mine);
    CHECK_OK(MPI_Win_unlock(right, window));
}

static void accumulate_requests(void) {
    int mine[2] = {1, 10}, before[2] = {-1, -1}, flag = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    CASE("raccumulate, rget_accumulate");
    reset(1000);
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window));
    CHECK_OK(MPI_Raccumulate(mine, 2, MPI_INT, 0, 2, 2, MPI_INT, MPI_SUM, window, &request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Win_flush(0, window));
    CHECK_OK(MPI_Rget_accumulate(mine, 2, MPI_INT, before, 2, MPI_INT, 0, 2, 2, MPI_INT, MPI_NO_OP, window, &request));
    while (!flag)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    CHECK_SAME(request, MPI_REQUEST_NULL);
    CHECK(before[0] >= 1001 && before[0] <= 1000 + check_ranks);
    CHECK(before[1] >= 1010 && before[1] <= 1000 + 10 * check_ranks);
    CHECK_OK(MPI_Win_unlock(0, window));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    if (check_rank == 0) {
        CHECK_INT(read_own(2), 1000 + check_ranks);
        CHECK_INT(read_own(3), 1000 + 10 * check_ranks);
    }
}

// Every ticket must be given out exactly once.
static void tickets(void) {
    long long sum = 0, all = 0, count = (long long)rounds * check_ranks;
    int one = 1, ticket, previous = -1, ordered = 1;
    CASE("fetch_and_op as a counter");
    reset(0);
    CHECK_OK(MPI_Win_lock_all(0, window));
    for (int i = 0; i < rounds; i++) {
        MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 5, MPI_SUM, window);
        MPI_Win_flush(0, window);
        ordered &= ticket > previous;
        previous = ticket;
        sum += ticket;
    }
    CHECK_OK(MPI_Win_unlock_all(window));
    CHECK(ordered);
    CHECK_OK(MPI_Allreduce(&sum, &all, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD));
    CHECK_INT(all, count * (count - 1) / 2);
}

static void compare_and_swap(void) {
    int taken = check_rank + 1, free_mark = 0, found = -1, winners = 0, mine;
    CASE("compare_and_swap: one wins");
    reset(0);
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window));
    CHECK_OK(MPI_Compare_and_swap(&taken, &free_mark, &found, MPI_INT, 0, 6, window));
    CHECK_OK(MPI_Win_unlock(0, window));
    mine = found == 0;
    CHECK(found >= 0 && found <= check_ranks);
    CHECK_OK(MPI_Allreduce(&mine, &winners, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_INT(winners, 1);
}

static void large_count(void) {
    int mine = 5, found = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    CASE("large-count forms");
    reset(0);
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, right, 0, window));
    if (OFFERED(MPI_Rput_c, (&mine, 1, MPI_INT, right, 0, 1, MPI_INT, window, &request))) {
        CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_OK(MPI_Win_flush(right, window));
        CHECK_OK(MPI_Raccumulate_c(&mine, 1, MPI_INT, right, 0, 1, MPI_INT, MPI_PROD, window, &request));
        CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_OK(MPI_Win_flush(right, window));
        CHECK_OK(MPI_Rget_c(&found, 1, MPI_INT, right, 0, 1, MPI_INT, window, &request));
        CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_INT(found, 25);
    }
    CHECK_OK(MPI_Win_unlock(right, window));
}

// The last use of the window, because in MPICH 4 and 5 a lock after a lock without check may wait forever.
static void without_check(void) {
    int mine = 40 + check_rank;
    CASE("locks without check");
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Win_lock_all(MPI_MODE_NOCHECK, window));
    CHECK_OK(MPI_Win_unlock_all(window));
    CHECK_OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, MPI_MODE_NOCHECK, window));
    CHECK_OK(MPI_Put(&mine, 1, MPI_INT, right, 4, 1, MPI_INT, window));
    CHECK_OK(MPI_Win_unlock(right, window));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_INT(memory[4], 40 + left);
}

static void errors(void) {
    CASE("errors");
    CHECK_CLASS(MPI_Win_lock(12345, 0, 0, window), MPI_ERR_LOCKTYPE, MPI_ERR_ARG, MPI_ERR_OTHER);
    CHECK_CLASS(MPI_Win_lock(MPI_LOCK_SHARED, check_ranks, 0, window), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, MPI_WIN_NULL), MPI_ERR_WIN);
    CHECK_CLASS(MPI_Win_unlock(check_ranks, window), MPI_ERR_RANK);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    left = (check_rank + check_ranks - 1) % check_ranks;
    right = (check_rank + 1) % check_ranks;
    if (window_made("MPI_Win_allocate", MPI_Win_allocate(length * sizeof(int), sizeof(int), MPI_INFO_NULL,
                                                         MPI_COMM_WORLD, &memory, &window))) {
        CHECK_OK(MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN));
        locks();
        mutual_exclusion();
        locks_held_together();
        flushes();
        put_requests();
        if (accumulate_offered()) {
            accumulate_requests();
            tickets();
            compare_and_swap();
            large_count();
        }
        errors();
        without_check();
        CHECK_OK(MPI_Win_free(&window));
    }
    return check_end();
}
