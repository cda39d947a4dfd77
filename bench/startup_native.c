// The native side of the start-up measurement: a program that opens the same library by path and calls its MPI_Init.
//
//     startup_native LIBRARY
//
// The library is opened with RTLD_GLOBAL, as if the program were linked with it. Otherwise hwloc's plug-ins, which look
// for their symbols in the global scope, would not be loaded.
#include <dlfcn.h>

#include "startup_report.h"

int main(int argc, char** argv) {
    MARK("main");
    void* library = argc == 2 ? dlopen(argv[1], RTLD_LAZY | RTLD_GLOBAL) : NULL;
    if (!library) {
        fprintf(stderr, "startup_native: %s\n", argc == 2 ? dlerror() : "usage: startup_native LIBRARY");
        return 2;
    }
    int (*init)(int*, char***) = (int (*)(int*, char***))dlsym(library, "MPI_Init");
    int (*finalize)(void) = (int (*)(void))dlsym(library, "MPI_Finalize");
    init(&argc, &argv);
    MARK("initialized");
    print_report();
    return finalize();
}
