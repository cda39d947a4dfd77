#pragma once

#include <cstddef>

namespace anympi::arch {

/// What a stub loads: the user's function, which it passes on as the sixth argument, and the converter, which it calls
/// with the arguments of its caller.
struct stub_record {
    void* function;
    void* converter;
};

/// A row of records. Each has a stub.
struct stub_row {
    stub_record* records;
    std::size_t count;
};

/// There are this many stubs, because each is a function of its own that the compiler has made.
inline constexpr std::size_t stub_count = 4096;

/// Gives out all stubs at the first call. Later calls print a message once, and return an empty row. One thread at a
/// time.
stub_row add_stubs();

/// Returns the address to call.
void* stub_of(stub_record* data);

} // namespace anympi::arch
