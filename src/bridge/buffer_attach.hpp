#pragma once

#include "bridge/missing_reports.hpp"
#include "convert/crossings.hpp"

namespace anympi::bridge {

/// Attaching buffers for MPI_Bsend. MPI_BUFFER_AUTOMATIC needs a runtime that knows it, or emulation; others would take
/// it for an address. The MPI_BSEND_OVERHEAD of every program (512, 128 or 96 bytes) covers what runtimes of other
/// families need for a message (96 in MPICH, less than 32 in Open MPI), so the program's own buffer is large enough.
template <class P>
bool lacks_automatic(const void* buffer) {
    return buffer == address_of<const void*>(P::app::mpi_BUFFER_AUTOMATIC) &&
           !features_of<typename P::run>.has_automatic_buffers;
}

template <class P>
int Buffer_attach(void* buffer, int size) {
    if (lacks_automatic<P>(buffer))
        return missing.report(function::Buffer_attach, object::comm,
                              predefined_of_program<typename P::app>(standard::mpi_COMM_SELF));
    return error_to_app<P>(target<P>.Buffer_attach(automatic_to_run<P>(buffer), size));
}
template <class P>
int Buffer_attach_c(void* buffer, std::int64_t size) {
    if (lacks_automatic<P>(buffer))
        return missing.report(function::Buffer_attach_c, object::comm,
                              predefined_of_program<typename P::app>(standard::mpi_COMM_SELF));
    return error_to_app<P>(target<P>.Buffer_attach_c(automatic_to_run<P>(buffer), size));
}

} // namespace anympi::bridge
