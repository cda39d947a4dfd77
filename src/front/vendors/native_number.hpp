#pragma once

#include "convert/crossings.hpp"

namespace anympi {

// Converts between handles and numbers if program and library have the same ABI. Handles that are 32-bit integers are
// themselves the numbers: mpi.h defines macros for the conversion, and some libraries have no function for it.

template <class P, object O>
int native_number(app_handle<P, O> handle, int (*number_in_library)(word)) {
    if constexpr (sizeof handle == sizeof(int))
        return static_cast<int>(handle);
    else
        return number_in_library(handle);
}

template <class P, object O>
app_handle<P, O> native_handle(int number, word (*handle_in_library)(int)) {
    if constexpr (sizeof(app_handle<P, O>) == sizeof(int))
        return static_cast<app_handle<P, O>>(number);
    else
        return static_cast<app_handle<P, O>>(handle_in_library(number));
}

} // namespace anympi
