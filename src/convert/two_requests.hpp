#pragma once

#include "base/optimizer_barriers.hpp"
#include "convert/handle.hpp"
#include "convert/request_array.hpp"
#include "convert/status.hpp"

namespace anympi {

// The fast path of MPI_Waitall for two requests, which follows every exchange with a neighbour. It has no loops and
// expects that both requests are null afterwards. Programs in C and in Fortran use these rules.

/// Returns true if a call has completed both requests.
template <class Request>
[[gnu::always_inline]] inline bool are_both_null(const Request* requests, Request null) {
    return __builtin_expect(requests[0] == null, 1) && __builtin_expect(requests[1] == null, 1);
}

/// Writes two variable requests by two stores. Without this, the compiler would build a vector, which takes longer.
template <class Request>
[[gnu::always_inline]] inline void store_apart(Request* to, Request first, Request second) {
    to[0] = first;
    hide_value(second);
    to[1] = second;
}

/// Like request_array without loops: two requests of a program in C, which belong to the call while it runs.
template <class P>
class two_requests {
    using request = app_handle<P, object::request>;
    using run_request = run_handle<P, object::request>;

public:
    explicit two_requests(request* program) : requests(program) {
        set(program, 0);
        set(program, 1);
    }
    run_request* argument() { return argument(requests); }
    [[gnu::always_inline]] void finish() {
        request* const program = requests; // read once: the runtime has written to the neighbours of this member
        if (are_both_null(argument(program), runtime_null<P, object::request>())) [[likely]] {
            if constexpr (is_narrowed<P, object::request>) {
                forget<P, object::request>(program[0]);
                forget<P, object::request>(program[1]);
            }
            set_both_null(program);
        } else {
            update<P, object::request>(program[0], argument(program)[0]);
            update<P, object::request>(program[1], argument(program)[1]);
        }
    }

private:
    run_request* argument(request* program) {
        if constexpr (requests_in_place<P>)
            return program;
        else
            return copy;
    }
    static void set_both_null(request* program) {
        const request null = program_null<P, object::request>();
        if constexpr (mark_of_made<P> == 0)
            program[0] = program[1] = null;
        else
            store_apart(program, null, null); // null is not a compile-time constant here
    }
    void set(request* program, int i) {
        if constexpr (is_narrowed<P, object::request>) {
            copy[i] = request_to_run<P>(program[i]);
            return;
        }
        const bool is_null = program[i] == program_null<P, object::request>();
        if constexpr (!requests_in_place<P>)
            copy[i] = static_cast<run_request>(program[i]);
        else if constexpr (mark_of_made<P> != 0)
            program[i] &= ~mark_of_made<P>;
        if (is_null) [[unlikely]]
            argument(program)[i] = runtime_null<P, object::request>();
    }
    request* requests;
    run_request copy[requests_in_place<P> ? 1 : 2];
};

/// The statuses of two requests.
template <class P>
class two_statuses {
public:
    explicit two_statuses(app_status<P>* program) : statuses(program) {}

    run_status<P>* argument() {
        staged[0] = staged[1] = empty_status(typename P::run{});
        return staged;
    }
    /// Converts the statuses back. If the call succeeded, both errors are 0.
    void finish(int code) const {
        if (code == 0) [[likely]] {
            status_to_app<P>(statuses[0], staged[0], 0);
            status_to_app<P>(statuses[1], staged[1], 0);
        } else {
            finish_with_errors();
        }
    }

private:
    [[gnu::cold, gnu::noinline]] void finish_with_errors() const {
        status_to_app<P>(statuses[0], staged[0]);
        status_to_app<P>(statuses[1], staged[1]);
    }

    app_status<P>* statuses;
    run_status<P> staged[2];
};

} // namespace anympi
