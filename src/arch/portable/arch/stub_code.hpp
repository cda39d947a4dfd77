#pragma once

#include "arch/stub_row.hpp"

namespace anympi::arch {

/// There are this many stubs, because each is a function of its own that the compiler has made.
inline constexpr std::size_t stub_count = 4096;

/// Gives out all stubs at the first call. Later calls print a message once, and return an empty row. One thread at a
/// time.
stub_row add_stubs();

/// Returns the address to call.
void* stub_of(stub_record* data);

} // namespace anympi::arch
