// Every way in which a library can refer to MPI names. Each function returns how many of its references led to the
// runtime: all of them, if the library is bound to the runtime.

#pragma once

#include "counts.h"

extern int MPI_Barrier(void), PMPI_Barrier(void), MPI_Wait(void), PMPI_Wait(void);
extern int MPIX_Extension(void), PMPIX_Extension(void), MPI_Chosen_at_load(void);
extern int MPI_DATA[4];

struct __attribute__((packed)) unaligned {
    char before;
    int (*function)(void);
};

static int (*writable_table[])(void) = {MPI_Barrier, PMPI_Wait};
static int (*const constant_table[])(void) = {PMPI_Barrier, MPI_Wait, MPIX_Extension};
/// Volatile, because otherwise compilers refer directly to the targets.
static const volatile struct unaligned unaligned_reference = {0, PMPI_Barrier};
static int* volatile inner_reference = &MPI_DATA[2];

static int count_by_name(void) {
    return MPI_Barrier() + PMPI_Barrier() + MPI_Wait() + PMPI_Wait() + MPIX_Extension() + PMPIX_Extension() +
           MPI_Chosen_at_load() + MPI_DATA[0];
}

static int count_by_table(void) {
    int count = unaligned_reference.function() + *inner_reference / 2;
    for (int i = 0; i < 2; ++i)
        count += writable_table[i]();
    for (int i = 0; i < 3; ++i)
        count += constant_table[i]();
    return count;
}
