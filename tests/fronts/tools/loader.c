// A program without its own MPI, like Python's interpreter: it opens libraries with RTLD_LOCAL.
//
//     loader front LIBMPI_ABI EXTENSION    the front itself, and after MPI_Init an extension
//     loader module EXTENSION EXTENSION    an extension that loads the front, and after MPI_Init a second one
#define _POSIX_C_SOURCE 200809L
#include "mpi.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* opened(const char* path) {
    void* object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object) {
        fprintf(stderr, "loader: %s\n", dlerror());
        exit(1);
    }
    return object;
}

// Returns a function of an object. A union converts it, because ISO C has no cast from data to function.
typedef void any_function(void);
static any_function* function_of(void* object, const char* name) {
    union {
        void* data;
        any_function* function;
    } found;
    found.data = dlsym(object, name);
    if (!found.data) {
        fprintf(stderr, "loader: %s\n", dlerror());
        exit(1);
    }
    return found.function;
}

static void demand(int condition, const char* what) {
    if (!condition) {
        fprintf(stderr, "loader: %s\n", what);
        exit(1);
    }
}

static int product_of(void* extension) {
    return ((int (*)(void))function_of(extension, "extension_product"))();
}

static int expected_product(void) {
    const char* ranks = getenv("ANYMPI_TEST_RANKS");
    int product = 1;
    for (int i = 2; ranks && i <= atoi(ranks); i++)
        product *= i;
    return product;
}

static void open_front(const char* front, const char* extension) {
    void* mpi = opened(front);
    int ranks = -1;
    demand(((int (*)(int*, char***))function_of(mpi, "MPI_Init"))(NULL, NULL) == MPI_SUCCESS, "MPI_Init failed");
    demand(((int (*)(MPI_Comm, int*))function_of(mpi, "MPI_Comm_size"))(MPI_COMM_WORLD, &ranks) == MPI_SUCCESS &&
               ranks == atoi(getenv("ANYMPI_TEST_RANKS")),
           "the world has another size than ANYMPI_TEST_RANKS says");
    demand(product_of(opened(extension)) == expected_product(), "the extension computes something else");
    demand(((int (*)(void))function_of(mpi, "MPI_Finalize"))() == MPI_SUCCESS, "MPI_Finalize failed");
}

static void open_modules(const char* first, const char* second) {
    void* module = opened(first);
    demand(((int (*)(void))function_of(module, "extension_init"))() == MPI_SUCCESS, "MPI_Init failed");
    demand(product_of(module) == expected_product(), "the first extension computes something else");
    demand(product_of(opened(second)) == expected_product(), "the second extension computes something else");
    demand(((int (*)(void))function_of(module, "extension_finalize"))() == MPI_SUCCESS, "MPI_Finalize failed");
}

int main(int argc, char** argv) {
    demand(argc == 4, "usage: loader front|module FIRST SECOND");
    (strcmp(argv[1], "front") == 0 ? open_front : open_modules)(argv[2], argv[3]);
    puts("loader: ok");
    return 0;
}
