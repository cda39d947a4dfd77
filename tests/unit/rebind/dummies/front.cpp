// The code under test in a separate library, as in the front.

#include "runtime/open/open.hpp"
#include "runtime/open/rebind.hpp"

#include <cstring>

using namespace anympi::runtime;

// Names of a vendor, which the fronts for its programs also export.
extern "C" {
[[gnu::visibility("default")]] int vendor_data[2] = {0, 0};
}

extern "C" [[gnu::visibility("default")]] bool front_rebind(link_map* runtime) {
    static image_list objects;
    return objects.collect(runtime, image_list::members::all) && rebind(objects).refused == nullptr;
}

extern "C" [[gnu::visibility("default")]] void front_open(const char* path) {
    library mpi;
    std::strcpy(mpi.path, path);
    open(mpi);
}
