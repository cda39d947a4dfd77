#pragma once

#include "convert/crossings.hpp"

namespace anympi::bridge {

/// The size of a datatype. The standard ABI has a number for every optional one, and programs find out so whether the
/// library has it: MPI_UNDEFINED is no error. In programs of the vendors such a datatype is not there at all.
template <class P>
bool is_lacking(app_handle<P, object::datatype> type, word type_) {
    return P::app::handles == handle_style::small_constants && !is_direct<P> &&
           type != program_null<P, object::datatype>() &&
           static_cast<run_handle<P, object::datatype>>(type_) == runtime_null<P, object::datatype>();
}

template <class P, class Size, class Call>
int size_of_type(Call call, app_handle<P, object::datatype> type, Size* size) {
    const word type_ = to_run<P, object::datatype>(type);
    if (size != nullptr && is_lacking<P>(type, type_)) [[unlikely]] {
        *size = P::app::mpi_UNDEFINED;
        return 0;
    }
    const int code = call(type_, size);
    return code == 0 ? 0 : error_to_app<P>(code);
}

template <class P>
int Type_size(app_handle<P, object::datatype> type, int* size) {
    return size_of_type<P>(run<P>.Type_size, type, size);
}
template <class P>
int Type_size_x(app_handle<P, object::datatype> type, std::int64_t* size) {
    return size_of_type<P>(run<P>.Type_size_x, type, size);
}
template <class P>
int Type_size_c(app_handle<P, object::datatype> type, std::int64_t* size) {
    return size_of_type<P>(run<P>.Type_size_c, type, size);
}

} // namespace anympi::bridge
