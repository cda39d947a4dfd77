#include "preload/needed_mpi.hpp"

#include "runtime/identify/elf_file.hpp"
#include "runtime/identify/mapped_file.hpp"

namespace anympi {

void for_each_needed_mpi(const char* file, function_ref<void(std::string_view soname)> visit) {
    const runtime::mapped_file mapped(file);
    runtime::elf_file elf;
    if (mapped.result() != runtime::mapped_file::state::mapped ||
        runtime::elf_file::read(mapped.bytes(), elf) != runtime::elf_file::state::good)
        return;
    elf.any_needed([&](std::string_view name) {
        if (name.starts_with("libmpi") && name.find('/') == name.npos)
            visit(name);
        return false;
    });
}

} // namespace anympi
