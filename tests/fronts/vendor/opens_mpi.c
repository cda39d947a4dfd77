/* A program that opens MPI itself, as interpreters do: dlopen of a module that is linked with MPI. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* Forces the C library to free its list of variables when the next variable is set, as the front does for its
   launcher: the list cannot grow in place, because other memory follows it. */
static void set_variables(void) {
    static void* volatile behind[1000];
    setenv("ANYMPI_TEST_INTERPRETER", "1", 1);
    for (int i = 0; i < 1000; i++)
        behind[i] = malloc(8 + 16 * (size_t)(i % 60));
}

int main(int argc, char** argv) {
    set_variables();
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
