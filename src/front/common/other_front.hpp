#pragma once

#include <link.h>

namespace anympi {

/// Returns true if an object of this process is a front of ours, whatever its ABI, or a program that contains one.
bool is_front(const dl_phdr_info& object);

/// Stops the process if it holds another front of ours beside this one (libmpi_abi.a in the program and libmpi_abi.so
/// in a library that it uses, say): each would have its own idea of the state of MPI.
void refuse_other_front();

} // namespace anympi
