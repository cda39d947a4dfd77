#pragma once

#include "emulate/engine/error.hpp"

namespace anympi::emulate {

/// Returns the pair datatype for MPI_MAXLOC of a value type and an index type.
template <class Run>
int Type_get_value_index(word value, word index, type_of<Run>* pair) {
    struct known_pair {
        std::uintptr_t value, index, pair;
    };
    static constexpr known_pair known[] = {
        {standard::mpi_FLOAT, standard::mpi_INT, standard::mpi_FLOAT_INT},
        {standard::mpi_DOUBLE, standard::mpi_INT, standard::mpi_DOUBLE_INT},
        {standard::mpi_LONG, standard::mpi_INT, standard::mpi_LONG_INT},
        {standard::mpi_SHORT, standard::mpi_INT, standard::mpi_SHORT_INT},
        {standard::mpi_INT, standard::mpi_INT, standard::mpi_2INT},
        {standard::mpi_LONG_DOUBLE, standard::mpi_INT, standard::mpi_LONG_DOUBLE_INT},
        {standard::mpi_REAL, standard::mpi_REAL, standard::mpi_2REAL},
        {standard::mpi_DOUBLE_PRECISION, standard::mpi_DOUBLE_PRECISION, standard::mpi_2DOUBLE_PRECISION},
        {standard::mpi_INTEGER, standard::mpi_INTEGER, standard::mpi_2INTEGER},
    };
    if (pair == nullptr)
        return raise<Run>(Run::mpi_ERR_ARG);
    const type_of<Run> none = library_null<Run, object::datatype>();
    if (static_cast<type_of<Run>>(value) == none || static_cast<type_of<Run>>(index) == none)
        return raise<Run>(Run::mpi_ERR_TYPE);
    *pair = none;
    for (const known_pair& each : known)
        if (predefined<Run>(each.value) == value && predefined<Run>(each.index) == index)
            *pair = static_cast<type_of<Run>>(predefined<Run>(each.pair));
    return 0;
}

} // namespace anympi::emulate
