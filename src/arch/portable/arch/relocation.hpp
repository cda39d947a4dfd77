#pragma once

#include "arch/symbol_relocations.hpp"

#include <cstdint>
#include <elf.h>
#include <sys/auxv.h>

namespace anympi::arch {

#if defined(__x86_64__)
inline constexpr symbol_relocations relocations = {R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_64, R_X86_64_COPY};
#elif defined(__aarch64__)
inline constexpr symbol_relocations relocations = {R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT, R_AARCH64_ABS64,
                                                   R_AARCH64_COPY};
#elif defined(__powerpc64__)
inline constexpr symbol_relocations relocations = {R_PPC64_JMP_SLOT, R_PPC64_GLOB_DAT, R_PPC64_ADDR64, R_PPC64_COPY};
#elif defined(__riscv)
inline constexpr symbol_relocations relocations = {R_RISCV_JUMP_SLOT, R_RISCV_64, R_RISCV_64, R_RISCV_COPY};
#else
#error "add the relocation types of this processor"
#endif

inline std::uintptr_t page_size() {
    return getauxval(AT_PAGESZ);
}

} // namespace anympi::arch
