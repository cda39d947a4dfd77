#pragma once

#include "convert/crossings.hpp"

#include <cstdlib>

namespace anympi::bridge {

/// A generalized request of the program: the runtime gets it as the extra state of our own functions. The runtime calls
/// `free` exactly once, which ends it.
struct grequest_record {
    void* query;
    void* free;
    void* cancel;
    void* extra_state;
};

template <class P>
int query_grequest(void* state, run_status<P>* status) {
    const auto* const record = static_cast<grequest_record*>(state);
    app_status<P> status_{};
    const int error = status->error;
    status_to_app<P>(status_, empty_status(typename P::run{}));
    using function = int(void*, app_status<P>*);
    const int code = reinterpret_cast<function*>(record->query)(record->extra_state, &status_);
    status_to_run<P>(*status, status_);
    status->error = error; // completion calls write it themselves
    return keep_user_code<P>(code);
}

template <class P>
int free_grequest(void* state) {
    auto* const record = static_cast<grequest_record*>(state);
    const grequest_record copy = *record;
    std::free(record);
    using function = int(void*);
    return keep_user_code<P>(reinterpret_cast<function*>(copy.free)(copy.extra_state));
}

template <class P>
int cancel_grequest(void* state, int complete) {
    const auto* const record = static_cast<grequest_record*>(state);
    using function = int(void*, int);
    return keep_user_code<P>(reinterpret_cast<function*>(record->cancel)(record->extra_state, complete));
}

template <class P>
int Grequest_start(void* query, void* free, void* cancel, void* extra_state, app_handle<P, object::request>* request) {
    auto* const record = static_cast<grequest_record*>(std::malloc(sizeof(grequest_record)));
    if (record == nullptr)
        return P::app::mpi_ERR_NO_MEM;
    *record = {query, free, cancel, extra_state};
    const handle_out<P, object::request> request_{request};
    const int code =
        run<P>.Grequest_start(reinterpret_cast<void*>(query_grequest<P>), reinterpret_cast<void*>(free_grequest<P>),
                              reinterpret_cast<void*>(cancel_grequest<P>), record, request_.argument());
    if (code != 0 || request == nullptr) {
        std::free(record);
        return failed<P>(code, request_);
    }
    request_.back();
    return 0;
}

} // namespace anympi::bridge
