#include "command/inspect/register.hpp"

#include "command/inspect/mpi_names.hpp"
#include "emulate/engine/emulation.hpp"
#include "function_report.hpp" // generated: every function of MPI and its home
#include "override_list.hpp"   // generated: the register
#include "runtime/environment.hpp"
#include "runtime/identify/mapped_file.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

namespace anympi::command {
namespace {

// One line of the generator's report, such as `MPI_Psend_init_c written partitioned_large.hpp (needs Psend_init)`. In
// parentheses is the library's function that the bridge needs.
struct home {
    std::string name;
    bool is_ours = false; // anympi answers without the library
    std::string needs;    // the library's function that the bridge calls
    std::string also;     // its name in libraries that are older than the standard function
};

std::vector<std::string> split(const std::string& text, std::string_view separator) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + separator.size();
    }
    return parts;
}

std::vector<home> read_report() {
    std::vector<home> homes;
    std::istringstream lines(function_report);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name;
        std::string how;
        std::string file;
        if (!line.starts_with("MPI_") || !(words >> name >> how >> file))
            continue;
        home& one = homes.emplace_back(home{name, how == "answered", name, ""});
        for (std::string remark; std::getline(words, remark, '(') && std::getline(words, remark, ')');) {
            if (remark.starts_with("needs "))
                one.needs = "MPI_" + remark.substr(6);
            else if (remark.starts_with("also "))
                one.also = remark.substr(5);
        }
    }
    return homes;
}

// All tables of functions have this order.
const std::vector<home>& all_homes() {
    static const std::vector<home> homes = read_report();
    return homes;
}

std::size_t number_of(const home& one) {
    return static_cast<std::size_t>(&one - all_homes().data());
}

// Returns the line of a function, or nullptr if MPI has no such function.
const home* home_of(const std::string& name) {
    static const std::map<std::string_view, const home*> by_name = [] {
        std::map<std::string_view, const home*> all;
        for (const home& one : all_homes())
            all[one.name] = &one;
        return all;
    }();
    const auto found = by_name.find(name);
    return found != by_name.end() ? found->second : nullptr;
}

struct override_register {
    std::map<std::string, std::string> moments;
    std::map<std::string, std::vector<std::string>>
        symbols_of_type; // the symbols that show if a library of MPICH's family has the datatype
    std::map<std::string, override_entry> absent;
    std::map<std::string, override_entry> wrong;
    std::vector<override_entry> extended; // in the order of installation
    std::map<std::string, override_entry> bridged;
    std::map<std::string, override_entry> bridged_later;
    std::set<std::string> lazy; // moments that depend on what the program does
};

std::vector<std::string> names_in(const std::string& list) {
    std::vector<std::string> names;
    for (const std::string& name : split(list, ","))
        if (name != "-")
            names.push_back("MPI_" + name);
    return names;
}

// `Isendrecv | absent | any | binding | Isend,Irecv | src/emulate/requests/isendrecv.hpp | - | code | sentence`
override_register read_register() {
    override_register all;
    std::istringstream lines(override_list);
    for (std::string line; std::getline(lines, line);) {
        const std::vector<std::string> columns = split(line, " | ");
        if (columns.size() == 4 && columns[0] == "when") { // `when | used | compound_request | from the first …`
            all.moments[columns[2]] = columns[3];
            if (columns[1] == "used")
                all.lazy.insert(columns[2]);
        } else if (columns.size() == 4) // `datatype | mpich | MPI_INTEGER16 | MPI_Abi_get_version and MPIX_Op_create_x`
            all.symbols_of_type[columns[2]] = split(columns[3], " and ");
        if (columns.size() != 9)
            continue;
        const override_entry entry{"MPI_" + columns[0], columns[1], columns[2], columns[3], names_in(columns[4]),
                                   columns[5],          columns[6], columns[7], columns[8]};
        if (entry.reason == "extended")
            all.extended.push_back(entry);
        else if (entry.reason == "bridged")
            (all.lazy.contains(entry.when) ? all.bridged_later : all.bridged)[entry.function] = entry;
        else
            (entry.reason == "wrong" ? all.wrong : all.absent)[entry.function] = entry;
    }
    return all;
}

const override_register& registered() {
    static const override_register all = read_register();
    return all;
}

// Maps names in small letters to C functions.
std::map<std::string, std::string> read_small_names() {
    std::map<std::string, std::string> names;
    for (const std::string& name : all_functions())
        names.emplace(c_name_of_fortran(name), name);
    return names;
}

// Marks the library's own function. The front has the function's address instead of the mark.
char own_function;

} // namespace

bool function_answer::is_native() const {
    return !is_missing && !is_by_anympi_alone && built == nullptr && also.empty() && !is_extended();
}

bool function_answer::is_extended() const {
    return !is_missing && !is_by_anympi_alone && built == nullptr &&
           std::any_of(extensions.begin(), extensions.end(),
                       [](const override_entry* one) { return one->reason != "bridged"; });
}

std::string meaning_of_moment(const std::string& when) {
    const auto found = registered().moments.find(when);
    return found != registered().moments.end() ? found->second : when;
}

function_directory::function_directory(const runtime::library& mpi, abi of_program)
    : mpi_(mpi), of_program_(of_program), is_direct_(of_program == abi::standard && mpi.interface == abi::standard),
      has_front_(!needs_no_front(of_program, mpi)), emulates_(!runtime::is_off("ANYMPI_EMULATE")) {
    find_symbols();
    bind();
}

void function_directory::find_symbols() {
    const runtime::mapped_file mapped(mpi_.path);
    runtime::elf_file library;
    runtime::elf_file::read(mapped.bytes(), library);
    const auto look_for = [&](const std::string& symbol) {
        if (!symbol.empty() && library.defines(symbol))
            symbols_.insert(symbol);
    };
    for (const home& one : all_homes()) {
        look_for(one.name);
        look_for(one.also);
    }
    for (const auto& [type, symbols] : registered().symbols_of_type)
        std::for_each(symbols.begin(), symbols.end(), look_for);
}

// Does what the front does when it binds the library, but with entries of the register instead of functions.
void function_directory::bind() {
    for (const home& one : all_homes())
        bound_.push_back(has(static_cast<function>(number_of(one))) ? &own_function : nullptr);
    std::vector<void*> codes;
    for (const emulate::emulation& each : emulate::emulations)
        codes.push_back(const_cast<override_entry*>(&registered().absent.at(all_homes()[each.of].name)));
    if (emulates_)
        emulate::replace_wrong(bound_.data(), codes.data(), mpi_.lineage);
    if (emulates_ && !is_direct_)
        emulate::fill_missing(bound_.data(), codes.data());
}

// The library may have the function by an older name.
bool function_directory::has(function one) const {
    const home& known = all_homes()[static_cast<std::size_t>(one)];
    return symbols_.contains(known.name) || symbols_.contains(known.also);
}

bool function_directory::has_abi(abi name) const {
    return mpi_.interface == name;
}

// Returns true if the library may lack a datatype. Open MPI has objects even for datatypes that it lacks, so only the
// running library can tell.
bool function_directory::lacks_type(const emulate::datatype_name& type) const {
    const std::vector<std::string>& symbols = registered().symbols_of_type.at(type.name);
    const bool has_all = std::all_of(symbols.begin(), symbols.end(),
                                     [&](const std::string& symbol) { return symbols_.contains(symbol); });
    return mpi_.interface == abi::openmpi || (mpi_.interface == abi::mpich && !has_all);
}

// Returns true if the front finds or builds this function of the library.
bool function_directory::is_there(const std::string& name) const {
    const home* const known = home_of(name);
    return known != nullptr && bound_[number_of(*known)] != nullptr;
}

const override_entry* function_directory::find_built(const std::string& name) const {
    const std::size_t number = number_of(*home_of(name));
    const void* const by = bound_[number];
    if (by == nullptr || by == &own_function)
        return nullptr;
    return has(static_cast<function>(number)) ? &registered().wrong.at(name) : static_cast<const override_entry*>(by);
}

bool function_directory::is_whole() const {
    return std::all_of(all_homes().begin(), all_homes().end(),
                       [&](const home& known) { return known.is_ours || is_there(known.needs); });
}

bool function_directory::is_installed_at_binding(emulate::moment when) const {
    if (when == emulate::moment::whole_standard)
        return !is_direct_ && is_whole();
    const bool is_for_program = when != emulate::moment::standard_program || of_program_ == abi::standard;
    return emulates_ && !is_direct_ && is_for_program;
}

// Returns true if the program can cause this moment later. A bridge can make compound requests even without emulation:
// anympi keeps the arrays of MPI_Ialltoallw until the operation ends.
bool function_directory::may_be_installed_later(emulate::moment when) const {
    return emulates_ || (!is_direct_ && when == emulate::moment::compound_request);
}

// Adds the functions that are called before the library's function or before the built one, the newest first.
void function_directory::add_overrides(function_answer& answer) const {
    for (std::size_t i = 0; i < std::size(emulate::overrides); ++i) {
        const emulate::override_rule& rule = emulate::overrides[i];
        const override_entry& entry = registered().extended[i];
        if (entry.function != answer.needs || !emulate::fulfils(*this, rule.where))
            continue;
        const bool is_the_same =
            answer.built != nullptr && answer.extensions.empty() && answer.built->code == entry.code;
        if (rule.is_lazy ? may_be_installed_later(rule.when) : is_installed_at_binding(rule.when) && !is_the_same)
            (rule.is_lazy ? answer.later : answer.extensions).push_back(&entry);
    }
    std::reverse(answer.extensions.begin(), answer.extensions.end());
    std::reverse(answer.later.begin(), answer.later.end());
}

// Adds the bridge of a function. Even a library with the standard ABI has bridges for some functions.
void function_directory::add_bridge(const std::string& name, function_answer& answer) const {
    if (!is_direct_)
        return;
    if (const auto found = registered().bridged.find(name); found != registered().bridged.end())
        answer.extensions.insert(answer.extensions.begin(), &found->second);
    if (const auto found = registered().bridged_later.find(name); found != registered().bridged_later.end())
        answer.later.insert(answer.later.begin(), &found->second);
}

function_answer function_directory::find(const std::string& name) const {
    function_answer answer;
    if (!has_front_ && symbols_.contains(name)) { // the front adds what the library lacks
        answer.needs = name;
        return answer;
    }
    const home* const known = home_of(name);
    answer.is_by_anympi_alone =
        known != nullptr && known->is_ours && (!is_direct_ || registered().bridged.contains(name));
    answer.needs = known != nullptr ? known->needs : name;
    answer.is_missing = !answer.is_by_anympi_alone && !is_there(answer.needs);
    if (answer.is_missing || answer.is_by_anympi_alone)
        return answer;
    const home* const behind = home_of(answer.needs);
    answer.also = behind != nullptr && !symbols_.contains(answer.needs) ? behind->also : "";
    answer.built = find_built(answer.needs);
    if (answer.built != nullptr)
        answer.also.clear();
    add_overrides(answer);
    add_bridge(name, answer);
    return answer;
}

const std::vector<std::string>& all_functions() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const home& one : all_homes())
            all.push_back(one.name);
        return all;
    }();
    return names;
}

std::string how_it_is_built(const std::string& name) {
    const home* const known = home_of(name);
    const auto found = registered().absent.find(known != nullptr ? known->needs : name);
    return found != registered().absent.end() ? found->second.sentence : "";
}

std::set<std::string> called_functions(const mpi_use& uses) {
    static const std::map<std::string, std::string> small_names = read_small_names();
    std::set<std::string> called = uses.functions;
    for (const std::string& name : uses.fortran)
        if (const auto found = small_names.find(c_name_of_fortran(name)); found != small_names.end())
            called.insert(found->second);
    return called;
}

std::string function_behind(const std::string& name) {
    const auto known =
        std::find_if(all_homes().begin(), all_homes().end(), [&](const home& one) { return one.also == name; });
    return known != all_homes().end() ? known->name : name;
}

} // namespace anympi::command
