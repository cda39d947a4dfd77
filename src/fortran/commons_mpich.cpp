#include "fortran/sentinel.hpp"

/// What C programs know as "status ignored" of Fortran: the variables of Fortran themselves. The front has these names
/// for programs without Fortran.

#define EXPORTED __attribute__((visibility("default")))

extern "C" {

EXPORTED int* MPI_F_STATUS_IGNORE = mpipriv1_ + 2;
EXPORTED int* MPI_F_STATUSES_IGNORE = mpipriv2_;
EXPORTED anympi::mpich::status* MPI_F08_STATUS_IGNORE = &MPIR_F08_MPI_STATUS_IGNORE_OBJ;
EXPORTED anympi::mpich::status* MPI_F08_STATUSES_IGNORE = MPIR_F08_MPI_STATUSES_IGNORE_OBJ;

} // extern "C"
