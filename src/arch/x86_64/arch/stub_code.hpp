#pragma once

#include "arch/stub_row.hpp"

namespace anympi::arch {

/// Returns a row of new stubs, or an empty row if memory is exhausted. Not thread-safe.
stub_row add_stubs();

/// Returns the address of the stub with these data.
void* stub_of(stub_record* data);

} // namespace anympi::arch
