#include "fortran/core/sentinel.hpp"

// The common blocks of Open MPI's programs, and the variables by which its C programs access two of them.

namespace {

constexpr int status_size = sizeof(anympi::openmpi::status) / sizeof(int);

} // namespace

#define COMMON __attribute__((visibility("default")))

extern "C" {

COMMON int mpi_fortran_bottom_ = 0;
COMMON int mpi_fortran_in_place_ = 0;
COMMON int mpi_fortran_unweighted_ = 0;
COMMON int mpi_fortran_weights_empty_ = 0;
COMMON int mpi_fortran_buffer_automatic_ = 0;
COMMON int mpi_fortran_errcodes_ignore_ = 0;
COMMON char mpi_fortran_argv_null_ = 0;
COMMON char mpi_fortran_argvs_null_ = 0;
COMMON int mpi_fortran_status_ignore_[status_size] = {};
COMMON int mpi_fortran_statuses_ignore_[status_size] = {};

// The names in the module mpi_f08 of Open MPI 1.10. A program has copies of these variables, so they must not be larger
// than in that release.
COMMON int mpi_fortran_bottom = 0;
COMMON int mpi_fortran_in_place = 0;
COMMON int mpi_fortran_unweighted = 0;
COMMON int mpi_fortran_weights_empty = 0;
COMMON int mpi_fortran_errcodes_ignore = 0;
COMMON int mpi_fortran_argv_null = 0;
COMMON int mpi_fortran_argvs_null = 0;
COMMON int mpi_fortran_status_ignore = 0;
COMMON int mpi_fortran_statuses_ignore = 0;

extern int* MPI_F_STATUS_IGNORE;
extern int* MPI_F_STATUSES_IGNORE;
extern int* MPI_F08_STATUS_IGNORE;
extern int* MPI_F08_STATUSES_IGNORE;

} // extern "C"

namespace anympi::fortran::rule {

void show_statuses_to_c() {
    MPI_F_STATUS_IGNORE = MPI_F08_STATUS_IGNORE = mpi_fortran_status_ignore_;
    MPI_F_STATUSES_IGNORE = MPI_F08_STATUSES_IGNORE = mpi_fortran_statuses_ignore_;
}

} // namespace anympi::fortran::rule
