// Cuts its first argument at commas by strtok, which changes the argument in place, before it starts MPI. Then prints
// the number of parts, the number of arguments and the last argument: `cuts_words A,B C`.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
    int parts = 0;
    for (char* part = strtok(argv[1], ","); part; part = strtok(NULL, ","))
        parts++;
    MPI_Init(&argc, &argv);
    printf("parts=%d words=%d last=%s\n", parts, argc, argv[argc - 1]);
    MPI_Finalize();
    return 0;
}
