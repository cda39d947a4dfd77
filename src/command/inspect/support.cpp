#include "command/inspect/support.hpp"

#include "command/cli/own_files.hpp"
#include "command/inspect/mpi_names.hpp"
#include "command/inspect/register.hpp"
#include "command/run/placement.hpp"
#include "runtime/identify/mapped_file.hpp"

#include <set>

namespace anympi::command {
namespace {

support::way way_to(const examination& program, const runtime::library& mpi) {
    return program.interface && needs_no_front(*program.interface, mpi) ? support::way::directly
                                                                        : support::way::by_front;
}

// Extensions are one vendor's: its own library has them, and our front for its programs has some.
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

// Programs that reach the library directly get what it has, and the rest from the front behind it.
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

} // namespace

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
    return result;
}

} // namespace anympi::command
