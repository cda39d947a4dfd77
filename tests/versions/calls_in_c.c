// The calls that most programs make. A script loads the same file as a shared library and calls `main`.
#include "tell_cell.h"

#include <mpi.h>
#include <stddef.h>

static int is_reduced(int rank, int size) {
    int number = rank + 1, sum = 0;
    MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return sum == size * (size + 1) / 2;
}

// Each rank gets every second number of the rank before it.
static int is_exchanged(int rank, int size) {
    const int left = (rank + size - 1) % size, right = (rank + 1) % size;
    int sent[4] = {rank, -1, rank + 10, -1}, received[2] = {-1, -1}, count = 0;
    MPI_Datatype pair;
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Irecv(received, 2, MPI_INT, left, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(sent, 1, pair, right, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, statuses);
    MPI_Get_count(&statuses[0], MPI_INT, &count);
    MPI_Type_free(&pair);
    return received[0] == left && received[1] == left + 10 && count == 2 && statuses[0].MPI_SOURCE == left &&
           statuses[0].MPI_TAG == 7 && requests[0] == MPI_REQUEST_NULL;
}

static int has_attributes_and_errors(int size) {
    int *bound = NULL, flag = 0, number = 0, class = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &flag);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int code = MPI_Send(&number, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
    MPI_Error_class(code, &class);
    return flag && *bound >= 32767 && class == MPI_ERR_RANK;
}

int main(void) {
    MPI_Init(NULL, NULL);
    int rank, size, length;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int is_right = is_reduced(rank, size) & is_exchanged(rank, size) & has_attributes_and_errors(size);
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Get_library_version(version, &length);
    tell_cell(rank, size, is_right, version, length);
    MPI_Finalize();
    return 0;
}
