#pragma once

#include "convert/pair.hpp"

namespace anympi {

/// How the front tells a program that the library lacks a function, or a value of one of its arguments. The front sets
/// these functions before a bridge can be called.
struct missing_reports {
    /// Reports MPI_ERR_UNSUPPORTED_OPERATION through the error handler of the object. Returns the code that the call
    /// returns; its text names the function and the library.
    int (*report)(function f, object of, word handle) = nullptr;
    /// Writes the text of such a code. Returns its length.
    int (*describe)(function f, char* text, int room) = nullptr;
};
inline constinit missing_reports missing{};

} // namespace anympi
