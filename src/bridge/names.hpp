#pragma once

#include "convert/crossings.hpp"

#include <cstring>

namespace anympi::bridge {

/// Names of communicators, datatypes and windows.

/// A name of ours, in the place of the runtime's.
inline void give_name(const char* ours, char* name, int* length) {
    *length = static_cast<int>(std::strlen(ours));
    std::strcpy(name, ours);
}

/// Since MPI 4.1 null handles have names, which older libraries refuse.
template <class P, object O, class Get>
int get_name(Get get, const char* name_of_null, app_handle<P, O> handle, char* name, int* length) {
    if (handle == program_null<P, O>() && name != nullptr && length != nullptr) {
        give_name(name_of_null, name, length);
        return 0;
    }
    text_out<P::app::mpi_MAX_OBJECT_NAME, P::run::mpi_MAX_OBJECT_NAME> name_(name);
    if (const int code = get(to_run<P, O>(handle), name_.argument(), length); code != 0)
        return error_to_app<P>(code);
    name_.back(length);
    return 0;
}

template <class P>
int Comm_get_name(app_handle<P, object::comm> comm, char* name, int* length) {
    return get_name<P, object::comm>(run<P>.Comm_get_name, "MPI_COMM_NULL", comm, name, length);
}
template <class P>
int Win_get_name(app_handle<P, object::win> win, char* name, int* length) {
    return get_name<P, object::win>(run<P>.Win_get_name, "MPI_WIN_NULL", win, name, length);
}

/// Datatypes in whose place another one may be: that has its own name.
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
    const int code = get_name<P, object::datatype>(run<P>.Type_get_name, "MPI_DATATYPE_NULL", type, name, length);
    if (code != 0 || name == nullptr || length == nullptr)
        return code;
    for (const shared_datatype& each : shared_datatypes)
        if (type == static_cast<app_handle<P, object::datatype>>(predefined_of_program<typename P::app>(each.id)) &&
            std::strcmp(name, each.name_of_other) == 0)
            give_name(each.name, name, length);
    return 0;
}

} // namespace anympi::bridge
