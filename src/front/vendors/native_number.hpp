#pragma once

#include "convert/crossings.hpp"

namespace anympi {

// Numbers of handles where program and library have one ABI. Handles that are 32-bit integers are the numbers
// themselves: mpi.h has macros for that, and some libraries have no function.

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
