#pragma once

#include "convert/address.hpp"
#include "convert/handle.hpp"

namespace anympi::emulate {

template <class Run>
word predefined(word id) {
    return predefined_to_run<Run>[id];
}

/// Reports an error that we found, as the runtime would have: to the handler of the communicator. Returns the code.
template <class Run>
int raise(word comm, int code) {
    library<Run>.Comm_call_errhandler(comm, code);
    return code;
}

/// One that belongs to no communicator. Since MPI 4 these go to MPI_COMM_SELF.
template <class Run>
int raise(int code) {
    return raise<Run>(
        predefined<Run>(sentinels_of<Run>.has_mpi_4_0 ? standard::mpi_COMM_SELF : standard::mpi_COMM_WORLD), code);
}

} // namespace anympi::emulate
