#pragma once

#include "convert/pair.hpp"

namespace anympi::emulate {

// Operations for MPI_INTEGER16 if it is anympi's derived datatype (integer16.hpp), for which the library has no
// operations. Bridges call these functions for a datatype at the end of the standard's numbers, or for a derived one.

/// Sets `ours` to anympi's operation for a predefined operation on MPI_INTEGER16 or MPI_LOGICAL16, if the datatype is
/// anympi's and MPI defines the operation for it. `type` and `operation` are ids. Returns the library's error code.
template <class Run>
int find_integer16_operation(word type, word operation, word* ours);

/// Reports MPI_ERR_OP for an accumulation (except a replacement) of a datatype that contains anympi's, because the
/// library would interpret the elements as another type. Returns the error code, or 0.
template <class Run>
int check_accumulation(word type, word operation, word win);

} // namespace anympi::emulate
