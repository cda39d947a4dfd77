#pragma once

#include <cstdint>
#include <elf.h>

namespace anympi::arch {

/// Returns true if the dynamic linker writes the address of a symbol for a relocation of this type.
constexpr bool is_address(std::uint64_t relocation_type) {
    return relocation_type == R_X86_64_JUMP_SLOT || relocation_type == R_X86_64_GLOB_DAT ||
           relocation_type == R_X86_64_64;
}

/// Returns true if the addend of a relocation of this type is added to the address. Slots have none.
constexpr bool has_addend(std::uint64_t relocation_type) {
    return relocation_type == R_X86_64_64;
}

/// Pages of memory have this size on every machine with this processor.
constexpr std::uintptr_t page_size() {
    return 4096;
}

} // namespace anympi::arch
