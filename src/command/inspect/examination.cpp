#include "command/inspect/examination.hpp"

#include "command/cli/files.hpp"
#include "command/inspect/mpi_names.hpp"
#include "runtime/identify/identify.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace anympi::command {
namespace {

// The ABIs for which the parts of a program were built, with the part that tells it.
using witnesses = std::map<abi, std::string>;

void add_remark(examination& result, const std::string& remark) {
    const bool is_there = std::find(result.remarks.begin(), result.remarks.end(), remark) != result.remarks.end();
    if (!remark.empty() && !is_there)
        result.remarks.push_back(remark);
}

std::string name_of_part(const binary& part) {
    return std::filesystem::path(part.path).filename();
}

// Symbols that one ABI has alone. They tell even where an old Open MPI has MPICH's soname.
std::optional<abi> abi_by_symbols(const mpi_use& uses) {
    for (const auto* names : {&uses.data, &uses.extensions, &uses.functions})
        for (const std::string& name : *names)
            if (const auto interface = abi_of_symbol(name))
                return interface;
    return std::nullopt;
}

void judge_soname(examination& result, const binary& part, const std::string& soname, witnesses& seen) {
    const auto known = find_mpi_soname(soname);
    if (!known)
        return;
    result.mpis.emplace(soname, "");
    add_remark(result, known->remark);
    result.is_draft = result.is_draft || known->is_draft;
    const auto by_symbols = abi_by_symbols(part.uses);
    if (by_symbols == abi::openmpi && known->interface == abi::mpich) {
        add_remark(result, fmt::format("{} was Open MPI 1.10's name, too, and the symbols are Open MPI's: an ABI that "
                                       "anympi does not know.",
                                       soname));
        seen.emplace(abi::openmpi, name_of_part(part));
    } else {
        seen.emplace(known->interface, name_of_part(part));
    }
}

// A library that would be loaded may have the right name and the wrong values.
void judge_loaded_mpi(examination& result, const std::string& path) {
    runtime::library mpi;
    if (runtime::identify(path.c_str(), mpi) == runtime::identification::mpi && runtime::is_draft(mpi))
        add_remark(result, fmt::format("Started by itself it would load {}, of {}, with the values of a draft: start "
                                       "it by `anympi run`.",
                                       path, runtime::describe(mpi).text));
}

// The file is an MPI itself.
void judge_own_mpi(examination& result, witnesses& seen) {
    runtime::library mpi;
    const auto answer = runtime::identify(result.file.path.c_str(), mpi);
    if (answer != runtime::identification::mpi) {
        if (result.file.implements_mpi && !result.file.has_front)
            add_remark(result, "It holds an MPI of its own, and runs with the launcher of that one only.");
        return;
    }
    seen.emplace(mpi.interface, name_of_part(result.file));
    result.is_draft = runtime::is_draft(mpi);
    add_remark(result, fmt::format("It is the MPI library of {}{}.", runtime::describe(mpi).text,
                                   result.is_draft ? ", with the values of a draft" : ""));
}

void judge_part(examination& result, const binary& part, witnesses& seen) {
    for (const std::string& soname : part.needed)
        judge_soname(result, part, soname, seen);
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
}

// A part that names no library may still give itself away.
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
        add_remark(result, fmt::format("Two MPIs would be in one process, which fails sooner or later: {}.", parts));
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
        result.remarks.emplace_back("It is linked statically: no library can be put in its place.");
    const loaded_files loaded = follow_dependencies(result.file, library_path);
    result.not_found = loaded.not_found;
    witnesses seen;
    judge_own_mpi(result, seen);
    for (std::size_t i = 0; i < loaded.files.size(); i++) {
        const loaded_file& part = loaded.files[i];
        if (i > 0 && is_part_of_mpi(part)) {
            result.mpis[part.name] = part.file.path;
            judge_loaded_mpi(result, part.file.path);
        } else {
            judge_part(result, part.file, seen);
        }
    }
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
