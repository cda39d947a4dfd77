/* A program that uses MPI in two libraries and in itself. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ring_hop(int value);
int sum_over_all(int value);

/* Returns true if the process was started with this variable, whatever the environment is now. */
static int was_started_with(const char* name, const char* value) {
    char entry[4096], wanted[4096];
    size_t length = 0;
    int found = 0;
    snprintf(wanted, sizeof wanted, "%s=%s", name, value);
    FILE* const file = fopen("/proc/self/environ", "r");
    for (int c; file && (c = getc(file)) != EOF;) {
        if (length < sizeof entry)
            entry[length++] = (char)c;
        if (c == '\0') {
            found = found || strncmp(entry, wanted, length) == 0;
            length = 0;
        }
    }
    if (file)
        fclose(file);
    return found;
}

/* `two_libraries [PATH PATH]`: the library path of the dynamic linker, and the path for programs that this one
   starts. */
int main(int argc, char** argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char* path = getenv("LD_LIBRARY_PATH");
    if (argc > 2 && !was_started_with("LD_LIBRARY_PATH", argv[1]))
        printf("FAILED: LD_LIBRARY_PATH was not %s\n", argv[1]);
    if (argc > 2 && (!path || strcmp(path, argv[2]) != 0))
        printf("FAILED: LD_LIBRARY_PATH is %s, expected %s\n", path ? path : "not set", argv[2]);
    const int from = ring_hop(rank), sum = sum_over_all(rank);
    MPI_Finalize();
    if (size != 2 || from != (rank + size - 1) % size || sum != size * (size - 1) / 2)
        printf("FAILED: %d of %d: from %d, sum %d\n", rank, size, from, sum);
    else if (rank == 0)
        printf("passed\n");
    return 0;
}
