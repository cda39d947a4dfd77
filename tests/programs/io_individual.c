// Individual file access: explicit offsets, individual pointers, requests, views.
// ranks: 1 2 4
#include "io.h"

enum { block = 10 };

static int out[block], in[block];

static void fill(int first) {
    for (int i = 0; i < block; i++) {
        out[i] = first + i;
        in[i] = -1;
    }
}

static void explicit_offsets(void) {
    MPI_File file = io_new();
    MPI_Status status = check_dirty_status();
    MPI_Offset mine = (MPI_Offset)check_rank * (MPI_Offset)sizeof out;
    CASE("write_at, read_at");
    fill(100 * check_rank);
    CHECK_OK(MPI_File_write_at(file, mine, out, block, MPI_INT, &status));
    CHECK_COUNT(status, MPI_INT, block);
    CHECK_INT(status.MPI_ERROR, -12347);
    CHECK_OK(MPI_File_read_at(file, mine, in, block, MPI_INT, &status));
    CHECK_COUNT(status, MPI_INT, block);
    CHECK_BYTES(in, out, sizeof out);

    CASE("short read at the end of the file");
    CHECK_OK(MPI_File_sync(file));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_File_sync(file));
    MPI_Offset end = (MPI_Offset)check_ranks * (MPI_Offset)sizeof out;
    CHECK_OK(MPI_File_read_at(file, end - 8, in, block, MPI_INT, &status));
    CHECK_COUNT(status, MPI_INT, 2);
    CHECK_COUNT(status, MPI_BYTE, 8);
    CHECK_OK(MPI_File_read_at(file, end, in, block, MPI_INT, &status));
    CHECK_COUNT(status, MPI_INT, 0);
    CHECK_OK(MPI_File_write_at(file, mine, out, 0, MPI_INT, MPI_STATUS_IGNORE));
    io_done(&file);
}

static void pointers(void) {
    MPI_File file = io_new();
    MPI_Status status;
    MPI_Offset base = (MPI_Offset)check_rank * (MPI_Offset)sizeof out, position = -1, offset = -1, size = -1;
    CASE("write, read, seek");
    fill(7 + 1000 * check_rank);
    CHECK_OK(MPI_File_seek(file, base, MPI_SEEK_SET));
    CHECK_OK(MPI_File_write(file, out, block, MPI_INT, &status));
    CHECK_COUNT(status, MPI_INT, block);
    CHECK_OK(MPI_File_get_position(file, &position));
    CHECK_INT(position, base + (MPI_Offset)sizeof out);
    CHECK_OK(MPI_File_seek(file, -(MPI_Offset)sizeof(int) * 3, MPI_SEEK_CUR));
    CHECK_OK(MPI_File_read(file, in, 3, MPI_INT, &status));
    CHECK_COUNT(status, MPI_INT, 3);
    CHECK_BYTES(in, out + block - 3, 3 * sizeof(int));
    CHECK_OK(MPI_File_get_byte_offset(file, 12, &offset));
    CHECK_INT(offset, 12);

    CASE("seek from the end");
    CHECK_OK(MPI_File_sync(file));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_File_sync(file));
    CHECK_OK(MPI_File_get_size(file, &size));
    CHECK_INT(size, (long long)sizeof out * check_ranks);
    CHECK_OK(MPI_File_seek(file, -(MPI_Offset)sizeof(int), MPI_SEEK_END));
    CHECK_OK(MPI_File_get_position(file, &position));
    CHECK_INT(position, size - 4);
    CHECK_OK(MPI_File_read(file, in, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_INT(in[0], 7 + 1000 * (check_ranks - 1) + block - 1);
    io_done(&file);
}

static void requests(void) {
    MPI_File file = io_new();
    MPI_Request pending[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status statuses[2], status;
    MPI_Offset base = (MPI_Offset)check_rank * (MPI_Offset)sizeof out;
    int flag = 0;
    CASE("iwrite_at, iread_at");
    fill(50 * check_rank);
    CHECK_OK(MPI_File_iwrite_at(file, base, out, 4, MPI_INT, &pending[0]));
    CHECK_OK(MPI_File_iwrite_at(file, base + 16, out + 4, block - 4, MPI_INT, &pending[1]));
    CHECK_OK(MPI_Waitall(2, pending, statuses));
    for (int i = 0; i < 2; i++) {
        CHECK_SAME(pending[i], MPI_REQUEST_NULL);
        CHECK_INT(statuses[i].MPI_ERROR, MPI_SUCCESS);
        CHECK_COUNT(statuses[i], MPI_INT, i ? block - 4 : 4);
    }
    CHECK_OK(MPI_File_iread_at(file, base, in, block, MPI_INT, &pending[0]));
    while (!flag)
        MPI_Test(&pending[0], &flag, &status);
    CHECK_SAME(pending[0], MPI_REQUEST_NULL);
    CHECK_COUNT(status, MPI_INT, block);
    CHECK_BYTES(in, out, sizeof out);

    CASE("iwrite, iread");
    fill(60 * check_rank);
    CHECK_OK(MPI_File_seek(file, base, MPI_SEEK_SET));
    CHECK_OK(MPI_File_iwrite(file, out, block, MPI_INT, &pending[0]));
    CHECK_OK(MPI_Wait(&pending[0], &status));
    CHECK_COUNT(status, MPI_INT, block);
    CHECK_OK(MPI_File_seek(file, base, MPI_SEEK_SET));
    CHECK_OK(MPI_File_iread(file, in, block, MPI_INT, &pending[0]));
    CHECK_OK(MPI_Wait(&pending[0], &status));
    CHECK_COUNT(status, MPI_INT, block);
    CHECK_BYTES(in, out, sizeof out);
    io_done(&file);
}

// Every rank sees its own column of a matrix with one row per block.
static void strided_view(void) {
    MPI_File file = io_new();
    MPI_Datatype column, etype = MPI_DATATYPE_NULL, filetype = MPI_DATATYPE_NULL;
    MPI_Offset displacement = -1, offset = -1;
    char name[MPI_MAX_DATAREP_STRING];
    int sizes[2] = {block, check_ranks}, part[2] = {block, 1}, starts[2] = {0, check_rank};
    int integers, addresses, types, combiner = -1;
    CASE("a view of a subarray");
    fill(1000 * check_rank);
    CHECK_OK(MPI_Type_create_subarray(2, sizes, part, starts, MPI_ORDER_C, MPI_INT, &column));
    CHECK_OK(MPI_Type_commit(&column));
    CHECK_OK(MPI_File_set_view(file, 8, MPI_INT, column, "native", MPI_INFO_NULL));
    CHECK_OK(MPI_File_get_view(file, &displacement, &etype, &filetype, name));
    CHECK_INT(displacement, 8);
    CHECK_STRING(name, "native");
    CHECK_OK(MPI_Type_get_envelope(etype, &integers, &addresses, &types, &combiner));
    if (combiner == MPI_COMBINER_NAMED) {
        CHECK_SAME(etype, MPI_INT);
    } else {
        CHECK_INT(combiner, MPI_COMBINER_DUP); // Open MPI returns a duplicate
        CHECK_OK(MPI_Type_free(&etype));
    }
    CHECK_OK(MPI_Type_get_envelope(filetype, &integers, &addresses, &types, &combiner));
    CHECK(combiner == MPI_COMBINER_SUBARRAY || combiner == MPI_COMBINER_DUP ||
          combiner == MPI_COMBINER_CONTIGUOUS); // contiguous on MPICH 4.0 and older
    CHECK_OK(MPI_Type_free(&filetype));
    CHECK_OK(MPI_File_write(file, out, block, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_File_get_byte_offset(file, 3, &offset));
    CHECK_INT(offset, 8 + (3 * check_ranks + check_rank) * 4);
    CHECK_OK(MPI_File_seek(file, 4, MPI_SEEK_SET));
    CHECK_OK(MPI_File_read(file, in, 2, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_BYTES(in, out + 4, 2 * sizeof(int));

    CASE("the same file without a view");
    CHECK_OK(MPI_File_sync(file));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    for (int rank = 0; rank < check_ranks; rank++) {
        CHECK_OK(MPI_File_read_at(file, 8 + (2 * check_ranks + rank) * 4, in, 1, MPI_INT, MPI_STATUS_IGNORE));
        CHECK_INT(in[0], 1000 * rank + 2);
    }
    CHECK_OK(MPI_Type_free(&column));
    io_done(&file);
}

static void atomic_mode(void) {
    MPI_File file = io_new();
    int flag = -1;
    CASE("atomicity");
    CHECK_OK(MPI_File_get_atomicity(file, &flag));
    CHECK_INT(flag, 0);
    CHECK_OK(MPI_File_set_atomicity(file, 1));
    CHECK_OK(MPI_File_get_atomicity(file, &flag));
    CHECK_INT(flag, 1);
    CHECK_OK(MPI_File_set_atomicity(file, 0));
    CHECK_OK(MPI_File_get_atomicity(file, &flag));
    CHECK_INT(flag, 0);
    io_done(&file);
}

static void large_count(void) {
    MPI_File file = io_new();
    MPI_Status status;
    MPI_Count count = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Offset base = (MPI_Offset)check_rank * (MPI_Offset)sizeof out;
    CASE("large-count forms");
    fill(3 * check_rank);
    if (OFFERED(MPI_File_write_at_c, (file, base, out, block, MPI_INT, &status))) {
        CHECK_OK(MPI_Get_count_c(&status, MPI_INT, &count));
        CHECK_INT(count, block);
        CHECK_OK(MPI_File_iread_at_c(file, base, in, block, MPI_INT, &request));
        CHECK_OK(MPI_Wait(&request, &status));
        CHECK_COUNT(status, MPI_INT, block);
        CHECK_BYTES(in, out, sizeof out);
        CHECK_OK(MPI_File_seek(file, base, MPI_SEEK_SET));
        CHECK_OK(MPI_File_read_c(file, in, 1, MPI_INT, &status));
        CHECK_OK(MPI_File_get_type_extent_c(file, MPI_DOUBLE, &count));
        CHECK_INT(count, 8);
    }
    io_done(&file);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    explicit_offsets();
    pointers();
    requests();
    strided_view();
    atomic_mode();
    large_count();
    return check_end();
}
