#pragma once

#include "arch/symbol_relocations.hpp"

#include <cstdint>
#include <elf.h>

namespace anympi::arch {

inline constexpr symbol_relocations relocations = {R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_64, R_X86_64_COPY};

/// Pages of memory have this size on every machine with this processor.
constexpr std::uintptr_t page_size() {
    return 4096;
}

} // namespace anympi::arch
