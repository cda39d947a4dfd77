#pragma once

#include <elf.h>

/// The folder that Debian has for libraries of this processor.
#define ANYMPI_TRIPLET "x86_64-linux-gnu"

namespace anympi::arch {

/// The number of this processor in the header of an ELF file.
inline constexpr unsigned elf_machine = EM_X86_64;

} // namespace anympi::arch
