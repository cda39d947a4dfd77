#pragma once

namespace anympi {

/// Stops the process if it holds another front of ours beside this one (libmpi_abi.a in the program and libmpi_abi.so
/// in a library that it uses, say): each would have its own idea of the state of MPI.
void refuse_other_front();

} // namespace anympi
