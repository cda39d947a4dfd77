#pragma once

#include "abi/abi.hpp"

#include <atomic>

namespace anympi {

/// An error handler of the program may leave by longjmp, or look at what the program gave to the call. So a call that
/// holds something meanwhile (requests in the library's form, an operation of ours, a lock) calls the handler last,
/// when all else is done. The library calls a function of ours where it would call the handler. That function keeps the
/// first error until then: a call has only one.
struct reported_error {
    int (*tell)(const reported_error&); ///< calls the program's handler; nullptr if there is no error
    void* user_function;
    word object; ///< the library's handle
    int code;    ///< as the program sees it
    int library_code;
};

struct handlers_of_thread {
    int calls_that_defer; ///< how many calls, inside each other, call handlers last
    reported_error first;
};
[[gnu::visibility("hidden")]] extern constinit thread_local handlers_of_thread deferred_handlers;

/// Keeps an error if this thread is inside a call that calls handlers last. Returns true if the error is kept.
inline bool defer_error(const reported_error& error) {
    if (deferred_handlers.calls_that_defer == 0)
        return false;
    if (deferred_handlers.first.tell == nullptr)
        deferred_handlers.first = error;
    return true;
}

/// Calls something that returns a code of the library. Stores its error in `own`, unless there is one already; the
/// caller tells the handler later.
template <class Call>
int with_own_error(reported_error& own, Call call) {
    const handlers_of_thread before = deferred_handlers;
    deferred_handlers = {1, {}};
    int code = call();
    const reported_error error = deferred_handlers.first;
    deferred_handlers = before;
    if (error.tell == nullptr)
        return code;
    if (own.tell == nullptr)
        own = error;
    return code != 0 ? code : error.library_code; // MPICH 4.3 to 5.0 return success after a handler of the program
}

/// Calls the handler of the error that was kept. Clears everything first, since the handler may leave by longjmp.
inline void tell_deferred_error() {
    const reported_error error = deferred_handlers.first;
    deferred_handlers = {};
    if (error.tell != nullptr)
        error.tell(error);
}

/// Calls something that returns a code, and the program's error handler after it.
template <class Call>
auto with_handlers_last(Call call) {
    ++deferred_handlers.calls_that_defer;
    const auto result = call();
    if (--deferred_handlers.calls_that_defer == 0)
        tell_deferred_error();
    return result;
}

/// Does the same for a call of the program, which may come from a function of the program inside another call.
template <class Call>
auto with_handlers_last_of_all(Call call) {
    const handlers_of_thread before = deferred_handlers;
    deferred_handlers = {};
    const auto result = with_handlers_last(call);
    deferred_handlers = before;
    return result;
}

/// Calls a function of the library inside with_handlers_last. Returns the code of the error, which MPICH 4.3 to 5.0
/// replace by success after a handler of the program.
template <class Call>
int with_true_code(Call call) {
    reported_error error{};
    const int code = with_own_error(error, call);
    if (error.tell != nullptr)
        defer_error(error);
    return code;
}

/// Calls something whose errors reach no handler: those of requests that the program has freed.
template <class Call>
auto without_handlers(Call call) {
    const handlers_of_thread before = deferred_handlers;
    ++deferred_handlers.calls_that_defer;
    const auto result = call();
    deferred_handlers = before;
    return result;
}

/// Exists while a function of the program runs inside a call. Handlers are called as if that call were not there.
class program_function_scope {
public:
    program_function_scope() : before(deferred_handlers) { deferred_handlers = {}; }
    ~program_function_scope() { deferred_handlers = before; }
    program_function_scope(const program_function_scope&) = delete;
    program_function_scope& operator=(const program_function_scope&) = delete;

private:
    handlers_of_thread before;
};

/// Called before the first error handler of the program is made. Programs without one pay nothing for all this.
inline std::atomic<void (*)()> before_first_handler{nullptr};

} // namespace anympi
