#pragma once

#include "runtime/open/rewrite_references.hpp"

namespace anympi::runtime {

// Binds the runtime to itself.
//
// An MPI library calls itself by its public names (ROMIO above all), and the loader binds such a reference to the first
// definition in the process, which is ours. So, when the runtime has been opened, every reference to an MPI name, and
// to whatever else the front exports, in it, in the libraries it needs and in the plug-ins it opens later is pointed at
// the runtime's own definition. Nothing is tested per call, and it holds for threads that the runtime makes, for calls
// made from progress, and under sanitizers.
//
// Plug-ins are seen because the runtime's references to dlopen lead to a function of ours. One that is opened by a path
// is bound before dlopen returns. One that is opened by a bare name is passed on by a jump, because glibc searches the
// RUNPATH of the function to which it returns; it is bound at the runtime's next dlopen or by rebind_plugins(),
// whichever is first.
//
// Not seen: what a constructor opens while the dlopen that runs it has not returned; what dlmopen opens; names looked
// up with dlsym(RTLD_DEFAULT, ...); calls from a plug-in that two threads open at the same moment, until the first of
// them has bound it. No MPI library is known to reach MPI functions in these ways.
//
// Where the runtime comes before the front in the process, its references find its own definitions, but for those of
// the interposers before it: only names that an interposer has are pointed at the runtime.
//
// Left alone: everything that the program had loaded before, unless the runtime needs it, and plug-ins that need the
// front by its soname, since a library that program and runtime share (libltdl, say) may open plug-ins of both.

// To be called once, when the runtime has been opened and before anything of it is called. `runtime` is to stay as long
// as the process; the places of its objects are known afterwards.
rebinding rebind(const image_list& runtime, position of_runtime = position::apart);

// Binds what the runtime has opened by a bare name since. Cheap when there is nothing to do.
void rebind_plugins();

// Returns true if the runtime has opened plug-ins that may not be bound yet.
bool has_unbound_plugins();

} // namespace anympi::runtime
