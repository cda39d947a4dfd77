#pragma once

#include "convert/pair.hpp"

namespace anympi::emulate {

/// Frees a block of malloc, which an operation of the runtime reads, when the operation has completed or, if it is
/// persistent, when its request is freed. The request becomes another one.
template <class Run>
void keep_until_complete(handle_of<Run, object::request>* request, bool is_persistent, void* block);

} // namespace anympi::emulate
