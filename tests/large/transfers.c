// Messages and collectives of more than 2 GiB, which is more than an int can count. Each buffer is checked to its last
// byte.
// ranks: 2
#include "check.h"

static const size_t large = ((size_t)1 << 31) + 4099;

static unsigned char byte_at(size_t i, int rank) {
    return (unsigned char)(i % 251 + i / 65521 + 100 * (size_t)rank);
}
static unsigned char* room_for(size_t size) {
    unsigned char* room = malloc(size);
    if (!room) {
        check_say("FAILED: no memory");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return room;
}
static unsigned char* filled(size_t size, int rank) {
    unsigned char* data = room_for(size);
    for (size_t i = 0; i < size; i++)
        data[i] = byte_at(i, rank);
    return data;
}
static void check_data(const unsigned char* data, size_t size, int rank) {
    size_t i = 0;
    while (i < size && data[i] == byte_at(i, rank))
        i++;
    CHECK_INT(i, size);
}

static void message(void) {
    CASE("send_c and recv_c");
    if (check_rank == 0) {
        unsigned char* data = filled(large, 0);
        CHECK_OK(MPI_Send_c(data, (MPI_Count)large, MPI_CHAR, 1, 1, MPI_COMM_WORLD));
        free(data);
    } else {
        unsigned char* data = room_for(large);
        CHECK_OK(MPI_Recv_c(data, (MPI_Count)large, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        check_data(data, large, 0);
        free(data);
    }
}

static void broadcast(void) {
    CASE("bcast_c");
    unsigned char* data = check_rank == 1 ? filled(large, 1) : room_for(large);
    CHECK_OK(MPI_Bcast_c(data, (MPI_Count)large, MPI_BYTE, 1, MPI_COMM_WORLD));
    check_data(data, large, 1);
    free(data);
}

static void reduction(void) {
    CASE("allreduce_c"); // Open MPI 4.1's sums saturate at the largest byte
    unsigned char* data = filled(large, check_rank);
    CHECK_OK(MPI_Allreduce_c(MPI_IN_PLACE, data, (MPI_Count)large, MPI_UNSIGNED_CHAR, MPI_BXOR, MPI_COMM_WORLD));
    size_t i = 0;
    while (i < large && data[i] == (byte_at(i, 0) ^ byte_at(i, 1)))
        i++;
    CHECK_INT(i, large);
    free(data);
}

// Each block is below the limit, the second begins above it.
static void gathering(void) {
    CASE("gatherv_c");
    const size_t block = large / 2 + 100000;
    const MPI_Count counts[2] = {(MPI_Count)block, (MPI_Count)block};
    const MPI_Aint places[2] = {0, (MPI_Aint)large};
    unsigned char* data = filled(block, check_rank);
    unsigned char* all = check_rank == 0 ? room_for(large + block) : NULL;
    CHECK_OK(MPI_Gatherv_c(data, (MPI_Count)block, MPI_BYTE, all, counts, places, MPI_BYTE, 0, MPI_COMM_WORLD));
    if (check_rank == 0) {
        check_data(all, block, 0);
        check_data(all + large, block, 1);
    }
    free(data);
    free(all);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    int number = 0;
    if (OFFERED(MPI_Send_c, (&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD))) {
        message();
        broadcast();
        reduction();
        gathering();
    }
    return check_end();
}
