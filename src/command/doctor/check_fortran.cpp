#include "command/cli/files.hpp"
#include "command/cli/split_join.hpp"
#include "command/doctor/checks.hpp"
#include "command/doctor/quotation.hpp"
#include "command/run/child.hpp"
#include "runtime/environment.hpp"

#include <fmt/core.h>

#include <fstream>
#include <iterator>
#include <unistd.h>

namespace anympi::command {
namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;

constexpr char fortran_check[] = "fortran";
constexpr std::chrono::seconds modules_limit(60); // mpifort compiles modules for a new compiler

// Returns what mpifort prints to standard output and error. The last word is the folder of the modules.
child_end ask_mpifort(const std::string& mpifort) {
    child asked(child::errors::hidden, [&](int pipe_end) {
        dup2(pipe_end, STDOUT_FILENO);
        dup2(pipe_end, STDERR_FILENO);
        execl(mpifort.c_str(), mpifort.c_str(), "-showme:incdirs", nullptr);
        return 127;
    });
    return asked.wait(clock::now() + modules_limit);
}

// Returns the last word of a text. A word with blanks is in quotes.
std::string last_word(std::string text) {
    while (text.ends_with('\n'))
        text.pop_back();
    if (!text.ends_with('"'))
        return text.substr(text.find_last_of(" \n") + 1);
    text.pop_back();
    return text.substr(text.rfind('"') + 1);
}

// The lines of mpifort tell what is wrong and what to do. All other lines come from the compiler.
finding explain_failure(const std::string& mpifort, const child_end& end) {
    constexpr std::string_view prefix = "mpifort: ";
    std::vector<std::string> own, others;
    for (const std::string& line : split_list(end.answer, "\n")) {
        if (line.starts_with(prefix) && line.find("compiling the modules") == line.npos)
            own.push_back(line.substr(prefix.size()));
        else if (!line.empty() && !line.starts_with(prefix))
            others.push_back(line);
    }
    finding result{level::warning, fortran_check, "", fmt::format("try it by hand: `{} -showme:compile`", mpifort)};
    result.what = fmt::format("programs in Fortran cannot be compiled: {}",
                              own.empty() ? "mpifort " + explain(end, modules_limit) : own.front());
    if (own.size() > 1)
        result.remedy = own.back();
    result.details = quote_output(join_list(others, "\n"));
    return result;
}

// A compiler that is too old compiles only mpif.h. mpifort writes the reason beside the modules.
finding describe_modules(const std::string& compiler, const std::string& modules) {
    std::ifstream file(fs::path(modules) / "lacking");
    const std::string lacking((std::istreambuf_iterator<char>(file)), {});
    if (lacking.empty())
        return {level::good, fortran_check,
                fmt::format("mpifort compiles by {}; its modules are in {}", compiler, modules)};
    return {level::warning, fortran_check, fmt::format("{} cannot have all modules of MPI", compiler),
            "name a newer compiler: ANYMPI_FC in the environment", lacking};
}

} // namespace

findings check_fortran() {
    const char* named = runtime::read_variable("ANYMPI_FC");
    const std::string compiler = named ? named : "gfortran";
    const std::string mpifort = (real_path("/proc/self/exe").parent_path() / "mpifort").string();
    // Without a compiler, and without ANYMPI_FC, the user does not compile Fortran.
    if (!is_executable(mpifort) || (!named && find_program(compiler).empty()))
        return {};
    const child_end end = ask_mpifort(mpifort);
    return {end.is_good() ? describe_modules(compiler, last_word(end.answer)) : explain_failure(mpifort, end)};
}

} // namespace anympi::command
