#include "preload/openmpi_1_10.hpp"

#include "runtime/identify/elf_file.hpp"
#include "runtime/identify/mapped_file.hpp"

namespace anympi {

bool is_of_openmpi_1_10(const char* file) {
    const runtime::mapped_file mapped(file);
    runtime::elf_file elf;
    if (mapped.result() != runtime::mapped_file::state::mapped ||
        runtime::elf_file::read(mapped.bytes(), elf) != runtime::elf_file::state::good)
        return false;
    const bool needs_name = elf.any_needed([](std::string_view name) { return name == "libmpi.so.12"; });
    return needs_name && (elf.any_needed([](std::string_view name) {
               return name.starts_with("libmpi_cxx.so.") || name.starts_with("libmpi_mpifh.so.") ||
                      name.starts_with("libmpi_usempi") || name.starts_with("libopen-rte.so.");
           }) || elf.any_symbol([](std::string_view name, const ElfW(Sym)&) { return name.starts_with("ompi_mpi_"); }));
}

} // namespace anympi
