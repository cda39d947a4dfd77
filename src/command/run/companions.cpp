#include "command/run/companions.hpp"

#include "command/cli/files.hpp"
#include "command/cli/own_files.hpp"
#include "command/inspect/mpi_names.hpp"
#include "runtime/identify/mapped_file.hpp"

#include <algorithm>
#include <elf.h>
#include <filesystem>

namespace anympi::command {
namespace {

namespace fs = std::filesystem;

using files_by_name = std::map<std::string, std::string>;

bool is_for_cxx(const std::string& name) {
    return name.find("cxx") != name.npos;
}

// Returns true if a library for Fortran or C++ loads the chosen MPI library, whose functions for C it calls.
bool leads_to(const std::string& file, const runtime::library& chosen, const std::string& library_path) {
    if (is_same_file(file, chosen.path))
        return true;
    const loaded_files parts = follow_dependencies(read_binary(file), library_path);
    return std::any_of(parts.files.begin() + 1, parts.files.end(), [&](const loaded_file& part) {
        const bool may_lead_on = is_companion(part.name) && !is_same_file(part.file.path, file);
        return is_same_file(part.file.path, chosen.path) ||
               (may_lead_on && leads_to(part.file.path, chosen, library_path));
    });
}

void add_names(const std::string& file, std::set<std::string>& names) {
    const runtime::mapped_file mapped(file.c_str());
    runtime::elf_file elf;
    runtime::elf_file::read(mapped.bytes(), elf);
    elf.any_symbol([&](std::string_view name, const ElfW(Sym) & symbol) {
        if (symbol.st_shndx != SHN_UNDEF)
            names.emplace(name);
        return false;
    });
}

std::set<std::string> names_offered_by(const files_by_name& files, const std::string& library_path) {
    std::set<std::string> names;
    for (const auto& [name, file] : files)
        add_offered_names(file, library_path, names);
    return names;
}

bool are_all_there(const files_by_name& files) {
    return std::none_of(files.begin(), files.end(), [](const auto& file) { return file.second.empty(); });
}

// Returns the file that `find` finds for each name of `needed`.
template <class find_function>
files_by_name with_files(const files_by_name& needed, const find_function& find) {
    files_by_name files;
    for (const auto& [name, found] : needed)
        files[name] = find(name);
    return files;
}

// Adds the libraries that anympi's libraries need from each other. The library path could lead to other libraries of
// these names.
files_by_name with_own_needs(files_by_name files, abi interface) {
    const files_by_name first = files;
    for (const auto& [name, file] : first)
        for (const std::string& needed : read_binary(file).needed)
            if (is_companion(needed))
                files.emplace(needed, file_of_companion(interface, needed));
    return files;
}

companions choose(const files_by_name& found, const std::set<std::string>& wanted, const examination& program,
                  const runtime::library& chosen, const std::string& library_path) {
    const fs::path folder = fs::path(chosen.path).parent_path();
    const files_by_name own = with_files(found, [&](const std::string& name) {
        const std::string file = folder / fs::path(name).filename();
        return read_binary(file).problem.empty() ? file : "";
    });
    const files_by_name ours =
        with_files(found, [&](const std::string& name) { return file_of_companion(*program.interface, name); });
    const std::set<std::string> names_of_ours = names_offered_by(ours, folder_of_front(*program.interface));
    const auto suffice = [&](const files_by_name& files, const std::string& path) {
        std::set<std::string> offered = names_offered_by(files, path);
        add_names(chosen.path, offered); // Open MPI's library has some of Fortran's callbacks and sentinels
        return std::all_of(wanted.begin(), wanted.end(),
                           [&](const auto& name) { return offered.contains(name) || !names_of_ours.contains(name); });
    };
    const auto lead_to_chosen = [&](const std::string& path) {
        return [&chosen, path](const auto& file) { return leads_to(file.second, chosen, path); };
    };
    const std::string own_path = folder.string() + ":" + library_path;
    if (std::all_of(found.begin(), found.end(), lead_to_chosen(library_path)) && suffice(found, library_path))
        return {companions::source::in_place, found};
    if (are_all_there(own) && suffice(own, own_path))
        return {companions::source::chosen, own, std::any_of(own.begin(), own.end(), lead_to_chosen(own_path))};
    if (are_all_there(ours))
        return {companions::source::ours, with_own_needs(ours, *program.interface)};
    return {companions::source::nowhere, ours};
}

} // namespace

void add_offered_names(const std::string& file, const std::string& library_path, std::set<std::string>& names) {
    const loaded_files parts = follow_dependencies(read_binary(file), library_path);
    for (const loaded_file& part : parts.files)
        if (!part.file.implements_mpi && (&part == &parts.files.front() || is_companion(part.name)))
            add_names(part.file.path, names);
}

std::vector<companions> choose_companions(const examination& program, const runtime::library& chosen,
                                          const std::string& library_path) {
    files_by_name of_fortran;
    files_by_name of_cxx;
    for (const auto& [name, file] : find_mpis(program, library_path))
        if (is_companion(name))
            (is_for_cxx(name) ? of_cxx : of_fortran)[name] = file;
    std::vector<companions> result;
    if (!of_fortran.empty())
        result.push_back(choose(of_fortran, program.uses.fortran, program, chosen, library_path));
    if (!of_cxx.empty())
        result.push_back(choose(of_cxx, program.uses.cxx, program, chosen, library_path));
    return result;
}

std::vector<std::string> companions_of_front(const examination& program, const std::string& library_path) {
    std::vector<std::string> files;
    for (const auto& [name, found] : find_mpis(program, library_path))
        if (std::string file = file_of_companion(*program.interface, name); !file.empty())
            files.push_back(std::move(file));
    return files;
}

} // namespace anympi::command
