#pragma once

#include "bridge/report_no_memory.hpp"
#include "convert/crossings.hpp"
#include "convert/request_array.hpp"
#include "convert/status_array.hpp"

namespace anympi::bridge {

template <class P>
int Request_free(app_handle<P, object::request>* request) {
    const app_handle<P, object::request> freed = request != nullptr ? *request : 0;
    handle_inout<P, object::request> request_(request);
    const int code = target<P>.Request_free(request_.argument());
    if (code != 0) [[unlikely]]
        return error_to_app<P>(code);
    if (is_needed_when_freed<P>(freed))
        *request = program_null<P, object::request>();
    else
        request_.finish();
    return 0;
}

template <class P>
int Startall(int count, app_handle<P, object::request>* requests) {
    request_array<P> requests_(count, requests);
    if (requests_.lacks_memory()) [[unlikely]]
        return report_no_memory<P>();
    const int code = target<P>.Startall(count, requests_.argument());
    requests_.finish();
    return code == 0 ? 0 : error_to_app<P>(code);
}

// ---- calls that query requests without changing them ----

/// A converted copy of requests, for calls that must not change the program's array.
template <class P>
struct requests_in : array_in<run_handle<P, object::request>, 256> {
    requests_in(const app_handle<P, object::request>* requests, int count)
        : array_in<run_handle<P, object::request>, 256>(requests, count) {
        if (!this->lacks_memory())
            this->fill(requests, count, request_to_run<P>);
    }
};

template <class P>
int Request_get_status(app_handle<P, object::request> request, int* flag, app_status<P>* status) {
    status_staged<P> status_(status);
    const int code = target<P>.Request_get_status(to_run<P, object::request>(request), flag, status_.argument());
    return finish_test<P>(code, flag, status_);
}

template <class P>
int Request_get_status_any(int count, const app_handle<P, object::request>* requests, int* index, int* flag,
                           app_status<P>* status) {
    requests_in<P> requests_(requests, count);
    if (requests_.lacks_memory()) [[unlikely]]
        return report_no_memory<P>();
    status_staged<P> status_(status);
    const int code = target<P>.Request_get_status_any(count, requests_.argument(), index, flag, status_.argument());
    if (code != 0) [[unlikely]]
        return finish_failed_call<P>(code, status_);
    if (is_set<P>(flag))
        status_.finish();
    if (is_set<P>(flag) && is_wanted<typename P::app>(status) && index != nullptr && *index == P::run::mpi_UNDEFINED)
        status->error = P::app::mpi_SUCCESS; // the whole status is empty, including the error field
    return 0;
}

template <class P>
int Request_get_status_all(int count, const app_handle<P, object::request>* requests, int* flag,
                           app_status<P>* statuses) {
    requests_in<P> requests_(requests, count);
    staged_statuses<P> statuses_(count, statuses);
    if (requests_.lacks_memory() || statuses_.lacks_memory())
        return report_no_memory<P>();
    const int code = target<P>.Request_get_status_all(count, requests_.argument(), flag, statuses_.argument());
    finish_if_completed(code, flag, statuses_, count);
    return code == 0 ? 0 : error_to_app<P>(code);
}

template <class P>
int Request_get_status_some(int count, const app_handle<P, object::request>* requests, int* completed, int* indices,
                            app_status<P>* statuses) {
    requests_in<P> requests_(requests, count);
    staged_statuses<P> statuses_(count, statuses);
    if (requests_.lacks_memory() || statuses_.lacks_memory())
        return report_no_memory<P>();
    const int code =
        target<P>.Request_get_status_some(count, requests_.argument(), completed, indices, statuses_.argument());
    finish_completed<P>(completed, statuses_);
    return code == 0 ? 0 : error_to_app<P>(code);
}

} // namespace anympi::bridge
