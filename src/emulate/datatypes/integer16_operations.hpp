#pragma once

#include "convert/pair.hpp"

namespace anympi::emulate {

// MPI_INTEGER16 may be a derived datatype of ours (integer16.hpp), for which the library has no operations. For
// bridges that found a datatype at the end of the standard's numbers, or a derived one.

/// Sets `ours` to our operation for a predefined operation on MPI_INTEGER16 or MPI_LOGICAL16, if that datatype is ours
/// and MPI defines the operation for it. Both are given by their ids.
template <class Run>
int find_integer16_operation(word type, word operation, word* ours);

/// Reports MPI_ERR_OP for an accumulation, other than a replacement, of a datatype that contains ours: the library
/// would take our elements for something else.
template <class Run>
int check_accumulation(word type, word operation, word win);

} // namespace anympi::emulate
