// Computes pi; each process does a share of the work:  mpicc -O2 pi.c -o pi && anympi run -n 4 ./pi
#include <mpi.h>
#include <stdio.h>
#include <string.h>

// Returns one process's part of the integral of 4 / (1 + x*x) from 0 to 1: every size-th strip.
static double share_of_pi(int rank, int size, int strips) {
    double sum = 0.0;
    for (int strip = rank; strip < strips; strip += size) {
        double x = (strip + 0.5) / strips;
        sum += 4.0 / (1.0 + x * x);
    }
    return sum / strips;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int strips = 1000000;
    MPI_Bcast(&strips, 1, MPI_INT, 0, MPI_COMM_WORLD);
    double share = share_of_pi(rank, size, strips);
    double pi = 0.0;
    MPI_Reduce(&share, &pi, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);

    if (rank == 0) {
        char library[MPI_MAX_LIBRARY_VERSION_STRING];
        int length;
        MPI_Get_library_version(library, &length);
        int first_line = (int)strcspn(library, "\n");
        printf("pi = %.10f, computed by %d processes on %.*s\n", pi, size, first_line, library);
    }
    MPI_Finalize();
    return 0;
}
