// `anympi run` preloads this library into the scripts and interpreters that it starts, and so into the programs that
// these start.
//
// A script that sets up the environment for its program often puts its own folders first on the library path: R's
// script puts the folder of all system libraries there. Then the MPI in that folder would be loaded instead of the
// chosen one, and each process would silently be a separate job. The dynamic linker reads the path once, when a process
// starts. So this library corrects the path before any other code runs, and starts the program again.
//
// It is also preloaded into programs whose front has stepped aside and is no longer loaded. There it restores the
// environment, so that programs which these start do not inherit variables that were meant for one process.

#include "base/foreign_text.hpp"
#include "base/text.hpp"
#include "runtime/open/linker_variables.hpp"
#include "runtime/open/restore_variables.hpp"

#include <climits>
#include <cstdint>
#include <cstring>
#include <unistd.h>

extern "C" {
[[gnu::visibility("default")]] bool anympi_has_stepped_aside = false; // a front reads it
}

namespace anympi {
namespace {

// Holds the process number and a hash of each program that was started again in the process: "4711 HASH HASH". A
// program that executes itself until it has its own folder first on the path gets that folder at the second time.
constexpr const char* mark_variable = "ANYMPI_PATH_PUT_RIGHT";
constexpr std::size_t longest_mark = 300; // about sixteen hashes

using mark_text = bounded_text<longest_mark + 32>;

bool begins_with(const char* path, const char* first) {
    const std::size_t length = std::strlen(first);
    return std::strncmp(path, first, length) == 0 && (path[length] == ':' || path[length] == '\0');
}

std::uint64_t add_to_hash(std::uint64_t hash, const char* text) {
    for (; *text != '\0'; ++text)
        hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001b3U;
    return (hash ^ 0xffU) * 0x100000001b3U; // a separator, so that "a b" and "ab" differ
}

// Returns a hash of the program and its arguments, which distinguish scripts of one interpreter.
std::uint64_t hash_of_program(char* const* arguments) {
    char executable[PATH_MAX] = {};
    std::uint64_t hash = 0xcbf29ce484222325U;
    if (readlink("/proc/self/exe", executable, sizeof executable - 1) > 0)
        hash = add_to_hash(hash, executable);
    for (; *arguments != nullptr; ++arguments)
        hash = add_to_hash(hash, *arguments);
    return hash;
}

// Prints a message in one write, so that messages of several processes do not mix.
void say(const char* program, const char* what, int reason) {
    bounded_text<1024> message;
    message.append("anympi: ");
    append_foreign(message, std::string_view(program != nullptr ? program : "a program").substr(0, 500));
    message.append(" %s", what);
    if (reason != 0)
        message.append(" (errno %d)", reason);
    message.append("\nanympi: it keeps its own LD_LIBRARY_PATH, and may load another MPI than the one chosen\n");
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, message.text, message.length);
}

// Returns the mark with this program added. Returns an empty mark if the program is already listed, or the mark is
// full.
mark_text mark_once(char* const* environment, char* const* arguments) {
    const char* const present = runtime::find_variable(environment, mark_variable);
    const bool is_continued = present != nullptr && runtime::names_this_process(present);
    bounded_text<24> program;
    program.append(" %016llx", static_cast<unsigned long long>(hash_of_program(arguments)));
    mark_text mark;
    if (is_continued && (std::strlen(present) > longest_mark || std::strstr(present, program.text) != nullptr))
        return mark;
    mark.append("%s%s", is_continued ? present : runtime::own_process_number().text, program.text);
    return mark;
}

void put_path_right(char* const* environment, char* const* arguments) {
    const char* const first = runtime::find_variable(environment, runtime::first_variable);
    const char* const present = runtime::find_variable(environment, runtime::path_variable);
    const char* const path = present != nullptr ? present : "";
    if (first == nullptr || *first == '\0' || begins_with(path, first))
        return;
    const mark_text mark = mark_once(environment, arguments);
    if (mark.length == 0)
        return say(arguments[0], "was started again with the right LD_LIBRARY_PATH, and has changed it again", 0);
    runtime::changes different;
    different.add({runtime::path_variable, "=", first, *path != '\0' ? ":" : "", path});
    different.add({mark_variable, "=", mark.text});
    say(arguments[0], "cannot be started again with the right LD_LIBRARY_PATH",
        runtime::start_again(environment, different));
}

// Restores the user's PATH. The launcher has put its own folder first, so a script would get the Python beside the MPI,
// not the Python of an active virtual environment. Only the first process is corrected; changes that a script makes
// remain.
void put_search_path_right(char** environment) {
    const char* const users = runtime::find_variable(environment, runtime::users_path_variable);
    const char* const present = runtime::find_variable(environment, "PATH");
    if (users == nullptr)
        return;
    const std::size_t length = std::strlen(users);
    const std::size_t longer = present != nullptr ? std::strlen(present) : 0;
    if (longer > length && std::strcmp(present + longer - length, users) == 0)
        std::memmove(const_cast<char*>(present), users, length + 1);
    runtime::remove_variable(environment, runtime::users_path_variable);
}

[[gnu::constructor]] void keep_path(int, char** arguments, char** environment) {
    anympi_has_stepped_aside = runtime::put_back_after_stepping_aside(environment);
    if (!anympi_has_stepped_aside && !runtime::is_privileged())
        put_path_right(environment, arguments);
    if (!runtime::is_privileged())
        put_search_path_right(environment);
}

} // namespace
} // namespace anympi
