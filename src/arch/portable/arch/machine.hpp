#pragma once

#include <elf.h>

// ANYMPI_TRIPLET is the name of Debian's library folder for this processor.
#if defined(__x86_64__)
#define ANYMPI_TRIPLET "x86_64-linux-gnu"
#define ANYMPI_ELF_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define ANYMPI_TRIPLET "aarch64-linux-gnu"
#define ANYMPI_ELF_MACHINE EM_AARCH64
#elif defined(__powerpc64__)
#define ANYMPI_TRIPLET "powerpc64le-linux-gnu"
#define ANYMPI_ELF_MACHINE EM_PPC64
#elif defined(__riscv)
#define ANYMPI_TRIPLET "riscv64-linux-gnu"
#define ANYMPI_ELF_MACHINE EM_RISCV
#else
#error "add the ELF number of this processor and Debian's folder for its libraries"
#endif

namespace anympi::arch {

/// The number of this processor in the header of an ELF file.
inline constexpr unsigned elf_machine = ANYMPI_ELF_MACHINE;

} // namespace anympi::arch
