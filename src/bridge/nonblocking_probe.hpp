#pragma once

#include "convert/crossings.hpp"

namespace anympi::bridge {

// Probes that may find no message. In that case the program's status and message stay unchanged.

template <class P>
[[gnu::always_inline]] inline void envelope_to_run(int& source, int& tag) {
    if ((source | tag) < 0) [[unlikely]] {
        source = rank_to_run<P>(source);
        tag = tag_to_run<P>(tag);
    }
}

template <class P>
int Iprobe(int source, int tag, app_handle<P, object::comm> comm, int* flag, app_status<P>* status) {
    envelope_to_run<P>(source, tag);
    status_staged<P> status_(status);
    const int code = target<P>.Iprobe(source, tag, to_run<P, object::comm>(comm), flag, status_.argument());
    if (code != 0) [[unlikely]]
        return error_to_app<P>(code);
    if (is_set<P>(flag))
        status_.finish();
    return 0;
}

template <class P>
int Improbe(int source, int tag, app_handle<P, object::comm> comm, int* flag, app_handle<P, object::message>* message,
            app_status<P>* status) {
    envelope_to_run<P>(source, tag);
    run_handle<P, object::message> found{};
    status_staged<P> status_(status);
    const int code = target<P>.Improbe(source, tag, to_run<P, object::comm>(comm), flag,
                                       message != nullptr ? &found : nullptr, status_.argument());
    if (code != 0) [[unlikely]]
        return error_to_app<P>(code);
    if (is_set<P>(flag) && message != nullptr) {
        *message = to_app<P, object::message>(found);
        status_.finish();
    }
    return 0;
}

} // namespace anympi::bridge
