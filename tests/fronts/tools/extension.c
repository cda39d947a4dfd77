// A library that uses MPI, like an extension module of Python or Julia: linked with -lmpi_abi, opened by dlopen.
#include "mpi.h"

int extension_init(void) {
    return MPI_Init(NULL, NULL);
}

int extension_finalize(void) {
    return MPI_Finalize();
}

static void multiply(void* in, void* inout, int* count, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int*)inout)[i] *= ((int*)in)[i];
}

// Tests handles, a callback and a status. Returns the product of rank + 1 over all ranks, or -1 after an error.
int extension_product(void) {
    int rank = -1, mine, product = 1;
    MPI_Status status;
    MPI_Comm comm;
    MPI_Op op;
    if (MPI_Comm_dup(MPI_COMM_WORLD, &comm) != MPI_SUCCESS || MPI_Comm_rank(comm, &rank) != MPI_SUCCESS)
        return -1;
    mine = rank + 1;
    if (MPI_Op_create(multiply, 1, &op) != MPI_SUCCESS ||
        MPI_Allreduce(&mine, &product, 1, MPI_INT, op, comm) != MPI_SUCCESS || MPI_Op_free(&op) != MPI_SUCCESS)
        return -1;
    if (MPI_Sendrecv(&rank, 1, MPI_INT, rank, 3, &mine, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status) !=
            MPI_SUCCESS ||
        status.MPI_SOURCE != rank || status.MPI_TAG != 3 || mine != rank)
        return -1;
    return MPI_Comm_free(&comm) == MPI_SUCCESS ? product : -1;
}
