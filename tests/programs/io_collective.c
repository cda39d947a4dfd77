// Collective file access: blocking, with requests, in two halves, with views that interleave the ranks.
// ranks: 1 2 4
#include "io.h"

enum { block = 12 };

static int out[block], in[block];
static MPI_Offset base;

static void fill(int first) {
    for (int i = 0; i < block; i++) {
        out[i] = 1000 * check_rank + first + i;
        in[i] = -1;
    }
}

static void settle(MPI_File file) {
    CHECK_OK(MPI_File_sync(file));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_File_sync(file));
}

static void blocking(void) {
    MPI_File file = io_new();
    MPI_Status status = check_dirty_status();
    CASE("write_at_all, read_at_all");
    fill(1);
    CHECK_OK(MPI_File_write_at_all(file, base, out, block, MPI_INT, &status));
    CHECK_COUNT(status, MPI_INT, block);
    CHECK_INT(status.MPI_ERROR, -12347);
    settle(file);
    CHECK_OK(MPI_File_read_at_all(file, base, in, block, MPI_INT, &status));
    CHECK_COUNT(status, MPI_INT, block);
    CHECK_BYTES(in, out, sizeof out);

    CASE("write_all, read_all");
    fill(2);
    CHECK_OK(MPI_File_seek(file, base, MPI_SEEK_SET));
    CHECK_OK(MPI_File_write_all(file, out, block, MPI_INT, &status));
    CHECK_COUNT(status, MPI_INT, block);
    settle(file);
    CHECK_OK(MPI_File_seek(file, base, MPI_SEEK_SET));
    CHECK_OK(MPI_File_read_all(file, in, block, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_BYTES(in, out, sizeof out);

    CASE("one rank gives nothing");
    memset(&status, 0, sizeof status); // Open MPI's ROMIO does not write the status then
    CHECK_OK(MPI_File_read_at_all(file, base, in, check_rank == 0 ? 0 : block, MPI_INT, &status));
    CHECK_COUNT(status, MPI_INT, check_rank == 0 ? 0 : block);
    io_done(&file);
}

static void two_halves(void) {
    MPI_File file = io_new();
    MPI_Status status;
    CASE("write_at_all and read_at_all in two halves");
    fill(3);
    CHECK_OK(MPI_File_write_at_all_begin(file, base, out, block, MPI_INT));
    CHECK_OK(MPI_File_write_at_all_end(file, out, &status));
    CHECK_COUNT(status, MPI_INT, block);
    settle(file);
    CHECK_OK(MPI_File_read_at_all_begin(file, base, in, block, MPI_INT));
    CHECK_OK(MPI_File_read_at_all_end(file, in, &status));
    CHECK_COUNT(status, MPI_INT, block);
    CHECK_BYTES(in, out, sizeof out);

    CASE("write_all and read_all in two halves");
    fill(4);
    CHECK_OK(MPI_File_seek(file, base, MPI_SEEK_SET));
    CHECK_OK(MPI_File_write_all_begin(file, out, block, MPI_INT));
    CHECK_OK(MPI_File_write_all_end(file, out, MPI_STATUS_IGNORE));
    settle(file);
    CHECK_OK(MPI_File_seek(file, base, MPI_SEEK_SET));
    CHECK_OK(MPI_File_read_all_begin(file, in, block, MPI_INT));
    CHECK_OK(MPI_File_read_all_end(file, in, &status));
    CHECK_COUNT(status, MPI_INT, block);
    CHECK_BYTES(in, out, sizeof out);
    io_done(&file);
}

// The user chose ROMIO instead of Open MPI's own OMPIO.
static int romio_in_open_mpi(void) {
    const char* chosen = getenv("OMPI_MCA_io");
    return chosen && strncmp(chosen, "romio", 5) == 0 && check_runtime_is("Open MPI");
}

static void requests(void) {
    MPI_File file = io_new();
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    CASE("iwrite_at_all, iread_at_all");
    if (romio_in_open_mpi()) {
        check_skip("MPI_File_iwrite_at_all", "crashes natively in the ROMIO of Open MPI");
        io_done(&file);
        return;
    }
    fill(5);
    CHECK_OK(MPI_File_iwrite_at_all(file, base, out, block, MPI_INT, &request));
    CHECK_OK(MPI_Wait(&request, &status));
    CHECK_SAME(request, MPI_REQUEST_NULL);
    CHECK_COUNT(status, MPI_INT, block);
    settle(file);
    CHECK_OK(MPI_File_iread_at_all(file, base, in, block, MPI_INT, &request));
    CHECK_OK(MPI_Wait(&request, &status));
    CHECK_COUNT(status, MPI_INT, block);
    CHECK_BYTES(in, out, sizeof out);

    CASE("iwrite_all, iread_all");
    fill(6);
    CHECK_OK(MPI_File_seek(file, base, MPI_SEEK_SET));
    CHECK_OK(MPI_File_iwrite_all(file, out, block, MPI_INT, &request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    settle(file);
    CHECK_OK(MPI_File_seek(file, base, MPI_SEEK_SET));
    CHECK_OK(MPI_File_iread_all(file, in, block, MPI_INT, &request));
    CHECK_OK(MPI_Wait(&request, &status));
    CHECK_COUNT(status, MPI_INT, block);
    CHECK_BYTES(in, out, sizeof out);
    io_done(&file);
}

// Element i of rank r is number i * ranks + r of the file, written from every second int of memory.
static void interleaved(void) {
    MPI_File file = io_new();
    MPI_Datatype filetype, stride, element = MPI_INT;
    MPI_Status status;
    int elements = -1, found = -1;
    CASE("interleaved view, strided memory");
    fill(7);
    CHECK_OK(MPI_Type_create_resized(element, 0, check_ranks * (MPI_Aint)sizeof(int), &filetype));
    CHECK_OK(MPI_Type_commit(&filetype));
    CHECK_OK(MPI_Type_vector(block / 2, 1, 2, MPI_INT, &stride));
    CHECK_OK(MPI_Type_commit(&stride));
    CHECK_OK(MPI_File_set_view(file, check_rank * (MPI_Offset)sizeof(int), MPI_INT, filetype, "native", MPI_INFO_NULL));
    CHECK_OK(MPI_File_write_all(file, out, 1, stride, &status));
    CHECK_COUNT(status, stride, 1);
    CHECK_OK(MPI_Get_elements(&status, stride, &elements));
    CHECK_INT(elements, block / 2);
    settle(file);
    CHECK_OK(MPI_File_seek(file, 0, MPI_SEEK_SET));
    CHECK_OK(MPI_File_read_all(file, in, block / 2, MPI_INT, &status));
    CHECK_COUNT(status, MPI_INT, block / 2);
    for (int i = 0; i < block / 2; i++)
        CHECK_INT(in[i], out[2 * i]);
    CHECK_OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    for (int rank = 0; rank < check_ranks; rank++) {
        CHECK_OK(MPI_File_read_at(file, 2 * check_ranks + rank, &found, 1, MPI_INT, MPI_STATUS_IGNORE));
        CHECK_INT(found, 1000 * rank + 7 + 4);
    }
    CHECK_OK(MPI_Type_free(&filetype));
    CHECK_OK(MPI_Type_free(&stride));
    io_done(&file);
}

// A distributed array: order, distributions and the default argument are numbers that differ in every ABI.
static void distributed_array(void) {
    MPI_File file = io_new();
    MPI_Datatype array;
    int size[1] = {block * check_ranks}, kinds[1] = {MPI_DISTRIBUTE_BLOCK}, arguments[1] = {MPI_DISTRIBUTE_DFLT_DARG};
    int processes[1] = {check_ranks}, found = -1;
    CASE("a view of a distributed array");
    fill(8);
    CHECK_OK(MPI_Type_create_darray(check_ranks, check_rank, 1, size, kinds, arguments, processes, MPI_ORDER_C, MPI_INT,
                                    &array));
    CHECK_OK(MPI_Type_commit(&array));
    CHECK_OK(MPI_File_set_view(file, 0, MPI_INT, array, "native", MPI_INFO_NULL));
    CHECK_OK(MPI_File_write_all(file, out, block, MPI_INT, MPI_STATUS_IGNORE));
    settle(file);
    CHECK_OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    for (int rank = 0; rank < check_ranks; rank++) {
        CHECK_OK(MPI_File_read_at(file, rank * block + 3, &found, 1, MPI_INT, MPI_STATUS_IGNORE));
        CHECK_INT(found, 1000 * rank + 8 + 3);
    }
    CHECK_OK(MPI_Type_free(&array));
    io_done(&file);
}

static void large_count(void) {
    MPI_File file = io_new();
    MPI_Status status;
    MPI_Request request = MPI_REQUEST_NULL;
    CASE("large-count forms");
    fill(9);
    if (OFFERED(MPI_File_write_at_all_c, (file, base, out, block, MPI_INT, &status))) {
        CHECK_COUNT(status, MPI_INT, block);
        settle(file);
        CHECK_OK(MPI_File_read_at_all_begin_c(file, base, in, block, MPI_INT));
        CHECK_OK(MPI_File_read_at_all_end(file, in, &status));
        CHECK_BYTES(in, out, sizeof out);
        in[0] = -1;
        if (romio_in_open_mpi()) {
            check_skip("MPI_File_iread_at_all_c", "its small form crashes natively in the ROMIO of Open MPI");
        } else {
            CHECK_OK(MPI_File_iread_at_all_c(file, base, in, block, MPI_INT, &request));
            CHECK_OK(MPI_Wait(&request, &status));
            CHECK_COUNT(status, MPI_INT, block);
            CHECK_BYTES(in, out, sizeof out);
        }
    }
    io_done(&file);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    base = (MPI_Offset)check_rank * (MPI_Offset)sizeof out;
    blocking();
    two_halves();
    requests();
    interleaved();
    distributed_array();
    large_count();
    return check_end();
}
