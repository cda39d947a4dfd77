// File access through the shared file pointer: unordered, ordered, with requests, in two halves; sequential files.
// ranks: 1 2 4
#include "io.h"

enum { block = 5 };

static int out[block], in[block];

static void fill(int first) {
    for (int i = 0; i < block; i++) {
        out[i] = first + i;
        in[i] = -1;
    }
}

static void settle(MPI_File file) {
    CHECK_OK(MPI_File_sync(file));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_File_sync(file));
}

// Checks that the block of this number holds the unbroken numbers of one rank, and that no rank has two blocks.
static void check_blocks(MPI_File file, int first) {
    int seen = 0, found[block];
    for (int number = 0; number < check_ranks; number++) {
        CHECK_OK(MPI_File_read_at(file, number * (MPI_Offset)sizeof found, found, block, MPI_INT, MPI_STATUS_IGNORE));
        int owner = (found[0] - first) / 100;
        if (!CHECK(owner >= 0 && owner < check_ranks))
            continue;
        for (int i = 0; i < block; i++)
            CHECK_INT(found[i], first + 100 * owner + i);
        seen |= 1 << owner;
    }
    CHECK_INT(seen, (1 << check_ranks) - 1);
}

static void unordered(void) {
    MPI_File file = io_new();
    MPI_Status status;
    MPI_Offset position = -1;
    CASE("write_shared, read_shared");
    fill(1 + 100 * check_rank);
    CHECK_OK(MPI_File_write_shared(file, out, block, MPI_INT, &status));
    CHECK_COUNT(status, MPI_INT, block);
    settle(file);
    CHECK_OK(MPI_File_get_position_shared(file, &position));
    CHECK_INT(position, (long long)sizeof out * check_ranks);
    check_blocks(file, 1);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    CHECK_OK(MPI_File_read_shared(file, in, block, MPI_INT, &status));
    CHECK_COUNT(status, MPI_INT, block);
    for (int i = 1; i < block; i++)
        CHECK_INT(in[i], in[0] + i);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));

    CASE("seek_shared from the end");
    CHECK_OK(MPI_File_seek_shared(file, -8, MPI_SEEK_END));
    CHECK_OK(MPI_File_get_position_shared(file, &position));
    CHECK_INT(position, (long long)sizeof out * check_ranks - 8);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_File_seek_shared(file, 4, MPI_SEEK_CUR));
    CHECK_OK(MPI_File_get_position_shared(file, &position));
    CHECK_INT(position, (long long)sizeof out * check_ranks - 4);
    io_done(&file);
}

static void requests(void) {
    MPI_File file = io_new();
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    CASE("iwrite_shared, iread_shared");
    fill(2 + 100 * check_rank);
    CHECK_OK(MPI_File_iwrite_shared(file, out, block, MPI_INT, &request));
    CHECK_OK(MPI_Wait(&request, &status));
    CHECK_SAME(request, MPI_REQUEST_NULL);
    CHECK_COUNT(status, MPI_INT, block);
    settle(file);
    check_blocks(file, 2);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    CHECK_OK(MPI_File_iread_shared(file, in, block, MPI_INT, &request));
    CHECK_OK(MPI_Wait(&request, &status));
    CHECK_COUNT(status, MPI_INT, block);
    for (int i = 1; i < block; i++)
        CHECK_INT(in[i], in[0] + i);
    io_done(&file);
}

static void ordered(void) {
    MPI_File file = io_new();
    MPI_Status status;
    int found[block];
    CASE("write_ordered, read_ordered");
    fill(100 * check_rank);
    CHECK_OK(MPI_File_write_ordered(file, out, block, MPI_INT, &status));
    CHECK_COUNT(status, MPI_INT, block);
    settle(file);
    for (int rank = 0; rank < check_ranks; rank++) {
        CHECK_OK(MPI_File_read_at(file, rank * (MPI_Offset)sizeof found, found, block, MPI_INT, MPI_STATUS_IGNORE));
        CHECK_INT(found[2], 100 * rank + 2);
    }
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    CHECK_OK(MPI_File_read_ordered(file, in, block, MPI_INT, &status));
    CHECK_COUNT(status, MPI_INT, block);
    CHECK_BYTES(in, out, sizeof out);

    CASE("ordered in two halves");
    fill(100 * check_rank + 50);
    CHECK_OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    CHECK_OK(MPI_File_write_ordered_begin(file, out, block, MPI_INT));
    CHECK_OK(MPI_File_write_ordered_end(file, out, &status));
    CHECK_COUNT(status, MPI_INT, block);
    settle(file);
    CHECK_OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    CHECK_OK(MPI_File_read_ordered_begin(file, in, block, MPI_INT));
    CHECK_OK(MPI_File_read_ordered_end(file, in, &status));
    CHECK_COUNT(status, MPI_INT, block);
    CHECK_BYTES(in, out, sizeof out);
    io_done(&file);
}

// The only use of MPI_DISPLACEMENT_CURRENT: a view that begins at the shared pointer of a sequential file.
static void sequential(void) {
    MPI_File file = io_new();
    MPI_Datatype etype, filetype;
    MPI_Offset displacement = -1;
    char name[MPI_MAX_DATAREP_STRING];
    int value = -1;
    CASE("MPI_DISPLACEMENT_CURRENT");
    fill(10);
    if (check_rank == 0)
        CHECK_OK(MPI_File_write_at(file, 0, out, block, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_File_close(&file));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL, &file));
    if (check_rank == 0)
        CHECK_OK(MPI_File_read_shared(file, in, 2, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    CHECK_OK(MPI_File_get_view(file, &displacement, &etype, &filetype, name));
    CHECK_INT(displacement, 8);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    if (check_rank == 0) {
        CHECK_OK(MPI_File_read_shared(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
        CHECK_INT(value, 12);
    }
    CHECK_CLASS(MPI_File_read_at(file, 0, in, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_UNSUPPORTED_OPERATION,
                MPI_SUCCESS); // Open MPI allows it
    io_done(&file);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    unordered();
    requests();
    ordered();
    sequential();
    return check_end();
}
