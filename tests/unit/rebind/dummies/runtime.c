// A small MPI library that calls itself by its public names.
//
// DUMMY_CORE              only the profiling names, and the calls
// DUMMY_BINDINGS          only the plain names, which need the core
// DUMMY_VERSIONS          also old versions of some functions
// DUMMY_WITHOUT_PLUGINS   no dlopen

#define _GNU_SOURCE
#include "references.h"

#include <dlfcn.h>

#ifdef DUMMY_VERSIONS
// The linker decides which of several versions comes first in the table.
int old_version(void) {
    return 100;
}
__asm__(".symver old_version, PMPI_Barrier@DUMMY_1");
__asm__(".symver old_version, PMPI_Wait@DUMMY_1");
__asm__(".symver old_version, PMPIX_Extension@DUMMY_1");
__asm__(".symver old_version, MPI_Barrier@DUMMY_1");
__asm__(".symver old_version, MPI_Wait@DUMMY_1");
#endif

#ifndef DUMMY_BINDINGS
int PMPI_Barrier(void) {
    return from_runtime;
}
int PMPI_Wait(void) {
    return from_runtime;
}
int PMPIX_Extension(void) {
    return from_runtime;
}
int PMPI_Get_version(int* version, int* subversion) {
    *version = 3;
    *subversion = 1;
    return 0;
}
int MPI_DATA[4] = {from_runtime, 0, 2 * from_runtime, 0};

int vendor_data[2] = {from_runtime, 0};
int runtime_vendor_data(void) {
    return vendor_data[0];
}

static int chosen(void) {
    return from_runtime;
}
static int (*choose(void))(void) {
    return chosen;
}
int MPI_Chosen_at_load(void) __attribute__((ifunc("choose")));

int runtime_calls_by_name(void) {
    return count_by_name();
}
int runtime_calls_by_table(void) {
    return count_by_table();
}
const void* runtime_constant_table(void) {
    return constant_table;
}
#ifndef DUMMY_WITHOUT_PLUGINS
void* runtime_dlopen(const char* name) {
    return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}
#endif
#endif

#ifndef DUMMY_CORE
int MPI_Init(void) {
    return 0;
}
int MPI_Barrier(void) {
    return from_runtime;
}
int MPI_Wait(void) {
    return from_runtime;
}
int MPIX_Extension(void) {
    return from_runtime;
}
#endif

#ifdef DUMMY_BINDINGS
int bindings_call_core(void) {
    return PMPI_Barrier();
}
#endif
