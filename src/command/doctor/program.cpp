#include "command/doctor/checks.hpp"

#include "command/examination.hpp"
#include "command/files.hpp"
#include "command/placement.hpp"
#include "command/printable.hpp"
#include "command/support.hpp"
#include "runtime/identify.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace anympi::command {
namespace {

using answer = examination::answer;
using runtime::identification;

constexpr char check[] = "program";

findings explain_unreadable(const examination& program) {
    if (program.file.is_script)
        return {{level::note, check, fmt::format("{} {}", program.file.path, program.file.problem)}};
    return {{level::problem, check, fmt::format("{} {}", program.file.path, program.file.problem),
             "give the program itself, built for this machine"}};
}

// MPI libraries may be missing where `anympi run` puts one in place; nothing else may.
void check_libraries(const examination& program, findings& seen) {
    std::vector<std::string> missing;
    for (const std::string& soname : program.not_found)
        if (!program.mpis.contains(soname))
            missing.push_back(printable(soname));
    if (!missing.empty())
        seen.push_back({level::problem, "libraries",
                        fmt::format("{} needs {}, which the dynamic linker does not find", program.file.path,
                                    fmt::join(missing, ", ")),
                        "install them, or name their folder in LD_LIBRARY_PATH"});
}

bool is_own_front(const std::string& file) {
    runtime::library mpi;
    return runtime::identify(file.c_str(), mpi) == identification::own_front;
}

// An RPATH comes before every library path, so that nothing can be put in the place of what it leads to.
void check_rpath(const examination& program, const std::string& library_path, findings& seen) {
    for (const auto& [soname, file] : program.mpis) {
        const std::string found = find_needed(program.file, soname, library_path);
        if (found.empty() || is_own_front(found))
            continue;
        seen.push_back(
            {level::warning, "rpath",
             fmt::format("{} leads by RPATH to {}: it runs on that one, whatever is chosen", program.file.path, found),
             "remove the RPATH (`patchelf --remove-rpath`), or link with -Wl,--enable-new-dtags"});
    }
}

void check_functions(const examination& program, const survey& machine, findings& seen) {
    const auto missing = judge_support(program, machine.chosen->mpi).missing;
    if (missing.empty())
        return;
    std::vector<std::string> better;
    for (const runtime::library& mpi : machine.libraries)
        if (!runtime::is_draft(mpi) && judge_support(program, mpi).missing.empty())
            better.emplace_back(runtime::describe(mpi).text);
    seen.push_back(
        {level::warning, "functions",
         fmt::format("{} uses {} that {} lacks: the calls report MPI_ERR_UNSUPPORTED_OPERATION", program.file.path,
                     fmt::join(missing, ", "), runtime::describe(machine.chosen->mpi).text),
         better.empty() ? "use a newer MPI, if the program needs them (`anympi inspect` shows all of them)"
                        : fmt::format("these have them: {}", fmt::join(better, ", "))});
}

// A program of the standard ABI, or one that shows no ABI.
void check_with_front(const examination& program, const survey& machine, findings& seen) {
    const placement placed = place(program.file.path, machine.chosen->mpi);
    if (!placed.refusal.empty()) {
        seen.push_back(finding_from_message(level::problem, "rpath", placed.refusal));
        return;
    }
    check_rpath(program, placed.library_path, seen);
    check_functions(program, machine, seen);
}

// A program of one vendor's ABI runs on the MPIs that have it.
void check_vendor_program(const examination& program, const survey& machine, findings& seen) {
    const auto runs_on = [&](const runtime::library& mpi) { return place(program.file.path, mpi).refusal.empty(); };
    if (runs_on(machine.chosen->mpi)) {
        check_functions(program, machine, seen);
        return;
    }
    const bool has_other = std::any_of(machine.libraries.begin(), machine.libraries.end(), runs_on);
    seen.push_back(finding_from_message(has_other ? level::warning : level::problem, "abi",
                                        place(program.file.path, machine.chosen->mpi).refusal));
}

} // namespace

findings check_program(const std::string& path, const survey& machine) {
    const examination program = examine(path);
    if (program.verdict == answer::unreadable)
        return explain_unreadable(program);
    findings seen;
    check_libraries(program, seen);
    if (program.verdict == answer::several)
        seen.push_back({level::problem, "two_mpis", fmt::format("{}: {}", program.file.path, program.remarks.back()),
                        "build all parts with the same MPI; `anympi inspect` shows them"});
    else if (program.verdict == answer::no_mpi)
        seen.push_back({level::note, check, fmt::format("{} uses no MPI", program.file.path)});
    else if (machine.chosen && program.interface && *program.interface != abi::standard)
        check_vendor_program(program, machine, seen);
    else if (machine.chosen)
        check_with_front(program, machine, seen);
    if (seen.empty())
        seen.push_back(
            {level::good, check, fmt::format("{} can run on the MPI that is chosen here", program.file.path)});
    return seen;
}

} // namespace anympi::command
