// Starts a program while MPI runs: `starts_other COMMAND` runs it with system() on rank 0, and prints how it ended.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("started=%d\n", system(argv[1]));
    MPI_Finalize();
    return 0;
}
