#pragma once

#include "abi/all.hpp"

namespace anympi::fortran {

/// The ABI of the programs. The layer is compiled once for each ABI, and calls the C functions of that ABI.
using app = ANYMPI_APP;

template <object O>
using c_handle = app::handle<O>;
using c_status = app::status;

} // namespace anympi::fortran
