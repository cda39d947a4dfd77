// A program that is linked with the C++ bindings, as mpicxx does, and uses only C.
// ranks: 2
#include <mpi.h>

#include <cstdio>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, sum = 0, one = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    if (rank == 0)
        std::printf(sum == 2 ? "ok 1 checks\n" : "FAILED: 1 of 1 checks\n");
    return sum != 2;
}
