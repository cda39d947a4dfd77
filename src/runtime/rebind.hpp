#pragma once

#include "runtime/image.hpp"

namespace anympi::runtime {

// Binds the runtime to itself.
//
// An MPI library calls itself by its public names (ROMIO above all), and the loader binds such a reference to the first
// definition in the process, which is ours. So, when the runtime has been opened, every reference to an MPI name in it,
// in the libraries it needs and in the plug-ins it opens later is pointed at the runtime's own definition. Nothing is
// tested per call, and it holds for threads that the runtime makes, for calls made from progress, and under sanitizers.
//
// Plug-ins are seen because the runtime's references to dlopen lead to a function of ours:
// - opened by a path: bound to the runtime before dlopen returns to the runtime;
// - opened by a bare name: passed on by a jump, because glibc searches the RUNPATH of the function that it returns to.
// These
//   are bound at the next dlopen of the runtime or the next rebind_plugins(), whichever comes first.
//
// Not seen: what a constructor opens while the dlopen that runs it has not returned; objects opened by dlmopen; a name
// looked up with dlsym(RTLD_DEFAULT, …). No MPI library is known to reach MPI functions in these ways. A plug-in of the
// program is left alone, although a library that it shares with the runtime (libltdl, say) may have opened it, if it
// needs the front by its soname.

struct rebinding {
    unsigned objects = 0;          // looked at
    unsigned references = 0;       // to MPI names, pointed at the runtime
    unsigned openers = 0;          // to dlopen, pointed at ours
    unsigned unknown = 0;          // to MPI names that the runtime does not define: left as they were
    const char* refused = nullptr; // the object whose references could not be written; `error` says why
    int error = 0;
};

// To be called once, when the runtime has been opened and before anything of it is called. `runtime` is to stay as long
// as the process; the places of its objects are known afterwards.
rebinding rebind(const image_list& runtime);

// Binds what the runtime has opened by a bare name since. Cheap when there is nothing to do.
void rebind_plugins();

// Everything so far, plug-ins included.
rebinding rebound();

} // namespace anympi::runtime
