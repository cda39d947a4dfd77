#pragma once

#include <cstddef>

namespace anympi::arch {

/// What a stub loads: the user's function, which it passes on as the sixth integer argument, and the converter, to
/// which it jumps.
struct stub_record {
    void* function;
    void* converter;
};

/// A row of records. Each has a stub.
struct stub_row {
    stub_record* records;
    std::size_t count;
};

/// Makes stubs that were not given out before. Returns an empty row if memory is exhausted. One thread at a time.
stub_row add_stubs();

/// Returns the address to call.
void* stub_of(stub_record* data);

} // namespace anympi::arch
