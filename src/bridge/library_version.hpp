#pragma once

#include "convert/crossings.hpp"

#include <cstring>

namespace anympi::bridge {

// Functions that return the versions of MPI and of the library.

/// Returns at most the newest version that libraries of the program's ABI report, because the program's header has
/// nothing newer.
template <class P>
int Get_version(int* version, int* subversion) {
    const int code = target<P>.Get_version(version, subversion);
    constexpr auto newest = P::app::newest_version;
    if (code != 0 || version == nullptr || subversion == nullptr)
        return error_to_app<P>(code);
    if (mpi_version{*version, *subversion} > newest) {
        *version = newest.version;
        *subversion = newest.subversion;
    }
    return 0;
}

/// Returns the length without the terminating zero, which Open MPI counts (4.1.4, 4.1.8, 5.0.11).
template <class P>
int Get_library_version(char* version, int* length) {
    text_out<P::app::mpi_MAX_LIBRARY_VERSION_STRING, P::run::mpi_MAX_LIBRARY_VERSION_STRING> version_(version);
    const int code = target<P>.Get_library_version(version_.argument(), length);
    if (code != 0 || version == nullptr || length == nullptr)
        return error_to_app<P>(code);
    version_.finish(length);
    *length = static_cast<int>(std::strlen(version));
    return 0;
}

} // namespace anympi::bridge
