#include "front/vendors/supplement.hpp"

#include "base/text.hpp"
#include "runtime/launch/launcher.hpp"
#include "runtime/message.hpp"
#include "runtime/open/dynamic_linker.hpp"
#include "runtime/open/image.hpp"
#include "runtime/open/linker_variables.hpp"
#include "runtime/open/restore_variables.hpp"
#include "runtime/open/rewrite_references.hpp"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace anympi {

namespace {

using path_list = long_text<std::size_t{1} << 16>;

bool was_found_at_start = false;
bool was_preloaded = false;

// Returns true if LD_PRELOAD of a list of variables has the file.
bool is_preloaded(char* const* environment, const char* file) {
    const char* entry = runtime::find_variable(environment, runtime::preload_variable);
    while (entry != nullptr && *entry != '\0') {
        const std::size_t size = std::strcspn(entry, ": ");
        if (size == std::strlen(file) && std::strncmp(entry, file, size) == 0)
            return true;
        entry += size + (entry[size] != '\0' ? 1 : 0);
    }
    return false;
}

// Before anything of the program runs: no program that it starts may inherit what was meant for this process. A front
// that is opened later gets a list of the C library's, which setenv in an earlier constructor has freed, perhaps. Only
// the list of the program's start, which lies behind its words, is there for good.
[[gnu::constructor]] void put_environment_back(int count, char** words, char** environment) {
    const bool is_first_list = environment == words + count + 1;
    char** const list = is_first_list ? environment : __environ;
    was_preloaded = is_preloaded(list, runtime::own_file());
    was_found_at_start = runtime::put_back_after_stepping_aside(list);
    if (!was_found_at_start)
        runtime::remember_command_line(count, words);
}

// The process was started once more already. A front that is opened late cannot see that itself.
bool has_stepped_aside() {
    const auto* const flag = static_cast<const bool*>(runtime::find_loaded(runtime::name_of_flag));
    return was_found_at_start || (flag != nullptr && *flag);
}

// The folder of this front, with a slash at its end.
void copy_own_folder(char (&folder)[PATH_MAX]) {
    std::snprintf(folder, sizeof folder, "%s", runtime::own_file());
    if (char* const slash = std::strrchr(folder, '/'))
        slash[1] = '\0';
}

// `folder` ends with a slash, an entry of the library path may.
bool is_folder(const char* entry, std::size_t size, const char* folder) {
    const std::size_t length = std::strlen(folder);
    return (size == length || size + 1 == length) && std::strncmp(entry, folder, size) == 0;
}

// Takes the folder of this front from the library path, where the companions of the real library would not be found
// behind ours.
void leave_library_path(runtime::changes& different, const char* folder) {
    const char* const path = runtime::find_variable(__environ, runtime::path_variable);
    auto* const rest = path != nullptr ? static_cast<char*>(runtime::map_memory(std::strlen(path) + 2)) : nullptr;
    if (rest == nullptr)
        return;
    char* end_of_rest = rest;
    for (const char* entry = path; entry != nullptr;) {
        const char* const end = std::strchr(entry, ':');
        const std::size_t size = end != nullptr ? static_cast<std::size_t>(end - entry) : std::strlen(entry);
        if (!is_folder(entry, size, folder)) {
            end_of_rest = stpncpy(end_of_rest, entry, size);
            *end_of_rest++ = ':';
        }
        entry = end != nullptr ? end + 1 : nullptr;
    }
    if (end_of_rest != rest)
        end_of_rest[-1] = '\0';
    different.add({runtime::path_variable, "=", rest});
}

// The library that puts the environment back where this front is no longer loaded. Empty where it is missing, or has a
// name that LD_PRELOAD cannot hold.
path_text file_that_puts_back(const char* folder) {
    path_text file;
    const auto* const parent = static_cast<const char*>(memrchr(folder, '/', std::strlen(folder) - 1));
    file.append("%.*s/keep_path.so", parent != nullptr ? static_cast<int>(parent - folder) : 0, folder);
    if (file.cut || !runtime::can_be_preloaded(file.text) || access(file.text, R_OK) != 0)
        return {};
    return file;
}

// The library that converts for a program of an older release (src/preload/older). Empty if there is none.
path_text file_for_older_release() {
    path_text file;
    runtime::for_each_object([&](const dl_phdr_info& object) {
        const runtime::image candidate = runtime::image_of(object);
        if (file.length == 0 && candidate.find(runtime::symbol_name("anympi_older")) != nullptr)
            file.append("%s", candidate.file());
    });
    if (file.cut || !runtime::can_be_preloaded(file.text))
        return {};
    return file;
}

bool has_function_of_mpi(const runtime::image& object) {
    for (const Elf64_Sym& symbol : object.definitions())
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && runtime::is_mpi_name(object.name(symbol)))
            return true;
    return false;
}

// Libraries that have functions of MPI and came before this front, with a colon behind each: tools that were linked
// with the program or preloaded, and our library for C++. They must come before the real library as well.
path_list tools_before_front() {
    path_list files;
    bool is_before = true;
    runtime::for_each_object([&](const dl_phdr_info& object) {
        is_before = is_before && !runtime::is_own(object);
        const runtime::image candidate = runtime::image_of(object);
        if (is_before && *object.dlpi_name != '\0' && runtime::can_be_preloaded(object.dlpi_name) &&
            has_function_of_mpi(candidate) && candidate.find(runtime::symbol_name("PMPI_Init")) == nullptr &&
            candidate.find(runtime::symbol_name("anympi_older")) == nullptr)
            files.append("%s:", object.dlpi_name);
    });
    return files.cut ? path_list{} : files;
}

// The real library comes before all others, so that it has the place of our library by its soname, and its names come
// first, but for those of interposers, and of what converts for an older release. A tool comes before these: it must
// see the program's calls.
void preload(runtime::changes& different, const runtime::library& mpi, const char* folder) {
    const path_text before = interposers_for(mpi.path);
    const path_text ours = file_that_puts_back(folder);
    const path_text older = file_for_older_release();
    const char* const others = runtime::find_variable(__environ, runtime::preload_variable);
    const bool has_others = others != nullptr && *others != '\0';
    const bool is_tool_first = before.length != 0 && has_others;
    const path_list tools = tools_before_front();
    different.add({runtime::preload_variable, "=", tools.text, is_tool_first ? others : "", is_tool_first ? ":" : "",
                   older.text, older.length != 0 ? ":" : "", before.text, mpi.path, ours.length != 0 ? ":" : "",
                   ours.text, has_others && !is_tool_first ? ":" : "", has_others && !is_tool_first ? others : ""});
}

} // namespace

// A program may change LD_PRELOAD, for others that it starts: what counts is how it was when this process started.
bool is_behind(const runtime::library& mpi) {
    return is_preloaded(__environ, mpi.path) ||
           ((was_preloaded || has_stepped_aside()) && runtime::is_loaded(mpi.path));
}

void step_aside(const runtime::library& mpi) {
    char folder[PATH_MAX];
    copy_own_folder(folder);
    if (runtime::is_privileged())
        runtime::stop("this program was built for the family of %s, which is chosen, and needs no front,\n"
                      "but has loaded the one in %s. It cannot be started once more with that library: it is\n"
                      "set-user-ID, set-group-ID or has file capabilities, and so LD_PRELOAD does not count for it.\n"
                      "Start the program itself instead of the copy that `anympi adopt` made.",
                      mpi.path, folder);
    if (has_stepped_aside())
        runtime::stop("this program was built for the family of %s, which is chosen, and needs no front,\n"
                      "but has loaded the one in %s. Start it without that folder in LD_LIBRARY_PATH.",
                      mpi.path, folder);
    if (!runtime::can_be_preloaded(mpi.path))
        runtime::stop("this program was built for the family of %s, which is chosen, and needs no front,\n"
                      "but has loaded the one in %s. It cannot be started once more with that library:\n"
                      "LD_PRELOAD cannot hold the space or the colon in that path.\n"
                      "Let ANYMPI_MPI name a link to that library, in a path without such characters.",
                      mpi.path, folder);
    runtime::check_before_stepping_aside(mpi, runtime::detect_launcher());
    runtime::changes different;
    runtime::keep_for_putting_back(different, __environ);
    leave_library_path(different, folder);
    preload(different, mpi, folder);
    const int reason = runtime::start_again(__environ, different);
    runtime::stop("the program cannot be started once more with %s: %s", mpi.path, std::strerror(reason));
}

} // namespace anympi
