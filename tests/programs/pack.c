// Packing and unpacking, in the runtime's own form and in the external one, and packed messages.
// ranks: 1 2
#include "check.h"

static void pack_and_unpack(void) {
    char buffer[200];
    int numbers[3] = {1, -2, 3}, back[3] = {0}, position = 0, size = -1;
    double value = 2.5, value_back = 0;
    CASE("pack and unpack");
    CHECK_OK(MPI_Pack_size(3, MPI_INT, MPI_COMM_WORLD, &size));
    CHECK(size >= (int)sizeof numbers);
    CHECK_OK(MPI_Pack(numbers, 3, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
    CHECK(position > 0 && position <= size);
    int after_first = position;
    CHECK_OK(MPI_Pack(&value, 1, MPI_DOUBLE, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
    CHECK(position > after_first);
    int end = position;
    position = 0;
    CHECK_OK(MPI_Unpack(buffer, end, &position, back, 3, MPI_INT, MPI_COMM_WORLD));
    CHECK_INT(position, after_first);
    CHECK_OK(MPI_Unpack(buffer, end, &position, &value_back, 1, MPI_DOUBLE, MPI_COMM_WORLD));
    CHECK_INT(position, end);
    CHECK_BYTES(back, numbers, sizeof back);
    CHECK(value_back == value);
}

static void packed_message(void) {
    char buffer[100];
    int number = 77 + check_rank, back = -1, position = 0, count = -1;
    int right = (check_rank + 1) % check_ranks, left = (check_rank + check_ranks - 1) % check_ranks;
    MPI_Status status;
    MPI_Request request;
    CASE("packed message");
    CHECK_OK(MPI_Pack(&number, 1, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
    CHECK_OK(MPI_Isend(buffer, position, MPI_PACKED, right, 3, MPI_COMM_WORLD, &request));
    // a packed message matches the types of its elements
    CHECK_OK(MPI_Recv(&back, 1, MPI_INT, left, 3, MPI_COMM_WORLD, &status));
    CHECK_OK(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_INT(count, 1);
    CHECK_INT(back, 77 + left);
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));

    char received[100];
    CHECK_OK(MPI_Sendrecv(buffer, position, MPI_PACKED, right, 4, received, sizeof received, MPI_PACKED, left, 4,
                          MPI_COMM_WORLD, &status));
    CHECK_OK(MPI_Get_count(&status, MPI_PACKED, &count));
    CHECK_INT(count, position);
    position = 0;
    back = -1;
    CHECK_OK(MPI_Unpack(received, count, &position, &back, 1, MPI_INT, MPI_COMM_WORLD));
    CHECK_INT(back, 77 + left);
}

// external32 is big-endian whatever the machine is.
static void external(void) {
    char buffer[32] = {0};
    const unsigned char expected[12] = {0, 0, 0, 1, 0xff, 0xff, 0xff, 0xfe, 0x12, 0x34, 0x56, 0x78};
    int numbers[3] = {1, -2, 0x12345678}, back[3] = {0};
    MPI_Aint position = 0, size = -1;
    CASE("external32");
    CHECK_OK(MPI_Pack_external_size("external32", 3, MPI_INT, &size));
    CHECK_INT(size, 12);
    CHECK_OK(MPI_Pack_external("external32", numbers, 3, MPI_INT, buffer, sizeof buffer, &position));
    CHECK_INT(position, 12);
    if (check_mpich_major() != 3) // whose external32 is the machine's own order
        CHECK_BYTES(buffer, expected, 12);
    position = 0;
    CHECK_OK(MPI_Unpack_external("external32", buffer, 12, &position, back, 3, MPI_INT));
    CHECK_INT(position, 12);
    CHECK_BYTES(back, numbers, sizeof back);
}

static void derived(void) {
    MPI_Datatype column;
    int matrix[3][4], back[3][4] = {{0}}, position = 0;
    char buffer[100];
    CASE("derived type");
    for (int i = 0; i < 12; i++)
        matrix[i / 4][i % 4] = i;
    CHECK_OK(MPI_Type_vector(3, 1, 4, MPI_INT, &column));
    CHECK_OK(MPI_Type_commit(&column));
    CHECK_OK(MPI_Pack(&matrix[0][2], 1, column, buffer, sizeof buffer, &position, MPI_COMM_SELF));
    CHECK_INT(position, 12);
    position = 0;
    CHECK_OK(MPI_Unpack(buffer, 12, &position, &back[0][1], 1, column, MPI_COMM_SELF));
    for (int row = 0; row < 3; row++)
        for (int i = 0; i < 4; i++)
            CHECK_INT(back[row][i], i == 1 ? 4 * row + 2 : 0);
    CHECK_OK(MPI_Type_free(&column));
}

// The large forms write and read the same bytes as the small ones, at any position. 3 MPICH 3's external32 has the
// machine's own byte order
static void large_form(void) {
    MPI_Datatype column;
    int matrix[40], back[40], small_position = 0;
    char buffer[400], expected[400];
    MPI_Count position = 0, size = -1, start = 5;
    CASE("large form: size");
    if (!OFFERED(MPI_Pack_size_c, (10, MPI_INT, MPI_COMM_WORLD, &size)))
        return;
    CHECK(size >= 10 * (MPI_Count)sizeof(int));
    for (int i = 0; i < 40; i++)
        matrix[i] = 1000 * i + i;
    CHECK_OK(MPI_Type_vector(3, 2, 4, MPI_INT, &column));
    CHECK_OK(MPI_Type_commit(&column));

    CASE("large form: mistakes");
    CHECK_CLASS(MPI_Pack_c(matrix, -1, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Pack_c(matrix, 1, MPI_DATATYPE_NULL, buffer, sizeof buffer, &position, MPI_COMM_WORLD),
                MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Pack_size_c(-1, MPI_INT, MPI_COMM_WORLD, &size), MPI_ERR_COUNT);

    CASE("large form: packed by both");
    CHECK_OK(MPI_Pack(matrix, 3, column, expected, sizeof expected, &small_position, MPI_COMM_WORLD));
    position = start;
    CHECK_OK(MPI_Pack_c(matrix, 3, column, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
    CHECK_INT(position, start + small_position);
    CHECK_BYTES(buffer + start, expected, (size_t)small_position);
    CHECK_OK(MPI_Pack_c(matrix, 4, MPI_SHORT, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
    CHECK_INT(position, start + small_position + 4 * (MPI_Count)sizeof(short));
    CHECK_BYTES(buffer + start + small_position, matrix, 4 * sizeof(short));

    CASE("large form: unpacked from both");
    memset(back, 0, sizeof back);
    position = start;
    CHECK_OK(MPI_Unpack_c(buffer, sizeof buffer, &position, back, 3, column, MPI_COMM_WORLD));
    CHECK_INT(position, start + small_position);
    for (int i = 0; i < 30; i++)
        CHECK_INT(back[i], i % 10 % 4 < 2 ? matrix[i] : 0);
    memset(back, 0, sizeof back);
    position = 0;
    CHECK_OK(MPI_Unpack_c(expected, sizeof expected, &position, back, 3, column, MPI_COMM_WORLD));
    CHECK_INT(position, small_position);
    CHECK_INT(back[29], matrix[29]);

    CASE("large form: nothing, and bad positions");
    position = 7;
    CHECK_OK(MPI_Pack_c(matrix, 0, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
    CHECK_INT(position, 7);
    position = (MPI_Count)sizeof buffer - 3;
    if (check_mpich_major() < 4) // MPICH 3 does not check it
        CHECK(MPI_Pack_c(matrix, 1, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD) != MPI_SUCCESS);

    CASE("large form: size of the buffer above INT_MAX");
    position = 4; // only the used part is present
    CHECK_OK(MPI_Pack_c(matrix, 5, MPI_INT, buffer, 5000000000, &position, MPI_COMM_WORLD));
    CHECK_INT(position, 24);
    CHECK_BYTES(buffer + 4, matrix, 20);
    position = 4;
    CHECK_OK(MPI_Unpack_c(buffer, 5000000000, &position, back, 5, MPI_INT, MPI_COMM_WORLD));
    CHECK_BYTES(back, matrix, 20);

    CASE("large form: external32");
    MPI_Aint small_end = 0, small_size = -1;
    CHECK_OK(MPI_Pack_external_size("external32", 3, column, &small_size));
    CHECK_OK(MPI_Pack_external_size_c("external32", 3, column, &size));
    CHECK_INT(size, small_size);
    CHECK_OK(MPI_Pack_external("external32", matrix, 3, column, expected, sizeof expected, &small_end));
    position = start;
    CHECK_OK(MPI_Pack_external_c("external32", matrix, 3, column, buffer, sizeof buffer, &position));
    CHECK_INT(position, start + small_end);
    CHECK_BYTES(buffer + start, expected, (size_t)small_end);
    memset(back, 0, sizeof back);
    position = start;
    CHECK_OK(MPI_Unpack_external_c("external32", buffer, sizeof buffer, &position, back, 3, column));
    CHECK_INT(position, start + small_end);
    for (int i = 0; i < 30; i++)
        CHECK_INT(back[i], i % 10 % 4 < 2 ? matrix[i] : 0);
    CHECK_OK(MPI_Type_free(&column));
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    pack_and_unpack();
    packed_message();
    external();
    derived();
    large_form();
    return check_end();
}
