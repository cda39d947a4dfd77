// `anympi doctor` starts this program: two processes exchange a message, so large that it goes through shared memory.
#include <mpi.h>
#include <stdio.h>

enum { count = 1 << 16 };

static int numbers[count], received[count];

int main(int argc, char** argv) {
    int rank, size, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < count; i++)
        numbers[i] = rank + i;
    const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Sendrecv(numbers, count, MPI_INT, next, 1, received, count, MPI_INT, previous, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    int good = received[count - 1] == previous + count - 1;
    MPI_Allreduce(&good, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && sum == size)
        printf("check_ranks: %d processes\n", size);
    MPI_Finalize();
    return sum == size ? 0 : 1;
}
