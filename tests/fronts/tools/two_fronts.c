// A program with libmpi_abi.a that opens an extension with libmpi_abi.so.1: two fronts in one process, which must not
// both bind an MPI. Argument: the extension.
#define _GNU_SOURCE
#include "mpi.h"
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
    int version, subversion;
    if (argc != 2 || !dlopen(argv[1], RTLD_NOW | RTLD_LOCAL)) {
        fprintf(stderr, "two_fronts: %s\n", argc == 2 ? dlerror() : "usage: two_fronts EXTENSION");
        return 2;
    }
    MPI_Get_version(&version, &subversion);
    puts("two_fronts: went on");
    return 0;
}
