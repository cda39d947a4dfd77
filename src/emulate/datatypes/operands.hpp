#pragma once

#include "convert/pair.hpp"

namespace anympi::emulate {

/// What stands for a predefined datatype (stand_in.hpp) is a derived one to the library, which has no operations for
/// it. For bridges that found a datatype at the end of the standard's numbers, or a derived one.

/// Where ours stands for the predefined datatype with this id, and the predefined operation with that id is defined for
/// it: the operation of ours to be called instead.
template <class Run>
int operation_on(word type, word operation, word* ours);

/// The library would take what is ours in a datatype for something else, and may at most replace it in a window.
template <class Run>
int check_accumulation(word type, word operation, word win);

} // namespace anympi::emulate
