#pragma once

#include "runtime/identify/library.hpp"
#include "runtime/open/rebind.hpp"

namespace anympi::runtime {

/// The runtime in this process, which stays open until the process ends.
struct opened {
    image_list* objects; // its library first, then the libraries that it needs
    family lineage;
};

// Opening has three steps, because a thread must never wait for the loader's lock while it holds a lock of anympi:
// another thread that holds the loader's lock may run a constructor that calls MPI, and wait for anympi's lock. Each
// step stops the process with a message if it fails.

/// 1. Opens the library. Takes the loader's lock. Two threads may open the same library at the same time: one result is
/// kept, the other one is forgotten.
opened open(const library& mpi);
void forget(const opened& runtime);

/// 2. Binds the library to itself, once in a process, under a lock of the caller. Does not take the loader's lock.
void bind_to_itself(const library& mpi, const opened& runtime, position of_runtime = position::apart);

/// 3. Checks that the library answers. Runs code of the library, so the caller must hold no lock. Every thread may call
/// it.
void check_answers(const library& mpi, const opened& runtime);

/// Returns true if the calling thread is in open() or check_answers(). A call to the front then comes from the runtime:
/// from a constructor, or because the runtime is not bound to itself. Such a call must not wait until the runtime is
/// open.
bool is_opening();

/// Returns the runtime's definition of a name, or nullptr. About ten times cheaper than dlsym. Only addresses in the
/// runtime's own objects are returned, whatever else the process has loaded.
void* symbol(const opened& runtime, const char* name);

} // namespace anympi::runtime
