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
    const char* soname = nullptr; // nullptr if there is none
    abi interface = app::name;
};

bool is_name_of_our_abi(const char* soname) {
    const runtime::file_name* const known = runtime::find_name(soname);
    return known != nullptr && runtime::interface_of(known->lineage) == app::name;
}

// Returns true if an empty library of ours has this name here (src/preload/placeholder.c), and leads to no library of
// another ABI. It was put beside this front, for which the name is meant: libraries of two ABIs are called
// libmpi.so.12, for example.
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

// An object that also needs a library of our ABI was linked with it: another one is there by mistake, and not used.
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

// In each process, whatever its rank: the others may not have that part. `relation` says what the object has to do
// with the MPI library.
[[noreturn]] void stop_two_abis(const image& object, const char* relation, const need& mpi) {
    runtime::say("this process mixes two ABIs of MPI, whose values mean different things:\n"
                 "%s was built for %s (it %s %s), and\n"
                 "%s gives this process MPI with %s.\n"
                 "Build all parts of the program for one ABI, or run them in processes of their own.",
                 file_or_program(object.file()), runtime::title_of(mpi.interface), relation, mpi.soname,
                 file_or_program(runtime::own_file()), runtime::title_of(app::name));
    std::fflush(stdout);
    std::_Exit(1);
}

// --- walking through the objects ---

// The runtime and its plug-ins have the runtime's ABI, rightly.
void refuse(const image& object) {
    const need mpi = mpi_needed_by(object);
    if (is_of_other_abi(mpi, object) && !runtime::is_bound_to_runtime(object))
        stop_two_abis(object, "needs", mpi);
}

std::atomic<bool> watches;
std::atomic<unsigned long long> seen; // how many objects had been loaded when they were looked at

// Looks at what was loaded since the last time. The list grows at its end; if objects have been closed meanwhile, some
// are looked at once more. While a plug-in of the runtime may not be bound yet, all new ones are left for the next
// time: it would look like a part of another ABI.
void look_at_new_objects() {
    if (runtime::has_unbound_plugins())
        return;
    unsigned long long count = 0; // before the next line: what is loaded in between is looked at twice, not missed
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

// A library that can tell whether MPI is running.
struct witness {
    std::optional<image> library;
    query* is_initialized = nullptr;
    query* is_finalized = nullptr;
};

query* find_query(const image& library, const char* name) {
    return reinterpret_cast<query*>(library.find(runtime::symbol_name(name)));
}

// A front is not asked: its answer would open an MPI library.
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

// The calls of a plug-in that brought this front go to the library that is in use, and would never reach us. The
// program may have opened that library itself, so that nothing names it.
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

// The start-up code of every shared library calls this function if the process has one (crti.o; it is gprof's). So it
// is called whenever a library is loaded, before anything of that library runs: the only way to learn of a library
// that brings no front of ours with it. Weak, since a program that is compiled with -pg has its own.
extern "C" [[gnu::weak, gnu::visibility("default")]] void __gmon_start__() { // NOLINT(bugprone-reserved-identifier)
    if (anympi::watches.load(std::memory_order_acquire))
        anympi::look_at_new_objects();
}
