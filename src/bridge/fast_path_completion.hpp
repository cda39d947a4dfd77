#pragma once

#include "bridge/fast_path.hpp"
#include "convert/two_requests.hpp"

namespace anympi::fast_path {

/// Requests whose completion has nothing to copy back.
[[gnu::always_inline]] inline bool are_pending() {
    return __atomic_load_n(program.pending_count, __ATOMIC_RELAXED) != 0;
}

template <class P, class Report>
[[gnu::always_inline]] inline bool Wait_with(int* request, standard::status* status, int* ierror) {
    request_place<P> request_;
    if (are_pending() || !request_.read(request)) [[unlikely]]
        return false;
    const int code = target<P>.Wait(request_.place(request), status_place<P>(status));
    finish_status<P>(status);
    request_.finish(request);
    Report::report(ierror, code);
    return true;
}

/// The two requests of an exchange with a neighbour, the most frequent array.
template <class P, bool SameBits = handle_is_its_number<P, object::request>>
class two_places {
    using run_request = run_handle<P, object::request>;

public:
    [[gnu::always_inline]] bool read(const int* program) {
        if constexpr (SameBits) {
            return program[0] != null_number && program[1] != null_number;
        } else {
            if (!address_windows::are_of_first(program[0],
                                               program[1])) // then there was one, which has begun the window
                return false;
            const word begin = windows_of<object::request>.begin_of_first();
            store_apart(made, address_windows::address_after(begin, program[0]),
                        address_windows::address_after(begin, program[1]));
            return true;
        }
    }
    [[gnu::always_inline]] run_request* place(int* program) {
        if constexpr (SameBits)
            return reinterpret_cast<run_request*>(program);
        else
            return made;
    }
    [[gnu::always_inline]] void finish(int* program) {
        const run_request* const now = place(program);
        if (are_both_null(now, runtime_null<P, object::request>()))
            program[0] = program[1] = null_number;
        else if constexpr (SameBits)
            write(program);
        else
            write(now[0], now[1], program);
    }

private:
    [[gnu::cold, gnu::noinline]] static void write(run_request first, run_request second, int* program) {
        find_number<P>(first, &program[0]);
        find_number<P>(second, &program[1]);
    }
    /// Those that are there already: no register has to have one before.
    [[gnu::cold, gnu::noinline]] static void write(int* program) {
        write(static_cast<run_request>(program[0]), static_cast<run_request>(program[1]), program);
    }
    run_request made[SameBits ? 1 : 2];
};

template <class P, class Report>
[[gnu::always_inline]] inline bool Waitall_with(const int* count, int* requests, standard::status* statuses,
                                                int* ierror) {
    two_places<P> requests_;
    if (*count != 2 || statuses != program.statuses_ignore || are_pending() || !requests_.read(requests)) [[unlikely]]
        return false;
    const int code = target<P>.Waitall(2, requests_.place(requests), ignored_status<P>());
    requests_.finish(requests);
    Report::report(ierror, code);
    return true;
}

} // namespace anympi::fast_path
