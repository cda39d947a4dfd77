#pragma once

#include "abi/all.hpp"
#include "convert/handle.hpp"

namespace anympi {

/// The ABI of the programs that this front serves. All fronts are compiled from the same sources.
using app = ANYMPI_APP;

} // namespace anympi
