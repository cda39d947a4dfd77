#pragma once

#include "arch/stub_row.hpp"

namespace anympi::arch {

/// Makes stubs that were not given out before. Returns an empty row if memory is exhausted. One thread at a time.
stub_row add_stubs();

/// Returns the address to call.
void* stub_of(stub_record* data);

} // namespace anympi::arch
