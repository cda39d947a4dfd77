#include "preload/older/next_library.hpp"

#include "base/lock.hpp"
#include "runtime/find/sonames.hpp"
#include "runtime/message.hpp"
#include "runtime/open/image.hpp"

#include <cerrno>
#include <cstring>

// A front recognises this library by this symbol: the library must come before the one that replaces the front.
extern "C" __attribute__((visibility("default"))) const char anympi_older;
const char anympi_older = 0;

namespace anympi::older {
namespace {

using runtime::address_range;
using runtime::for_each_object;
using runtime::image;
using runtime::image_of;

constexpr const char* below_mpi[] = {"libopen-pal.so.", "libopen-rte.so."};

const char* last_part(const char* name) {
    const char* const slash = std::strrchr(name, '/');
    return slash != nullptr ? slash + 1 : name;
}

bool is_name_of_mpi(const char* soname) {
    for (const char* beginning : below_mpi)
        if (std::strncmp(soname, beginning, std::strlen(beginning)) == 0)
            return true;
    return runtime::find_name(soname) != nullptr;
}

// Returns true if an object is a part of the program. An object that needs the old library, by its soname or by a path
// to anympi's file, is one. An object that needs no MPI library is also one: a plug-in of the program, which finds MPI
// in its process.
bool is_of_program(const image& object) {
    if (object.find(runtime::symbol_name("PMPI_Init")) != nullptr)
        return false;
    bool names_old = false;
    bool names_other = false;
    object.for_each_needed([&](const char* soname) {
        names_old = names_old || std::strcmp(last_part(soname), ANYMPI_OLDER_SONAME) == 0;
        names_other = names_other || is_name_of_mpi(soname);
    });
    return names_old || !names_other;
}

struct known_object {
    address_range place;
    bool is_of_program;
};

// Objects from which calls have come. An entry is written once, before it is counted. Objects that do not fit are
// examined at each call.
constexpr unsigned most_known = 256;
known_object known[most_known];
std::atomic<unsigned> known_count;
lock writing;

void remember(const known_object& object) {
    const locked guard(writing);
    const unsigned count = known_count.load(std::memory_order_relaxed);
    if (count == most_known)
        return;
    known[count] = object;
    known_count.store(count + 1, std::memory_order_release);
}

} // namespace

void* find_in_library(const char* name) {
    void* found = nullptr;
    bool has_library = false;
    for_each_object([&](const dl_phdr_info& object) {
        if (has_library || found != nullptr)
            return;
        const image library = image_of(object);
        // an interposer has some functions of the library
        const bool is_interposer = runtime::name_of_interposer(library) != nullptr;
        has_library = !is_interposer && library.find(runtime::symbol_name("PMPI_Init")) != nullptr;
        if (has_library || is_interposer)
            found = library.find(runtime::symbol_name(name));
    });
    if (found == nullptr)
        runtime::stop("%s calls %s, which the MPI library of this process does not have.", program_invocation_name,
                      name);
    return found;
}

bool is_call_of_program(const void* address) {
    const unsigned count = known_count.load(std::memory_order_acquire);
    for (unsigned i = 0; i < count; i++)
        if (known[i].place.contains(address))
            return known[i].is_of_program;
    known_object caller = {{}, true};
    for_each_object([&](const dl_phdr_info& object) {
        const address_range place = runtime::place_of(object);
        if (place.contains(address))
            caller = {place, is_of_program(image_of(object))};
    });
    remember(caller);
    return caller.is_of_program;
}

} // namespace anympi::older
