#pragma once

#include "emulate/engine/completion.hpp"

namespace anympi::emulate {

/// A request with something that lives as long as it does. What is held has
///     void release()     gives it up
///     void begin()       (may be absent) before the operation begins, each time if it is persistent
///     int finish()       (may be absent) after it has completed; the result is a code of the runtime
template <class Held>
struct holding {
    template <class Run>
    struct request : compound<Run> {
        Held held;
    };

    template <class Run>
    static Held& of(compound<Run>& operation) {
        return static_cast<request<Run>&>(operation).held;
    }
    static void begin(Held& held) {
        if constexpr (requires { held.begin(); })
            held.begin();
    }

    template <class Run>
    static int start(compound<Run>& operation) {
        begin(of<Run>(operation));
        return library<Run>.Startall(operation.count, operation.children);
    }
    template <class Run>
    static int finish(compound<Run>& operation, typename Run::status&) {
        if constexpr (requires { of<Run>(operation).finish(); })
            return of<Run>(operation).finish();
        else
            return 0;
    }
    template <class Run>
    static void destroy(compound<Run>& operation) {
        of<Run>(operation).release();
    }

    template <class Run>
    static constexpr typename compound<Run>::behaviour behaviour = {start<Run>, finish<Run>, destroy<Run>};
};

/// `prepare(held)` fills in what is held, `call(held, children)` begins the children, or makes them if they are
/// persistent. Both return codes that have been reported.
template <class Run, class Held, class Prepare, class Call>
int begin_holding(bool is_persistent, int children, word comm, request_of<Run>* request, Prepare prepare, Call call) {
    if (request == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_ARG);
    auto* const operation = make<Run, holding<Held>::template request>(children);
    if (operation == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_NO_MEM);
    operation->does = &holding<Held>::template behaviour<Run>;
    operation->is_persistent = is_persistent;
    operation->status_from = 0;
    int code = prepare(operation->held);
    if (code == 0 && !is_persistent)
        holding<Held>::begin(operation->held);
    if (code == 0)
        code = call(operation->held, operation->children);
    if (code == 0) {
        publish<Run>(operation, request);
    } else if (operation->children[0] != no_request<Run>()) {
        end_later<Run>(operation);
    } else {
        operation->held.release();
        std::free(operation);
    }
    return code;
}

} // namespace anympi::emulate
