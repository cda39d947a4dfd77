#include "command/support.hpp"

#include "command/placement.hpp"
#include "report.hpp" // generated: every function of MPI and what stands behind it
#include "runtime/mapped_file.hpp"

#include <map>
#include <sstream>

namespace anympi::command {
namespace {

// What anympi does for a function, by the generator's report: `MPI_Psend_init_c written partitioned.hpp (needs
// Psend_init)`.
struct home {
    bool is_ours = false; // emulated, or answered without asking the runtime
    std::string needs;    // the runtime's function behind it
    std::string also;     // its name in libraries that had it before the standard
};

std::map<std::string, home> read_report() {
    std::map<std::string, home> homes;
    std::istringstream lines(function_report);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name;
        std::string how;
        std::string file;
        if (!line.starts_with("MPI_") || !(words >> name >> how >> file))
            continue;
        home& one = homes[name];
        one.is_ours = how == "emulated" || how == "answered";
        for (std::string which, other; words >> which && std::getline(words >> std::ws, other, ')');)
            which == "(needs" ? one.needs = "MPI_" + other : one.also = other;
    }
    return homes;
}

bool is_supplied_by_us(const std::string& name, const runtime::elf_file& library) {
    static const std::map<std::string, home> homes = read_report();
    const auto found = homes.find(name);
    if (found == homes.end())
        return false;
    const auto has = [&](const std::string& other) { return !other.empty() && library.defines(other); };
    return found->second.is_ours || has(found->second.needs) || has(found->second.also);
}

support::way way_to(const examination& program, const runtime::library& mpi) {
    return program.interface == mpi.interface && mpi.interface != abi::standard ? support::way::directly
                                                                                : support::way::by_front;
}

// Extensions are one vendor's: its own library has them, and our front for its programs has some.
void judge_extensions(const examination& program, const runtime::elf_file& library, support& result) {
    const bool is_by_front = result.how == support::way::by_front && program.interface;
    const std::string front = is_by_front ? file_of_front(*program.interface) : "";
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

} // namespace

support judge_support(const examination& program, const runtime::library& mpi) {
    support result;
    result.reason = place(program, mpi, present_library_path()).refusal;
    result.how = result.reason.empty() ? way_to(program, mpi) : support::way::not_at_all;
    const runtime::mapped_file mapped(mpi.path);
    runtime::elf_file library;
    runtime::elf_file::read(mapped.bytes(), library);
    for (const std::string& name : program.uses.functions) {
        if (library.defines(name))
            result.native.push_back(name);
        else if (result.how == support::way::by_front && is_supplied_by_us(name, library))
            result.emulated.push_back(name);
        else
            result.missing.push_back(name);
    }
    judge_extensions(program, library, result);
    return result;
}

} // namespace anympi::command
