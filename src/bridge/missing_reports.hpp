#pragma once

#include "convert/pair.hpp"

namespace anympi {

/// The front's functions that tell a program that the library lacks a function, or a value of an argument. The front
/// sets them before a bridge can be called.
struct missing_reports {
    /// Reports MPI_ERR_UNSUPPORTED_OPERATION through the error handler of the object. Returns the error code for the
    /// call. The text of this code names the function and the library.
    int (*report)(function f, object of, word handle) = nullptr;
    /// Writes the text of such an error code. Returns its length.
    int (*describe)(function f, char* text, int room) = nullptr;
};
inline constinit missing_reports missing{};

} // namespace anympi
