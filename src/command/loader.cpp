#include "command/loader.hpp"

#include "command/files.hpp"
#include "command/mpi_names.hpp"
#include "command/this_machine.hpp"
#include "runtime/environment.hpp"
#include "runtime/layouts.hpp"

#include <algorithm>
#include <fstream>
#include <glob.h>
#include <set>
#include <sstream>

namespace anympi::command {
namespace {

namespace fs = std::filesystem;
using folder_list = std::vector<std::string>;

constexpr std::size_t most_files = 2000;

std::string on_this_machine(const std::string& path) {
    return this_machine().root + path;
}

// /etc/ld.so.conf and what it includes: the folders of ld.so's cache. `depth` ends a file that includes itself.
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

std::string present_library_path() {
    const char* value = runtime::setting("LD_LIBRARY_PATH");
    return value ? value : "";
}

folder_list folders_of(const std::string& library_path) {
    folder_list folders;
    std::istringstream rest(library_path);
    for (std::string folder; std::getline(rest, folder, ':');)
        folders.push_back(folder.empty() ? "." : folder);
    return folders;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

std::string expanded(std::string folder, const binary& of) {
    const std::string origin = real_path(of.path).parent_path();
    for (const char* name : {"$ORIGIN", "${ORIGIN}"})
        replace_all(folder, name, origin);
    for (const char* name : {"$LIB", "${LIB}"})
        replace_all(folder, name, "lib/" ANYMPI_TRIPLET);
    return folder;
}

// One for this processor: the dynamic linker passes over the others, too.
bool is_usable(const std::string& file) {
    return is_readable(file) && read_binary(file).problem.empty();
}

// The order of ld.so(8). An RPATH counts for what a library's libraries need, too, a RUNPATH does not.
std::string find_library(const std::string& name, const binary& needed_by, const folder_list& inherited,
                         const std::string& library_path) {
    if (name.find('/') != name.npos)
        return is_usable(name) ? name : "";
    folder_list folders;
    if (needed_by.runpath.empty())
        folders = inherited;
    for (const std::string& folder : folders_of(library_path))
        folders.push_back(folder);
    for (const std::string& folder : needed_by.runpath)
        folders.push_back(expanded(folder, needed_by));
    folders.insert(folders.end(), system_folders().begin(), system_folders().end());
    for (const std::string& folder : folders)
        if (std::string file = fs::path(folder) / name; is_usable(file))
            return file;
    return "";
}

folder_list rpath_of(const binary& file) {
    folder_list folders;
    if (file.runpath.empty())
        for (const std::string& folder : file.rpath)
            folders.push_back(expanded(folder, file));
    return folders;
}

bool is_part_of_mpi(const binary& file) {
    return file.implements_mpi || find_mpi_soname(file.soname).has_value();
}

} // namespace

loaded_files follow_dependencies(binary first) {
    loaded_files loaded;
    std::set<std::string> seen = {first.soname};
    loaded.files.push_back(std::move(first));
    std::vector<folder_list> inherited = {rpath_of(loaded.files[0])};
    for (std::size_t i = 0; i < loaded.files.size() && i < most_files; i++) {
        const binary file = loaded.files[i];
        if (i > 0 && is_part_of_mpi(file))
            continue;
        for (const std::string& name : file.needed) {
            if (!seen.insert(name).second)
                continue;
            const std::string path = find_library(name, file, inherited[i], present_library_path());
            if (path.empty()) {
                loaded.not_found.push_back(name);
                continue;
            }
            loaded.files.push_back(read_binary(path));
            folder_list folders = rpath_of(loaded.files.back());
            folders.insert(folders.end(), inherited[i].begin(), inherited[i].end());
            inherited.push_back(std::move(folders));
        }
    }
    return loaded;
}

std::string find_needed(const binary& program, const std::string& soname, const std::string& library_path) {
    return find_library(soname, program, rpath_of(program), library_path);
}

} // namespace anympi::command
