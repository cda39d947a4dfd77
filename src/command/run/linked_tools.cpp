#include "command/run/linked_tools.hpp"

#include "command/cli/own_files.hpp"
#include "command/inspect/loader.hpp"
#include "command/inspect/mpi_names.hpp"
#include "runtime/identify/mapped_file.hpp"

#include <elf.h>

namespace anympi::command {
namespace {

// Returns true if the file defines a function of MPI that anympi's front for such programs has, too.
bool has_functions_of(const std::string& file, const runtime::elf_file& front) {
    const runtime::mapped_file mapped(file.c_str());
    runtime::elf_file elf;
    runtime::elf_file::read(mapped.bytes(), elf);
    return elf.any_symbol([&](std::string_view name, const ElfW(Sym) & symbol) {
        const symbol_kind kind = classify_symbol(name);
        return symbol.st_shndx != SHN_UNDEF && (kind == symbol_kind::function || kind == symbol_kind::profiling) &&
               front.defines(name);
    });
}

} // namespace

bool is_address_sanitizer(std::string_view soname) {
    return soname.starts_with("libasan.so");
}

std::vector<std::string> find_linked_tools(const examination& program, const std::string& library_path) {
    std::vector<std::string> tools;
    const runtime::mapped_file mapped(file_of_front(*program.interface).c_str());
    runtime::elf_file front;
    runtime::elf_file::read(mapped.bytes(), front);
    const loaded_files loaded = follow_dependencies(program.file, library_path);
    for (auto part = loaded.files.begin() + 1; part != loaded.files.end() && !part->file.implements_mpi; ++part)
        if (is_address_sanitizer(part->name))
            tools.insert(tools.begin(), part->file.path);
        else if (!is_part_of_mpi(*part) && has_functions_of(part->file.path, front))
            tools.push_back(part->file.path);
    return tools;
}

} // namespace anympi::command
