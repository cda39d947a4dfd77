#include "command/inspect/loader.hpp"

#include "command/cli/files.hpp"
#include "command/cli/split_join.hpp"
#include "command/cli/this_machine.hpp"
#include "command/inspect/mpi_names.hpp"
#include "runtime/environment.hpp"
#include "runtime/find/layouts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <climits>
#include <fstream>
#include <glob.h>
#include <set>
#include <sstream>

namespace anympi::command {
namespace {

namespace fs = std::filesystem;
using folder_list = std::vector<std::string>;

constexpr std::size_t most_files = 2000;

// Reads the folders in /etc/ld.so.conf and in the files that it includes. `depth` limits files that include themselves.
void read_loader_configuration(const std::string& file, int depth, folder_list& folders) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        line.erase(std::min(line.find('#'), line.size()));
        std::istringstream words(line);
        std::string word;
        if (!(words >> word))
            continue;
        if (word != "include") {
            folders.push_back(on_this_machine(word));
            continue;
        }
        glob_t found = {};
        std::string pattern;
        words >> pattern;
        pattern =
            pattern.starts_with('/') ? on_this_machine(pattern) : (fs::path(file).parent_path() / pattern).string();
        if (depth > 0 && glob(pattern.c_str(), 0, nullptr, &found) == 0)
            for (std::size_t i = 0; i < found.gl_pathc; i++)
                read_loader_configuration(found.gl_pathv[i], depth - 1, folders);
        globfree(&found);
    }
}

const folder_list& system_folders() {
    static const folder_list folders = [] {
        folder_list all;
        read_loader_configuration(on_this_machine("/etc/ld.so.conf"), 4, all);
        for (const char* folder :
             {"/lib/" ANYMPI_TRIPLET, "/usr/lib/" ANYMPI_TRIPLET, "/lib64", "/usr/lib64", "/lib", "/usr/lib"})
            all.push_back(on_this_machine(folder));
        return all;
    }();
    return folders;
}

bool is_system_folder(const std::string& folder) {
    const auto is_same = [&](const std::string& other) { return real_path(other) == real_path(folder); };
    return std::any_of(system_folders().begin(), system_folders().end(), is_same);
}

// Splits a path as ld.so does: at `:` and `;`. An empty entry is the working directory.
folder_list folders_of(const std::string& library_path) {
    folder_list folders = split_list(library_path, ":;");
    std::replace(folders.begin(), folders.end(), std::string(), std::string("."));
    return folders;
}

// $ORIGIN of a program is its folder after all links are followed. $ORIGIN of a library is the folder where it was
// found.
std::string origin_of(const binary& file) {
    const fs::path path = file.is_program ? real_path(file.path) : fs::absolute(file.path);
    return path.parent_path();
}

// Removes $NAME or ${NAME} from the beginning of a text. Returns false if the text begins with something else.
bool take_name(std::string_view& text, std::string_view name) {
    for (const std::string& spelled : {fmt::format("${}", name), fmt::format("${{{}}}", name)})
        if (text.starts_with(spelled)) {
            text.remove_prefix(spelled.size());
            return true;
        }
    return false;
}

// Replaces $ORIGIN and $LIB in a folder. Returns an empty text if the result is longer than a path may be.
std::string expand_tokens(std::string_view folder, const std::string& origin) {
    std::string result;
    while (!folder.empty() && result.size() < PATH_MAX) {
        const std::size_t plain = std::min(folder.find('$'), folder.size());
        result += folder.substr(0, plain);
        folder.remove_prefix(plain);
        if (take_name(folder, "ORIGIN")) {
            result += origin;
        } else if (take_name(folder, "LIB")) {
            result += "lib/" ANYMPI_TRIPLET;
        } else if (!folder.empty()) {
            result += '$';
            folder.remove_prefix(1);
        }
    }
    return result.size() < PATH_MAX ? result : "";
}

folder_list expand_tokens(const folder_list& folders, const binary& of) {
    const std::string origin = folders.empty() ? "" : origin_of(of);
    folder_list result;
    for (const std::string& folder : folders)
        if (std::string one = expand_tokens(folder, origin); !one.empty())
            result.push_back(std::move(one));
    return result;
}

// Returns true if the file is a library for this processor. The dynamic linker skips other files, too.
bool is_usable(const std::string& file) {
    return is_readable(file) && read_binary(file).problem.empty();
}

// Returns the folders where the libraries of one file are searched, in the order of ld.so(8). `inherited` has the
// RPATHs of the files that need this one. A RUNPATH is not inherited.
folder_list folders_for(const binary& needed_by, const folder_list& inherited, const folder_list& library_path) {
    folder_list folders;
    if (needed_by.runpath.empty())
        folders = inherited;
    folders.insert(folders.end(), library_path.begin(), library_path.end());
    const folder_list own = expand_tokens(needed_by.runpath, needed_by);
    folders.insert(folders.end(), own.begin(), own.end());
    folders.insert(folders.end(), system_folders().begin(), system_folders().end());
    return folders;
}

std::string find_in(const folder_list& folders, const std::string& name) {
    if (name.find('/') != name.npos)
        return is_usable(name) ? name : "";
    for (const std::string& folder : folders)
        if (std::string file = fs::path(folder) / name; is_usable(file))
            return file;
    return "";
}

// Returns the RPATHs that a file passes on. The limit ends the list for a hostile chain of libraries.
folder_list rpath_of(const binary& file, const folder_list& inherited) {
    constexpr std::size_t most = 2000;
    folder_list folders;
    if (file.runpath.empty())
        folders = expand_tokens(file.rpath, file);
    folders.insert(folders.end(), inherited.begin(), inherited.end());
    folders.resize(std::min(folders.size(), most));
    return folders;
}

void add_missing_folders(const binary& file, folder_list& missing) {
    for (const folder_list& named : {file.rpath, file.runpath})
        for (const std::string& folder : expand_tokens(named, file))
            if (!is_folder(folder) && std::find(missing.begin(), missing.end(), folder) == missing.end())
                missing.push_back(folder);
}

} // namespace

bool is_part_of_mpi(const loaded_file& part) {
    return part.file.implements_mpi || find_mpi_soname(part.file.soname) || find_mpi_soname(part.name);
}

loaded_files follow_dependencies(const binary& first, const std::string& library_path) {
    loaded_files loaded;
    std::set<std::string> seen = {first.soname};
    loaded.files.push_back({first, first.soname});
    std::vector<folder_list> rpaths = {rpath_of(first, {})};
    const folder_list path_folders = folders_of(library_path);
    for (std::size_t i = 0; i < loaded.files.size() && i < most_files; i++) {
        const loaded_file part = loaded.files[i];
        if (i > 0 && is_part_of_mpi(part))
            continue;
        const folder_list folders = folders_for(part.file, rpaths[i], path_folders);
        for (const std::string& name : part.file.needed) {
            if (!seen.insert(name).second)
                continue;
            const std::string path = find_in(folders, name);
            if (path.empty()) {
                loaded.not_found.push_back(name);
                add_missing_folders(part.file, loaded.missing_folders);
                continue;
            }
            loaded.files.push_back({read_binary(path), name});
            seen.insert(loaded.files.back().file.soname);
            rpaths.push_back(rpath_of(loaded.files.back().file, rpaths[i]));
        }
    }
    return loaded;
}

std::string present_library_path() {
    const char* value = runtime::read_variable("LD_LIBRARY_PATH");
    return value ? value : "";
}

std::string find_library(const std::string& soname, const std::string& library_path) {
    return find_in(folders_for({}, {}, folders_of(library_path)), soname);
}

folder_list folders_of_own_libraries(const binary& library, const std::string& library_path) {
    const folder_list searched = folders_for(library, {}, folders_of(library_path));
    folder_list own = expand_tokens(library.runpath, library);
    std::erase_if(own, [&](const std::string& folder) {
        bool is_used = false;
        for (const std::string& name : library.needed) {
            const std::string file = find_in({folder}, name);
            is_used = is_used || !file.empty();
            if (!file.empty() && find_in(searched, name) != file)
                return true;
        }
        return !is_used || is_system_folder(folder);
    });
    return own;
}

} // namespace anympi::command
