#pragma once

#include "abi/abi.hpp"

#include <atomic>

namespace anympi {

/// An error handler of the program may leave by longjmp, or look at what it gave to the call. So a call that holds
/// something meanwhile (requests in the library's form, an operation of ours that is being asked for, a lock) tells the
/// handler last, when all else is done. The library calls us where it would call the handler, and we keep the error
/// until then: the first one, as a call has but one.
struct reported_error {
    int (*tell)(const reported_error&); ///< calls the program's handler; the code that it left. nullptr: no error
    void* user_function;
    word object; ///< the library's handle
    int code;    ///< as the program sees it
    int library_code;
};

struct handlers_of_thread {
    int calls_that_tell; ///< so many calls, inside each other, that tell handlers last
    reported_error first;
};
[[gnu::visibility("hidden")]] extern constinit thread_local handlers_of_thread handlers_later;

/// Keeps an error if this thread is inside a call that tells handlers last. Returns true if it is kept.
inline bool keep_for_later(const reported_error& error) {
    if (handlers_later.calls_that_tell == 0)
        return false;
    if (handlers_later.first.tell == nullptr)
        handlers_later.first = error;
    return true;
}

/// Calls something that returns a code of the library. Its error is kept in `own`, if none is there yet, for whoever
/// will tell it.
template <class Call>
int with_own_error(reported_error& own, Call call) {
    const handlers_of_thread before = handlers_later;
    handlers_later = {1, {}};
    int code = call();
    const reported_error error = handlers_later.first;
    handlers_later = before;
    if (error.tell == nullptr)
        return code;
    if (own.tell == nullptr)
        own = error;
    return code != 0 ? code : error.library_code; // MPICH 4.3 to 5.0 return success after a handler of the program
}

/// Nothing is counted or kept while a handler runs: where it leaves to, nothing of this call is left.
inline void tell_kept_error() {
    const reported_error error = handlers_later.first;
    handlers_later = {};
    if (error.tell != nullptr)
        error.tell(error);
}

/// Calls something that returns a code; the program's error handler after it.
template <class Call>
auto with_handlers_last(Call call) {
    ++handlers_later.calls_that_tell;
    const auto result = call();
    if (--handlers_later.calls_that_tell == 0)
        tell_kept_error();
    return result;
}

/// The same for a call of the program itself, which may come from a function of the program inside another call.
template <class Call>
auto with_handlers_last_of_all(Call call) {
    const handlers_of_thread before = handlers_later;
    handlers_later = {};
    const auto result = with_handlers_last(call);
    handlers_later = before;
    return result;
}

/// Calls a function of the library inside with_handlers_last. Returns the code of the error, which MPICH 4.3 to 5.0
/// replace by success after a handler of the program.
template <class Call>
int with_true_code(Call call) {
    reported_error error{};
    const int code = with_own_error(error, call);
    if (error.tell != nullptr)
        keep_for_later(error);
    return code;
}

/// Calls something whose errors nobody is to be told: those of requests that the program has freed.
template <class Call>
auto without_handlers(Call call) {
    const handlers_of_thread before = handlers_later;
    ++handlers_later.calls_that_tell;
    const auto result = call();
    handlers_later = before;
    return result;
}

/// While a function of the program runs inside a call: handlers are told as if that call were not there.
class function_of_program {
public:
    function_of_program() : before(handlers_later) { handlers_later = {}; }
    ~function_of_program() { handlers_later = before; }
    function_of_program(const function_of_program&) = delete;
    function_of_program& operator=(const function_of_program&) = delete;

private:
    handlers_of_thread before;
};

/// Is called before the first error handler of the program is made: programs that have none pay nothing for all this.
inline std::atomic<void (*)()> before_first_handler{nullptr};

} // namespace anympi
