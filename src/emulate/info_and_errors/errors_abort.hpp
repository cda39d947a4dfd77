#pragma once

#include "base/make_once.hpp"
#include "emulate/sessions/session_errors.hpp"

namespace anympi::emulate {

// MPI_ERRORS_ABORT came with MPI 4. For an older runtime, an error handler of anympi replaces it, one for each class of
// objects.

/// The handle of MPI_ERRORS_ABORT in the runtime's format: MPICH's number since version 4.
template <class Run>
inline constexpr handle_of<Run, object::errhandler> errors_abort = errhandler_handle<Run>::with_number(0x54000003);

template <class Run, object O>
inline std::atomic<handle_of<Run, object::errhandler>> abort_errhandler{0};

/// Aborts the communicator. The communicator of a window or a file is unknown, so MPI_COMM_WORLD is aborted.
template <class Run, object O>
void abort_for_error(handle_of<Run, O>* object, int* code, ...) {
    library<Run>.Abort(O == object::comm ? static_cast<word>(*object) : predefined<Run>(standard::mpi_COMM_WORLD),
                       *code);
}

template <class Run, object O, auto Create>
int find_abort_errhandler(word& handler) {
    handle_of<Run, object::errhandler> known{};
    const int code = make_once(abort_errhandler<Run, O>, known, [](handle_of<Run, object::errhandler>* made) {
        return (library<Run>.*Create)(reinterpret_cast<void*>(abort_for_error<Run, O>), made);
    });
    if (code == 0)
        handler = known;
    return code;
}

template <class Run, object O, auto Create>
int set_errhandler(word object, word handler) {
    if (is_errhandler<Run>(static_cast<handle_of<Run, object::errhandler>>(handler), standard::mpi_ERRORS_ABORT))
        if (const int code = find_abort_errhandler<Run, O, Create>(handler); code != 0)
            return code;
    return original<set_errhandler<Run, O, Create>>(object, handler);
}

template <class Run, object O>
int get_errhandler(word object, handle_of<Run, object::errhandler>* handler) {
    const int code = original<get_errhandler<Run, O>>(object, handler);
    if (code != 0 || handler == nullptr || *handler == 0 || *handler != abort_errhandler<Run, O>)
        return code;
    original<with_session_errhandlers::Errhandler_free<Run>>(handler);
    *handler = static_cast<handle_of<Run, object::errhandler>>(predefined<Run>(standard::mpi_ERRORS_ABORT));
    return 0;
}

} // namespace anympi::emulate
