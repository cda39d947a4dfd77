// Prints properties of the MPI: its version, whether a function of MPI 4.1 exists, 16-byte integers, and the status of
// MPI_Isendrecv.
#include "mpi.h"
#include <stdio.h>

static int exchanges_well(void) {
    MPI_Request request;
    MPI_Status status;
    int out[2] = {1, 2}, in[3], count = -1;
    if (MPI_Isendrecv(out, 2, MPI_INT, 0, 1, in, 3, MPI_INT, 0, 1, MPI_COMM_SELF, &request) != MPI_SUCCESS)
        return 0;
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    return status.MPI_TAG == 1 && count == 2;
}

int main(int argc, char** argv) {
    int version = -1, subversion = -1, class = -1, size = 0, code;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Get_version(&version, &subversion);
    code = MPI_Buffer_flush();
    MPI_Error_class(code, &class);
    int is_wide = MPI_Type_size(MPI_INTEGER16, &size) == MPI_SUCCESS && size == 16;
    printf("version %d.%d, flush %s, %s, %s exchange\n", version, subversion,
           class == MPI_SUCCESS                     ? "works"
           : class == MPI_ERR_UNSUPPORTED_OPERATION ? "unsupported"
                                                    : "fails",
           is_wide ? "MPI_INTEGER16" : "no MPI_INTEGER16", exchanges_well() ? "good" : "no good");
    MPI_Finalize();
    return 0;
}
