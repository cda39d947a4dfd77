#include "command/inspect/support.hpp"

#include "command/inspect/mpi_names.hpp"
#include "command/run/placement.hpp"
#include "report.hpp" // generated: every function of MPI and what stands behind it
#include "runtime/environment.hpp"
#include "runtime/identify/mapped_file.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

namespace anympi::command {
namespace {

// What anympi does for a function, by the generator's report: `MPI_Psend_init_c written partitioned.hpp (needs
// Psend_init)`.
struct home {
    bool is_ours = false;           // answered without asking the runtime
    std::string needs;              // the runtime's function behind it
    std::string also;               // its name in libraries that had it before the standard
    std::string wrong_in;           // the family whose libraries' own is not used
    bool is_built = false;          // from others, where the runtime lacks it
    std::vector<std::string> parts; // those others
    std::string how;                // it is built, in words
};

std::vector<std::string> names_in(const std::string& list) {
    std::vector<std::string> names;
    std::istringstream items(list);
    for (std::string name; std::getline(items, name, ',');)
        if (name != "-")
            names.push_back("MPI_" + name);
    return names;
}

// `(built from Isend,Irecv as a send and a receive)`
void read_parts(const std::string& text, home& one) {
    const std::size_t end = text.find(" as ");
    one.is_built = true;
    one.parts = names_in(text.substr(0, end));
    one.how = end != text.npos ? text.substr(end + 4) : "";
}

// What stands in parentheses: a word that says what it is, and the rest.
void read_remark(const std::string& text, home& one) {
    constexpr std::string_view built = "built from ";
    if (text.starts_with(built))
        return read_parts(text.substr(built.size()), one);
    const std::size_t end = text.find(' ');
    const std::string other = end != text.npos ? text.substr(end + 1) : "";
    if (text.starts_with("needs"))
        one.needs = "MPI_" + other;
    else
        (text.starts_with("wrong") ? one.wrong_in : one.also) = other;
}

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
        one.is_ours = how == "answered";
        for (std::string remark; std::getline(words, remark, '(') && std::getline(words, remark, ')');)
            read_remark(remark, one);
    }
    return homes;
}

const std::map<std::string, home>& all_homes() {
    static const std::map<std::string, home> homes = read_report();
    return homes;
}

const home* home_of(const std::string& name) {
    const auto found = all_homes().find(name);
    return found != all_homes().end() ? &found->second : nullptr;
}

// The functions of C, by their names in small letters.
std::map<std::string, std::string> read_small_names() {
    std::map<std::string, std::string> names;
    for (const auto& [name, home] : all_homes())
        names.emplace(c_name_of_fortran(name), name);
    return names;
}

// The functions that a program calls, those behind Fortran procedures too.
std::set<std::string> called_functions(const mpi_use& uses) {
    static const std::map<std::string, std::string> small_names = read_small_names();
    std::set<std::string> called = uses.functions;
    for (const std::string& name : uses.fortran)
        if (const auto found = small_names.find(c_name_of_fortran(name)); found != small_names.end())
            called.insert(found->second);
    return called;
}

// Whether the front finds or builds this function of the runtime.
bool can_be_had(const std::string& name, const runtime::elf_file& library) {
    if (library.defines(name))
        return true;
    const home* const known = home_of(name);
    if (known == nullptr)
        return false;
    if (!known->also.empty() && library.defines(known->also))
        return true;
    return known->is_built && !runtime::is_off("ANYMPI_EMULATE") &&
           std::all_of(known->parts.begin(), known->parts.end(),
                       [&](const std::string& part) { return can_be_had(part, library); });
}

bool is_supplied_by_us(const std::string& name, const runtime::elf_file& library) {
    const home* const known = home_of(name);
    return known != nullptr && (known->is_ours || can_be_had(known->needs.empty() ? name : known->needs, library));
}

// The library has it, but not as MPI wants it.
bool is_replaced(const std::string& name, const runtime::library& mpi) {
    const home* const known = home_of(name);
    return known != nullptr && !known->wrong_in.empty() && !runtime::is_off("ANYMPI_EMULATE") &&
           runtime::family_named(known->wrong_in.c_str()) == mpi.lineage;
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
    for (const std::string& name : called_functions(program.uses)) {
        const bool is_by_front = result.how == support::way::by_front;
        if (library.defines(name) && !(is_by_front && is_replaced(name, mpi)))
            result.native.push_back(name);
        else if (is_by_front && is_supplied_by_us(name, library))
            result.emulated.push_back(name);
        else
            result.missing.push_back(name);
    }
    judge_extensions(program, library, result);
    return result;
}

std::string how_it_is_built(const std::string& name) {
    const home* const known = home_of(name);
    if (known == nullptr)
        return "";
    return known->is_built || known->needs.empty() ? known->how : how_it_is_built(known->needs);
}

} // namespace anympi::command
