#pragma once

#include "convert/pair.hpp"

namespace anympi {

/// Reports that the runtime has no such function: MPI_ERR_UNSUPPORTED_OPERATION, through the error handler of the
/// object. The result is the code that the call returns; its text names the function and the library.
int missing(function f, object of, word handle);

/// For functions that cannot return a code.
[[noreturn]] void stop_missing(function f);

/// The text of such a code; the result is its length.
int describe_missing(function f, char* text, int room);

} // namespace anympi
