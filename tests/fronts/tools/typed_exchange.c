// Creates a request that needs work of anympi at its end, even with ANYMPI_EMULATE=off: the arrays of MPI_Ialltoallw
// live as long as the operation. Creates an error handler. Calls no function that a library may lack.
#include "mpi.h"
#include <stdio.h>

static void ignore_error(MPI_Comm* comm, int* code, ...) {
    (void)comm, (void)code;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Request request;
    MPI_Datatype types[1] = {MPI_INT};
    int counts[1] = {1}, places[1] = {0}, out = 1, in = 0;
    MPI_Ialltoallw(&out, counts, places, types, &in, counts, places, types, MPI_COMM_SELF, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(ignore_error, &handler);
    MPI_Errhandler_free(&handler);
    MPI_Finalize();
    // The front writes the table to this stream. A launcher may mix lines of two streams.
    if (in == out)
        fprintf(stderr, "all was used\n");
    return in != out;
}
