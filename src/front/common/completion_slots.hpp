#pragma once

#include "bridge/completion.hpp"
#include "bridge/requests.hpp"
#include "convert/deferred_handlers.hpp"
#include "front/common/entry.hpp"

namespace anympi {

/// A completion call of a program that has its own error handlers. The handler is called after everything else
/// (convert/deferred_handlers.hpp).
template <auto Call>
struct with_handler_last;
template <class... Arguments, int (*Call)(Arguments...)>
struct with_handler_last<Call> {
    static int call(Arguments... arguments) {
        return with_handlers_last_of_all([=] { return Call(arguments...); });
    }
};

template <auto Call>
void defer_handlers_in(function of, void* before) {
    replace_in_slot(static_cast<int>(of), before, reinterpret_cast<void*>(with_handler_last<Call>::call));
}

/// Defers handlers for a pair: the slot leads to a bridge, not to the library's function.
template <class P>
void defer_handlers() {
    const auto replace = []<auto Bridge>(function of) {
        defer_handlers_in<Bridge>(of, reinterpret_cast<void*>(Bridge));
    };
    replace.template operator()<bridge::Wait<P>>(function::Wait);
    // Do not call bridge::Waitall, whose fast path for two requests takes their success from the returned code. MPICH
    // 4.3 to 5.0 return success after an error (convert/deferred_handlers.hpp).
    defer_handlers_in<bridge::wait_for_all<P>>(function::Waitall, reinterpret_cast<void*>(bridge::Waitall<P>));
    replace.template operator()<bridge::Waitany<P>>(function::Waitany);
    replace.template operator()<bridge::Waitsome<P>>(function::Waitsome);
    replace.template operator()<bridge::Test<P>>(function::Test);
    replace.template operator()<bridge::Testall<P>>(function::Testall);
    replace.template operator()<bridge::Testany<P>>(function::Testany);
    replace.template operator()<bridge::Testsome<P>>(function::Testsome);
    replace.template operator()<bridge::Startall<P>>(function::Startall);
}

/// Calls the function that is in one entry of the library's table. Some functions of MPICH 5.0 call the handler before
/// they set a request to null. api/overrides.api lists the functions whose handlers are deferred for that reason.
template <class Run, auto Place>
struct in_library;
template <class Run, class... Arguments, int (*functions<Run>::*Place)(Arguments...)>
struct in_library<Run, Place> {
    static int call(Arguments... arguments) { return (library<Run>.*Place)(arguments...); }
};

} // namespace anympi
