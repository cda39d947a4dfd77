#pragma once

#include "fortran/core/rules.hpp"

#include <cstring>
#include <type_traits>

// MPI_Status_f082f and MPI_Status_f2f08. Both forms have the same bytes. For programs of the vendors no C function is
// called, because MPICH has it only since 4.0 and Open MPI only since 5.0.

namespace anympi::fortran::entry {

template <class Calls>
inline void Status_f082f(const c_status* f08_status, int* f_status, int* ierror) {
    int code = 0;
    if constexpr (std::is_same_v<app, standard>)
        code = Calls::Status_f082f(reinterpret_cast<const int*>(f08_status), f_status);
    else
        std::memcpy(f_status, f08_status, sizeof *f08_status);
    rule::report(ierror, code);
}

template <class Calls>
inline void Status_f2f08(const int* f_status, c_status* f08_status, int* ierror) {
    int code = 0;
    if constexpr (std::is_same_v<app, standard>)
        code = Calls::Status_f2f08(f_status, reinterpret_cast<int*>(f08_status));
    else
        std::memcpy(f08_status, f_status, sizeof *f08_status);
    rule::report(ierror, code);
}

} // namespace anympi::fortran::entry
