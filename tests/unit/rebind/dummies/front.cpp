// The code under test in a library of its own, as in the front.

#include "runtime/rebind.hpp"

using namespace anympi::runtime;

extern "C" [[gnu::visibility("default")]] bool front_rebind(link_map* runtime) {
    static image_list objects;
    return objects.collect(runtime, image_list::members::all) && rebind(objects).refused == nullptr;
}
