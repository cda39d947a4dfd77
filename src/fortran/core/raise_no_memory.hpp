#pragma once

#include "fortran/core/handle_numbers.hpp"
#include "fortran/core/predefined_number.hpp"
#include "fortran/core/raise.hpp"

namespace anympi::fortran::rule {

/// Reports to the error handler of MPI_COMM_SELF that memory is exhausted. Returns the error code for ierror.
[[gnu::cold, gnu::noinline]] inline int raise_no_memory() {
    return raise_comm(handle<object::comm>(number_of(app::mpi_COMM_SELF)), app::mpi_ERR_NO_MEM);
}

} // namespace anympi::fortran::rule
