#include "command/list/unique_names.hpp"

#include "command/cli/files.hpp"
#include "runtime/find/requested_name.hpp"
#include "runtime/find/search.hpp"
#include "runtime/identify/exact_version.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace anympi::command {
namespace {

std::string family_of(const runtime::library& mpi) {
    if (const runtime::known_product* const known = runtime::product_of(mpi))
        return known->name;
    return mpi.interface == abi::standard ? runtime::name_of_the_standard : "";
}

std::size_t count_of_name(const std::vector<runtime::library>& libraries, const std::string& text) {
    runtime::requested_name name;
    if (!runtime::read_name(text, name))
        return 0;
    return static_cast<std::size_t>(std::count_if(libraries.begin(), libraries.end(), [&](const auto& mpi) {
        return !runtime::is_draft(mpi) && runtime::goes_by_name(mpi, name);
    }));
}

// Returns the names of one library, the shortest first. They have the version if there are several versions.
std::vector<std::string> names_to_try(const std::vector<runtime::library>& libraries, const runtime::library& mpi) {
    const std::string family = family_of(mpi);
    const std::string with_version = family + "-" + mpi.version;
    const std::string interface = mpi.interface == abi::standard ? ":standard" : ":vendor";
    if (count_of_name(libraries, family) == count_of_name(libraries, with_version))
        return {family, family + interface};
    return {family, with_version, with_version + interface};
}

// Returns the folder of the library's installation if this folder means the library; else the library's path.
std::string path_to_type(const runtime::library& mpi) {
    runtime::place where;
    where.path.append("%s", std::filesystem::path(mpi.path).parent_path().parent_path().c_str());
    where.is_pointed_to = true;
    runtime::library found;
    runtime::refusal refused;
    const bool means_library = runtime::find_in(where, {}, found, refused) && is_same_file(found.path, mpi.path);
    return means_library ? where.path.text : mpi.path;
}

} // namespace

std::vector<std::string> find_unique_names(const survey& machine) {
    std::vector<runtime::library> searched(machine.libraries.begin(),
                                           machine.libraries.begin() + std::ptrdiff_t(machine.found_by_search));
    for (runtime::library& mpi : searched)
        std::strncpy(mpi.version, runtime::exact_version(mpi).text, sizeof mpi.version - 1);
    std::vector<std::string> names;
    for (const runtime::library& mpi : machine.libraries) {
        std::string& chosen = names.emplace_back();
        if (runtime::is_draft(mpi))
            continue;
        if (const std::size_t index = names.size() - 1; index < searched.size())
            for (const std::string& name : names_to_try(searched, searched[index]))
                if (chosen.empty() && count_of_name(searched, name) == 1)
                    chosen = name;
        if (chosen.empty())
            chosen = path_to_type(mpi);
    }
    return names;
}

} // namespace anympi::command
