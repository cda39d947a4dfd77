// Hints: infos that are passed to and returned by communicators, windows and files are the program's own handles.
// ranks: 1 2 4
#include "rma.h"

// A runtime returns hints of its own choice. Each must be readable, and the caller must be able to free the handle.
static void check_readable(MPI_Info* info) {
    static char key[MPI_MAX_INFO_KEY], value[MPI_MAX_INFO_VAL + 1];
    int keys = -1, length, flag;
    CHECK(*info != MPI_INFO_NULL);
    CHECK_OK(MPI_Info_get_nkeys(*info, &keys));
    for (int n = 0; n < keys; n++) {
        CHECK_OK(MPI_Info_get_nthkey(*info, n, key));
        if (MPI_MAX_INFO_KEY < 255 && strlen(key) == MPI_MAX_INFO_KEY - 1)
            continue; // cut to the limit of the program's ABI
        CHECK_OK(MPI_Info_get_valuelen(*info, key, &length, &flag));
        CHECK_OK(MPI_Info_get(*info, key, MPI_MAX_INFO_VAL, value, &flag));
        CHECK_INT(flag, 1);
        CHECK_INT(strlen(value), length);
    }
    CHECK_OK(MPI_Info_free(info));
    CHECK_SAME(*info, MPI_INFO_NULL);
}

static void check_works(MPI_Comm comm) {
    int mine = check_rank + 1, sum = 0;
    CHECK_OK(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK_INT(sum, check_ranks * (check_ranks + 1) / 2);
}

static void communicators(void) {
    MPI_Info hints, used = MPI_INFO_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;

    CASE("communicator hints");
    CHECK_OK(MPI_Info_create(&hints));
    CHECK_OK(MPI_Info_set(hints, "mpi_assert_no_any_tag", "true"));
    CHECK_OK(MPI_Info_set(hints, "anympi_unknown_hint", "ignored"));
    CHECK_OK(MPI_Comm_get_info(MPI_COMM_WORLD, &used));
    check_readable(&used);
    CHECK_OK(MPI_Comm_dup_with_info(MPI_COMM_WORLD, hints, &comm));
    check_works(comm);
    CHECK_OK(MPI_Comm_get_info(comm, &used));
    check_readable(&used);
    CHECK_OK(MPI_Comm_set_info(comm, hints));
    CHECK_CLASS(MPI_Comm_set_info(comm, MPI_INFO_NULL), MPI_ERR_INFO, MPI_ERR_ARG);
    CHECK_OK(MPI_Comm_get_info(comm, &used));
    check_readable(&used);
    CHECK_OK(MPI_Comm_free(&comm));
    CHECK_OK(MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &comm));
    check_works(comm);
    CHECK_OK(MPI_Comm_free(&comm));

    CASE("Comm_idup_with_info");
    if (OFFERED(MPI_Comm_idup_with_info, (MPI_COMM_WORLD, hints, &comm, &request))) {
        CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_SAME(request, MPI_REQUEST_NULL);
        check_works(comm);
        CHECK_OK(MPI_Comm_free(&comm));
    }
    CHECK_OK(MPI_Info_free(&hints));
}

static void windows(void) {
    MPI_Info hints, used = MPI_INFO_NULL;
    MPI_Win win;
    int* memory = NULL;

    CASE("window hints");
    CHECK_OK(MPI_Info_create(&hints));
    CHECK_OK(MPI_Info_set(hints, "no_locks", "false"));
    CHECK_OK(MPI_Info_set(hints, "accumulate_ordering", "rar,raw,war,waw"));
    if (window_made("MPI_Win_allocate", MPI_Win_allocate(16, 4, hints, MPI_COMM_WORLD, &memory, &win))) {
        CHECK_OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
        CHECK_OK(MPI_Win_get_info(win, &used));
        check_readable(&used);
        CHECK_OK(MPI_Win_set_info(win, hints));
        CHECK_CLASS(MPI_Win_set_info(win, MPI_INFO_NULL), MPI_ERR_INFO, MPI_ERR_ARG);
        CHECK_OK(MPI_Win_get_info(win, &used));
        check_readable(&used);
        CHECK_OK(MPI_Win_free(&win));
    }
    CHECK_OK(MPI_Info_free(&hints));
}

// MPI_Alloc_mem also takes a null info or a real one.
static void memory(void) {
    MPI_Info hints;
    char* block = NULL;
    CASE("Alloc_mem");
    CHECK_OK(MPI_Info_create(&hints));
    CHECK_OK(MPI_Info_set(hints, "mpi_minimum_memory_alignment", "64"));
    CHECK_OK(MPI_Alloc_mem(1000, hints, &block));
    if (CHECK(block != NULL))
        memset(block, 1, 1000);
    CHECK_OK(MPI_Free_mem(block));
    block = NULL;
    CHECK_OK(MPI_Alloc_mem(8, MPI_INFO_NULL, &block));
    CHECK(block != NULL);
    CHECK_OK(MPI_Free_mem(block));
    CHECK_OK(MPI_Info_free(&hints));
}

static void hardware(void) {
    MPI_Info info = MPI_INFO_NULL;
    CASE("Get_hw_resource_info");
    if (OFFERED(MPI_Get_hw_resource_info, (&info)))
        check_readable(&info);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    communicators();
    windows();
    memory();
    hardware();
    return check_end();
}
