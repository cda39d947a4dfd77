// A program that is linked with MPI but does not use it in this run (`prog --help`, a configure check): it must run on
// a system without MPI, and must open no MPI library. Prints the MPI libraries in the process.
#include "mpi.h"
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
    char line[4096];
    FILE* maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        const char* name = strrchr(line, '/');
        if (name && (strncmp(name, "/libmpi.", 8) == 0 || strncmp(name, "/libmpich.", 10) == 0))
            printf("opened: %s", name + 1);
    }
    if (maps)
        fclose(maps);
    puts("no MPI needed");
    return argc > 1 && strcmp(argv[1], "--init") == 0 ? MPI_Init(&argc, &argv) : 0;
}
