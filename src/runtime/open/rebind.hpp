#pragma once

#include "runtime/open/rewrite_references.hpp"

namespace anympi::runtime {

// Binds the runtime to itself.
//
// An MPI library calls itself by its public names (mostly in ROMIO), and the loader binds such a reference to the first
// definition in the process, which is the front's. So, when the runtime has been opened, every reference to an MPI
// name, and to any other name that the front exports, is pointed at the runtime's own definition: in the runtime, in
// the libraries that it needs, and in the plug-ins that it opens later. So no call needs a test. It also works for
// threads that the runtime creates, for calls from its progress engine, and under sanitizers.
//
// Plug-ins are found because the runtime's references to dlopen lead to a function of anympi. A plug-in that is opened
// by a path is bound before dlopen returns. For a plug-in that is opened by a name without a folder, anympi's function
// jumps to dlopen, because glibc searches the RUNPATH of the function to which dlopen returns. Such a plug-in is bound
// at the runtime's next dlopen or by rebind_plugins(), whichever comes first.
//
// These calls are not found: objects that a constructor opens while the dlopen that runs it has not returned; objects
// that dlmopen opens; names looked up with dlsym(RTLD_DEFAULT, ...); calls from a plug-in that two threads open at the
// same moment, until the first of them has bound it. No MPI library is known to reach MPI functions in these ways.
//
// If the runtime comes before the front in the process, its references find its own definitions, except for names that
// an interposer before the runtime has. Only those names are pointed at the runtime.
//
// Two kinds of objects are not changed: objects that the program had loaded before, unless the runtime needs them; and
// plug-ins that need the front by its soname, because a library that program and runtime share (libltdl, for example)
// may open plug-ins of both.

/// Must be called once, when the runtime has been opened and before any of its code runs. `runtime` must stay in memory
/// until the process ends. Afterwards the addresses of its objects are known.
rebinding rebind(const image_list& runtime, position of_runtime = position::apart);

/// Binds plug-ins that the runtime has opened by a name without a folder since the last call. Cheap if there is nothing
/// to do.
void rebind_plugins();

/// Returns true if the runtime has opened plug-ins that may not be bound yet.
bool has_unbound_plugins();

} // namespace anympi::runtime
