#include "command/inspect/register.hpp"

#include "function_report.hpp" // generated: every function of MPI and what stands behind it
#include "override_list.hpp"   // generated: the register
#include "runtime/environment.hpp"
#include "runtime/identify/mapped_file.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>

namespace anympi::command {
namespace {

// One line of the generator's report: `MPI_Psend_init_c written partitioned_large.hpp (needs Psend_init)`. It says
// which function of the library the bridge of a function needs.
struct home {
    bool is_ours = false; // answered without asking the runtime
    std::string needs;    // the runtime's function behind it
    std::string also;     // its name in libraries that had it before the standard
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
        one.needs = name;
        for (std::string remark; std::getline(words, remark, '(') && std::getline(words, remark, ')');) {
            if (remark.starts_with("needs "))
                one.needs = "MPI_" + remark.substr(6);
            else if (remark.starts_with("also "))
                one.also = remark.substr(5);
        }
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

struct override_register {
    std::map<std::string, std::string> moments;
    std::set<std::string> lazy_moments;
    std::map<std::string, std::vector<std::string>>
        symbols_of_type; // that libraries of MPICH's family have since the datatype
    std::map<std::string, override_entry> absent;
    std::map<std::string, override_entry> wrong;
    std::vector<override_entry> extended; // in the order of their installation
};

std::vector<std::string> names_in(const std::string& list) {
    std::vector<std::string> names;
    for (const std::string& name : split(list, ","))
        if (name != "-")
            names.push_back("MPI_" + name);
    return names;
}

// `Bsend | extended | without Buffer_flush | binding | Send_c | buffers/buffered_sends.hpp | 0 | code | sentence`
override_register read_register() {
    override_register all;
    std::istringstream lines(override_list);
    for (std::string line; std::getline(lines, line);) {
        const std::vector<std::string> columns = split(line, " | ");
        if (columns.size() == 4 && columns[0] == "when") { // `when | used | compound_request | from the first …`
            all.moments[columns[2]] = columns[3];
            if (columns[1] == "used")
                all.lazy_moments.insert(columns[2]);
        } else if (columns.size() ==
                   4) { // `datatype | mpich | MPI_INTEGER16 | MPI_Abi_get_version and MPIX_Op_create_x`
            all.symbols_of_type[columns[2]] = split(columns[3], " and ");
        }
        if (columns.size() != 9)
            continue;
        const override_entry entry{"MPI_" + columns[0], columns[1], columns[2], columns[3], names_in(columns[4]),
                                   columns[5],          columns[6], columns[7], columns[8]};
        if (entry.reason == "extended")
            all.extended.push_back(entry);
        else
            (entry.reason == "wrong" ? all.wrong : all.absent)[entry.function] = entry;
    }
    return all;
}

const override_register& registered() {
    static const override_register all = read_register();
    return all;
}

} // namespace

bool function_answer::is_native() const {
    return !is_missing && !is_by_anympi_alone && built == nullptr && extensions.empty() && also.empty();
}

bool function_answer::is_extended() const {
    return !is_missing && !is_by_anympi_alone && built == nullptr && !extensions.empty();
}

std::string meaning_of_moment(const std::string& when) {
    const auto found = registered().moments.find(when);
    return found != registered().moments.end() ? found->second : when;
}

function_directory::function_directory(const runtime::library& mpi, abi of_program)
    : mpi_(mpi), of_program_(of_program), is_direct_(of_program == abi::standard && mpi.interface == abi::standard),
      emulates_(!runtime::is_off("ANYMPI_EMULATE")) {
    const runtime::mapped_file mapped(mpi.path);
    runtime::elf_file library;
    runtime::elf_file::read(mapped.bytes(), library);
    for (const auto& [name, home] : all_homes())
        for (const std::string& symbol : {name, home.also})
            if (!symbol.empty() && library.defines(symbol))
                symbols_.insert(symbol);
    for (const auto& [type, symbols] : registered().symbols_of_type)
        for (const std::string& symbol : symbols)
            if (library.defines(symbol))
                symbols_.insert(symbol);
}

// By whatever name.
bool function_directory::has(const std::string& name) const {
    const home* const known = home_of(name);
    return symbols_.contains(name) || (known != nullptr && symbols_.contains(known->also));
}

// Returns true if the front finds or builds this function of the library.
bool function_directory::can_be_had(const std::string& name) const {
    return has(name) || find_built(name) != nullptr;
}

const override_entry* function_directory::find_built(const std::string& name) const {
    const override_register& all = registered();
    if (!emulates_)
        return nullptr;
    if (const auto wrong = all.wrong.find(name); has(name)) {
        const bool is_replaced = wrong != all.wrong.end() && applies(wrong->second) &&
                                 std::all_of(wrong->second.calls.begin(), wrong->second.calls.end(),
                                             [&](const std::string& part) { return has(part); });
        return is_replaced ? &wrong->second : nullptr;
    }
    const auto absent = all.absent.find(name);
    const bool is_built = absent != all.absent.end() && !is_direct_ &&
                          std::all_of(absent->second.calls.begin(), absent->second.calls.end(),
                                      [&](const std::string& part) { return can_be_had(part); });
    return is_built ? &absent->second : nullptr;
}

bool function_directory::is_whole() const {
    return std::all_of(all_homes().begin(), all_homes().end(),
                       [&](const auto& known) { return known.second.is_ours || can_be_had(known.second.needs); });
}

// Open MPI has objects for datatypes that it lacks: only the running library tells.
bool function_directory::lacks_type(const std::string& name) const {
    const std::vector<std::string>& symbols = registered().symbols_of_type.at(name);
    const bool has_all = std::all_of(symbols.begin(), symbols.end(),
                                     [&](const std::string& symbol) { return symbols_.contains(symbol); });
    return mpi_.interface == abi::openmpi || (mpi_.interface == abi::mpich && !has_all);
}

bool function_directory::fulfils(const std::string& condition, const std::string& function) const {
    std::istringstream words(condition);
    std::string word;
    std::string of;
    words >> word >> of;
    if (word == "family")
        return runtime::family_named(of.c_str()) == mpi_.lineage;
    if (word == "abi")
        return runtime::interface_of(runtime::family_named(of.c_str())) == mpi_.interface;
    if (of == "datatype" && words >> of)
        return lacks_type("MPI_" + of);
    return has(of == "it" ? function : "MPI_" + of) == (word == "with");
}

bool function_directory::applies(const override_entry& entry) const {
    if (entry.libraries == "any")
        return true;
    const std::vector<std::string> conditions = split(entry.libraries, ", ");
    return std::all_of(conditions.begin(), conditions.end(),
                       [&](const std::string& condition) { return fulfils(condition, entry.function); });
}

bool function_directory::is_installed_at_binding(const override_entry& entry) const {
    if (entry.when == "whole_standard")
        return !is_direct_ && is_whole();
    const bool is_for_program =
        entry.when == "binding" || (entry.when == "standard_program" && of_program_ == abi::standard);
    return emulates_ && !is_direct_ && is_for_program;
}

// A bridge makes requests with work at their end even without emulation: the arrays of MPI_Ialltoallw live as long as
// the operation.
bool function_directory::may_be_installed_later(const override_entry& entry) const {
    return emulates_ || (!is_direct_ && entry.when == "compound_request");
}

function_answer function_directory::find(const std::string& name) const {
    function_answer answer;
    const home* const known = home_of(name);
    answer.is_by_anympi_alone = known != nullptr && known->is_ours;
    answer.needs = known != nullptr ? known->needs : name;
    answer.is_missing = !answer.is_by_anympi_alone && !can_be_had(answer.needs);
    if (answer.is_missing || answer.is_by_anympi_alone)
        return answer;
    const home* const behind = home_of(answer.needs);
    answer.also = behind != nullptr && !symbols_.contains(answer.needs) ? behind->also : "";
    answer.built = find_built(answer.needs);
    if (answer.built != nullptr)
        answer.also.clear();
    for (const override_entry& entry : registered().extended) {
        if (entry.function != answer.needs || !applies(entry))
            continue;
        const bool is_the_same =
            answer.built != nullptr && answer.extensions.empty() && answer.built->code == entry.code;
        const bool is_lazy = registered().lazy_moments.contains(entry.when);
        if (is_lazy ? may_be_installed_later(entry) : is_installed_at_binding(entry) && !is_the_same)
            (is_lazy ? answer.later : answer.extensions).push_back(&entry);
    }
    std::reverse(answer.extensions.begin(), answer.extensions.end());
    std::reverse(answer.later.begin(), answer.later.end());
    return answer;
}

const std::vector<std::string>& all_functions() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const auto& [name, home] : all_homes())
            all.push_back(name);
        return all;
    }();
    return names;
}

std::string how_it_is_built(const std::string& name) {
    const home* const known = home_of(name);
    const auto found = registered().absent.find(known != nullptr ? known->needs : name);
    return found != registered().absent.end() ? found->second.sentence : "";
}

} // namespace anympi::command
