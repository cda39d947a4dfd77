#pragma once

#include <cstdint>

namespace anympi {

/// A register: large enough for an address, and for a handle of every ABI. A library with 32-bit handles reads the
/// lower half only.
using word = std::uintptr_t;

} // namespace anympi
