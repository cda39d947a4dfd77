#pragma once

#include "convert/handle.hpp"

namespace anympi::emulate {

/// Optional types that a library may lack, and what stands for them: what has the same values, size and operations in
/// every library, or for 16 bytes what has the size and no operation but MPI_MAXLOC and MPI_MINLOC, so that messages
/// carry them and reductions are refused.
struct substitute_type {
    word id;
    word by;
};
inline constexpr substitute_type substitute_types[] = {
    {standard::mpi_LOGICAL1, standard::mpi_INT8_T},
    {standard::mpi_LOGICAL2, standard::mpi_INT16_T},
    {standard::mpi_LOGICAL4, standard::mpi_INT32_T},
    {standard::mpi_LOGICAL8, standard::mpi_INT64_T},
    {standard::mpi_LOGICAL16, standard::mpi_2DOUBLE_PRECISION},
    {standard::mpi_INTEGER16, standard::mpi_2DOUBLE_PRECISION},
};

/// Handles that are addresses of data objects are there though the type is not: Open MPI finds no integer of C that
/// MPI_INTEGER16 could be, and leaves it without a size.
template <class Run>
bool is_missing(word id) {
    constexpr word absent = Run::absent_handle;
    return predefined_to_run<Run>[id] == absent ||
           (Run::handles == handle_style::addresses && id == standard::mpi_INTEGER16);
}

template <class Run>
void substitute_missing_types() {
    for (const substitute_type& type : substitute_types)
        if (is_missing<Run>(type.id))
            predefined_to_run<Run>[type.id] = predefined_to_run<Run>[type.by];
}

} // namespace anympi::emulate
