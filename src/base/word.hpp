#pragma once

#include <cstdint>

namespace anympi {

/// A register value: large enough for an address and for a handle of every ABI. A library with 32-bit handles reads
/// only the lower half.
using word = std::uintptr_t;

} // namespace anympi
