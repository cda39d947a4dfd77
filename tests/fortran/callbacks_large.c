// The part of callbacks_large.f90 that is in C.
#include "checks.c" // all in one file, since every file with check.h counts its own checks
#include "registered_datarep.h"

REGISTERED_BY(MPI_Register_datarep_c, MPI_Datarep_conversion_function_c)

void call_conversions_(MPI_Count* count, MPI_Aint* state) {
    int memory = 0, in_file = 40;
    MPI_Aint extent = 0;
    CHECK_STRING(registered.name, " mine");
    CHECK(registered.read == MPI_CONVERSION_FN_NULL_C);
    if (!CHECK(registered.write != MPI_CONVERSION_FN_NULL_C) || !CHECK(registered.extent != NULL))
        return;
    CHECK_INT(registered.extent(MPI_INTEGER, &extent, registered.state), MPI_SUCCESS);
    CHECK_INT(extent, *state);
    CHECK_INT(registered.write(&memory, MPI_REAL, *count, &in_file, 2, registered.state), MPI_SUCCESS);
    CHECK_INT(memory, 42);
}
