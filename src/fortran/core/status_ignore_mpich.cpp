#include "fortran/core/sentinel.hpp"

// The variables by which C programs of MPICH's family access Fortran's MPI_STATUS_IGNORE.

extern "C" {

extern int* MPI_F_STATUS_IGNORE;
extern int* MPI_F_STATUSES_IGNORE;
extern anympi::mpich::status* MPI_F08_STATUS_IGNORE;
extern anympi::mpich::status* MPI_F08_STATUSES_IGNORE;

} // extern "C"

namespace anympi::fortran::rule {

void show_statuses_to_c() {
    MPI_F_STATUS_IGNORE = mpipriv1_ + 2 * words_per_integer;
    MPI_F_STATUSES_IGNORE = mpipriv2_;
    MPI_F08_STATUS_IGNORE = &MPIR_F08_MPI_STATUS_IGNORE_OBJ;
    MPI_F08_STATUSES_IGNORE = MPIR_F08_MPI_STATUSES_IGNORE_OBJ;
}

} // namespace anympi::fortran::rule
