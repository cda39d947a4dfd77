#include "front/common/around_start.hpp"

#include "base/text.hpp"
#include "emulate/engine/start_checks.hpp"
#include "front/common/bind_runtime.hpp"
#include "runtime/environment.hpp"
#include "runtime/identify/fingerprint.hpp"
#include "runtime/launch/launcher.hpp"
#include "runtime/launch/same_library.hpp"
#include "runtime/launch/variables.hpp"
#include "runtime/open/rebind.hpp"

#include <cstring>
#include <unistd.h>

namespace anympi {

namespace {

runtime::launch launcher;

void detect_and_check_launcher() {
    launcher = runtime::detect_launcher();
    runtime::check_before_init(bound_runtime().mpi, launcher);
}

bool is_launched_with_others() {
    return launcher.size > 1;
}

void check_started(int world_size, bool has_parent) {
    runtime::check_after_init(bound_runtime().mpi, launcher, world_size, has_parent);
}

// Writes the fingerprint of the library into `text`. Returns false if the processes need not compare it: under `anympi
// run` each process has compared its library before the program began (src/starter).
bool tell_library(char* text, std::size_t size) {
    if (!runtime::is_on("ANYMPI_CHECK_JOB"))
        return false;
    std::strncpy(text, runtime::fingerprint(bound_runtime().mpi).text, size - 1);
    return true;
}

void compare_library(const char* text) {
    runtime::expect_same_library(bound_runtime().mpi, text, "for rank 0");
}

// Returns true if the list `names`, separated by colons, contains the name of a variable that is given as NAME=VALUE.
bool is_named(const char* names, const char* variable) {
    const std::size_t length = std::strcspn(variable, "=");
    for (const char* name = names; *name != '\0'; name += *name == ':' ? 1 : 0) {
        const std::size_t size = std::strcspn(name, ":");
        if (size == length && std::strncmp(name, variable, length) == 0)
            return true;
        name += size;
    }
    return false;
}

// Writes the words that set variables before the command of a spawned process. Returns their number. Open MPI's
// launchers start such processes without the variables that they were told to set.
std::size_t hand_on_variables(const char** words, std::size_t most) {
    const char* const starter = runtime::read_variable(runtime::starter_variable);
    const char* const names = runtime::read_variable(runtime::handed_on_variable);
    if (starter == nullptr || names == nullptr || bound_runtime().mpi.lineage != runtime::family::openmpi)
        return 0;
    std::size_t count = 0;
    words[count++] = starter;
    for (char** variable = environ; *variable != nullptr && count + 3 <= most; ++variable)
        if (is_named(names, *variable)) {
            words[count++] = "-x";
            words[count++] = *variable;
        }
    words[count++] = "--";
    return count;
}

bool is_program_in(const char* folder, const char* command) {
    path_text file;
    file.append("%s%s%s", folder, *folder != '\0' ? "/" : "", command);
    return !file.cut && access(file.text, X_OK) == 0;
}

bool is_program_in_any(const char* folders, const char* command) {
    for (const char* folder = folders; *folder != '\0'; folder += *folder == ':' ? 1 : 0) {
        const std::size_t size = std::strcspn(folder, ":");
        path_text one;
        one.append("%.*s", static_cast<int>(size), folder);
        if (size != 0 && is_program_in(one.text, command))
            return true;
        folder += size;
    }
    return false;
}

// Open MPI's launchers look for a name without a folder in the working directory as well.
bool is_missing(const char* command, const char* folder, const char* path) {
    const bool is_bare = std::strchr(command, '/') == nullptr;
    const char* const users_path = runtime::read_variable("PATH");
    if (is_program_in(*command == '/' ? "" : folder, command))
        return false;
    return !is_bare ||
           (!is_program_in_any(path, command) && !is_program_in_any(users_path != nullptr ? users_path : "", command));
}

} // namespace

void set_start_checks() {
    launcher_check = {.before_start = detect_and_check_launcher,
                      .runtime_started = runtime::rebind_plugins,
                      .is_launched_with_others = is_launched_with_others,
                      .after_start = check_started,
                      .tell_library = tell_library,
                      .compare_library = compare_library,
                      .words_before_command = hand_on_variables,
                      .is_missing = is_missing};
}

} // namespace anympi
