// Preloaded by `anympi run` into the programs of a job, and so into all that they start.
//
// Names decide which MPI library a program gets: those of libraries, of folders on the library path, of folders in the
// program (RPATH). Here the result is checked: the MPI library in the process is the one chosen, or a front of ours,
// which opens the one chosen. Otherwise the process would be a job of its own, or two MPI libraries would be in it. So
// it stops, with a message, before anything of the program runs. Libraries that are loaded later are checked as well.

#include "runtime/environment.hpp"
#include "runtime/find/trust.hpp"
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

// The file that was chosen. `anympi run` names it by its path; any other value is a name, which only a front can look
// up.
const char* chosen_file() {
    const char* const name = runtime::read_variable("ANYMPI_MPI");
    return name != nullptr && *name == '/' ? name : nullptr;
}

// An object that has the functions of MPI itself, or one of ours that leads to them.
bool is_mpi_library(const image& object) {
    return object.find(runtime::symbol_name("PMPI_Init")) != nullptr;
}

// MPI_Init, MPI_Init_thread, MPI_Session_init, their names for tools, and those of Fortran.
bool starts_mpi(const char* name) {
    if (*name == 'P' || *name == 'p')
        ++name;
    const auto begins_with = [&](const char* start) { return strncasecmp(name, start, std::strlen(start)) == 0; };
    return (begins_with("mpi_init") && !begins_with("mpi_initialized")) || begins_with("mpi_session_init");
}

// What the objects of this process have to do with MPI.
struct findings {
    const char* foreign_file = nullptr; // the first MPI library that was not chosen
    const char* foreign_name = "";      // its soname
    const char* user = nullptr;         // an object that needs that library and calls MPI
    bool has_chosen = false;            // or a front of ours
    bool is_chosen_first = false;       // names of MPI come from there
    bool is_needed_by_chosen = false;   // the library is a part of the one chosen
    bool starts = false;                // something in this process calls MPI_Init
};

void find_libraries(findings& found, const struct stat& chosen) {
    for_each_object([&](const dl_phdr_info& object) {
        const image candidate = runtime::image_of(object);
        if (!is_mpi_library(candidate) || runtime::name_of_interposer(candidate) != nullptr)
            return;
        if (runtime::is_front(object) || runtime::is_same_file(chosen, object.dlpi_name)) {
            found.has_chosen = true;
            found.is_chosen_first = found.is_chosen_first || found.foreign_file == nullptr;
        } else if (found.foreign_file == nullptr) {
            found.foreign_file = file_or_program(object.dlpi_name);
            found.foreign_name = candidate.soname();
        }
    });
}

void find_users(findings& found, const struct stat& chosen) {
    for_each_object([&](const dl_phdr_info& object) {
        const image candidate = runtime::image_of(object);
        const bool needs_foreign = *found.foreign_name != '\0' && candidate.needs(found.foreign_name);
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
        runtime::stop("this process of %s would hold two MPI libraries: the one chosen, %s,\n"
                      "and %s, which %s needs.\n"
                      "Choose one MPI for all parts of the program.",
                      program, chosen_file(), found.foreign_file, user);
    runtime::stop(
        "%s has loaded %s, which %s needs,\n"
        "and the MPI chosen is %s: each process would be a job of its own.\n"
        "A path in one of these files leads there (`readelf -d FILE` shows RPATH), or the dynamic linker was told so.\n"
        "Remove that path, use a copy that asks for the right library\n"
        "(`anympi adopt %s -o COPY`), or choose that MPI (`anympi run --mpi %s`).",
        program, found.foreign_file, user, chosen_file(), user, found.foreign_file);
}

// A program that is only linked with an MPI library, to show its version for example, may have any. What is opened
// later may be called by names that no table shows.
void check_objects(bool is_opened_later) {
    struct stat chosen = {};
    const char* const file = chosen_file();
    if (file == nullptr || !runtime::ask_status(file, chosen))
        return;
    findings found;
    find_libraries(found, chosen);
    if (found.foreign_file == nullptr)
        return;
    find_users(found, chosen);
    if (found.is_needed_by_chosen)
        return;
    const bool is_mixture = found.has_chosen && found.user != nullptr;
    const bool is_wrong = !found.is_chosen_first && (found.starts || is_opened_later);
    if (is_mixture || is_wrong)
        stop_for(found);
}

std::atomic<bool> watches;
std::atomic<unsigned long long> seen; // how many objects had been loaded when they were looked at

[[gnu::constructor]] void check_program() {
    const int callers_errno = errno;
    seen = runtime::objects_ever_loaded();
    check_objects(false);
    watches.store(true, std::memory_order_release);
    errno = callers_errno;
}

void check_what_is_new() {
    const int callers_errno = errno;
    const unsigned long long loaded = runtime::objects_ever_loaded();
    if (seen.exchange(loaded, std::memory_order_relaxed) != loaded)
        check_objects(true);
    errno = callers_errno;
}

// A front has a function of this name for the same reason. This library comes first, so it passes the call on.
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

// The start-up code of every shared library calls this function if the process has one (crti.o; it is gprof's), so it
// is called whenever a library is loaded, before anything of that library runs.
extern "C" [[gnu::weak, gnu::visibility("default")]] void __gmon_start__() { // NOLINT(bugprone-reserved-identifier)
    if (anympi::watches.load(std::memory_order_acquire))
        anympi::check_what_is_new();
    anympi::call_next();
}
