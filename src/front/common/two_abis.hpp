#pragma once

namespace anympi {

// A program and its plug-ins may have been built for different ABIs of MPI. The loader then binds all their calls to
// the library that came first, where the values of the others mean something else. A process in which that happens is
// stopped with a message: by the first MPI call, if the part of the other ABI is there already, else when that part is
// loaded. A part whose ABI is another one and that was loaded, but never met MPI in use, does no harm.
//
// A part is an object that imports MPI functions and needs an MPI library of another ABI, by whatever file the loader
// satisfied that: it may be the runtime itself.

/// Stops the process if it has a part of another ABI. To be called before the runtime is opened, whose own parts are
/// not the program's.
void refuse_other_abi();

/// From now on parts of another ABI are refused when they are loaded. To be called when the runtime is bound to itself.
/// Does not take the loader's lock.
void watch_for_other_abi();

} // namespace anympi
