/* A program with MPI in two libraries and in itself. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ring_hop(int value);
int sum_over_all(int value);

int main(int argc, char** argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char* path = getenv("LD_LIBRARY_PATH");
    if (argc > 1 && (!path || strcmp(path, argv[1]) != 0))
        printf("FAILED: LD_LIBRARY_PATH is %s, expected %s\n", path ? path : "not set", argv[1]);
    const int from = ring_hop(rank), sum = sum_over_all(rank);
    MPI_Finalize();
    if (size != 2 || from != (rank + size - 1) % size || sum != size * (size - 1) / 2)
        printf("FAILED: %d of %d: from %d, sum %d\n", rank, size, from, sum);
    else if (rank == 0)
        printf("passed\n");
    return 0;
}
