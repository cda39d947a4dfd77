// Windows of shared memory and dynamic windows: queries of every rank, loads and stores, attaching.
// ranks: 1 2 4
#include "rma.h"

static MPI_Comm node;

// Every rank runs on this machine, so the node contains the whole world.
static void split(void) {
    MPI_Comm some = MPI_COMM_NULL;
    int size = -1, same = -1;
    CASE("Comm_split_type");
    CHECK_OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    CHECK_OK(MPI_Comm_size(node, &size));
    CHECK_INT(size, check_ranks);
    CHECK_OK(MPI_Comm_compare(MPI_COMM_WORLD, node, &same));
    CHECK_INT(same, MPI_CONGRUENT);
    CHECK_OK(MPI_Comm_split_type(MPI_COMM_WORLD, check_rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0,
                                 MPI_INFO_NULL, &some));
    CHECK_INT(some == MPI_COMM_NULL, check_rank == 0);
    if (some != MPI_COMM_NULL) {
        CHECK_OK(MPI_Comm_size(some, &size));
        CHECK_INT(size, check_ranks - 1);
        CHECK_OK(MPI_Comm_free(&some));
    }
}

// Each rank contributes rank + 1 doubles with its own displacement unit, writes them, and reads all others.
static void shared_memory(void) {
    MPI_Win window;
    double *mine = NULL, *others = NULL, *previous_end = NULL;
    MPI_Aint size;
    int unit;
    CASE("Win_allocate_shared");
    if (!window_made("MPI_Win_allocate_shared",
                     MPI_Win_allocate_shared((check_rank + 1) * (MPI_Aint)sizeof(double), 8 + check_rank, MPI_INFO_NULL,
                                             node, &mine, &window)))
        return;
    CHECK_OK(MPI_Win_lock_all(MPI_MODE_NOCHECK, window));
    for (int i = 0; i <= check_rank; i++)
        mine[i] = 10 * check_rank + i;
    CHECK_OK(MPI_Win_sync(window));
    CHECK_OK(MPI_Barrier(node));
    CHECK_OK(MPI_Win_sync(window));
    for (int rank = 0; rank < check_ranks; rank++) {
        size = -1;
        unit = -1;
        others = NULL;
        CHECK_OK(MPI_Win_shared_query(window, rank, &size, &unit, &others));
        CHECK_INT(size, (rank + 1) * (int)sizeof(double));
        CHECK_INT(unit, 8 + rank);
        if (!CHECK(others != NULL))
            continue;
        for (int i = 0; i <= rank; i++)
            CHECK_INT(others[i], 10 * rank + i);
        if (rank == check_rank)
            CHECK_SAME(others, mine);
        if (rank > 0)
            CHECK_SAME(others, previous_end); // contiguous in rank order, unless the info says otherwise
        previous_end = others + rank + 1;
    }
    CHECK_OK(MPI_Barrier(node));
    CHECK_OK(MPI_Win_unlock_all(window));
    CHECK_OK(MPI_Win_free(&window));
}

// MPI_PROC_NULL queries the first rank with memory. This rank must be converted, in an unusual argument.
static void first_segment(void) {
    MPI_Win window;
    int *mine = NULL, *first = NULL, giver = check_ranks - 1, unit = -1, flavour = -1, flag = 0;
    const int* attribute;
    MPI_Aint size = -1;
    CASE("shared_query of MPI_PROC_NULL");
    if (!window_made("MPI_Win_allocate_shared",
                     MPI_Win_allocate_shared(check_rank == giver ? 64 : 0, 4, MPI_INFO_NULL, node, &mine, &window)))
        return;
    if (check_rank == giver)
        mine[3] = 4321;
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_OK(MPI_Win_shared_query(window, MPI_PROC_NULL, &size, &unit, &first));
    CHECK_INT(size, 64);
    CHECK_INT(unit, 4);
    if (CHECK(first != NULL))
        CHECK_INT(first[3], 4321);
    CHECK_OK(MPI_Win_get_attr(window, MPI_WIN_CREATE_FLAVOR, &attribute, &flag));
    if (CHECK_INT(flag, 1))
        flavour = *attribute;
    CHECK_INT(flavour, MPI_WIN_FLAVOR_SHARED);
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_OK(MPI_Win_free(&window));
}

static void scattered_segments(void) {
    MPI_Win window;
    MPI_Info info;
    MPI_Aint size;
    char *mine = NULL, *others;
    int unit;
    CASE("alloc_shared_noncontig");
    CHECK_OK(MPI_Info_create(&info));
    CHECK_OK(MPI_Info_set(info, "alloc_shared_noncontig", "true"));
    if (window_made("MPI_Win_allocate_shared", MPI_Win_allocate_shared(100, 1, info, node, &mine, &window))) {
        memset(mine, 'a' + check_rank, 100);
        CHECK_OK(MPI_Win_fence(0, window));
        for (int rank = 0; rank < check_ranks; rank++) {
            CHECK_OK(MPI_Win_shared_query(window, rank, &size, &unit, &others));
            CHECK(size >= 100); // Open MPI returns the size of whole pages
            CHECK_INT(others[99], 'a' + rank);
        }
        CHECK_OK(MPI_Win_fence(0, window));
        CHECK_OK(MPI_Win_free(&window));
    }
    CHECK_OK(MPI_Info_free(&info));
}

static void large_count(void) {
    MPI_Win window;
    MPI_Aint unit = -1, size = -1;
    char *mine = NULL, *others = NULL;
    CASE("large-count forms");
    if (OFFERED(MPI_Win_allocate_shared_c, (16, 2, MPI_INFO_NULL, node, &mine, &window))) {
        CHECK_OK(MPI_Win_shared_query_c(window, check_rank, &size, &unit, &others));
        CHECK_INT(size, 16);
        CHECK_INT(unit, 2);
        CHECK_SAME(others, mine);
        CHECK_OK(MPI_Win_free(&window));
    }
}

static void dynamic_memory(void) {
    MPI_Win window;
    MPI_Aint address = 0, *addresses = calloc((size_t)check_ranks, sizeof *addresses);
    int cells[4] = {0}, mine = 600 + check_rank;
    int left = (check_rank + check_ranks - 1) % check_ranks, right = (check_rank + 1) % check_ranks;
    CASE("dynamic window");
    if (window_made("MPI_Win_create_dynamic", MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window))) {
        CHECK_OK(MPI_Win_attach(window, cells, sizeof cells));
        CHECK_OK(MPI_Get_address(cells, &address));
        CHECK_SAME(address, cells);
        CHECK_OK(MPI_Allgather(&address, 1, MPI_AINT, addresses, 1, MPI_AINT, MPI_COMM_WORLD));
        CHECK_OK(MPI_Win_fence(0, window));
        CHECK_OK(
            MPI_Put(&mine, 1, MPI_INT, right, MPI_Aint_add(addresses[right], 2 * sizeof(int)), 1, MPI_INT, window));
        CHECK_OK(MPI_Win_fence(0, window));
        CHECK_INT(cells[2], 600 + left);
        CHECK_INT(MPI_Aint_diff(MPI_Aint_add(address, 24), address), 24);
        CHECK_OK(MPI_Win_detach(window, cells));
        CHECK_OK(MPI_Win_free(&window));
    }
    free(addresses);
}

// Since MPI 4.1 every window with memory may be queried; memory that cannot be accessed has size 0. Intel's library
// returns an error.
static void query_of_ordinary_window(void) {
    MPI_Win window;
    int* memory = NULL;
    CASE("shared_query of a window that is not shared");
    if (check_runtime_is("Intel") ||
        !window_made("MPI_Win_allocate",
                     MPI_Win_allocate(32, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window)))
        return;
    for (int rank = 0; rank < check_ranks; rank++) {
        MPI_Aint size = -1;
        int unit = -1;
        void* base = &unit;
        CHECK_OK(MPI_Win_shared_query(window, rank, &size, &unit, &base));
        CHECK(size == 0 || size == 32);
        if (size != 0 && rank == check_rank)
            CHECK_SAME(base, memory);
        if (size != 0)
            CHECK_INT(unit, sizeof(int));
        else
            CHECK_SAME(base, NULL);
        MPI_Aint large_size = -1, large_unit = -1;
        if (OFFERED(MPI_Win_shared_query_c, (window, rank, &large_size, &large_unit, &base)))
            CHECK(large_size == size && large_unit == unit);
    }
    CHECK_OK(MPI_Win_free(&window));
}

static void errors(void) {
    MPI_Win window = MPI_WIN_NULL;
    MPI_Aint size;
    void* base;
    int unit;
    CASE("errors");
    CHECK_CLASS(MPI_Win_shared_query(window, 0, &size, &unit, &base), MPI_ERR_WIN);
    CHECK_CLASS(MPI_Win_attach(window, &unit, sizeof unit), MPI_ERR_WIN);
    CHECK_CLASS(MPI_Win_free(&window), MPI_ERR_WIN);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    split();
    shared_memory();
    first_segment();
    scattered_segments();
    large_count();
    dynamic_memory();
    query_of_ordinary_window();
    errors();
    CHECK_OK(MPI_Comm_free(&node));
    return check_end();
}
