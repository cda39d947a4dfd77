#pragma once

#include "convert/handle.hpp"
#include "convert/library_features.hpp"

namespace anympi::emulate {

template <class Run>
word predefined(word id) {
    return predefined_to_run<Run>[id];
}

/// Returns true if a datatype or an operation is predefined. Predefined ones exist at any time.
template <class Run>
bool is_predefined(word handle) {
    using any = pair<standard, Run>;
    if constexpr (Run::handles == handle_style::addresses)
        if (copied_address_ids<Run>.find(handle, predefined_to_run<Run>) != 0)
            return true;
    return id_of<any, object::datatype>(static_cast<handle_of<Run, object::datatype>>(handle)) != 0 ||
           id_of<any, object::op>(static_cast<handle_of<Run, object::op>>(handle)) != 0;
}

/// The object whose error handler is called for the errors of an operation.
struct error_target {
    object of; // a communicator, a window, a session or a file
    word handle;
};
inline error_target error_target_of(word comm) {
    return {object::comm, comm};
}

/// Reports an error that anympi has found to the error handler of the object, as the runtime would do it. Returns the
/// code.
template <class Run>
int raise(error_target by, int code) {
    if (by.of == object::win)
        library<Run>.Win_call_errhandler(by.handle, code);
    else if (by.of == object::session)
        library<Run>.Session_call_errhandler(by.handle, code);
    else if (by.of == object::file)
        library<Run>.File_call_errhandler(by.handle, code);
    else
        library<Run>.Comm_call_errhandler(by.handle, code);
    return code;
}
template <class Run>
int raise(word comm, int code) {
    return raise<Run>(error_target_of(comm), code);
}

/// Reports an error that belongs to no communicator. Since MPI 4 the handler of MPI_COMM_SELF gets it, before that the
/// handler of MPI_COMM_WORLD.
template <class Run>
int raise(int code) {
    return raise<Run>(
        predefined<Run>(features_of<Run>.has_mpi_4_0 ? standard::mpi_COMM_SELF : standard::mpi_COMM_WORLD), code);
}

} // namespace anympi::emulate
