#pragma once

#include "bridge/report_no_memory.hpp"
#include "convert/crossings.hpp"
#include "convert/deferred_handlers.hpp"

#include <cstdlib>

namespace anympi::bridge {

/// A generalized request of the program. The runtime gets the record as the extra state of anympi's functions. It calls
/// `free` exactly once, and the record is freed then.
struct grequest_record {
    void* query;
    void* free;
    void* cancel;
    void* extra_state;
    word handle; // the program's handle, if the front numbers requests
};

/// Returns the handle of a generalized request. A number of the front's handle table lives as long as the record,
/// because the program may complete the request after it has freed the handle.
template <class P>
app_handle<P, object::request> grequest_handle(run_handle<P, object::request> made) {
    if constexpr (is_narrowed<P, object::request>)
        return narrow_handles<object::request>.add_needed_when_freed(made,
                                                                     P::app::template class_number<object::request>);
    else
        return made_to_app<P, object::request>(made);
}
template <class P>
void forget_grequest(word handle) {
    if constexpr (is_narrowed<P, object::request>)
        narrow_handles<object::request>.remove(static_cast<std::uint32_t>(handle));
}

template <class P>
int query_grequest(void* state, run_status<P>* status) {
    const auto* const record = static_cast<grequest_record*>(state);
    app_status<P> status_{};
    const int error = status->error;
    status_to_app<P>(status_, empty_status(typename P::run{}));
    const program_function_scope runs;
    using function = int(void*, app_status<P>*);
    const int code = reinterpret_cast<function*>(record->query)(record->extra_state, &status_);
    status_to_run<P>(*status, status_);
    status->error = error; // completion calls write this field themselves
    return keep_callback_error<P>(code);
}

template <class P>
int free_grequest(void* state) {
    auto* const record = static_cast<grequest_record*>(state);
    const grequest_record copy = *record;
    std::free(record);
    forget_grequest<P>(copy.handle);
    const program_function_scope runs;
    using function = int(void*);
    return keep_callback_error<P>(reinterpret_cast<function*>(copy.free)(copy.extra_state));
}

template <class P>
int cancel_grequest(void* state, int complete) {
    const auto* const record = static_cast<grequest_record*>(state);
    const program_function_scope runs;
    using function = int(void*, int);
    return keep_callback_error<P>(reinterpret_cast<function*>(record->cancel)(record->extra_state, complete));
}

template <class P>
int Grequest_start(void* query, void* free, void* cancel, void* extra_state, app_handle<P, object::request>* request) {
    auto* const record = static_cast<grequest_record*>(std::malloc(sizeof(grequest_record)));
    if (record == nullptr)
        return report_no_memory<P>();
    *record = {query, free, cancel, extra_state, 0};
    run_handle<P, object::request> made{};
    const int code = target<P>.Grequest_start(
        reinterpret_cast<void*>(query_grequest<P>), reinterpret_cast<void*>(free_grequest<P>),
        reinterpret_cast<void*>(cancel_grequest<P>), record, request != nullptr ? &made : nullptr);
    if (code != 0 || request == nullptr) {
        std::free(record);
        return error_to_app<P>(code);
    }
    *request = grequest_handle<P>(made);
    record->handle = *request;
    return 0;
}

} // namespace anympi::bridge
