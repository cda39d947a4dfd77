// Calls with every special address and null pointer that MPI allows: a program must compile with all warnings enabled.
// Also valid C++.
#include "mpi.h"

int messages(MPI_Comm comm, MPI_Request* requests);
int messages(MPI_Comm comm, MPI_Request* requests) {
    return MPI_Recv(MPI_BOTTOM, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE) +
           MPI_Waitall(2, requests, MPI_STATUSES_IGNORE) + MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, comm) +
           MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0) + MPI_Init(NULL, NULL);
}

int collectives(MPI_Comm comm, int* values, const int* counts, const MPI_Datatype* types, MPI_Request* request);
int collectives(MPI_Comm comm, int* values, const int* counts, const MPI_Datatype* types, MPI_Request* request) {
    return MPI_Allreduce(MPI_IN_PLACE, values, 1, MPI_INT, MPI_SUM, comm) +
           MPI_Gatherv(values, 1, MPI_INT, NULL, NULL, NULL, MPI_INT, 1, comm) +
           MPI_Scatterv(NULL, NULL, NULL, MPI_INT, values, 1, MPI_INT, 1, comm) +
           MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, values, counts, counts, types, comm) +
           MPI_Ialltoallw(MPI_IN_PLACE, NULL, NULL, NULL, values, counts, counts, types, comm, request);
}

int graphs(MPI_Comm comm, int degree, int* ranks, MPI_Comm* made);
int graphs(MPI_Comm comm, int degree, int* ranks, MPI_Comm* made) {
    return MPI_Dist_graph_create_adjacent(comm, degree, ranks, MPI_UNWEIGHTED, degree, ranks, MPI_UNWEIGHTED,
                                          MPI_INFO_NULL, 0, made) +
           MPI_Dist_graph_create_adjacent(comm, 0, ranks, MPI_WEIGHTS_EMPTY, 0, ranks, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL,
                                          0, made) +
           MPI_Dist_graph_create(comm, 1, ranks, ranks, ranks, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, made) +
           MPI_Dist_graph_neighbors(*made, degree, ranks, MPI_UNWEIGHTED, degree, ranks, MPI_UNWEIGHTED);
}

int processes(MPI_Comm comm, char** programs, const int* counts, const MPI_Info* infos, MPI_Comm* made);
int processes(MPI_Comm comm, char** programs, const int* counts, const MPI_Info* infos, MPI_Comm* made) {
    return MPI_Comm_spawn(programs[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, comm, made, MPI_ERRCODES_IGNORE) +
           MPI_Comm_spawn_multiple(2, programs, MPI_ARGVS_NULL, counts, infos, 0, comm, made, MPI_ERRCODES_IGNORE);
}

int callbacks(int* keyval);
int callbacks(int* keyval) {
    return MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, NULL) +
           MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, NULL) +
           MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, keyval, NULL) +
           MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, keyval, NULL) +
           MPI_Register_datarep("mine", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, NULL, NULL);
}
