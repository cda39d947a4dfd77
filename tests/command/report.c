// Prints how it was started, and ends with the exit code CODE: `report CODE [WORDS…]`.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, size, length;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Get_library_version(library, &length);
    if (rank == 0) {
        const char* chosen = getenv("ANYMPI_MPI");
        printf("size=%d\nchosen=%s\nlibrary=%.*s\n", size, chosen ? chosen : "", (int)strcspn(library, "\n"), library);
        for (int i = 2; i < argc; i++)
            printf("word=[%s]\n", argv[i]);
    }
    MPI_Finalize();
    return argc > 1 ? atoi(argv[1]) : 0;
}
