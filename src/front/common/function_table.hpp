#pragma once

#include "abi/abi.hpp"

namespace anympi {

/// With ANYMPI_SHOW_FUNCTIONS, tells on standard error what stands in the table of the library's functions where that
/// is not the library's own function: once now, and once when the process ends. tests/programs/function_table.py
/// compares it with the register (api/overrides.api).
///
///     anympi: function table at binding: Finalize 37 11 library
///
/// From the newest to the oldest: numbers of overrides in generated/overrides.txt, then what stood there first:
/// `library`, `absent` or `wrong` (built by us), or `unknown`, which nobody has registered. `missing`: nothing stands
/// there. `bridged` comes first: a bridge stays in the slot before a library that is called without bridges.
void show_function_table(abi of_library);

} // namespace anympi
