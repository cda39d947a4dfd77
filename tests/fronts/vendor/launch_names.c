// Prints the launcher's variables before MPI_Init, under the names that the launcher of the program's own MPI uses.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int said(const char* name) {
    const char* text = getenv(name);
    return text ? atoi(text) : -1;
}

int main(int argc, char** argv) {
#if defined(OPEN_MPI)
    const int said_rank = said("OMPI_COMM_WORLD_RANK"), said_size = said("OMPI_COMM_WORLD_SIZE");
    const int said_local = said("OMPI_COMM_WORLD_LOCAL_RANK");
#else
    const int said_rank = said("PMI_RANK"), said_size = said("PMI_SIZE"), said_local = said("MPI_LOCALRANKID");
#endif
    int rank, size, good, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    good = said_rank == rank && said_size == size && said_local == rank;
    if (!good)
        printf("FAILED: rank %d of %d is called %d of %d, and %d on this machine\n", rank, size, said_rank, said_size,
               said_local);
    MPI_Reduce(&good, &all, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
    if (rank == 0 && all)
        printf("passed\n");
    return MPI_Finalize();
}
