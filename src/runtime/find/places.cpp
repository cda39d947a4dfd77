#include "runtime/find/search.hpp"

#include "runtime/environment.hpp"
#include "runtime/find/layouts.hpp"
#include "runtime/find/real_file.hpp"
#include "runtime/find/trust.hpp"
#include "runtime/launch/launcher.hpp"

#include <algorithm>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace anympi::runtime {
namespace {

using visitor = function_ref<bool(const place&)>;

// Calls `use` with each entry of a list such as PATH, until it returns true. Relative entries are left out: their
// meaning depends on the working directory.
bool any_entry(const char* list, function_ref<bool(std::string_view)> use) {
    std::string_view rest = list ? list : "";
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::string_view entry{rest.data(), end};
        if (entry.starts_with('/') && use(entry))
            return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

template <std::size_t count>
bool visit_variables(const char* const (&names)[count], visitor visit) {
    for (const char* name : names) {
        const char* value = read_variable(name);
        if (!value || value[0] != '/')
            continue;
        place where;
        where.path.append("%s", value);
        where.is_pointed_to = true;
        where.reason.append("%s names it", name);
        if (visit(where))
            return true;
    }
    return false;
}

// Visits the installation of the mpiexec in a folder. If all MPIs share /usr/bin, the real file tells the family
// (Debian: mpiexec -> … -> orterun). A site may instead link mpiexec to its own script, so the installation around the
// link is visited second.
bool visit_mpiexec(std::string_view folder, visitor visit) {
    path_text file;
    file.append("%.*s/mpiexec", static_cast<int>(folder.size()), folder.data());
    path_text real;
    if (file.cut || !find_real_file(file.text, real))
        return false;

    place where;
    where.is_pointed_to = true;
    where.reason.append("%s belongs to it", file.text);
    if (const launcher_program* program = find_launcher_program(real.text))
        where.expected = program->serves;
    if (set_prefix_of(real.text, where) && visit(where))
        return true;
    place around_link = where;
    around_link.expected = family::unknown;
    if (!set_prefix_of(file.text, around_link) || std::strcmp(around_link.path.text, where.path.text) == 0)
        return false;
    return visit(around_link);
}

bool visit_library_folder(std::string_view folder, visitor visit) {
    place where;
    where.path.append("%.*s", static_cast<int>(folder.size()), folder.data());
    where.is_prefix = false;
    where.reason.append("LD_LIBRARY_PATH leads to it");
    return visit(where);
}

// Visits the folders of `search`. A person has written `search`, so the rare file names are tried there, too.
bool visit_configured(const configuration& settings, visitor visit) {
    return any_entry(settings.search.text, [&](std::string_view folder) {
        place where;
        where.path.append("%.*s", static_cast<int>(folder.size()), folder.data());
        where.is_pointed_to = true;
        where.reason.append("search in %s names it", settings.search_file.text);
        return visit(where);
    });
}

place system_prefix(const machine& machine, const char* folder) {
    place where;
    where.path.append("%s%s", machine.root, folder);
    where.reason.append("it is installed in %s", where.path.text);
    return where;
}

bool is_collected(const char* name) {
    return std::any_of(std::begin(collected_names), std::end(collected_names),
                       [&](const char* known) { return std::strncmp(name, known, std::strlen(known)) == 0; });
}

// Visits the installations that share a folder, in descending order so that newer versions come first.
bool visit_collection(const path_text& folder, visitor visit) {
    DIR* stream = opendir(folder.text);
    if (!stream)
        return false;
    constexpr std::size_t most = 16;
    char names[most][64];
    std::size_t count = 0;
    while (const dirent* entry = readdir(stream))
        if (const std::size_t length = std::strlen(entry->d_name);
            count < most && length < sizeof names[0] && is_collected(entry->d_name))
            std::memcpy(names[count++], entry->d_name, length + 1);
    closedir(stream);

    const char* sorted[most]{};
    std::transform(names, names + count, sorted, [](const char(&name)[64]) { return name; });
    std::sort(sorted, sorted + count, [](const char* left, const char* right) { return strverscmp(left, right) > 0; });
    return std::any_of(sorted, sorted + count, [&](const char* name) {
        path_text prefix = folder;
        prefix.append("/%s", name);
        return visit(system_prefix({}, prefix.text));
    });
}

bool visit_system(const machine& machine, visitor visit) {
    for (const char* prefix : system_prefixes)
        if (visit(system_prefix(machine, prefix)))
            return true;
    for (const char* prefix : vendors_prefixes) {
        place where = system_prefix(machine, prefix);
        where.is_pointed_to = true;
        if (visit(where))
            return true;
    }
    for (const char* folder : system_collections) {
        path_text path;
        path.append("%s%s", machine.root, folder);
        if (visit_collection(path, visit))
            return true;
    }
    return false;
}

bool any_folder_in(const path_text& folder, function_ref<bool(const path_text&)> use) {
    DIR* stream = opendir(folder.text);
    bool found = false;
    while (const dirent* entry = stream && !found ? readdir(stream) : nullptr) {
        path_text path = folder;
        path.append("/%s", entry->d_name);
        found = entry->d_name[0] != '.' && !path.cut && use(path);
    }
    if (stream)
        closedir(stream);
    return found;
}

bool visit_spack(visitor visit) {
    const char* root = read_variable("SPACK_ROOT");
    if (!root || root[0] != '/')
        return false;
    path_text installations;
    installations.append("%s%s", root, spack_installations);
    const auto visit_folder = [&](const path_text& folder) { return visit_collection(folder, visit); };
    return any_folder_in(installations, [&](const path_text& platform) {
        return visit_folder(platform) || any_folder_in(platform, visit_folder);
    });
}

// Visits the user's .local, where `pip install --user mpich` installs a whole MPI. The owner of HOME can replace
// .local, so HOME must be the user's own.
bool visit_users_packages(visitor visit) {
    path_text prefix;
    if (const char* base = read_variable("PYTHONUSERBASE"))
        prefix.append("%s", base);
    else if (const char* home = read_variable("HOME"); home != nullptr && is_own_folder(home))
        prefix.append("%s/.local", home);
    return prefix.text[0] == '/' && is_own_folder(prefix.text) && visit(system_prefix({}, prefix.text));
}

} // namespace

bool set_prefix_of(const char* executable, place& where) {
    const std::string_view file = executable;
    const std::size_t folder_end = file.rfind('/');
    if (folder_end == std::string_view::npos || folder_end == 0)
        return false;
    const std::size_t prefix_end = file.rfind('/', folder_end - 1);
    if (prefix_end == std::string_view::npos || prefix_end == 0) // /bin/x: the installation would be the whole machine
        return false;
    where.path = {};
    where.path.append("%.*s", static_cast<int>(prefix_end), executable);
    return true;
}

bool visit_places(const machine& machine, visitor visit, const configuration* known) {
    return visit_variables(general_variables, visit) ||
           any_entry(read_variable("PATH"), [&](std::string_view folder) { return visit_mpiexec(folder, visit); }) ||
           visit_variables(product_variables, visit) ||
           any_entry(read_variable("LD_LIBRARY_PATH"),
                     [&](std::string_view folder) { return visit_library_folder(folder, visit); }) ||
           visit_configured(known ? *known : read_configuration(machine), visit) || visit_system(machine, visit) ||
           visit_spack(visit) || visit_users_packages(visit);
}

} // namespace anympi::runtime
