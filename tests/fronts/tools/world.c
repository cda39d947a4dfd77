// Prints one line: "world: rank 0 of 2 on MPICH Version: 4.0.2". With --version MPI is not initialised: "secure 0,
// MPICH Version: 4.0.2", where 1 means that the process has more rights than its user (set-user-ID).
#include "mpi.h"
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

int main(int argc, char** argv) {
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length, rank = -1, size = -1;
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        MPI_Get_library_version(library, &length);
        library[strcspn(library, ",\n")] = '\0';
        printf("secure %d, %s\n", (int)getauxval(AT_SECURE), library);
        return 0;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_library_version(library, &length);
    library[strcspn(library, ",\n")] = '\0';
    printf("world: rank %d of %d on %s\n", rank, size, library);
    fflush(stdout);
    return MPI_Finalize();
}
