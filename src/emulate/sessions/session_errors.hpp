#pragma once

#include "emulate/engine/own_handle.hpp"
#include "emulate/sessions/life.hpp"
#include "runtime/message.hpp"

#include <cstdlib>

namespace anympi::emulate {

// Error handlers of sessions. They are predefined handlers of the runtime, or objects of anympi, which live as long as
// a handle or a session refers to them.

using session_error_function = void(void* session, int* code, ...);

struct session_errhandler {
    session_error_function* function;
    std::atomic<int> holders;
};

[[gnu::visibility("hidden")]] extern handle_table session_errhandlers;

/// The number of handles of predefined error handlers that sessions have returned and that were not freed. The runtime
/// did not count them, and Open MPI refuses to free a predefined handler that it did not return itself.
[[gnu::visibility("hidden")]] extern std::atomic<int> lent_errhandlers;

template <class Run>
using errhandler_handle = own_handle<Run, object::errhandler, 5>;

/// Returns anympi's error handler of a handle, or nullptr if the handle is not anympi's.
template <class Run>
session_errhandler* own_errhandler(handle_of<Run, object::errhandler> handle) {
    using own = errhandler_handle<Run>;
    return own::is_own(handle) ? reinterpret_cast<session_errhandler*>(session_errhandlers.find(own::in_table(handle)))
                               : nullptr;
}

template <class Run>
bool is_errhandler(handle_of<Run, object::errhandler> handle, word id) {
    return handle == static_cast<handle_of<Run, object::errhandler>>(predefined<Run>(id));
}

template <class Run>
bool fits_sessions(handle_of<Run, object::errhandler> handle) {
    return own_errhandler<Run>(handle) != nullptr || is_errhandler<Run>(handle, standard::mpi_ERRORS_RETURN) ||
           is_errhandler<Run>(handle, standard::mpi_ERRORS_ARE_FATAL) ||
           is_errhandler<Run>(handle, standard::mpi_ERRORS_ABORT);
}

template <class Run>
void hold_errhandler(handle_of<Run, object::errhandler> handle) {
    if (session_errhandler* const own = own_errhandler<Run>(handle))
        ++own->holders;
}

template <class Run>
void drop_errhandler(handle_of<Run, object::errhandler> handle) {
    session_errhandler* const own = own_errhandler<Run>(handle);
    if (own == nullptr || --own->holders > 0)
        return;
    session_errhandlers.remove(errhandler_handle<Run>::in_table(handle));
    std::free(own);
}

/// Counts a handle that is returned to the program, which frees it.
template <class Run>
void lend_errhandler(handle_of<Run, object::errhandler> handle) {
    if (own_errhandler<Run>(handle) != nullptr)
        hold_errhandler<Run>(handle);
    else
        ++lent_errhandlers;
}

/// Uncounts a handle of a predefined error handler. Returns false if none was returned to the program.
inline bool take_back_lent() {
    int lent = lent_errhandlers.load();
    while (lent > 0 && !lent_errhandlers.compare_exchange_weak(lent, lent - 1))
        ;
    return lent > 0;
}

/// Ends the program, for MPI_ERRORS_ARE_FATAL and MPI_ERRORS_ABORT.
template <class Run>
void end_for_error(int code) {
    char text[Run::mpi_MAX_ERROR_STRING] = {};
    int length = 0;
    library<Run>.Error_string(code, text, &length);
    runtime::say("an error occurred in a session, and the session's error handler ends the program: %s", text);
    library<Run>.Abort(predefined<Run>(standard::mpi_COMM_WORLD), code);
}

/// Calls the error handler. Returns the error code for the call.
template <class Run>
int report(handle_of<Run, object::errhandler> handler, handle_of<Run, object::session> session, int code) {
    if (const session_errhandler* const own = own_errhandler<Run>(handler))
        own->function(&session, &code);
    else if (!is_errhandler<Run>(handler, standard::mpi_ERRORS_RETURN))
        end_for_error<Run>(code);
    return code;
}

template <class Run>
int Session_create_errhandler(void* function, handle_of<Run, object::errhandler>* errhandler) {
    if (function == nullptr || errhandler == nullptr)
        return Run::mpi_ERR_ARG;
    void* const room = std::calloc(1, sizeof(session_errhandler));
    if (room == nullptr)
        return Run::mpi_ERR_NO_MEM;
    auto* const made = static_cast<session_errhandler*>(room);
    made->function = reinterpret_cast<session_error_function*>(function);
    made->holders = 1;
    *errhandler = errhandler_handle<Run>::from_table(
        session_errhandlers.add(reinterpret_cast<word>(made), errhandler_handle<Run>::class_number));
    return 0;
}

// Overrides of the runtime's functions, which would not know these handlers.
namespace with_session_errhandlers {

template <class Run>
int Errhandler_free(handle_of<Run, object::errhandler>* errhandler) {
    if (errhandler == nullptr || !fits_sessions<Run>(*errhandler))
        return original<Errhandler_free<Run>>(errhandler);
    if (own_errhandler<Run>(*errhandler) != nullptr)
        drop_errhandler<Run>(*errhandler);
    else if (!is_errhandler<Run>(*errhandler, standard::mpi_ERRORS_ABORT) && !take_back_lent())
        return original<Errhandler_free<Run>>(errhandler);
    *errhandler = library_null<Run, object::errhandler>();
    return 0;
}

template <class Run>
int Errhandler_c2f(word errhandler) {
    return errhandler_handle<Run>::number_of(errhandler, original<Errhandler_c2f<Run>>);
}

template <class Run>
word Errhandler_f2c(int number) {
    return errhandler_handle<Run>::handle_at(number, original<Errhandler_f2c<Run>>);
}

} // namespace with_session_errhandlers

} // namespace anympi::emulate
