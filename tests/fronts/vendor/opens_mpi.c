/* A program that opens MPI by itself, as interpreters do: dlopen of a module that is linked with MPI. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
    void* module = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW | RTLD_LOCAL);
    if (!module) {
        printf("FAILED: %s\n", dlerror());
        return 1;
    }
    int (*start)(int*, char***) = (int (*)(int*, char***))dlsym(module, "MPI_Init");
    int (*finish)(void) = (int (*)(void))dlsym(module, "MPI_Finalize");
    int (*sum_over_all)(int) = (int (*)(int))dlsym(module, "sum_over_all");
    start(&argc, &argv);
    const int sum = sum_over_all(3);
    finish();
    printf(sum == 6 ? "passed\n" : "FAILED: the sum is %d\n", sum);
    return sum != 6;
}
