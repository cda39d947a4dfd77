#pragma once

#include <cstdint>

namespace anympi::arch {

/// The types of relocations for which the dynamic linker writes the address of a symbol. The ELF standard gives names
/// for them to each processor, and none for all.
struct symbol_relocations {
    std::uint64_t call_slot;
    std::uint64_t address_slot;
    std::uint64_t address; ///< its addend is added to the address; slots have none
    std::uint64_t copy;    ///< of a data object into the program

    constexpr bool contain(std::uint64_t type) const {
        return type == call_slot || type == address_slot || type == address;
    }
    constexpr bool have_addend(std::uint64_t type) const { return type == address; }
};

} // namespace anympi::arch
