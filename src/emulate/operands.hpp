#pragma once

#include "convert/pair.hpp"

namespace anympi::emulate {

/// Datatypes of ours that stand for predefined ones (stand_ins.hpp) are derived ones to the library, which has no
/// operations for them. For bridges that found a datatype at the end of the standard's numbers, or a derived one.

/// Where `type` is one of them, and the predefined operation of that id knows it: an operation of ours in its place.
template <class Run>
int operation_on(word type, word id, word* operation);

/// Where `type` is one of them, or has one inside, the library can at most replace elements in a window: it would take
/// them for something else.
template <class Run>
int check_accumulation(word type, word id, word win);

} // namespace anympi::emulate
