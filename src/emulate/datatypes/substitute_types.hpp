#pragma once

#include "convert/handle.hpp"

namespace anympi::emulate {

/// Optional types that a library may lack, and what has the same values, size and operations in every library.
struct substitute_type {
    word id;
    word by;
};
inline constexpr substitute_type substitute_types[] = {
    {standard::mpi_LOGICAL1, standard::mpi_INT8_T},
    {standard::mpi_LOGICAL2, standard::mpi_INT16_T},
    {standard::mpi_LOGICAL4, standard::mpi_INT32_T},
    {standard::mpi_LOGICAL8, standard::mpi_INT64_T},
};

template <class Run>
void substitute_missing_types() {
    const word none = library_null<Run, object::datatype>();
    for (const substitute_type& type : substitute_types)
        if (word& handle = predefined_to_run<Run>[type.id]; handle == none)
            handle = predefined_to_run<Run>[type.by];
}

} // namespace anympi::emulate
