#pragma once

#include "abi/abi.hpp"

namespace anympi {

/// With ANYMPI_SHOW_FUNCTIONS, prints to standard error the entries of the library's function table that are not the
/// library's own functions: once now, and once when the process ends. tests/programs/function_table.py compares the
/// output with the register (api/overrides.api).
///
///     anympi: function table at binding: Finalize 37 11 library
///
/// The numbers are overrides in generated/overrides.txt, from the newest to the oldest. The last word is the original
/// content of the entry: `library`; `absent` or `wrong` (an emulation); `unknown` (not registered); or `missing`
/// (empty). The word `bridged` comes first if the slot still leads to a bridge although the library is called without
/// bridges.
void show_function_table(abi of_library);

} // namespace anympi
