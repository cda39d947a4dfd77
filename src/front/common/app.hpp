#pragma once

#include "abi/all.hpp"
#include "convert/handle.hpp"

namespace anympi {

/// The ABI of the programs that this front serves. Every front is made of the same sources, compiled once for each.
using app = ANYMPI_APP;

} // namespace anympi
