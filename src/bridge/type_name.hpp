#pragma once

#include "convert/crossings.hpp"

#include <cstring>

namespace anympi::bridge {

/// Datatypes for which another datatype of the runtime may stand, which has a name of its own.
struct shared_datatype {
    word id;
    const char* name;
    const char* name_of_other;
};
inline constexpr shared_datatype shared_datatypes[] = {
    {standard::mpi_LOGICAL1, "MPI_LOGICAL1", "MPI_INT8_T"},
    {standard::mpi_LOGICAL2, "MPI_LOGICAL2", "MPI_INT16_T"},
    {standard::mpi_LOGICAL4, "MPI_LOGICAL4", "MPI_INT32_T"},
    {standard::mpi_LOGICAL8, "MPI_LOGICAL8", "MPI_INT64_T"},
    {standard::mpi_LOGICAL16, "MPI_LOGICAL16", "MPI_INTEGER16"},
};

template <class P>
int Type_get_name(app_handle<P, object::datatype> type, char* name, int* length) {
    text_out<P::app::mpi_MAX_OBJECT_NAME, P::run::mpi_MAX_OBJECT_NAME> name_(name);
    if (const int code = target<P>.Type_get_name(to_run<P, object::datatype>(type), name_.argument(), length);
        code != 0)
        return error_to_app<P>(code);
    name_.back(length);
    for (const shared_datatype& each : shared_datatypes)
        if (type == static_cast<app_handle<P, object::datatype>>(predefined_of_program<typename P::app>(each.id)) &&
            std::strcmp(name, each.name_of_other) == 0) {
            *length = static_cast<int>(std::strlen(each.name));
            std::strcpy(name, each.name);
        }
    return 0;
}

} // namespace anympi::bridge
