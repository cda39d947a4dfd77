#pragma once

namespace anympi {

// A program and its plug-ins may have been built for different ABIs of MPI. The loader then binds all their calls to
// the library that came first, which misreads the values of the other ABI. Such a process is stopped with a message: by
// the first MPI call if the part of the other ABI is already loaded, otherwise when that part is loaded. A part of
// another ABI is harmless if MPI is not used while the part is loaded.
//
// A part is an object that imports MPI functions and needs an MPI library of another ABI, whatever file the loader has
// found for that library: it may be the runtime itself.

/// Stops the process if it has a part of another ABI. Must be called before the runtime is opened, because the
/// runtime's own libraries are not parts of the program.
void refuse_other_abi();

/// Starts to reject parts of another ABI when they are loaded. Must be called after the runtime is rebound to itself.
/// Does not take the loader's lock.
void watch_for_other_abi();

} // namespace anympi
