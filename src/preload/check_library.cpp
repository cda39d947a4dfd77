// `anympi run` preloads this library into the programs of a job, and so into every program that these start.
//
// Names decide which MPI library a program gets: names of libraries, of folders on the library path, of folders in the
// program (RPATH). This library checks the result: the MPI library in the process must be the chosen one, or a front,
// which opens the chosen one. Otherwise the process would be a separate job, or contain two MPI libraries. Such a
// process is started again with the right library, or stopped with a message, before any code of the program runs.
// Libraries that are loaded later are checked as well.
//
// A program on the right library may call functions that this library lacks. `anympi run` finds such functions in the
// programs that it starts itself; this library finds them in programs that a script starts.

#include "preload/before_binding.hpp"
#include "preload/linked_mpi.hpp"
#include "preload/start_with_chosen.hpp"
#include "runtime/environment.hpp"
#include "runtime/find/sonames.hpp"
#include "runtime/find/trust.hpp"
#include "runtime/identify/identify.hpp"
#include "runtime/message.hpp"
#include "runtime/open/image.hpp"
#include "runtime/open/rewrite_references.hpp"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>
#include <sys/stat.h>

namespace anympi {
namespace {

using runtime::file_or_program;
using runtime::for_each_object;
using runtime::image;

// Returns the chosen file. `anympi run` passes a path; any other value is a name, which only a front can resolve.
const char* chosen_file() {
    const char* const name = runtime::read_variable("ANYMPI_MPI");
    return name != nullptr && *name == '/' ? name : nullptr;
}

// Returns true for an object that has the functions of MPI itself, or is an empty library of anympi that leads to them.
bool is_mpi_library(const image& object) {
    return object.find(runtime::symbol_name("PMPI_Init")) != nullptr;
}

// Returns true for MPI_Init, MPI_Init_thread, MPI_Session_init, their profiling names, and their names in Fortran.
bool starts_mpi(const char* name) {
    if (*name == 'P' || *name == 'p')
        ++name;
    const auto begins_with = [&](const char* start) { return strncasecmp(name, start, std::strlen(start)) == 0; };
    return (begins_with("mpi_init") && !begins_with("mpi_initialized")) || begins_with("mpi_session_init");
}

// How the objects of this process use MPI.
struct findings {
    foreign_libraries foreign;
    const char* user = nullptr;       // an object that needs the foreign MPI library and calls MPI
    bool has_chosen = false;          // the chosen library or a front
    bool has_front = false;           // a front
    bool is_chosen_first = false;     // the names of MPI are found there
    bool is_needed_by_chosen = false; // the chosen library needs the foreign library
    bool starts = false;              // an object of this process calls MPI_Init
};

// Returns true for an object that has the procedures of Fortran or the classes of C++.
bool is_companion(const image& object) {
    return object.find(runtime::symbol_name("mpi_init_")) != nullptr ||
           object.find(runtime::symbol_name("_ZTVN3MPI4CommE")) != nullptr;
}

void find_libraries(findings& found, const struct stat& chosen) {
    for_each_object([&](const dl_phdr_info& object) {
        const image candidate = runtime::image_of(object);
        if (!is_mpi_library(candidate) || runtime::name_of_interposer(candidate) != nullptr)
            return;
        if (runtime::is_front(object) || runtime::is_same_file(chosen, object.dlpi_name)) {
            found.has_chosen = true;
            found.has_front = found.has_front || runtime::is_front(object);
            found.is_chosen_first = found.is_chosen_first || found.foreign.file == nullptr;
        } else if (found.foreign.file == nullptr) {
            found.foreign.file = file_or_program(object.dlpi_name);
            found.foreign.name = candidate.soname();
        }
    });
}

// Returns the MPI library in the folder of a library for Fortran or C++, if it is not the chosen one. Empty if there is
// no such library: most MPIs have all of their libraries in one folder.
path_text other_mpi_beside(const char* file, const image& companion, const struct stat& chosen) {
    path_text found;
    const char* const slash = std::strrchr(file, '/');
    if (slash == nullptr)
        return found;
    companion.for_each_needed([&](const char* name) {
        runtime::library mpi;
        path_text beside;
        beside.append("%.*s/%s", static_cast<int>(slash - file), file, name);
        if (found.length == 0 && runtime::find_name(name) != nullptr && !beside.cut &&
            !runtime::is_same_file(chosen, beside.text) &&
            runtime::identify(beside.text, mpi) == runtime::identification::mpi)
            found = beside;
    });
    return found;
}

void find_companions(findings& found, const struct stat& chosen) {
    for_each_object([&](const dl_phdr_info& object) {
        foreign_libraries& foreign = found.foreign;
        const image candidate = runtime::image_of(object);
        if (foreign.companion_count == foreign_libraries::most || !is_companion(candidate) ||
            is_mpi_library(candidate) || *candidate.soname() == '\0')
            return;
        const path_text home = other_mpi_beside(object.dlpi_name, candidate, chosen);
        if (home.length == 0)
            return;
        foreign.companions[foreign.companion_count++] = candidate.soname();
        foreign.home = home;
    });
}

void find_users(findings& found, const struct stat& chosen) {
    const char* const name = found.foreign.name;
    for_each_object([&](const dl_phdr_info& object) {
        const image candidate = runtime::image_of(object);
        const bool needs_foreign = *name != '\0' && candidate.needs(name);
        if (is_mpi_library(candidate)) {
            if (needs_foreign && runtime::is_same_file(chosen, object.dlpi_name))
                found.is_needed_by_chosen = true;
            return;
        }
        found.starts = found.starts || candidate.imports_any(starts_mpi);
        if (found.user == nullptr && needs_foreign && runtime::imports_mpi(candidate))
            found.user = file_or_program(object.dlpi_name);
    });
}

[[noreturn]] void stop_for(const findings& found) {
    const char* const program = program_invocation_name;
    const char* const user = found.user != nullptr ? found.user : program;
    if (found.has_chosen)
        runtime::stop("this process of %s would have two MPI libraries: the chosen one, %s,\n"
                      "and %s, which %s needs.\n"
                      "Choose one MPI for all parts of the program.",
                      program, chosen_file(), found.foreign.file, user);
    runtime::stop("%s has loaded %s, which %s needs,\n"
                  "but the chosen MPI is %s: each process would be a job of its own.\n"
                  "A path in one of these files leads there (`readelf -d FILE` shows RPATH), or a variable such as "
                  "LD_PRELOAD does.\n"
                  "Remove that path, use a copy that needs the right library\n"
                  "(`anympi adopt %s -o COPY`), or choose that MPI (`anympi run --mpi %s`).",
                  program, found.foreign.file, user, chosen_file(), user, found.foreign.file);
}

// Checks an MPI that is linked statically into the program, which a script has started.
void check_linked_mpi(const char* chosen) {
    const runtime::family linked = find_linked_mpi();
    runtime::library mpi;
    if (linked == runtime::family::unknown || runtime::identify(chosen, mpi) != runtime::identification::mpi ||
        mpi.lineage == runtime::family::unknown || mpi.lineage == linked)
        return;
    const char* const name = name_of(runtime::interface_of(linked));
    runtime::stop("%s holds an MPI of its own (%s), linked statically: no library can be put in its place,\n"
                  "and under the launcher of %s each process would be a job of its own.\n"
                  "Choose an MPI of its family (`anympi run --mpi %s`), or link it with a shared MPI library.",
                  program_invocation_name, name, runtime::describe(mpi).text, name);
}

// The time of a check.
enum class moment : unsigned char { start, second_start, opening };

// Starts a program on the right library again with the functions that this library lacks.
void add_what_lacks(moment when, const findings& found, const char* chosen, char* const* environment,
                    const char* preloaded_for_binding) {
    if (preloaded_for_binding != nullptr)
        start_with_interposers(chosen, preloaded_for_binding, environment);
    else if (when == moment::start && !found.has_front && !anympi_has_looked_before_binding())
        start_with_supplement(chosen, environment);
}

// Checks the objects of the process. A program that is only linked with an MPI library, for example to print its
// version, may have any MPI library. A program that opens MPI later may call it by names that no symbol table shows.
void check_objects(moment when, char* const* environment, const char* preloaded_for_binding = nullptr) {
    struct stat chosen = {};
    const char* const file = chosen_file();
    if (file == nullptr || !runtime::ask_status(file, chosen))
        return;
    findings found;
    find_libraries(found, chosen);
    if (when == moment::start)
        find_companions(found, chosen);
    if (found.has_chosen && !found.foreign.any())
        add_what_lacks(when, found, file, environment, preloaded_for_binding);
    if (when == moment::start && !found.has_chosen && !found.foreign.any())
        check_linked_mpi(file);
    if (!found.foreign.any())
        return;
    find_users(found, chosen);
    if (found.is_needed_by_chosen)
        return;
    const bool is_mixture = found.has_chosen && found.foreign.file != nullptr && found.user != nullptr;
    const bool is_wrong =
        found.foreign.file != nullptr && !found.is_chosen_first && (found.starts || when == moment::opening);
    const bool has_wrong_companion = found.foreign.companion_count != 0 && found.starts;
    if (when == moment::start && !is_mixture && (is_wrong || has_wrong_companion))
        start_with_chosen(file, found.foreign, environment);
    if (is_mixture || is_wrong)
        stop_for(found);
}

std::atomic<bool> watches;
std::atomic<unsigned long long> seen; // the number of objects that had been loaded at the last check

[[gnu::constructor]] void check_program(int, char**, char** environment) {
    const int callers_errno = errno;
    seen = runtime::objects_ever_loaded();
    const earlier_starts earlier = find_earlier_starts(environment);
    check_objects(earlier.with_chosen ? moment::second_start : moment::start, environment,
                  earlier.preloaded_for_binding);
    watches.store(true, std::memory_order_release);
    errno = callers_errno;
}

void check_what_is_new() {
    const int callers_errno = errno;
    const unsigned long long loaded = runtime::objects_ever_loaded();
    if (seen.exchange(loaded, std::memory_order_relaxed) != loaded)
        check_objects(moment::opening, nullptr);
    errno = callers_errno;
}

// Passes the call on to the next function of this name. A front has one for the same reason, and this library comes
// first.
void call_next() {
    using function = void();
    function* next = nullptr;
    const runtime::symbol_name name("__gmon_start__");
    for_each_object([&](const dl_phdr_info& object) {
        if (next == nullptr && !runtime::is_own(object) && runtime::is_front(object))
            next = reinterpret_cast<function*>(runtime::image_of(object).find(name));
    });
    if (next != nullptr)
        next();
}

} // namespace
} // namespace anympi

// The start-up code of every shared library (crti.o) calls this function of gprof if the process has one. So it runs
// whenever a library is loaded, before any code of that library.
extern "C" [[gnu::weak, gnu::visibility("default")]] void __gmon_start__() { // NOLINT(bugprone-reserved-identifier)
    if (anympi::watches.load(std::memory_order_acquire))
        anympi::check_what_is_new();
    anympi::call_next();
}
