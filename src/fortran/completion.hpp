#pragma once

#include "fortran/pending.hpp"
#include "fortran/rules.hpp"

namespace anympi::fortran::entry {

namespace detail {

/// The two requests of an exchange with a neighbour, the most frequent array: without loops, and null afterwards.
class two_requests {
public:
    /// False: one of them has to be looked up.
    [[gnu::always_inline]] bool read(const int* program) {
        const rule::handle_number first = rule::number_at(&program[0]);
        const rule::handle_number second = rule::number_at(&program[1]);
        if (rule::are_known<object::request, object::request>(first, second)) {
            both[0] = rule::known::handle<object::request>(first);
            both[1] = rule::known::handle<object::request>(second);
            return true;
        }
        const rule::learned_window& known = rule::known_window<object::request>;
        if (!known.has_number(first) || !known.has_number(second))
            return false;
        both[0] = window::address_in(known.begin, static_cast<std::uint32_t>(first));
        both[1] = window::address_in(known.begin, static_cast<std::uint32_t>(second));
        return true;
    }
    c_handle<object::request>* place() { return both; }
    [[gnu::always_inline]] void finish(int* program) const {
        constexpr auto null = static_cast<c_handle<object::request>>(app::mpi_REQUEST_NULL);
        if (__builtin_expect(both[0] == null, 1) && __builtin_expect(both[1] == null, 1))
            program[0] = program[1] = static_cast<int>(null);
        else
            rule::apart<write>(both[0], both[1], program);
    }

private:
    static void write(c_handle<object::request> first, c_handle<object::request> second, int* program) {
        rule::write_number<object::request>(first, &program[0]);
        rule::write_number<object::request>(second, &program[1]);
    }
    c_handle<object::request> both[2];
};

template <class Calls>
void wait_for_all(const int* count, int* requests, c_status* statuses, int* ierror) {
    rule::handles_inout<object::request> requests_c(requests, *count);
    watched_requests<completion::any> watched(requests, *count);
    const int code = Calls::Waitall(*count, requests_c.place(requests), rule::statuses(statuses));
    rule::report(ierror, code);
    requests_c.finish(requests, *count);
    watched.finish(code);
}

} // namespace detail

template <class Calls>
inline void Waitall(const int* count, int* requests, c_status* statuses, int* ierror) {
    if constexpr (rule::may_have_windows<object::request>) {
        detail::two_requests two;
        if (*count == 2 && !are_pending() && two.read(requests)) [[likely]] {
            rule::report(ierror, Calls::Waitall(2, two.place(), rule::statuses(statuses)));
            return two.finish(requests);
        }
    }
    rule::otherwise<detail::wait_for_all<Calls>>(count, requests, statuses, ierror);
}

} // namespace anympi::fortran::entry
