#include "convert/address.hpp"
#include "convert/attribute.hpp"

#include <string_view>

/// What programs of MPICH's family refer to besides the functions of MPI. A program that was linked in the usual way
/// holds copies of the variables, with these contents.

#define EXPORTED __attribute__((visibility("default")))

namespace {

/// Their addresses are all that matters.
int unweighted;
int weights_empty;
int all_handles;

} // namespace

extern "C" {

EXPORTED int* MPI_UNWEIGHTED = &unweighted;
EXPORTED int* MPI_WEIGHTS_EMPTY = &weights_empty;
EXPORTED int* MPI_T_PVAR_ALL_HANDLES = &all_handles;

/// What programs in Fortran 2008 know by these addresses; C sees them in mpi.h.
EXPORTED int MPIR_F08_MPI_BOTTOM;
EXPORTED int MPIR_F08_MPI_IN_PLACE;
EXPORTED anympi::mpich::status MPIR_F08_MPI_STATUS_IGNORE_OBJ;
EXPORTED anympi::mpich::status MPIR_F08_MPI_STATUSES_IGNORE_OBJ[1];

/// The predefined copy function. The runtime's own is used in its place, so that it runs only if the program calls it.
EXPORTED int MPIR_Dup_fn(int, int, void*, void* value, void* copied, int* flag) {
    *static_cast<void**>(copied) = value;
    *flag = 1;
    return 0;
}

} // extern "C"

namespace anympi {

template <>
const int* program_sentinel<mpich>(const char* variable) {
    const std::string_view name = variable;
    return name == mpich::mpi_UNWEIGHTED      ? &unweighted
           : name == mpich::mpi_WEIGHTS_EMPTY ? &weights_empty
                                              : &all_handles;
}

bool program_functions<mpich>::is_null(const void* function) {
    return function == nullptr;
}

bool program_functions<mpich>::is_dup(const void* function) {
    return function == reinterpret_cast<const void*>(MPIR_Dup_fn);
}

} // namespace anympi
