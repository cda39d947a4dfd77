#pragma once

#include "arch/stub_row.hpp"

namespace anympi::arch {

/// The number of stubs is fixed because each one is a separate function that the compiler has made.
inline constexpr std::size_t stub_count = 4096;

/// Returns all stubs at the first call. The first later call prints a message, and all later calls return an empty row.
/// Not thread-safe.
stub_row add_stubs();

/// Returns the address of the stub with these data.
void* stub_of(stub_record* data);

} // namespace anympi::arch
