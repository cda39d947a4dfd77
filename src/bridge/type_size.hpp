#pragma once

#include "convert/crossings.hpp"

namespace anympi::bridge {

// The size of a datatype. The standard ABI has a number for every optional datatype. A size of MPI_UNDEFINED is not an
// error: it tells the program that the library lacks the datatype. Programs of the vendors do not have such datatypes
// at all.

/// The first of Fortran's datatypes by their numbers. The datatypes before it are the most frequent, and every library
/// has them. So the comparison that finds a predefined datatype also finds the optional ones.
inline constexpr word first_optional = standard::mpi_LOGICAL;

template <class P, class Size, class Call>
[[gnu::cold, gnu::noinline]] int size_of_optional(Call call, app_handle<P, object::datatype> type, Size* size) {
    const word type_ = to_run<P, object::datatype>(type);
    const bool is_lacking = is_library_null<typename P::run, object::datatype>(type_);
    if (is_lacking && size != nullptr) {
        *size = P::app::mpi_UNDEFINED;
        return 0;
    }
    return error_to_app<P>(call(type_, size));
}

template <class P, class Size, class Call>
[[gnu::always_inline]] inline int size_of_type(Call call, app_handle<P, object::datatype> type, Size* size) {
    word type_ = type;
    if constexpr (P::app::handles != handle_style::small_constants || is_direct<P>)
        type_ = to_run<P, object::datatype>(type);
    else if (type < first_optional) [[likely]]
        type_ = predefined_to_run<typename P::run>[type];
    else if (type < predefined_limit) [[unlikely]]
        return size_of_optional<P>(call, type, size);
    const int code = call(type_, size);
    if (is_error(code)) [[unlikely]]
        return error_to_app<P>(code);
    return code;
}

template <class P>
int Type_size(app_handle<P, object::datatype> type, int* size) {
    return size_of_type<P>(target<P>.Type_size, type, size);
}
template <class P>
int Type_size_x(app_handle<P, object::datatype> type, std::int64_t* size) {
    return size_of_type<P>(target<P>.Type_size_x, type, size);
}
template <class P>
int Type_size_c(app_handle<P, object::datatype> type, std::int64_t* size) {
    return size_of_type<P>(target<P>.Type_size_c, type, size);
}

} // namespace anympi::bridge
