#pragma once

#include "runtime/image.hpp"
#include "runtime/library.hpp"

namespace anympi::runtime {

// The runtime in this process, open as long as the process lives.
struct opened {
    const image_list* objects; // its library first, then those that it needs
    family lineage;
};

// Opens the library, binds it to itself and proves that it answers. Stops the process with a message where that fails.
// Once per process; not to be called by two threads at a time.
opened open(const library& mpi);

// Whether the calling thread is in the middle of open(). A call to the front then comes from the runtime: from a
// constructor, or because it is not bound to itself. It must not wait for the runtime to be opened.
bool is_opening();

// What the runtime defines under that name, or nullptr. About ten times cheaper than dlsym; only addresses that lie in
// the runtime's own objects are given out, whatever else the process has loaded.
void* symbol(const opened& runtime, const char* name);

} // namespace anympi::runtime
