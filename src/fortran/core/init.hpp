#pragma once

#include "fortran/core/rules.hpp"

// The procedures that start MPI. They determine how the program's compiler represents INTEGERs and LOGICALs.

namespace anympi::fortran::entry {

namespace detail {

inline void use_logicals(int size, const void* yes, const void* no) {
    if (size != sizeof(int))
        return;
    rule::logicals.yes = *static_cast<const int*>(yes);
    rule::logicals.no = *static_cast<const int*>(no);
}

/// Determines the size of the program's INTEGERs and the values of .TRUE. and .FALSE., which C code of the program may
/// have set.
inline void learn_types() {
    if constexpr (app::handles == handle_style::integers)
        rule::measure_integers();
    if constexpr (app::handles != handle_style::small_constants)
        rule::show_statuses_to_c();
    if constexpr (app::handles == handle_style::small_constants) {
        int yes = 0;
        int no = 0;
        int is_set = 0;
        if (PMPI_Abi_get_fortran_booleans(sizeof(int), &yes, &no, &is_set) == 0 && is_set != 0)
            use_logicals(sizeof(int), &yes, &no);
    }
}

} // namespace detail

template <class Calls>
inline void Abi_set_fortran_booleans(const int* logical_size, const int* logical_true, const int* logical_false,
                                     int* ierror) {
    const int code =
        Calls::Abi_set_fortran_booleans(*logical_size, const_cast<int*>(logical_true), const_cast<int*>(logical_false));
    if (code == 0)
        detail::use_logicals(*logical_size, logical_true, logical_false);
    rule::report(ierror, code);
}

template <class Calls>
inline void Init(int* ierror) {
    const int code = Calls::Init(nullptr, nullptr);
    if (code == 0)
        detail::learn_types();
    rule::report(ierror, code);
}

template <class Calls>
inline void Init_thread(const int* required, int* provided, int* ierror) {
    const int code = Calls::Init_thread(nullptr, nullptr, *required, provided);
    if (code == 0)
        detail::learn_types();
    rule::report(ierror, code);
}

} // namespace anympi::fortran::entry
