// The large-count forms of file access, each with a block of ints for every rank.
// ranks: 1 2
#include "io.h"

enum { length = 5 };

static MPI_File file;
static int written[length], found[length];

static MPI_Offset mine(void) {
    return (MPI_Offset)check_rank * (MPI_Offset)sizeof written;
}

// Prepares a new value for every block, and moves the individual pointer to this rank's place.
static void prepare(void) {
    static int round;
    round++;
    for (int i = 0; i < length; i++)
        written[i] = 100000 * round + 100 * check_rank + i;
    memset(found, 0, sizeof found);
    CHECK_OK(MPI_File_seek(file, mine(), MPI_SEEK_SET));
}

static void check_transferred(const MPI_Status* status) {
    MPI_Count count = -1;
    CHECK_OK(MPI_Get_count_c(status, MPI_INT, &count));
    CHECK_INT(count, length);
}

// After all ranks have written: the file contains what this rank wrote.
static void check_file(void) {
    CHECK_OK(MPI_File_sync(file));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_File_read_at(file, mine(), found, length, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_BYTES(found, written, sizeof written);
}

static void finish(MPI_Request* request) {
    MPI_Status status;
    CHECK_OK(MPI_Wait(request, &status));
    check_transferred(&status);
}

#define WRITE(...) prepare(), CHECK_OK(__VA_ARGS__), check_transferred(&status), check_file()
#define IWRITE(...) prepare(), CHECK_OK(__VA_ARGS__), finish(&request), check_file()
// Reads come after a write of the same blocks.
#define READ(...)                                                                                                      \
    CHECK_OK(MPI_File_seek(file, mine(), MPI_SEEK_SET)), memset(found, 0, sizeof found), CHECK_OK(__VA_ARGS__),        \
        check_transferred(&status), CHECK_BYTES(found, written, sizeof written)
#define IREAD(...)                                                                                                     \
    CHECK_OK(MPI_File_seek(file, mine(), MPI_SEEK_SET)), memset(found, 0, sizeof found), CHECK_OK(__VA_ARGS__),        \
        finish(&request), CHECK_BYTES(found, written, sizeof written)

static void individual(void) {
    MPI_Status status;
    MPI_Request request;
    CASE("write_c and read_c"), WRITE(MPI_File_write_c(file, written, length, MPI_INT, &status));
    READ(MPI_File_read_c(file, found, length, MPI_INT, &status));
    CASE("write_at_c and read_at_c"), WRITE(MPI_File_write_at_c(file, mine(), written, length, MPI_INT, &status));
    READ(MPI_File_read_at_c(file, mine(), found, length, MPI_INT, &status));
    CASE("iwrite_c and iread_c"), IWRITE(MPI_File_iwrite_c(file, written, length, MPI_INT, &request));
    IREAD(MPI_File_iread_c(file, found, length, MPI_INT, &request));
    CASE("iwrite_at_c and iread_at_c");
    IWRITE(MPI_File_iwrite_at_c(file, mine(), written, length, MPI_INT, &request));
    IREAD(MPI_File_iread_at_c(file, mine(), found, length, MPI_INT, &request));
}

static void collective(void) {
    MPI_Status status;
    MPI_Request request;
    CASE("write_all_c and read_all_c"), WRITE(MPI_File_write_all_c(file, written, length, MPI_INT, &status));
    READ(MPI_File_read_all_c(file, found, length, MPI_INT, &status));
    CASE("write_at_all_c and read_at_all_c");
    WRITE(MPI_File_write_at_all_c(file, mine(), written, length, MPI_INT, &status));
    READ(MPI_File_read_at_all_c(file, mine(), found, length, MPI_INT, &status));
    CASE("iwrite_all_c and iread_all_c"), IWRITE(MPI_File_iwrite_all_c(file, written, length, MPI_INT, &request));
    IREAD(MPI_File_iread_all_c(file, found, length, MPI_INT, &request));
    CASE("iwrite_at_all_c and iread_at_all_c");
    IWRITE(MPI_File_iwrite_at_all_c(file, mine(), written, length, MPI_INT, &request));
    IREAD(MPI_File_iread_at_all_c(file, mine(), found, length, MPI_INT, &request));
}

static void split_collective(void) {
    MPI_Status status;
    CASE("write_all_begin_c and read_all_begin_c"), prepare();
    CHECK_OK(MPI_File_write_all_begin_c(file, written, length, MPI_INT));
    CHECK_OK(MPI_File_write_all_end(file, written, &status));
    check_file();
    CHECK_OK(MPI_File_seek(file, mine(), MPI_SEEK_SET));
    memset(found, 0, sizeof found);
    CHECK_OK(MPI_File_read_all_begin_c(file, found, length, MPI_INT));
    CHECK_OK(MPI_File_read_all_end(file, found, &status));
    CHECK_BYTES(found, written, sizeof written);
    CASE("write_at_all_begin_c and read_at_all_begin_c"), prepare();
    CHECK_OK(MPI_File_write_at_all_begin_c(file, mine(), written, length, MPI_INT));
    CHECK_OK(MPI_File_write_at_all_end(file, written, &status));
    check_file();
    memset(found, 0, sizeof found);
    CHECK_OK(MPI_File_read_at_all_begin_c(file, mine(), found, length, MPI_INT));
    CHECK_OK(MPI_File_read_at_all_end(file, found, &status));
    CHECK_BYTES(found, written, sizeof written);
}

// Ordered access puts the blocks in the order of the ranks, so the places are the same as above.
static void ordered(void) {
    MPI_Status status;
    CASE("write_ordered_c and read_ordered_c"), prepare();
    CHECK_OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    CHECK_OK(MPI_File_write_ordered_c(file, written, length, MPI_INT, &status));
    check_transferred(&status);
    check_file();
    CHECK_OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    memset(found, 0, sizeof found);
    CHECK_OK(MPI_File_read_ordered_c(file, found, length, MPI_INT, &status));
    CHECK_BYTES(found, written, sizeof written);
    CASE("write_ordered_begin_c and read_ordered_begin_c"), prepare();
    CHECK_OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    CHECK_OK(MPI_File_write_ordered_begin_c(file, written, length, MPI_INT));
    CHECK_OK(MPI_File_write_ordered_end(file, written, &status));
    check_file();
    CHECK_OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    memset(found, 0, sizeof found);
    CHECK_OK(MPI_File_read_ordered_begin_c(file, found, length, MPI_INT));
    CHECK_OK(MPI_File_read_ordered_end(file, found, &status));
    CHECK_BYTES(found, written, sizeof written);
}

// With the shared pointer the ranks take turns, so that each one knows its place.
static void shared(void) {
    MPI_Status status;
    MPI_Request request;
    CASE("write_shared_c and read_shared_c");
    for (int way = 0; way < 2; way++) {
        prepare();
        CHECK_OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
        for (int turn = 0; turn < check_ranks; turn++) {
            if (turn == check_rank && way == 0)
                CHECK_OK(MPI_File_write_shared_c(file, written, length, MPI_INT, &status));
            if (turn == check_rank && way == 1 &&
                CHECK_OK(MPI_File_iwrite_shared_c(file, written, length, MPI_INT, &request)))
                finish(&request);
            CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
        }
        check_file();
        CHECK_OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
        memset(found, 0, sizeof found);
        for (int turn = 0; turn < check_ranks; turn++) {
            if (turn == check_rank && way == 0)
                CHECK_OK(MPI_File_read_shared_c(file, found, length, MPI_INT, &status));
            if (turn == check_rank && way == 1 &&
                CHECK_OK(MPI_File_iread_shared_c(file, found, length, MPI_INT, &request)))
                finish(&request);
            CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
        }
        CHECK_BYTES(found, written, sizeof written);
    }
}

static int extent_of(MPI_Datatype type, MPI_Aint* extent, void* state) {
    (void)type;
    (void)state;
    *extent = 4;
    return MPI_SUCCESS;
}

static void extent_and_representation(void) {
    MPI_Count extent = -1;
    CASE("file_get_type_extent_c");
    CHECK_OK(MPI_File_get_type_extent_c(file, MPI_DOUBLE, &extent));
    CHECK_INT(extent, sizeof(double));
    CASE("register_datarep_c"); // a runtime may support only its own representations
    CHECK_CLASS(
        MPI_Register_datarep_c("anympi-large", MPI_CONVERSION_FN_NULL_C, MPI_CONVERSION_FN_NULL_C, extent_of, NULL),
        MPI_SUCCESS, MPI_ERR_UNSUPPORTED_DATAREP, MPI_ERR_UNSUPPORTED_OPERATION, MPI_ERR_CONVERSION, MPI_ERR_OTHER);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    MPI_Status status;
    CASE("offered");
    file = io_new();
    if (OFFERED(MPI_File_write_c, (file, written, 0, MPI_INT, &status))) {
        individual();
        collective();
        split_collective();
        ordered();
        shared();
        extent_and_representation();
    }
    CASE("closing"), io_done(&file);
    return check_end();
}
