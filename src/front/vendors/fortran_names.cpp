#include "front/common/app.hpp"

// The addresses of Fortran's MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE in C programs of the vendors. They are variables
// that only programs in Fortran have, whatever libraries these need. An executable usually holds copies of the pointers
// (copy relocation), with these contents.

#define EXPORTED __attribute__((visibility("default")))

extern "C" {

// programs of MPICH's family
[[gnu::weak]] extern int mpipriv1_[]; // MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE
[[gnu::weak]] extern int mpipriv2_[]; // MPI_STATUSES_IGNORE
[[gnu::weak]] extern int MPIR_F08_MPI_STATUS_IGNORE_OBJ[];
[[gnu::weak]] extern int MPIR_F08_MPI_STATUSES_IGNORE_OBJ[];

// programs of Open MPI
[[gnu::weak]] extern int mpi_fortran_status_ignore_[];
[[gnu::weak]] extern int mpi_fortran_statuses_ignore_[];

} // extern "C"

namespace {

constexpr bool in_common_blocks = anympi::app::handles == anympi::handle_style::integers;

} // namespace

extern "C" {

EXPORTED int* MPI_F_STATUS_IGNORE = in_common_blocks ? mpipriv1_ + 2 : mpi_fortran_status_ignore_;
EXPORTED int* MPI_F_STATUSES_IGNORE = in_common_blocks ? mpipriv2_ : mpi_fortran_statuses_ignore_;
EXPORTED int* MPI_F08_STATUS_IGNORE = in_common_blocks ? MPIR_F08_MPI_STATUS_IGNORE_OBJ : mpi_fortran_status_ignore_;
EXPORTED int* MPI_F08_STATUSES_IGNORE =
    in_common_blocks ? MPIR_F08_MPI_STATUSES_IGNORE_OBJ : mpi_fortran_statuses_ignore_;

} // extern "C"
