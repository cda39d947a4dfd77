// Says what a program can rely on: the version of MPI, and whether a function of MPI 4.1 is there.
#include "mpi.h"
#include <stdio.h>

int main(int argc, char** argv) {
    int version = -1, subversion = -1, class = -1, code;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Get_version(&version, &subversion);
    code = MPI_Buffer_flush();
    MPI_Error_class(code, &class);
    printf("version %d.%d, flush %s\n", version, subversion,
           class == MPI_SUCCESS                     ? "works"
           : class == MPI_ERR_UNSUPPORTED_OPERATION ? "unsupported"
                                                    : "fails");
    MPI_Finalize();
    return 0;
}
