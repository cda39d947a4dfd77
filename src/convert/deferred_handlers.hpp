#pragma once

#include "abi/abi.hpp"

#include <atomic>

namespace anympi {

/// An error that waits for its handler. An error handler of the program may leave by longjmp, or look at the arguments
/// of the failed call. So a call that holds something meanwhile (requests in the library's form, an operation of
/// anympi, a lock) calls the handler last, after all other work. The library calls a stub instead of the handler, and
/// the stub stores the first error. A call reports only one error.
struct reported_error {
    int (*tell)(const reported_error&); // calls the program's handler; nullptr if there is no error
    void* user_function;
    word object; // the library's handle
    int code;    // the code in the program's ABI
    int library_code;
};

struct handlers_of_thread {
    int calls_that_defer; // number of nested calls that call handlers last
    reported_error first;
};
[[gnu::visibility("hidden")]] extern constinit thread_local handlers_of_thread deferred_handlers;

/// Stores an error if this thread is inside a call that calls handlers last. Returns true if the error is stored.
inline bool defer_error(const reported_error& error) {
    if (deferred_handlers.calls_that_defer == 0)
        return false;
    if (deferred_handlers.first.tell == nullptr)
        deferred_handlers.first = error;
    return true;
}

/// Runs a call that returns a code of the library, and returns that code. Stores the error that the call reports in
/// `own`, unless `own` already has an error; the caller calls the handler later.
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

/// Calls the handler of the stored error. Clears the state first, because the handler may leave by longjmp.
inline void tell_deferred_error() {
    const reported_error error = deferred_handlers.first;
    deferred_handlers = {};
    if (error.tell != nullptr)
        error.tell(error);
}

/// Runs a call, then calls the program's error handler for the error that was stored meanwhile. Returns the result of
/// the call.
template <class Call>
auto with_handlers_last(Call call) {
    ++deferred_handlers.calls_that_defer;
    const auto result = call();
    if (--deferred_handlers.calls_that_defer == 0)
        tell_deferred_error();
    return result;
}

/// Like with_handlers_last, for a call by the program, which may come from a callback of the program inside another
/// call.
template <class Call>
auto with_handlers_last_of_all(Call call) {
    const handlers_of_thread before = deferred_handlers;
    deferred_handlers = {};
    const auto result = with_handlers_last(call);
    deferred_handlers = before;
    return result;
}

/// Calls a function of the library inside with_handlers_last. Returns the error code even where MPICH 4.3 to 5.0 return
/// success after a handler of the program.
template <class Call>
int with_true_code(Call call) {
    reported_error error{};
    const int code = with_own_error(error, call);
    if (error.tell != nullptr)
        defer_error(error);
    return code;
}

/// Runs a call whose errors must reach no handler: errors of requests that the program has freed.
template <class Call>
auto without_handlers(Call call) {
    const handlers_of_thread before = deferred_handlers;
    ++deferred_handlers.calls_that_defer;
    const auto result = call();
    deferred_handlers = before;
    return result;
}

/// Exists while a callback of the program runs inside a call. Meanwhile, handlers are called as if that call did not
/// exist.
class program_function_scope {
public:
    program_function_scope() : before(deferred_handlers) { deferred_handlers = {}; }
    ~program_function_scope() { deferred_handlers = before; }
    program_function_scope(const program_function_scope&) = delete;
    program_function_scope& operator=(const program_function_scope&) = delete;

private:
    handlers_of_thread before;
};

/// Called before the program creates its first error handler. Until then, programs pay nothing for deferred handlers.
inline std::atomic<void (*)()> before_first_handler{nullptr};

} // namespace anympi
