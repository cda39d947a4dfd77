#include "front/vendors/predefined_functions.hpp"

#include "convert/address.hpp"
#include "convert/attribute.hpp"

// Symbols that programs of MPICH's family use besides the functions of MPI. An executable usually holds copies of the
// variables (copy relocation), with these contents.

#define EXPORTED __attribute__((visibility("default")))

using sentinels = anympi::program_sentinels<anympi::mpich>;

extern "C" {

EXPORTED constinit int* MPI_UNWEIGHTED = sentinels::unweighted();
EXPORTED constinit int* MPI_WEIGHTS_EMPTY = sentinels::weights_empty();
EXPORTED constinit int* MPI_T_PVAR_ALL_HANDLES = sentinels::all_handles();

// Programs in Fortran 2008 use these addresses as sentinels; mpi.h declares them for C.
EXPORTED int MPIR_F08_MPI_BOTTOM;
EXPORTED int MPIR_F08_MPI_IN_PLACE;
EXPORTED anympi::mpich::status MPIR_F08_MPI_STATUS_IGNORE_OBJ;
EXPORTED anympi::mpich::status MPIR_F08_MPI_STATUSES_IGNORE_OBJ[1];

// The predefined copy function. anympi passes the runtime's own function to the runtime instead, so this one runs only
// if the program calls it.
EXPORTED int MPIR_Dup_fn(int, int, void*, void* value, void* copied, int* flag) {
    *static_cast<void**>(copied) = value;
    *flag = 1;
    return 0;
}

} // extern "C"

namespace anympi {

void name_predefined_functions() {
    program_functions<mpich>::dup_function = reinterpret_cast<const void*>(MPIR_Dup_fn);
}

} // namespace anympi
