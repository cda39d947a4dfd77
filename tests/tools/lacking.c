// Says what a program can rely on: the version of MPI, whether a function of MPI 4.1 is there, and integers of 16
// bytes.
#include "mpi.h"
#include <stdio.h>

int main(int argc, char** argv) {
    int version = -1, subversion = -1, class = -1, size = 0, code;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Get_version(&version, &subversion);
    code = MPI_Buffer_flush();
    MPI_Error_class(code, &class);
    int is_wide = MPI_Type_size(MPI_INTEGER16, &size) == MPI_SUCCESS && size == 16;
    printf("version %d.%d, flush %s, %s\n", version, subversion,
           class == MPI_SUCCESS                     ? "works"
           : class == MPI_ERR_UNSUPPORTED_OPERATION ? "unsupported"
                                                    : "fails",
           is_wide ? "MPI_INTEGER16" : "no MPI_INTEGER16");
    MPI_Finalize();
    return 0;
}
