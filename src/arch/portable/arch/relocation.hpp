#pragma once

#include <cstdint>
#include <elf.h>
#include <sys/auxv.h>

// The ELF standard gives names for these three to each processor, and none for all.
#if defined(__x86_64__)
#define ANYMPI_CALL_SLOT R_X86_64_JUMP_SLOT
#define ANYMPI_ADDRESS_SLOT R_X86_64_GLOB_DAT
#define ANYMPI_ADDRESS R_X86_64_64
#elif defined(__aarch64__)
#define ANYMPI_CALL_SLOT R_AARCH64_JUMP_SLOT
#define ANYMPI_ADDRESS_SLOT R_AARCH64_GLOB_DAT
#define ANYMPI_ADDRESS R_AARCH64_ABS64
#elif defined(__powerpc64__)
#define ANYMPI_CALL_SLOT R_PPC64_JMP_SLOT
#define ANYMPI_ADDRESS_SLOT R_PPC64_GLOB_DAT
#define ANYMPI_ADDRESS R_PPC64_ADDR64
#elif defined(__riscv)
#define ANYMPI_CALL_SLOT R_RISCV_JUMP_SLOT
#define ANYMPI_ADDRESS_SLOT R_RISCV_64
#define ANYMPI_ADDRESS R_RISCV_64
#else
#error "add the relocation types of this processor"
#endif

namespace anympi::arch {

/// Returns true if the dynamic linker writes the address of a symbol for a relocation of this type.
constexpr bool is_address(std::uint64_t relocation_type) {
    return relocation_type == ANYMPI_CALL_SLOT || relocation_type == ANYMPI_ADDRESS_SLOT ||
           relocation_type == ANYMPI_ADDRESS;
}

/// Returns true if the addend of a relocation of this type is added to the address.
constexpr bool has_addend(std::uint64_t relocation_type) {
    return relocation_type == ANYMPI_ADDRESS;
}

inline std::uintptr_t page_size() {
    return getauxval(AT_PAGESZ);
}

} // namespace anympi::arch
