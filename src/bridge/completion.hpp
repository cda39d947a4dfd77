#pragma once

#include "arch/comparison.hpp"
#include "bridge/report_no_memory.hpp"
#include "convert/crossings.hpp"
#include "convert/request_array.hpp"
#include "convert/status_array.hpp"
#include "convert/two_requests.hpp"

namespace anympi::bridge {

template <class P>
int Wait(app_handle<P, object::request>* request, app_status<P>* status) {
    handle_inout<P, object::request> request_(request);
    status_out<P> status_(status);
    const int code = target<P>.Wait(request_.argument(), status_.argument());
    status_.finish();
    request_.finish(); // also after an error, because the request no longer exists then
    return code == 0 ? 0 : error_to_app<P>(code);
}

template <class P>
int Test(app_handle<P, object::request>* request, int* flag, app_status<P>* status) {
    handle_inout<P, object::request> request_(request);
    status_staged<P> status_(status);
    const int code = target<P>.Test(request_.argument(), flag, status_.argument());
    request_.finish();
    return finish_test<P>(code, flag, status_);
}

/// MPI_Waitall for two requests, which follows every exchange with a neighbour.
template <class P, class Statuses>
[[gnu::always_inline]] inline int wait_for_two(int two, app_handle<P, object::request>* requests, Statuses statuses) {
    two_requests<P> requests_(requests);
    const int code = target<P>.Waitall(two, requests_.argument(), statuses.argument());
    requests_.finish();
    statuses.finish(code);
    if (is_error(code)) [[unlikely]]
        return error_to_app<P>(code);
    return success_code<P>(code);
}

/// Like wait_for_two, with statuses. Not inline, so that the call without statuses needs no stack frame.
template <class P>
[[gnu::noinline]] int wait_for_two_statuses(int two, app_handle<P, object::request>* requests,
                                            app_status<P>* statuses) {
    return wait_for_two<P>(two, requests, two_statuses<P>(statuses));
}

/// Reports that memory for the statuses is exhausted. Requests that were converted in place are converted back first.
template <class P>
[[gnu::cold, gnu::noinline]] int report_no_memory_with(int count, app_handle<P, object::request>* requests) {
    if (requests != nullptr)
        request_array<P>::give_back(count, requests);
    return report_no_memory<P>();
}

/// MPI_Waitall for any other number of requests. Not inline, so that the frequent case needs no stack frame.
template <class P>
[[gnu::noinline]] int wait_for_all(int count, app_handle<P, object::request>* requests, app_status<P>* statuses) {
    request_array<P> requests_(count, requests);
    all_statuses<P> statuses_(count, statuses);
    if (requests_.lacks_memory() || statuses_.lacks_memory()) [[unlikely]]
        return report_no_memory_with<P>(count, requests);
    const int code = target<P>.Waitall(count, requests_.argument(), statuses_.argument());
    requests_.finish();
    statuses_.finish(count);
    return code == 0 ? 0 : error_to_app<P>(code);
}

template <class P>
int Waitall(int count, app_handle<P, object::request>* requests, app_status<P>* statuses) {
    if (arch::is_equal_to<2>(count) && requests != nullptr)
        return !is_wanted<typename P::app>(statuses) ? wait_for_two<P>(count, requests, ignored_statuses<P>{})
                                                     : wait_for_two_statuses<P>(count, requests, statuses);
    return wait_for_all<P>(count, requests, statuses);
}

template <class P>
int Testall(int count, app_handle<P, object::request>* requests, int* flag, app_status<P>* statuses) {
    request_array<P> requests_(count, requests);
    staged_statuses<P> statuses_(count, statuses);
    if (requests_.lacks_memory() || statuses_.lacks_memory()) [[unlikely]]
        return report_no_memory_with<P>(count, requests);
    const int code = target<P>.Testall(count, requests_.argument(), flag, statuses_.argument());
    requests_.finish();
    finish_if_completed(code, flag, statuses_, count);
    return code == 0 ? 0 : error_to_app<P>(code);
}

template <class P>
int Waitany(int count, app_handle<P, object::request>* requests, int* index, app_status<P>* status) {
    request_array<P> requests_(count, requests);
    if (requests_.lacks_memory()) [[unlikely]]
        return report_no_memory<P>();
    status_out<P> status_(status);
    const int code = target<P>.Waitany(count, requests_.argument(), index, status_.argument());
    status_.finish();
    requests_.finish_one(index);
    return code == 0 ? 0 : error_to_app<P>(code);
}

template <class P>
int Testany(int count, app_handle<P, object::request>* requests, int* index, int* flag, app_status<P>* status) {
    request_array<P> requests_(count, requests);
    if (requests_.lacks_memory()) [[unlikely]]
        return report_no_memory<P>();
    status_staged<P> status_(status);
    const int code = target<P>.Testany(count, requests_.argument(), index, flag, status_.argument());
    requests_.finish_one(index);
    finish_if_completed(code, flag, status_);
    return code == 0 ? 0 : error_to_app<P>(code);
}

/// MPI_Waitsome and MPI_Testsome. `call` is the function of the runtime.
template <class P, class Call>
[[gnu::always_inline]] inline int complete_some(Call call, int count, app_handle<P, object::request>* requests,
                                                int* completed, int* indices, app_status<P>* statuses) {
    request_array<P> requests_(count, requests);
    staged_statuses<P> statuses_(count, statuses);
    if (requests_.lacks_memory() || statuses_.lacks_memory()) [[unlikely]]
        return report_no_memory_with<P>(count, requests);
    const int code = call(count, requests_.argument(), completed, indices, statuses_.argument());
    requests_.finish();
    finish_completed<P>(completed, statuses_);
    return code == 0 ? 0 : error_to_app<P>(code);
}

template <class P>
int Waitsome(int count, app_handle<P, object::request>* requests, int* completed, int* indices,
             app_status<P>* statuses) {
    return complete_some<P>(target<P>.Waitsome, count, requests, completed, indices, statuses);
}

template <class P>
int Testsome(int count, app_handle<P, object::request>* requests, int* completed, int* indices,
             app_status<P>* statuses) {
    return complete_some<P>(target<P>.Testsome, count, requests, completed, indices, statuses);
}

} // namespace anympi::bridge
