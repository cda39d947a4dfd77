#include "command/run/lacking_names.hpp"

#include "command/cli/own_files.hpp"
#include "command/inspect/register.hpp"
#include "interposer_list.hpp" // generated: the interposers
#include "runtime/environment.hpp"
#include "runtime/identify/symbols_of_file.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace anympi::command {
namespace {

// An interposer, and the names for which it is needed if the library lacks them.
struct interposer {
    std::string name;
    std::set<std::string> causes;
};

// Reads a line such as `requests | Isendrecv,Allreduce_init | -`: name, functions, data objects.
std::vector<interposer> read_interposers() {
    std::vector<interposer> all;
    std::istringstream lines(interposer_list);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream columns(line);
        std::string functions;
        std::string objects;
        interposer one;
        if (!std::getline(columns, one.name, ' ') || !std::getline(columns.ignore(2), functions, ' ') ||
            !std::getline(columns.ignore(2), objects))
            continue;
        std::istringstream names(functions);
        for (std::string name; std::getline(names, name, ',');)
            one.causes.insert("MPI_" + name);
        names = std::istringstream(objects);
        for (std::string name; std::getline(names, name, ',');)
            one.causes.insert(name);
        all.push_back(one);
    }
    return all;
}

bool emulates_all() {
    const char* const value = runtime::read_variable("ANYMPI_EMULATE");
    return value != nullptr && std::string_view(value) == "all";
}

bool is_needed(const interposer& one, const std::set<std::string>& lacking) {
    return std::any_of(lacking.begin(), lacking.end(), [&](const std::string& name) {
        return one.causes.contains(name) || one.causes.contains(function_behind(name));
    });
}

} // namespace

std::set<std::string> find_lacking_names(const examination& program, const std::vector<std::string>& files,
                                         bool has_our_companion) {
    std::set<std::string> names = has_our_companion ? called_functions(program.required) : program.required.functions;
    names.insert(program.required.extensions.begin(), program.required.extensions.end());
    names.insert(program.required.data.begin(), program.required.data.end());
    const runtime::symbols_of_file front(file_of_front(*program.interface).c_str());
    std::erase_if(names, [&](const std::string& name) { return !front.define(name); });
    for (const std::string& file : files) {
        const runtime::symbols_of_file library(file.c_str());
        std::erase_if(names, [&](const std::string& name) { return library.define(name); });
    }
    return names;
}

std::vector<std::string> supplement_for(const examination& program, const std::vector<std::string>& library,
                                        const std::set<std::string>& lacking) {
    std::vector<std::string> files;
    if (lacking.empty() && !emulates_all())
        return files;
    for (const interposer& one : read_interposers())
        if (emulates_all() ? one.name == "all" : is_needed(one, lacking))
            files.push_back(file_of_interposer(*program.interface, one.name));
    files.insert(files.end(), library.begin(), library.end());
    files.push_back(file_of_front(*program.interface));
    return files;
}

} // namespace anympi::command
