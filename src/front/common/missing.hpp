#pragma once

#include "abi/abi.hpp"
#include "functions.hpp" // generated

namespace anympi {

/// Reports MPI_ERR_UNSUPPORTED_OPERATION to the error handler of the object, because the runtime lacks the function.
/// Returns the code that the call must return. The text of this code names the function and the library.
int report_missing(function f, object of, word object_handle);

/// Stops the process. For functions that cannot return an error code.
[[noreturn]] void stop_missing(function f);

/// Makes the bridges report missing functions by report_missing.
void set_missing_reports();

} // namespace anympi
