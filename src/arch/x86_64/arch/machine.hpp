#pragma once

#include <elf.h>

/// The name of Debian's library folder for this processor.
#define ANYMPI_TRIPLET "x86_64-linux-gnu"

namespace anympi::arch {

/// The number of this processor in the header of an ELF file.
inline constexpr unsigned elf_machine = EM_X86_64;

} // namespace anympi::arch
