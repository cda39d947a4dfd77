#include "front/common/two_abis.hpp"

#include "convert/running.hpp"
#include "front/common/app.hpp"
#include "front/common/other_front.hpp"
#include "runtime/find/sonames.hpp"
#include "runtime/identify/library.hpp"
#include "runtime/message.hpp"
#include "runtime/open/rebind.hpp"
#include "runtime/open/rewrite_references.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace anympi {

namespace {

using runtime::file_or_program;
using runtime::for_each_object;
using runtime::image;
using runtime::image_of;

// --- parts of another ABI ---

// The MPI library that an object needs.
struct need {
    const char* soname = nullptr; // nullptr if the object needs no MPI library
    abi interface = app::name;
};

bool is_name_of_our_abi(const char* soname) {
    const runtime::file_name* const known = runtime::find_name(soname);
    return known != nullptr && runtime::interface_of(known->lineage) == app::name;
}

// Returns true if a placeholder of anympi (src/preload/placeholder.c) has this name in the process and leads to no
// library of another ABI. Such a placeholder represents this front, because libraries of two ABIs share some names, for
// example libmpi.so.12.
bool stands_for_us(const char* soname) {
    bool found = false;
    for_each_object([&](const dl_phdr_info& object) {
        const image library = image_of(object);
        if (std::strcmp(library.soname(), soname) != 0 ||
            library.find(runtime::symbol_name("anympi_placeholder")) == nullptr)
            return;
        found = true;
        library.for_each_needed([&](const char* needed) { found = found && is_name_of_our_abi(needed); });
    });
    return found;
}

void look_up(const char* soname, need& found) {
    const runtime::file_name* const known = runtime::find_name(soname);
    if (known == nullptr)
        return;
    const abi interface = runtime::interface_of(known->lineage);
    found = {soname, interface != app::name && stands_for_us(soname) ? app::name : interface};
}

// Returns the MPI library that an object needs. An object that also needs a library of the program's ABI was linked
// with that library. A second MPI library was then named by mistake and is not used.
need mpi_needed_by(const image& object) {
    need found;
    object.for_each_needed([&](const char* soname) {
        if (found.soname != nullptr && found.interface == app::name)
            return;
        look_up(soname, found);
    });
    return found;
}

bool is_of_other_abi(const need& mpi, const image& object) {
    return mpi.soname != nullptr && mpi.interface != app::name && runtime::imports_mpi(object);
}

// Stops the process. Every rank prints the message, because other ranks may lack the foreign part. `relation` describes
// how the object is related to the MPI library.
[[noreturn]] void stop_two_abis(const image& object, const char* relation, const need& mpi) {
    runtime::say("this process mixes two ABIs of MPI, whose values mean different things:\n"
                 "%s was built for %s (it %s %s), and\n"
                 "%s provides MPI in this process with %s.\n"
                 "Build all parts of the program for one ABI, or run them in separate processes.",
                 file_or_program(object.file()), runtime::title_of(mpi.interface), relation, mpi.soname,
                 file_or_program(runtime::own_file()), runtime::title_of(app::name));
    std::fflush(stdout);
    std::_Exit(1);
}

// --- walking through the objects ---

// Stops the process if the object is a part of another ABI. The runtime and its plug-ins may have the runtime's ABI.
void refuse(const image& object) {
    const need mpi = mpi_needed_by(object);
    if (is_of_other_abi(mpi, object) && !runtime::is_bound_to_runtime(object))
        stop_two_abis(object, "needs", mpi);
}

std::atomic<bool> watches;
std::atomic<unsigned long long> seen; // the number of objects that had been loaded at the last look

// Checks the objects that were loaded since the last time. The loader appends to its list; if objects have been closed
// meanwhile, some objects are checked twice. While a plug-in of the runtime may not be bound yet, all new objects are
// left for the next time, because the plug-in would look like a part of another ABI.
void look_at_new_objects() {
    if (runtime::has_unbound_plugins())
        return;
    // Counted before the next call, so that an object that is loaded in between is checked twice and not missed.
    unsigned long long count = 0;
    for_each_object([&](const dl_phdr_info&) { ++count; });
    const unsigned long long loaded = runtime::objects_ever_loaded();
    const unsigned long long fresh = loaded - seen.exchange(loaded, std::memory_order_relaxed);
    unsigned long long number = 0;
    for_each_object([&](const dl_phdr_info& object) {
        if (++number + fresh > count)
            refuse(image_of(object));
    });
}

// --- a process that runs on a library of its own ABI, without a front ---

using query = int(int* flag);

// A library that knows whether MPI is running.
struct witness {
    std::optional<image> library;
    query* is_initialized = nullptr;
    query* is_finalized = nullptr;
};

query* find_query(const image& library, const char* name) {
    return reinterpret_cast<query*>(library.find(runtime::symbol_name(name)));
}

// Finds a witness. A front cannot be a witness, because asking it would open an MPI library.
witness find_witness() {
    witness found;
    for_each_object([&](const dl_phdr_info& object) {
        if (found.is_initialized != nullptr || runtime::is_front(object))
            return;
        const image library = image_of(object);
        found = {library, find_query(library, "PMPI_Initialized"), find_query(library, "PMPI_Finalized")};
    });
    return found;
}

// Stops a process that already runs MPI on another library. Calls of a plug-in that brought this front go to the
// library in use and would never reach the front. The program may have opened that library itself, so that no object
// names it.
[[gnu::constructor]] void refuse_running_mpi() {
    const witness running = find_witness();
    if (running.is_initialized == nullptr || running.is_finalized == nullptr ||
        !is_running(running.is_initialized, running.is_finalized))
        return;
    refuse_other_abi();
    need mpi;
    look_up(running.library->soname(), mpi);
    if (mpi.soname != nullptr && mpi.interface != app::name)
        stop_two_abis(*running.library, "is running and is called", mpi);
    refuse_other_front();
}

} // namespace

void refuse_other_abi() {
    for_each_object([](const dl_phdr_info& object) { refuse(image_of(object)); });
}

void watch_for_other_abi() {
    watches.store(true, std::memory_order_release);
    look_at_new_objects();
}

} // namespace anympi

// The start-up code of every shared library (crti.o) calls this function of gprof if the process has one. So it runs
// whenever a library is loaded, before any code of that library. There is no other way to notice a library that does
// not bring a front. The function is weak, because a program that is compiled with -pg defines it.
extern "C" [[gnu::weak, gnu::visibility("default")]] void __gmon_start__() { // NOLINT(bugprone-reserved-identifier)
    if (anympi::watches.load(std::memory_order_acquire))
        anympi::look_at_new_objects();
}
