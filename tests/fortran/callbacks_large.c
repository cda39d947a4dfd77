// The half of callbacks_large.f90 that is in C.
#include "checks.c" // all in one, since every file with check.h counts by itself

static struct {
    char name[20];
    MPI_Datarep_conversion_function_c *read, *write;
    MPI_Datarep_extent_function* extent;
    void* state;
} registered;

// In the place of MPI's, as a tool would be.
int MPI_Register_datarep_c(const char* name, MPI_Datarep_conversion_function_c* read,
                           MPI_Datarep_conversion_function_c* write, MPI_Datarep_extent_function* extent, void* state) {
    snprintf(registered.name, sizeof registered.name, "%s", name);
    registered.read = read;
    registered.write = write;
    registered.extent = extent;
    registered.state = state;
    return MPI_SUCCESS;
}

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
