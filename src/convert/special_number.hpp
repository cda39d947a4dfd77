#pragma once

#include "convert/pair.hpp"

#include <cstdint>

namespace anympi {

// Numbers with one value that is a constant.

/// Converts the displacement of MPI_File_set_view, which may be MPI_DISPLACEMENT_CURRENT.
template <class P>
inline std::int64_t view_offset_to_run(std::int64_t offset) {
    return offset == P::app::mpi_DISPLACEMENT_CURRENT ? P::run::mpi_DISPLACEMENT_CURRENT : offset;
}

/// Converts an argument of a distribution for MPI_Type_create_darray, which may be MPI_DISTRIBUTE_DFLT_DARG.
template <class P>
constexpr int distribution_arg_to_run(int argument) {
    return argument == P::app::mpi_DISTRIBUTE_DFLT_DARG ? P::run::mpi_DISTRIBUTE_DFLT_DARG : argument;
}
template <class P>
constexpr int distribution_arg_to_app(int argument) {
    return argument == P::run::mpi_DISTRIBUTE_DFLT_DARG ? P::app::mpi_DISTRIBUTE_DFLT_DARG : argument;
}

} // namespace anympi
