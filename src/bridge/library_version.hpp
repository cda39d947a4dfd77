#pragma once

#include "convert/crossings.hpp"

#include <cstring>

namespace anympi::bridge {

// The functions that name the version of MPI and of the library.

/// No more than every library of the program's ABI says: its header has no more.
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

/// Open MPI counts the terminating zero in the length (4.1.4, 4.1.8, 5.0.11).
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
