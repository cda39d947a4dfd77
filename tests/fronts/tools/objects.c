// Prints the names of the shared objects in the process after MPI_Init, one in each line. Compiled with anympi's header
// and with a library's own: the lists must be equal except for the front.
#define _GNU_SOURCE
#include "mpi.h"
#include <link.h>
#include <stdio.h>
#include <string.h>

static int print_name(struct dl_phdr_info* object, size_t size, void* unused) {
    const char* slash = strrchr(object->dlpi_name, '/');
    (void)size;
    (void)unused;
    if (object->dlpi_name[0])
        printf("object: %s\n", slash ? slash + 1 : object->dlpi_name);
    return 0;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    dl_iterate_phdr(print_name, NULL);
    fflush(stdout);
    return MPI_Finalize();
}
