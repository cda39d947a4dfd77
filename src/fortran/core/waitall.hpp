#pragma once

#include "convert/two_integer_requests.hpp"
#include "fortran/core/rules.hpp"
#include "fortran/sections/deferred_work.hpp"

namespace anympi::fortran::entry {

namespace detail {

/// The conversion of two requests between the program's INTEGERs and C, for programs of an ABI whose null request is a
/// number.
template <class App>
struct two_requests_rule {
    using handle = c_handle<object::request>;
    static constexpr bool is_same = false;
    static constexpr int null_number = static_cast<int>(App::mpi_REQUEST_NULL);

    static constexpr handle null() { return App::mpi_REQUEST_NULL; }
    [[gnu::always_inline]] static bool read(const int* program, handle* two) {
        const rule::handle_number first = rule::number_at(&program[0]);
        const rule::handle_number second = rule::number_at(&program[1]);
        if (rule::are_known<object::request, object::request>(first, second)) {
            store_apart(two, rule::known::handle<object::request>(first), rule::known::handle<object::request>(second));
            return true;
        }
        const rule::learned_window& window = rule::known_window<object::request>;
        if (!window.has_number(first) || !window.has_number(second))
            return false;
        store_apart(two, static_cast<handle>(window.address_of(first)), static_cast<handle>(window.address_of(second)));
        return true;
    }
    [[gnu::always_inline]] static void write(int* program, const handle* two) {
        rule::call_out_of_line<write_both>(two[0], two[1], program);
    }

private:
    static void write_both(handle first, handle second, int* program) {
        rule::write_number<object::request>(first, &program[0]);
        rule::write_number<object::request>(second, &program[1]);
    }
};

using two_requests = two_integer_requests<two_requests_rule<app>>;

template <class Calls>
void wait_for_all(const int* count, int* requests, c_status* statuses, int* ierror) {
    rule::handles_inout<object::request> requests_c(requests, *count);
    if (requests_c.lacks_memory()) [[unlikely]]
        return rule::report(ierror, rule::raise_no_memory());
    requests_c.fill(requests, *count);
    watched_requests<request_call::completes> watched(requests, *count);
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
        if (*count == 2 && !is_work_deferred() && two.read(requests)) [[likely]] {
            rule::report(ierror, Calls::Waitall(2, two.place(requests), rule::statuses(statuses)));
            return two.finish(requests);
        }
    }
    rule::continue_out_of_line<detail::wait_for_all<Calls>>(count, requests, statuses, ierror);
}

} // namespace anympi::fortran::entry
