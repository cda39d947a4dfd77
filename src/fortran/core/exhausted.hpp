#pragma once

#include "fortran/core/handle.hpp"
#include "fortran/core/predefined_number.hpp"
#include "fortran/core/raise.hpp"

namespace anympi::fortran::rule {

/// Memory is exhausted: reported as MPI would, before it is called. The result is for ierror.
[[gnu::cold, gnu::noinline]] inline int exhausted() {
    return raise_comm(handle<object::comm>(number_of(app::mpi_COMM_SELF)), app::mpi_ERR_NO_MEM);
}

} // namespace anympi::fortran::rule
