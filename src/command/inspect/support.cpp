#include "command/inspect/support.hpp"

#include "command/cli/own_files.hpp"
#include "command/inspect/mpi_names.hpp"
#include "command/inspect/register.hpp"
#include "command/run/companions.hpp"
#include "command/run/placement.hpp"
#include "runtime/identify/exact_version.hpp"
#include "runtime/identify/mapped_file.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace anympi::command {
namespace {

support::way way_to(const examination& program, const runtime::library& mpi) {
    return program.interface && needs_no_front(*program.interface, mpi) ? support::way::directly
                                                                        : support::way::by_front;
}

// Judges the vendor's extensions that the program uses. The vendor's own library has them; anympi's front for programs
// of this vendor has some of them.
void judge_extensions(const examination& program, const runtime::elf_file& library, support& result) {
    const std::string front = program.interface ? file_of_front(*program.interface) : "";
    const runtime::mapped_file mapped(front.c_str());
    runtime::elf_file ours;
    runtime::elf_file::read(mapped.bytes(), ours);
    for (const std::string& name : program.uses.extensions) {
        if (result.how == support::way::directly && library.defines(name))
            result.native.push_back(name);
        else
            (ours.defines(name) ? result.emulated : result.missing).push_back(name);
    }
}

// Judges one function. Programs that reach the library directly get the library's function. The front adds a function
// that the library lacks.
void judge_function(const std::string& name, const function_directory& directory, const runtime::elf_file& library,
                    support& result) {
    const function_answer answer = directory.find(name);
    const bool is_direct = result.how != support::way::by_front && library.defines(name);
    if (is_direct || (!answer.is_missing && answer.is_native()))
        result.native.push_back(name);
    else if (answer.is_missing)
        result.missing.push_back(name);
    else
        (answer.is_extended() ? result.extended : result.emulated).push_back(name);
}

// Returns the names in the libraries for Fortran and C++ that the program would load.
std::set<std::string> names_of_companions(const examination& program, const runtime::library& mpi, support::way how) {
    std::set<std::string> names;
    const std::string path = present_library_path();
    const std::string folder_of_mpi = std::filesystem::path(mpi.path).parent_path();
    const std::string folder_of_ours = folder_of_front(*program.interface);
    if (how == support::way::by_front)
        for (const std::string& file : companions_of_front(program, path))
            add_offered_names(file, folder_of_ours, names);
    else
        for (const companions& each : choose_companions(program, mpi, path))
            for (const auto& [name, file] : each.files)
                add_offered_names(
                    file, (each.from == companions::source::ours ? folder_of_ours : folder_of_mpi) + ":" + path, names);
    return names;
}

// Returns true if a library of the program defines a name that looks like a name of MPI.
bool is_of_program(const std::string& name, const loaded_files& loaded) {
    return std::any_of(loaded.files.begin(), loaded.files.end(), [&](const loaded_file& part) {
        const bool is_first = &part == &loaded.files.front(); // the program may have a copy of a library's variable
        return !is_first && !is_part_of_mpi(part) && offers(part.file, name);
    });
}

// Adds the names of Fortran and C++ that the libraries for these languages lack.
void judge_companions(const examination& program, const runtime::library& mpi, const runtime::elf_file& library,
                      support& result) {
    std::set<std::string> wanted = program.uses.fortran;
    wanted.insert(program.uses.cxx.begin(), program.uses.cxx.end());
    if (wanted.empty() || !program.interface || result.how == support::way::not_at_all)
        return;
    const std::set<std::string> offered = names_of_companions(program, mpi, result.how);
    const loaded_files loaded = follow_dependencies(program.file, present_library_path());
    for (const std::string& name : wanted)
        if (!offered.empty() && !offered.contains(name) && !library.defines(name) && !is_of_program(name, loaded))
            result.missing.push_back(name);
}

} // namespace

std::string title_of(const runtime::library& mpi) {
    const auto version = runtime::exact_version(mpi);
    std::string title = mpi.product;
    if (version.text[0] != '\0')
        title += " " + std::string(version.text);
    return title + (mpi.interface == abi::standard ? " (standard ABI)" : "");
}

support judge_support(const examination& program, const runtime::library& mpi) {
    support result;
    result.reason = place(program, mpi, present_library_path()).refusal;
    result.how = result.reason.empty() ? way_to(program, mpi) : support::way::not_at_all;
    const runtime::mapped_file mapped(mpi.path);
    runtime::elf_file library;
    runtime::elf_file::read(mapped.bytes(), library);
    const function_directory directory(mpi, program.interface.value_or(abi::standard));
    for (const std::string& name : called_functions(program.uses))
        judge_function(name, directory, library, result);
    judge_extensions(program, library, result);
    judge_companions(program, mpi, library, result);
    return result;
}

} // namespace anympi::command
