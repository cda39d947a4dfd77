#pragma once

#include <cstdint>

namespace anympi::fortran {

/// An INTEGER of the program, widened to a handle, so that it is passed to C without an instruction.
using handle_number = std::uint64_t;

[[gnu::always_inline]] inline handle_number number_at(const int* program) {
    return static_cast<std::uint32_t>(*program);
}

} // namespace anympi::fortran
