#pragma once

#include "base/optimizer_barriers.hpp"
#include "fortran/core/rules.hpp"
#include "fortran/sections/pending.hpp"

namespace anympi::fortran::entry {

namespace detail {

/// The two requests of an exchange with a neighbour, the most frequent array: without loops, and null afterwards. For
/// programs of an ABI that has a number for null.
template <class App>
class two_requests {
public:
    /// False: one of them has to be looked up.
    [[gnu::always_inline]] bool read(const int* program) {
        const rule::handle_number first = rule::number_at(&program[0]);
        const rule::handle_number second = rule::number_at(&program[1]);
        if (rule::are_known<object::request, object::request>(first, second)) {
            set(rule::known::handle<object::request>(first), rule::known::handle<object::request>(second));
            return true;
        }
        const rule::learned_window& window = rule::known_window<object::request>;
        if (!window.has_number(first) || !window.has_number(second))
            return false;
        set(window.address_of(first), window.address_of(second));
        return true;
    }
    c_handle<object::request>* place() { return both; }
    [[gnu::always_inline]] void finish(int* program) const {
        constexpr c_handle<object::request> null = App::mpi_REQUEST_NULL;
        if (__builtin_expect(both[0] == null, 1) && __builtin_expect(both[1] == null, 1))
            program[0] = program[1] = static_cast<int>(null);
        else
            rule::apart<write>(both[0], both[1], program);
    }

private:
    void set(c_handle<object::request> first, c_handle<object::request> second) {
        both[0] = first;
        hide_value(second); // two stores: a vector takes longer to make
        both[1] = second;
    }
    static void write(c_handle<object::request> first, c_handle<object::request> second, int* program) {
        rule::write_number<object::request>(first, &program[0]);
        rule::write_number<object::request>(second, &program[1]);
    }
    c_handle<object::request> both[2];
};

template <class Calls>
void wait_for_all(const int* count, int* requests, c_status* statuses, int* ierror) {
    rule::handles_inout<object::request> requests_c(requests, *count);
    if (requests_c.failed()) [[unlikely]]
        return rule::report(ierror, rule::exhausted());
    requests_c.fill(requests, *count);
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
        detail::two_requests<app> two;
        if (*count == 2 && !are_pending() && two.read(requests)) [[likely]] {
            rule::report(ierror, Calls::Waitall(2, two.place(), rule::statuses(statuses)));
            return two.finish(requests);
        }
    }
    rule::otherwise<detail::wait_for_all<Calls>>(count, requests, statuses, ierror);
}

} // namespace anympi::fortran::entry
