#include "command/inspect/examination.hpp"

#include "command/cli/files.hpp"
#include "command/inspect/mpi_names.hpp"
#include "command/inspect/shared_names.hpp"
#include "runtime/identify/identify.hpp"
#include "runtime/identify/mapped_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <elf.h>

namespace anympi::command {
namespace {

// The ABIs for which the parts of a program were built, each with a part that shows it.
using witnesses = std::map<abi, std::string>;

void add_remark(examination& result, const std::string& remark) {
    const bool is_there = std::find(result.remarks.begin(), result.remarks.end(), remark) != result.remarks.end();
    if (!remark.empty() && !is_there)
        result.remarks.push_back(remark);
}

std::string name_of_part(const binary& part) {
    return std::filesystem::path(part.path).filename();
}

void judge_soname(examination& result, const binary& part, const std::string& soname, const shared_names& names,
                  witnesses& seen) {
    if (const std::string foreign = names.foreign_owner(soname); !foreign.empty() && result.foreign.empty())
        result.foreign = foreign;
    const auto known = names.find(soname, part);
    if (!known)
        return;
    result.mpis.emplace(soname, "");
    add_remark(result, known->remark);
    result.is_ilp64 = result.is_ilp64 || known->is_ilp64;
    result.older = std::max(result.older, known->older);
    if (!soname_without_hash(soname).empty())
        result.renamed.emplace(soname, "");
    result.is_draft = result.is_draft || known->is_draft;
    seen.emplace(known->interface, name_of_part(part));
}

// Notes if the library that would be loaded has the values of a draft of the standard ABI. Its name does not show that.
void judge_loaded_mpi(examination& result, const std::string& path) {
    runtime::library mpi;
    if (runtime::identify(path.c_str(), mpi) == runtime::identification::mpi && runtime::is_draft(mpi))
        add_remark(result, fmt::format("Without `anympi run` it would load {} of {}, a draft of the standard ABI, and "
                                       "compute rubbish.",
                                       path, runtime::describe(mpi).text));
}

// Returns true if a file uses a name that a library defines and that is not a name of MPI.
bool takes_more_than_mpi(const binary& file, const std::string& library) {
    const runtime::mapped_file mapped_file(file.path.c_str());
    const runtime::mapped_file mapped_library(library.c_str());
    runtime::elf_file user;
    runtime::elf_file offers;
    runtime::elf_file::read(mapped_file.bytes(), user, runtime::elf_file::wanted::programs_too);
    runtime::elf_file::read(mapped_library.bytes(), offers);
    return user.any_symbol([&](std::string_view name, const ElfW(Sym) & symbol) {
        return symbol.st_shndx == SHN_UNDEF && classify_symbol(name) == symbol_kind::other && offers.defines(name);
    });
}

// Judges a library with an unusual name by its symbols. It may be an MPI, or a library of the program into which an MPI
// is linked.
void judge_renamed_mpi(examination& result, const loaded_file& part, const loaded_files& loaded, witnesses& seen) {
    if (find_mpi_soname(part.name))
        return;
    runtime::library mpi;
    if (runtime::identify(part.file.path.c_str(), mpi) == runtime::identification::mpi) {
        const bool is_more = std::any_of(loaded.files.begin(), loaded.files.end(), [&](const loaded_file& user) {
            return !is_part_of_mpi(user) && takes_more_than_mpi(user.file, part.file.path);
        });
        if (is_more) {
            result.own_mpi = part.file.path;
            result.own_interface = mpi.interface;
            return;
        }
        seen.emplace(mpi.interface, part.name);
        result.renamed.emplace(part.name, "");
    } else if (result.foreign.empty() && part.file.implements_mpi && !part.file.has_front) {
        result.foreign = part.file.path;
    }
}

// Finds the part that needs each renamed library. A library of the program is preferred to the program itself.
void find_who_needs_renamed(examination& result, const loaded_files& loaded) {
    for (auto& [name, needed_by] : result.renamed)
        for (const loaded_file& part : loaded.files) {
            const bool is_library = &part != &loaded.files.front();
            const std::vector<std::string>& needed = part.file.needed;
            if (!(is_library && is_part_of_mpi(part)) && std::find(needed.begin(), needed.end(), name) != needed.end())
                needed_by = part.file.path;
        }
}

// Notes the MPI that is linked into a program.
void judge_linked_mpi(examination& result) {
    const auto interface = result.file.own_interface;
    result.own_mpi = result.file.path;
    result.own_interface = interface;
    add_remark(result,
               fmt::format("It holds an MPI of its own{}: only the launcher of that MPI can start it as one job.",
                           interface ? fmt::format(", with {}", runtime::title_of(*interface)) : ""));
}

// Judges a file that is an MPI itself.
void judge_own_mpi(examination& result, witnesses& seen) {
    if (result.file.is_program && result.file.implements_mpi && !result.file.has_front)
        return judge_linked_mpi(result);
    runtime::library mpi;
    const auto answer = runtime::identify(result.file.path.c_str(), mpi);
    if (answer != runtime::identification::mpi) {
        if (result.file.implements_mpi && !result.file.has_front)
            judge_linked_mpi(result);
        return;
    }
    seen.emplace(mpi.interface, name_of_part(result.file));
    result.is_draft = runtime::is_draft(mpi);
    add_remark(result, fmt::format("It is the MPI library of {}{}.", runtime::describe(mpi).text,
                                   result.is_draft ? ", with the values of a draft" : ""));
}

void judge_part(examination& result, const binary& part, const shared_names& names, witnesses& seen) {
    for (const std::string& soname : part.needed)
        judge_soname(result, part, soname, names, seen);
    if (part.has_front) {
        seen.emplace(abi::standard, name_of_part(part));
        add_remark(result, part.is_program
                               ? fmt::format("anympi is part of {} (mpicc -static-mpi).", name_of_part(part))
                               : fmt::format("{} is anympi's own.", name_of_part(part)));
    }
    if (part.uses.is_empty())
        return;
    result.users.push_back(part.path);
    result.uses.add(part.uses);
    result.required.add(part.required);
}

// Judges the parts by their symbols if no part names an MPI library.
void judge_by_symbols(const examination& result, witnesses& seen) {
    if (seen.empty())
        if (const auto interface = abi_by_symbols(result.uses))
            seen.emplace(*interface, "");
}

void conclude(examination& result, const witnesses& seen) {
    using answer = examination::answer;
    if (seen.size() == 1) {
        result.verdict = answer::one_abi;
        result.interface = seen.begin()->first;
    } else if (seen.size() > 1) {
        result.verdict = answer::several;
        std::string parts;
        for (const auto& [interface, part] : seen)
            parts += fmt::format("{}{} for {}", parts.empty() ? "" : ", ", part, name_of(interface));
        add_remark(result, fmt::format("Two MPIs would be in one process, which does not work: {}.", parts));
    } else if (!result.uses.is_empty()) {
        result.verdict = answer::any_abi;
    }
}

std::string locate_program(const std::string& word) {
    if (word.find('/') == word.npos && !is_readable(word))
        if (std::string program = find_program(word); !program.empty())
            return program;
    return word;
}

} // namespace

examination examine(const std::string& path, const std::string& library_path) {
    examination result;
    result.file = read_binary(locate_program(path));
    if (!result.file.problem.empty()) {
        result.verdict = examination::answer::unreadable;
        return result;
    }
    if (result.file.is_static)
        result.remarks.emplace_back("It is linked statically, so that anympi cannot give it another MPI.");
    const loaded_files loaded = follow_dependencies(result.file, library_path);
    result.not_found = loaded.not_found;
    result.missing_folders = loaded.missing_folders;
    const shared_names names(loaded);
    witnesses seen;
    judge_own_mpi(result, seen);
    for (std::size_t i = 0; i < loaded.files.size(); i++) {
        const loaded_file& part = loaded.files[i];
        if (!part.file.foreign_mpi.empty())
            result.foreign = part.file.foreign_mpi;
        if (i > 0 && is_part_of_mpi(part)) {
            result.mpis[part.name] = part.file.path;
            judge_loaded_mpi(result, part.file.path);
            judge_renamed_mpi(result, part, loaded, seen);
        } else {
            judge_part(result, part.file, names, seen);
        }
    }
    find_who_needs_renamed(result, loaded);
    judge_by_symbols(result, seen);
    conclude(result, seen);
    return result;
}

std::string explain_no_mpi(const examination& program) {
    if (program.file.implements_mpi)
        return "holds an MPI of its own";
    if (program.file.is_static)
        return "shows no MPI (it is linked statically, which may hide one)";
    return program.not_found.empty() ? "uses no MPI" : "shows no MPI (it needs libraries that were not found)";
}

std::map<std::string, std::string> find_mpis(const examination& program, const std::string& library_path) {
    std::map<std::string, std::string> mpis;
    for (const auto& [name, file] : program.mpis)
        mpis[name] = "";
    const loaded_files loaded = follow_dependencies(program.file, library_path);
    for (std::size_t i = 1; i < loaded.files.size(); i++)
        if (is_part_of_mpi(loaded.files[i]))
            mpis[loaded.files[i].name] = loaded.files[i].file.path;
    return mpis;
}

} // namespace anympi::command
