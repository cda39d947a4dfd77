#pragma once

#include <cstdint>

namespace anympi::arch {

/// The relocation types for which the dynamic linker writes the address of a symbol. The ELF standard names them
/// separately for each processor.
struct symbol_relocations {
    std::uint64_t call_slot;
    std::uint64_t address_slot;
    std::uint64_t address; // the addend of the relocation is added; slots have no addend
    std::uint64_t copy;    // copies a data object into the program

    constexpr bool contain(std::uint64_t type) const {
        return type == call_slot || type == address_slot || type == address;
    }
    constexpr bool have_addend(std::uint64_t type) const { return type == address; }
};

} // namespace anympi::arch
