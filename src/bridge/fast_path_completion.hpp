#pragma once

#include "bridge/fast_path.hpp"
#include "convert/two_integer_requests.hpp"

namespace anympi::fast_path {

/// Returns true if some pending request needs work when it completes.
[[gnu::always_inline]] inline bool is_work_deferred() {
    return __atomic_load_n(program.deferred_count, __ATOMIC_RELAXED) != 0;
}

template <class P, class Report>
[[gnu::always_inline]] inline bool Wait_with(int* request, standard::status* status, int* ierror) {
    request_place<P> request_;
    if (is_work_deferred() || !request_.read(request)) [[unlikely]]
        return false;
    const int code = target<P>.Wait(request_.place(request), status_place<P>(status));
    finish_status<P>(status);
    request_.finish(request);
    Report::report(ierror, code);
    return true;
}

/// The conversion of two requests between the program's INTEGERs and the runtime.
template <class P>
struct two_requests_rule {
    using handle = run_handle<P, object::request>;
    static constexpr bool is_same = handle_is_its_number<P, object::request>;
    static constexpr int null_number = fast_path::null_number;

    static handle null() { return runtime_null<P, object::request>(); }
    static bool are_usual(const int* program) { return program[0] != null_number && program[1] != null_number; }
    [[gnu::always_inline]] static bool read(const int* program, handle* two) {
        // A number of the first window proves that the window exists.
        if (!address_windows::are_of_first(program[0], program[1]))
            return false;
        const word begin = windows_of<object::request>.begin_of_first();
        word second = address_windows::address_after(begin, program[1]);
        hide_value(second); // instead of store_apart: computing it before the first store saves a register
        two[0] = address_windows::address_after(begin, program[0]);
        two[1] = second;
        return true;
    }
    [[gnu::always_inline]] static void write(int* program, const handle* two) {
        if constexpr (is_same)
            write_in_place(program);
        else
            write_both(two[0], two[1], program);
    }

private:
    [[gnu::cold, gnu::noinline]] static void write_both(handle first, handle second, int* program) {
        find_number<P>(first, &program[0]);
        find_number<P>(second, &program[1]);
    }
    /// Reads the requests itself, so that the caller needs no registers for them.
    [[gnu::cold, gnu::noinline]] static void write_in_place(int* program) {
        write_both(static_cast<handle>(program[0]), static_cast<handle>(program[1]), program);
    }
};

template <class P, class Report>
[[gnu::always_inline]] inline bool Waitall_with(const int* count, int* requests, standard::status* statuses,
                                                int* ierror) {
    two_integer_requests<two_requests_rule<P>> requests_;
    if (*count != 2 || statuses != program.statuses_ignore || is_work_deferred() || !requests_.read(requests))
        [[unlikely]]
        return false;
    const int code = target<P>.Waitall(2, requests_.place(requests), ignored_status<typename P::run>());
    requests_.finish(requests);
    Report::report(ierror, code);
    return true;
}

} // namespace anympi::fast_path
