#pragma once

namespace anympi {

/// Stops the process if it has another front beside this one, for example libmpi_abi.a in the program and libmpi_abi.so
/// in a library that the program uses. Each front would have its own state of MPI.
void refuse_other_front();

} // namespace anympi
