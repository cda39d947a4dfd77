// Each process prints its place, in one line: "where: rank 0 of 4 on na, local 0 by the environment, sum 6, MPICH
// Version: 4.0.2". All processes take part in the sum of the ranks. The numbers "by the environment" come from Open
// MPI's launchers.
#define _DEFAULT_SOURCE // gethostname
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char* variable(const char* name) {
    const char* value = getenv(name);
    return value != NULL ? value : "none";
}

int main(int argc, char** argv) {
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "", host[64] = "", line[512];
    int length, rank = -1, size = -1, sum = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Get_library_version(library, &length);
    library[strcspn(library, ",\n")] = '\0';
    gethostname(host, sizeof host - 1);
    snprintf(line, sizeof line, "where: rank %d of %d on %s, local %s by the environment, sum %d, %.100s\n", rank, size,
             host, variable("OMPI_COMM_WORLD_LOCAL_RANK"), sum, library);
    if (write(STDOUT_FILENO, line, strlen(line)) < 0)
        return 1;
    for (int i = 1; i < argc; i++)
        printf("variable: %s=%s on %s\n", argv[i], variable(argv[i]), host);
    fflush(stdout);
    return MPI_Finalize();
}
