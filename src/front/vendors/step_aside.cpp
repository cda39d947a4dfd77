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

// Returns true if LD_PRELOAD in a list of variables contains the file.
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

// Restores the environment before any code of the program runs, so that programs which it starts do not inherit
// variables that were meant for this process. A front that is opened later gets a list of the C library, which setenv
// in an earlier constructor may have freed. Only the list from the program's start, which follows its arguments in
// memory, is always valid.
[[gnu::constructor]] void put_environment_back(int count, char** words, char** environment) {
    const bool is_first_list = environment == words + count + 1;
    char** const list = is_first_list ? environment : __environ;
    was_preloaded = is_preloaded(list, runtime::own_file());
    was_found_at_start = runtime::put_back_after_stepping_aside(list);
    if (!was_found_at_start)
        runtime::remember_command_line(count, words);
}

// Returns true if the process was already started again. A front that is opened late cannot see that in the
// environment.
bool has_stepped_aside() {
    const auto* const flag = static_cast<const bool*>(runtime::find_loaded(runtime::name_of_flag));
    return was_found_at_start || (flag != nullptr && *flag);
}

// Copies the path of this front's folder, with a final slash.
void copy_own_folder(char (&folder)[PATH_MAX]) {
    std::snprintf(folder, sizeof folder, "%s", runtime::own_file());
    if (char* const slash = std::strrchr(folder, '/'))
        slash[1] = '\0';
}

// Compares an entry of the library path with `folder`, which ends with a slash. The entry may end with one.
bool is_folder(const char* entry, std::size_t size, const char* folder) {
    const std::size_t length = std::strlen(folder);
    return (size == length || size + 1 == length) && std::strncmp(entry, folder, size) == 0;
}

// Removes the front's folder from the library path. Otherwise the loader would find anympi's companion libraries before
// the companions of the real library.
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

// Returns the library that restores the environment when this front is no longer loaded. Empty if the library is
// missing or LD_PRELOAD cannot hold its name.
path_text file_that_puts_back(const char* folder) {
    path_text file;
    const auto* const parent = static_cast<const char*>(memrchr(folder, '/', std::strlen(folder) - 1));
    file.append("%.*s/keep_path.so", parent != nullptr ? static_cast<int>(parent - folder) : 0, folder);
    if (file.cut || !runtime::can_be_preloaded(file.text) || access(file.text, R_OK) != 0)
        return {};
    return file;
}

// Returns the library that converts for a program of an older release (src/preload/older), or an empty text.
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

// Returns the libraries that have functions of MPI and came before this front, with a colon after each: tools that
// were linked with the program or preloaded, and anympi's library for C++. They must come before the real library as
// well.
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

// Preloads the real library before all others, so that it replaces anympi's library by its soname, and its names come
// first. Only interposers, and libraries that convert for an older release, come before it. Tools come before all of
// these, because they must see the program's calls.
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

// Looks at LD_PRELOAD as it was when this process started, because a program may change the variable for other programs
// that it starts.
bool is_behind(const runtime::library& mpi) {
    return is_preloaded(__environ, mpi.path) ||
           ((was_preloaded || has_stepped_aside()) && runtime::is_loaded(mpi.path));
}

void step_aside(const runtime::library& mpi) {
    char folder[PATH_MAX];
    copy_own_folder(folder);
    if (runtime::is_privileged())
        runtime::stop(
            "this program was built for the family of %s, the chosen MPI, and needs no front,\n"
            "but it has loaded the one in %s. It cannot be started again with that MPI, because it is\n"
            "set-user-ID, set-group-ID or has file capabilities: the dynamic linker ignores LD_PRELOAD then.\n"
            "Start the program itself instead of the copy that `anympi adopt` made.",
            mpi.path, folder);
    if (has_stepped_aside())
        runtime::stop("this program was built for the family of %s, the chosen MPI, and needs no front,\n"
                      "but it has loaded the one in %s. Start it without that folder in LD_LIBRARY_PATH.",
                      mpi.path, folder);
    if (!runtime::can_be_preloaded(mpi.path))
        runtime::stop("this program was built for the family of %s, the chosen MPI, and needs no front,\n"
                      "but it has loaded the one in %s. It cannot be started again with that MPI:\n"
                      "LD_PRELOAD cannot hold the space or the colon in that path.\n"
                      "Let ANYMPI_MPI name a link to that library, in a path without such characters.",
                      mpi.path, folder);
    runtime::check_before_stepping_aside(mpi, runtime::detect_launcher());
    runtime::changes different;
    runtime::keep_for_putting_back(different, __environ);
    leave_library_path(different, folder);
    preload(different, mpi, folder);
    const int reason = runtime::start_again(__environ, different);
    runtime::stop("the program cannot be started again with %s: %s", mpi.path, std::strerror(reason));
}

} // namespace anympi
