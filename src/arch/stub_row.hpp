#pragma once

#include <cstddef>

namespace anympi::arch {

/// The data of one stub. The stub calls `converter` with the arguments of its caller and passes `function` (the user's
/// function) as the sixth integer argument.
struct stub_record {
    void* function;
    void* converter;
};

/// An array of records. Each record has a stub.
struct stub_row {
    stub_record* records;
    std::size_t count;
};

} // namespace anympi::arch
