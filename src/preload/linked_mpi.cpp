#include "preload/linked_mpi.hpp"

#include "runtime/identify/elf_file.hpp"
#include "runtime/identify/mapped_file.hpp"

#include <cstring>
#include <elf.h>

namespace anympi {
namespace {

using runtime::byte_range;

// Returns the names of the symbols from which a program was linked, each followed by a zero byte. Empty if the program
// was stripped.
byte_range linked_names(byte_range file) {
    const auto header = file.entry<Elf64_Ehdr>(0);
    if (!header || header->e_shentsize != sizeof(Elf64_Shdr))
        return {};
    const byte_range sections = file.from(header->e_shoff);
    for (unsigned i = 0; i < header->e_shnum; ++i) {
        const auto symbols = sections.entry<Elf64_Shdr>(i);
        if (!symbols || symbols->sh_type != SHT_SYMTAB)
            continue;
        const auto names = sections.entry<Elf64_Shdr>(symbols->sh_link);
        return names ? file.from(names->sh_offset, names->sh_size) : byte_range();
    }
    return {};
}

template <std::size_t size>
bool have(byte_range names, const char (&name)[size]) { // the name is between two zero bytes
    return memmem(names.characters(), names.size(), name, size) != nullptr;
}

} // namespace

runtime::family find_linked_mpi() {
    const runtime::mapped_file program("/proc/self/exe");
    const byte_range names = linked_names(program.bytes());
    if (names.empty() || !have(names, "\0PMPI_Init"))
        return runtime::family::unknown;
    if (have(names, "\0ompi_mpi_comm_world"))
        return runtime::family::openmpi;
    return have(names, "\0MPIR_Process") ? runtime::family::mpich : runtime::family::unknown;
}

} // namespace anympi
