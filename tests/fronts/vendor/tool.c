/* A PMPI tool of the vendor's ABI: counts calls of MPI_Allreduce and prints the number at the end. */
#include <mpi.h>
#include <stdio.h>

static int calls = 0;

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    calls += type == MPI_INT && op == MPI_SUM && comm == MPI_COMM_WORLD;
    return PMPI_Allreduce(send, receive, count, type, op, comm);
}

int MPI_Finalize(void) {
    printf("the tool saw %d\n", calls);
    return PMPI_Finalize();
}
