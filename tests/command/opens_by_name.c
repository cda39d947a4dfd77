// An interpreter that opens MPI by a name and then a module that uses it: `opens_by_name MPI MODULE`.
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
    void* const mpi = argc == 3 ? dlopen(argv[1], RTLD_LAZY | RTLD_GLOBAL) : NULL;
    void* const module = mpi ? dlopen(argv[2], RTLD_LAZY) : NULL;
    int (*const part)(void) = module ? (int (*)(void))dlsym(module, "part") : NULL;
    if (!part) {
        fprintf(stderr, "%s\n", dlerror());
        return 9;
    }
    return part();
}
