// `spawns HOST NAME [multiple]`: the process of rank 0 starts two more processes of this program on another host. Each
// process prints its value of a variable, in one line: "child: rank 1 of 2 on nb, ANYMPI_EMULATE=off, MPICH Version:
// 4.0.2".
#define _DEFAULT_SOURCE // gethostname
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int run_child(const char* variable) {
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "", host[64] = "", line[512];
    const char* const value = getenv(variable);
    int length, rank = -1, size = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_library_version(library, &length);
    library[strcspn(library, ",\n")] = '\0';
    gethostname(host, sizeof host - 1);
    snprintf(line, sizeof line, "child: rank %d of %d on %s, %s=%s, %.100s\n", rank, size, host, variable,
             value != NULL ? value : "none", library);
    return write(STDOUT_FILENO, line, strlen(line)) < 0;
}

int main(int argc, char** argv) {
    MPI_Comm other;
    int failure = argc < 3, sum = 0;
    const int one = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&other);
    if (other != MPI_COMM_NULL) {
        failure = run_child(argv[2]);
    } else {
        char* words[] = {argv[1], argv[2], NULL};
        char *commands[] = {argv[0], argv[0]}, **lists[] = {words, words};
        const int counts[] = {1, 1};
        MPI_Info where;
        MPI_Info_create(&where);
        MPI_Info_set(where, "host", argv[1]);
        const MPI_Info infos[] = {where, where};
        if (argc > 3)
            MPI_Comm_spawn_multiple(2, commands, lists, counts, infos, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
        else
            MPI_Comm_spawn(argv[0], words, 2, where, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
        MPI_Info_free(&where);
    }
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, other); // of the other group
    MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return failure || sum != 2;
}
