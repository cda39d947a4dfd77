#include "command/doctor/checks.hpp"

#include "command/cli/files.hpp"
#include "command/cli/own_files.hpp"
#include "command/cli/printable.hpp"
#include "command/cli/shell_quoting.hpp"
#include "command/cli/split_join.hpp"
#include "command/inspect/examination.hpp"
#include "command/inspect/mpi_names.hpp"
#include "command/inspect/support.hpp"
#include "command/run/placement.hpp"
#include "runtime/find/sonames.hpp"
#include "runtime/identify/identify.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace anympi::command {
namespace {

using answer = examination::answer;

constexpr char program_check[] = "program";

findings explain_unreadable(const examination& program) {
    if (program.file.is_script)
        return {{level::note, program_check, fmt::format("{} {}", program.file.path, program.file.problem)}};
    return {{level::problem, program_check, fmt::format("{} {}", program.file.path, program.file.problem),
             "give the program itself, built for this machine"}};
}

// MPI libraries may be missing, since `anympi run` puts a library in their place. All other libraries must be found.
void check_libraries(const examination& program, findings& seen) {
    std::vector<std::string> missing;
    for (const std::string& soname : program.not_found)
        if (!program.mpis.contains(soname))
            missing.push_back(printable(soname));
    if (!missing.empty())
        seen.push_back(
            {level::problem, "libraries",
             fmt::format("{} needs {}, which the dynamic linker does not find", program.file.path, join_list(missing)),
             "install them, or name their folder in LD_LIBRARY_PATH"});
}

// Only anympi's own library is checked: a vendor's library is often missing, and `anympi run` replaces it by a front.
void check_front(const examination& program, findings& seen) {
    const std::string front = runtime::soname_of(abi::standard);
    if (std::find(program.not_found.begin(), program.not_found.end(), front) == program.not_found.end())
        return;
    const std::string folder = real_path(folder_of_fronts().parent_path());
    const std::string where =
        program.missing_folders.empty()
            ? "no RUNPATH leads to it"
            : fmt::format("its RUNPATH leads to {}, which does not exist", join_list(program.missing_folders));
    seen.push_back(
        {level::problem, "libraries",
         fmt::format("{} needs {}, which the dynamic linker does not find: {}", program.file.path, front, where),
         fmt::format("start it with `anympi run`, link it again with this mpicc, or correct the RUNPATH: "
                     "`{}`",
                     quote_command({}, {"patchelf", "--set-rpath", folder, program.file.path}))});
}

// An RPATH comes before every library path. `anympi run` preloads the libraries that an RPATH would replace; other
// launchers do not.
void check_rpath(const examination& program, const placement& placed, const runtime::library& chosen, findings& seen) {
    if (placed.preloads.empty())
        return;
    const auto what = [&](const std::string& soname, const std::string& file) {
        if (file.empty())
            return fmt::format("{} needs {}, a name that nothing has here: it starts with `anympi run` only",
                               program.file.path, soname);
        return fmt::format(
            "{} leads by RPATH to {}: started without `anympi run` it runs on that one, whatever is chosen",
            program.file.path, file);
    };
    for (const auto& [soname, file] : find_mpis(program, present_library_path())) {
        const bool is_chosen = placed.is_native && !file.empty() && real_path(file) == real_path(chosen.path);
        if (is_chosen || is_companion(soname) ||
            runtime::is_own_front(file.c_str())) // an adopted program has anympi's library
            continue;
        seen.push_back(
            {level::warning, "rpath", what(soname, file),
             fmt::format("start it with `anympi run`, which preloads {}, or write a copy that is redirected for "
                         "good: `anympi adopt {} -o COPY`",
                         join_list(files_before(placed)), program.file.path)});
    }
}

// Returns what happens at a call of a missing function. The dynamic linker does not find a name that neither the
// library nor the front has.
const char* describe_missing_calls(const examination& program, const runtime::library& mpi,
                                   const std::vector<std::string>& missing) {
    const bool is_native = program.interface && needs_no_front(*program.interface, mpi);
    const binary front = is_native ? read_binary(file_of_front(*program.interface)) : binary();
    const bool is_offered = is_native && std::all_of(missing.begin(), missing.end(),
                                                     [&](const std::string& name) { return offers(front, name); });
    return is_native && !is_offered ? "the program ends at such a call, or does not start"
                                    : "the calls report MPI_ERR_UNSUPPORTED_OPERATION";
}

void check_functions(const examination& program, const survey& machine, findings& seen) {
    const auto missing = judge_support(program, machine.chosen->mpi).missing;
    if (missing.empty())
        return;
    std::vector<std::string> better;
    for (const runtime::library& mpi : machine.libraries)
        if (!runtime::is_draft(mpi) && judge_support(program, mpi).missing.empty())
            better.emplace_back(runtime::describe(mpi).text);
    seen.push_back({level::warning, "functions",
                    fmt::format("{} uses {} that {} lacks: {}", program.file.path, join_list(missing),
                                runtime::describe(machine.chosen->mpi).text,
                                describe_missing_calls(program, machine.chosen->mpi, missing)),
                    better.empty() ? "use a newer MPI, if the program needs them (`anympi inspect` shows all of them)"
                                   : fmt::format("these have them: {}", join_list(better))});
}

// If the chosen MPI cannot run the program, another MPI of the machine may.
void check_placement(const examination& program, const survey& machine, findings& seen) {
    const auto placed_on = [&](const runtime::library& mpi) { return place(program, mpi, present_library_path()); };
    const placement placed = placed_on(machine.chosen->mpi);
    if (!placed.warning.empty())
        seen.push_back({level::warning, "abi", placed.warning, "build it again, with anympi's mpicc"});
    if (placed.refusal.empty()) {
        check_rpath(program, placed, machine.chosen->mpi, seen);
        check_functions(program, machine, seen);
        return;
    }
    const bool has_other = std::any_of(machine.libraries.begin(), machine.libraries.end(),
                                       [&](const runtime::library& mpi) { return placed_on(mpi).refusal.empty(); });
    seen.push_back(finding_from_message(has_other ? level::warning : level::problem, "abi", placed.refusal));
}

} // namespace

findings check_program(const std::string& path, const survey& machine) {
    const examination program = examine(path);
    if (program.verdict == answer::unreadable)
        return explain_unreadable(program);
    findings seen;
    check_libraries(program, seen);
    check_front(program, seen);
    if (program.verdict == answer::several)
        seen.push_back({level::problem, "two_mpis", fmt::format("{}: {}", program.file.path, program.remarks.back()),
                        "build all parts with the same MPI; `anympi inspect` shows them"});
    else if (program.verdict == answer::no_mpi)
        seen.push_back({level::note, program_check, fmt::format("{} {}", program.file.path, explain_no_mpi(program))});
    else if (machine.chosen)
        check_placement(program, machine, seen);
    if (seen.empty() && !machine.chosen)
        seen.push_back({level::problem, program_check,
                        fmt::format("{} cannot start: no MPI can be chosen here", program.file.path),
                        "do what the check `choice` advises"});
    if (seen.empty())
        seen.push_back(
            {level::good, program_check, fmt::format("{} can run on the MPI that is chosen here", program.file.path)});
    return seen;
}

} // namespace anympi::command
