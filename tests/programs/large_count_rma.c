// The large-count forms that create windows, and of one-sided communication.
// ranks: 2
#include "rma.h"

static int values[4];

// Every access once, in the neighbor's window (with one rank: in its own).
static void access_window(MPI_Win window, int* memory) {
    int peer = (check_rank + 1) % check_ranks, out = 50 + check_rank, in = -1, two = 2;
    MPI_Request request;
    memset(memory, 0, 4 * sizeof *memory);
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_OK(MPI_Put_c(&out, 1, MPI_INT, peer, 0, 1, MPI_INT, window));
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_INT(memory[0], 50 + (check_rank + check_ranks - 1) % check_ranks);
    CHECK_OK(MPI_Get_c(&in, 1, MPI_INT, peer, 0, 1, MPI_INT, window));
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_INT(in, 50 + check_rank);
    if (accumulate_offered()) {
        CHECK_OK(MPI_Accumulate_c(&two, 1, MPI_INT, peer, 0, 1, MPI_INT, MPI_SUM, window));
        CHECK_OK(MPI_Win_fence(0, window));
        CHECK_OK(MPI_Get_accumulate_c(&two, 1, MPI_INT, &in, 1, MPI_INT, peer, 0, 1, MPI_INT, MPI_SUM, window));
        CHECK_OK(MPI_Win_fence(0, window));
        CHECK_INT(in, 52 + check_rank);
    }
    CHECK_OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, window));

    CHECK_OK(MPI_Win_lock_all(0, window));
    CHECK_OK(MPI_Rput_c(&out, 1, MPI_INT, peer, 1, 1, MPI_INT, window, &request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Win_flush_all(window));
    if (accumulate_offered()) {
        CHECK_OK(MPI_Raccumulate_c(&two, 1, MPI_INT, peer, 1, 1, MPI_INT, MPI_SUM, window, &request));
        CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_OK(MPI_Win_flush_all(window));
        CHECK_OK(
            MPI_Rget_accumulate_c(&two, 1, MPI_INT, &in, 1, MPI_INT, peer, 1, 1, MPI_INT, MPI_NO_OP, window, &request));
        CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_INT(in, 52 + check_rank);
    }
    CHECK_OK(MPI_Rget_c(&in, 1, MPI_INT, peer, 1, 1, MPI_INT, window, &request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(in == 52 + check_rank || in == 50 + check_rank);
    CHECK_OK(MPI_Win_unlock_all(window));
}

static void check_unit(MPI_Win window) {
    void* value = NULL;
    int flag = 0;
    CHECK_OK(MPI_Win_get_attr(window, MPI_WIN_DISP_UNIT, &value, &flag));
    CHECK_INT(!!flag, 1);
    CHECK_INT(*(int*)value, sizeof(int));
}

// A displacement unit that does not fit into an int: harmless in a window that is not larger, rejected in other
// windows, on libraries with units of int.
static void large_unit(void) {
    const MPI_Aint unit = (MPI_Aint)1 << 32;
    int mine = 0, peer = (check_rank + 1) % check_ranks, sent = 40 + check_rank;
    MPI_Win window;
    CASE("a large unit of a small window");
    if (!OFFERED(MPI_Win_create_c, (&mine, sizeof mine, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &window)))
        return;
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_OK(MPI_Put(&sent, 1, MPI_INT, peer, 0, 1, MPI_INT, window));
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_INT(mine, 40 + (check_rank + check_ranks - 1) % check_ranks);
    CHECK_OK(MPI_Win_free(&window));
    CASE("a large unit of a large window");
    CHECK_CLASS(MPI_Win_create_c(&mine, 2 * unit, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &window), MPI_ERR_DISP);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    MPI_Win window;
    int* memory = NULL;
    CASE("win_create_c");
    if (OFFERED(MPI_Win_create_c, (values, sizeof values, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window))) {
        check_unit(window);
        access_window(window, values);
        CHECK_OK(MPI_Win_free(&window));
        CASE("win_allocate_c");
        CHECK_OK(MPI_Win_allocate_c(16, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window));
        check_unit(window);
        access_window(window, memory);
        CHECK_OK(MPI_Win_free(&window));
        CASE("win_allocate_shared_c");
        MPI_Aint size = -1, unit = -1;
        void* base = NULL;
        CHECK_OK(MPI_Win_allocate_shared_c(16, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window));
        CHECK_OK(MPI_Win_shared_query_c(window, check_rank, &size, &unit, &base));
        CHECK_INT(size, 16);
        CHECK_INT(unit, sizeof(int));
        CHECK_SAME(base, memory);
        CHECK_OK(MPI_Win_shared_query_c(window, MPI_PROC_NULL, &size, &unit, &base)); // the lowest rank with memory
        CHECK_INT(size, 16);
        CHECK_OK(MPI_Win_free(&window));
    }
    if (check_runtime_is("Open MPI") || check_mpich_major() == 3)
        large_unit();
    else
        check_skip("large units", "this MPI has large units of its own (MPICH 4.0 loses them)");
    return check_end();
}
