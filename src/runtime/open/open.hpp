#pragma once

#include "runtime/identify/library.hpp"
#include "runtime/open/rebind.hpp"

namespace anympi::runtime {

// The runtime in this process, open as long as the process lives.
struct opened {
    image_list* objects; // its library first, then those that it needs
    family lineage;
};

// Opening has three steps, since the loader's lock must never be waited for under a lock of ours: a thread that holds
// the loader's lock may run a constructor that calls MPI, and wait for ours. Each step stops the process with a message
// if it fails.

// 1. Opens the library. Takes the loader's lock. Two threads may open the same library at a time: one result is kept,
//    the other one forgotten.
opened open(const library& mpi);
void forget(const opened& runtime);

// 2. Binds the library to itself, once in a process, under a lock of the caller's. Does not take the loader's lock.
void bind_to_itself(const library& mpi, const opened& runtime, position of_runtime = position::apart);

// 3. Proves that the library answers. Runs code of the library, so no lock may be held. Every thread may do it.
void check_answers(const library& mpi, const opened& runtime);

// Returns true if the calling thread is in open() or check_answers(). A call to the front then comes from the runtime:
// from a constructor, or because it is not bound to itself. It must not wait for the runtime to be opened.
bool is_opening();

// Returns what the runtime defines under that name, or nullptr. About ten times cheaper than dlsym; only addresses that
// lie in the runtime's own objects are given out, whatever else the process has loaded.
void* symbol(const opened& runtime, const char* name);

} // namespace anympi::runtime
