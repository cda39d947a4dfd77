#pragma once

#include "abi/abi.hpp"
#include "functions.hpp" // generated

namespace anympi {

/// Reports that the runtime has no such function: MPI_ERR_UNSUPPORTED_OPERATION, through the error handler of the
/// object. Returns the code that the call returns; its text names the function and the library.
int report_missing(function f, object of, word object_handle);

/// Stops the process. For functions that cannot return a code.
[[noreturn]] void stop_missing(function f);

/// Lets the bridges report what is missing.
void set_missing_reports();

} // namespace anympi
