#pragma once

#include "convert/handle.hpp"

namespace anympi::emulate {

/// Optional datatypes that a library may lack, and datatypes with the same values and size that replace them. The
/// replacement has its own name.
struct substitute_type {
    word id;
    word by;
    const char* name;
    const char* name_of_other;
    bool has_all_operations = true; // every library has all operations for the replacement
};
inline constexpr substitute_type substitute_types[] = {
    {standard::mpi_LOGICAL1, standard::mpi_INT8_T, "MPI_LOGICAL1", "MPI_INT8_T"},
    {standard::mpi_LOGICAL2, standard::mpi_INT16_T, "MPI_LOGICAL2", "MPI_INT16_T"},
    {standard::mpi_LOGICAL4, standard::mpi_INT32_T, "MPI_LOGICAL4", "MPI_INT32_T"},
    {standard::mpi_LOGICAL8, standard::mpi_INT64_T, "MPI_LOGICAL8", "MPI_INT64_T"},
    {standard::mpi_LOGICAL16, standard::mpi_INTEGER16, "MPI_LOGICAL16", "MPI_INTEGER16", false}, // see integer16.hpp
};

template <class Run>
void substitute_missing_types() {
    const word none = library_null<Run, object::datatype>();
    for (const substitute_type& type : substitute_types)
        if (word& handle = predefined_to_run<Run>[type.id]; handle == none && type.has_all_operations)
            handle = predefined_to_run<Run>[type.by];
}

} // namespace anympi::emulate
