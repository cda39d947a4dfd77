#pragma once

#include <cstddef>

namespace anympi::arch {

/// The data of one stub. The stub calls `converter` with the arguments of its caller, and with `function`, the user's,
/// as the sixth integer argument.
struct stub_record {
    void* function;
    void* converter;
};

/// A row of records. Each has a stub.
struct stub_row {
    stub_record* records;
    std::size_t count;
};

} // namespace anympi::arch
