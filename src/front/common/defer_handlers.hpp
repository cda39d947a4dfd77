#pragma once

#include "bridge/completion.hpp"
#include "bridge/requests.hpp"
#include "convert/deferred_handlers.hpp"
#include "front/common/entry.hpp"

namespace anympi {

/// Completion calls of a program that has error handlers of its own: the handler is told last
/// (convert/deferred_handlers.hpp).
template <auto Call>
struct with_handler_last;
template <class... Arguments, int (*Call)(Arguments...)>
struct with_handler_last<Call> {
    static int call(Arguments... arguments) {
        return with_handlers_last_of_all([=] { return Call(arguments...); });
    }
};

/// Other threads may be reading the slot; either function does what they want of it.
template <auto Call>
void defer_handlers_in(function of, void* before) {
    void* const after = reinterpret_cast<void*>(with_handler_last<Call>::call);
    __atomic_compare_exchange_n(&slots[static_cast<int>(of)], &before, after, false, __ATOMIC_RELEASE,
                                __ATOMIC_RELAXED);
}

/// Defers handlers for pairs: a bridge stands before the library's function.
template <class P>
void defer_handlers() {
    const auto replace = []<auto Bridge>(function of) {
        defer_handlers_in<Bridge>(of, reinterpret_cast<void*>(Bridge));
    };
    replace.template operator()<bridge::Wait<P>>(function::Wait);
    // Not the bridge's short way for two: it takes their success from the code (MPICH 4.3 to 5.0,
    // convert/deferred_handlers.hpp).
    defer_handlers_in<bridge::wait_for_all<P>>(function::Waitall, reinterpret_cast<void*>(bridge::Waitall<P>));
    replace.template operator()<bridge::Waitany<P>>(function::Waitany);
    replace.template operator()<bridge::Waitsome<P>>(function::Waitsome);
    replace.template operator()<bridge::Test<P>>(function::Test);
    replace.template operator()<bridge::Testall<P>>(function::Testall);
    replace.template operator()<bridge::Testany<P>>(function::Testany);
    replace.template operator()<bridge::Testsome<P>>(function::Testsome);
    replace.template operator()<bridge::Startall<P>>(function::Startall);
}

/// What stands in a place of the library when it is called.
template <class Run, auto Place>
struct in_library;
template <class Run, class... Arguments, int (*functions<Run>::*Place)(Arguments...)>
struct in_library<Run, Place> {
    static int call(Arguments... arguments) { return (library<Run>.*Place)(arguments...); }
};

/// Defers handlers for slots that lead to the library's own functions. Some of these call the handler before they have
/// set a request to null (MPICH 5.0).
template <class Run>
void defer_handlers_of_library() {
    using all = functions<Run>;
    const auto replace = []<auto Place>(function of) {
        defer_handlers_in<in_library<Run, Place>::call>(of, reinterpret_cast<void*>(library<Run>.*Place));
    };
    replace.template operator()<&all::Wait>(function::Wait);
    replace.template operator()<&all::Waitall>(function::Waitall);
    replace.template operator()<&all::Waitany>(function::Waitany);
    replace.template operator()<&all::Waitsome>(function::Waitsome);
    replace.template operator()<&all::Test>(function::Test);
    replace.template operator()<&all::Testall>(function::Testall);
    replace.template operator()<&all::Testany>(function::Testany);
    replace.template operator()<&all::Testsome>(function::Testsome);
}

} // namespace anympi
