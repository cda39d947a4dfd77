#pragma once

#include "base/array.hpp"
#include "convert/deferred_handlers.hpp"
#include "emulate/engine/backoff.hpp"
#include "emulate/engine/compound_progress.hpp"
#include "emulate/requests/get_status.hpp"

namespace anympi::emulate {

// Overrides of the library's request functions, for programs that have compound requests.
namespace with_compounds {

template <class Run>
int raise_bad_request() {
    return raise<Run>(Run::mpi_ERR_REQUEST);
}

template <class Run>
void wait_for(compound<Run>& operation) {
    for (backoff between; !advance<Run>(operation); between.pause()) {
    }
}

template <class Run>
int Wait(request_of<Run>* request, typename Run::status* status) {
    if (request == nullptr || !is_compound<Run>(*request))
        return original<Wait<Run>>(request, status);
    compound<Run>* const operation = compound_of<Run>(*request);
    if (operation == nullptr)
        return raise_bad_request<Run>();
    return with_handlers_last([=] {
        wait_for<Run>(*operation);
        return conclude_alone<Run>(*operation, *request, status);
    });
}

template <class Run>
int Test(request_of<Run>* request, int* flag, typename Run::status* status) {
    if (request == nullptr || flag == nullptr || !is_compound<Run>(*request))
        return original<Test<Run>>(request, flag, status);
    compound<Run>* const operation = compound_of<Run>(*request);
    if (operation == nullptr)
        return raise_bad_request<Run>();
    return with_handlers_last([=] {
        *flag = advance<Run>(*operation) ? 1 : 0;
        if (*flag == 0)
            return 0;
        return conclude_alone<Run>(*operation, *request, status);
    });
}

template <class Run>
bool has_compounds(int count, const request_of<Run>* requests) {
    for (int i = 0; requests != nullptr && i < count; ++i)
        if (is_compound<Run>(requests[i]))
            return true;
    return false;
}

/// The requests of a call that has compounds among them. library_requests() has null requests in their places.
template <class Run>
class request_list {
public:
    using request = request_of<Run>;

    request_list(int length, request* all) : count(length), requests(all), view(static_cast<std::size_t>(length)) {
        for (int i = 0; i < count && failure == 0; ++i) {
            const bool is_ours = is_compound<Run>(all[i]);
            if (view.lacks_memory())
                failure = Run::mpi_ERR_NO_MEM;
            else if (is_ours && operation(i) == nullptr)
                failure = Run::mpi_ERR_REQUEST;
            else
                at(i) = is_ours ? library_null<Run, object::request>() : all[i];
        }
    }
    /// Returns the error code to report instead of running the call, or 0.
    int code_to_raise() const { return failure; }

    request* library_requests() { return view.data(); }
    /// Copies the runtime's requests back after a call of the runtime.
    void copy_back() {
        for (int i = 0; i < count; ++i)
            if (!is_compound<Run>(requests[i]))
                requests[i] = at(i);
    }
    /// Returns the compound of a request, or nullptr for a request of the runtime.
    compound<Run>* operation(int i) const { return compound_of<Run>(requests[i]); }
    compound<Run>* active_operation(int i) const {
        compound<Run>* const found = operation(i);
        return found != nullptr && is_active<Run>(*found) ? found : nullptr;
    }
    request& of(int i) { return requests[i]; }
    int size() const { return count; }

private:
    request& at(int i) { return view[static_cast<std::size_t>(i)]; }

    int count;
    request* requests;
    scratch<request, 64> view;
    int failure = 0;
};

template <class Run>
bool is_failure_of_all(int code) {
    return code != 0 && Run::class_of(code) != Run::mpi_ERR_IN_STATUS;
}

/// Completes one compound of several requests for the program. The status may be nullptr. Returns the code of the whole
/// call; `code` is the code so far.
template <class Run>
int conclude_one_of(request_list<Run>& requests, int i, typename Run::status* status, int code) {
    typename Run::status ignored;
    const int failure = conclude<Run>(*requests.operation(i), requests.of(i), status != nullptr ? *status : ignored);
    return failure != 0 ? Run::mpi_ERR_IN_STATUS : code;
}

/// Completes all compounds after all requests have completed. `code` is the result of the runtime's own requests.
/// Returns the code of the whole call.
template <class Run>
int conclude_all(request_list<Run>& requests, typename Run::status* statuses, int code) {
    const bool wanted = is_wanted<Run>(statuses);
    const bool are_errors_set = code != 0; // libraries write the error field only then
    for (int i = 0; i < requests.size(); ++i) {
        if (requests.operation(i) != nullptr)
            code = conclude_one_of<Run>(requests, i, wanted ? &statuses[i] : nullptr, code);
        else if (wanted && !are_errors_set)
            statuses[i].error = 0;
    }
    return code;
}

/// Calls `each` with the requests as a request_list. The memory of the list is freed before an error handler is called.
template <class Run, class Each>
int call_with_request_list(int count, request_of<Run>* requests, Each each) {
    return with_handlers_last([=] {
        request_list<Run> all(count, requests);
        return all.code_to_raise() == 0 ? each(all) : raise<Run>(all.code_to_raise());
    });
}

template <class Run>
int Waitall(int count, request_of<Run>* requests, typename Run::status* statuses);
template <class Run>
int Testall(int count, request_of<Run>* requests, int* flag, typename Run::status* statuses);

template <class Run>
int wait_for_all(int count, request_list<Run>& all, typename Run::status* statuses) {
    const int code = with_true_code([&] { return original<Waitall<Run>>(count, all.library_requests(), statuses); });
    all.copy_back();
    if (is_failure_of_all<Run>(code))
        return code;
    for (int i = 0; i < count; ++i)
        if (compound<Run>* const operation = all.operation(i))
            wait_for<Run>(*operation);
    return conclude_all<Run>(all, statuses, code);
}

template <class Run>
int Waitall(int count, request_of<Run>* requests, typename Run::status* statuses) {
    if (!has_compounds<Run>(count, requests))
        return original<Waitall<Run>>(count, requests, statuses);
    return call_with_request_list<Run>(count, requests,
                                       [=](auto& all) { return wait_for_all<Run>(count, all, statuses); });
}

/// Tests the runtime's own requests last, because testing is the only way to know whether they are complete, and it
/// completes them. (MPICH 4.3 and later lose the status of a persistent request after MPI_Request_get_status has
/// returned it.)
template <class Run>
int try_all(int count, request_list<Run>& all, int* flag, typename Run::status* statuses) {
    bool are_done = true;
    for (int i = 0; i < count; ++i)
        if (compound<Run>* const operation = all.operation(i))
            are_done = advance<Run>(*operation) && are_done;
    *flag = 0;
    if (!are_done)
        return 0;
    const int code =
        with_true_code([&] { return original<Testall<Run>>(count, all.library_requests(), flag, statuses); });
    all.copy_back();
    return *flag == 0 || is_failure_of_all<Run>(code) ? code : conclude_all<Run>(all, statuses, code);
}

template <class Run>
int Testall(int count, request_of<Run>* requests, int* flag, typename Run::status* statuses) {
    if (flag == nullptr || !has_compounds<Run>(count, requests))
        return original<Testall<Run>>(count, requests, flag, statuses);
    return call_with_request_list<Run>(count, requests,
                                       [=](auto& all) { return try_all<Run>(count, all, flag, statuses); });
}

template <class Run>
int Testany(int count, request_of<Run>* requests, int* index, int* flag, typename Run::status* status);
template <class Run>
int Testsome(int count, request_of<Run>* requests, int* completed, int* indices, typename Run::status* statuses);

/// Advances the active compounds, starting at an index. Returns the index of the first complete one, or the size of the
/// list. Sets `any_active` if it finds an active compound.
template <class Run>
int next_complete(const request_list<Run>& all, int from, bool& any_active) {
    for (int i = from; i < all.size(); ++i)
        if (compound<Run>* const operation = all.active_operation(i); operation != nullptr) {
            any_active = true;
            if (advance<Run>(*operation))
                return i;
        }
    return all.size();
}

/// One round of MPI_Waitany and MPI_Testany: tests the runtime's own requests, then the compounds.
template <class Run>
int try_any(request_list<Run>& all, int* index, int* flag, typename Run::status* status) {
    const int code = original<Testany<Run>>(all.size(), all.library_requests(), index, flag, status);
    all.copy_back();
    if (code != 0 || (*flag != 0 && *index != Run::mpi_UNDEFINED))
        return code;
    bool any_active = *flag == 0;
    *index = Run::mpi_UNDEFINED;
    if (const int i = next_complete(all, 0, any_active); i < all.size()) {
        *index = i;
        *flag = 1;
        return conclude_alone<Run>(*all.operation(i), all.of(i), status);
    }
    *flag = any_active ? 0 : 1; // then the runtime has already written the empty status
    return 0;
}

template <class Run>
int Testany(int count, request_of<Run>* requests, int* index, int* flag, typename Run::status* status) {
    if (index == nullptr || flag == nullptr || !has_compounds<Run>(count, requests))
        return original<Testany<Run>>(count, requests, index, flag, status);
    return call_with_request_list<Run>(count, requests,
                                       [=](auto& all) { return try_any<Run>(all, index, flag, status); });
}

template <class Run>
int Waitany(int count, request_of<Run>* requests, int* index, typename Run::status* status) {
    if (index == nullptr || !has_compounds<Run>(count, requests))
        return original<Waitany<Run>>(count, requests, index, status);
    return call_with_request_list<Run>(count, requests, [=](auto& all) {
        for (backoff between;; between.pause()) {
            int flag = 0;
            const int code = try_any<Run>(all, index, &flag, status);
            if (code != 0 || flag != 0)
                return code;
        }
    });
}

/// One round of MPI_Waitsome and MPI_Testsome: tests the runtime's own requests, then the compounds.
template <class Run>
int try_some(request_list<Run>& all, int* completed, int* indices, typename Run::status* statuses) {
    int code = with_true_code(
        [&] { return original<Testsome<Run>>(all.size(), all.library_requests(), completed, indices, statuses); });
    all.copy_back();
    if (is_failure_of_all<Run>(code))
        return code;
    const bool wanted = is_wanted<Run>(statuses);
    bool any_active = *completed != Run::mpi_UNDEFINED;
    int found = any_active ? *completed : 0;
    for (int i = 0; i < found && wanted && code == 0; ++i)
        statuses[i].error = 0; // needed if a compound fails later
    for (int i = next_complete(all, 0, any_active); i < all.size(); i = next_complete(all, i + 1, any_active)) {
        code = conclude_one_of<Run>(all, i, wanted ? &statuses[found] : nullptr, code);
        indices[found++] = i;
    }
    *completed = any_active ? found : Run::mpi_UNDEFINED;
    return code;
}

template <class Run>
int Testsome(int count, request_of<Run>* requests, int* completed, int* indices, typename Run::status* statuses) {
    if (completed == nullptr || indices == nullptr || !has_compounds<Run>(count, requests))
        return original<Testsome<Run>>(count, requests, completed, indices, statuses);
    return call_with_request_list<Run>(count, requests,
                                       [=](auto& all) { return try_some<Run>(all, completed, indices, statuses); });
}

template <class Run>
int Waitsome(int count, request_of<Run>* requests, int* completed, int* indices, typename Run::status* statuses) {
    if (completed == nullptr || indices == nullptr || !has_compounds<Run>(count, requests))
        return original<Waitsome<Run>>(count, requests, completed, indices, statuses);
    return call_with_request_list<Run>(count, requests, [=](auto& all) {
        for (backoff between;; between.pause()) {
            const int code = try_some<Run>(all, completed, indices, statuses);
            if (code != 0 || *completed != 0)
                return code;
        }
    });
}

template <class Run>
int Request_get_status(word request, int* flag, typename Run::status* status) {
    const auto handle = static_cast<request_of<Run>>(request);
    if (flag == nullptr || !is_compound<Run>(handle))
        return original<Request_get_status<Run>>(request, flag, status);
    compound<Run>* const operation = compound_of<Run>(handle);
    if (operation == nullptr)
        return raise_bad_request<Run>();
    *flag = advance<Run>(*operation) ? 1 : 0;
    if (*flag != 0)
        set_status<Run>(status, is_active<Run>(*operation) ? operation->result : empty_status(Run{}));
    return 0;
}

// The runtime's own functions cannot handle compounds. The emulations test one request after the other.

template <class Run>
int Request_get_status_all(int count, const request_of<Run>* requests, int* flag, typename Run::status* statuses) {
    return has_compounds<Run>(count, requests) ? emulate::Request_get_status_all<Run>(count, requests, flag, statuses)
                                               : original<Request_get_status_all<Run>>(count, requests, flag, statuses);
}
template <class Run>
int Request_get_status_any(int count, const request_of<Run>* requests, int* index, int* flag,
                           typename Run::status* status) {
    return has_compounds<Run>(count, requests)
               ? emulate::Request_get_status_any<Run>(count, requests, index, flag, status)
               : original<Request_get_status_any<Run>>(count, requests, index, flag, status);
}
template <class Run>
int Request_get_status_some(int count, const request_of<Run>* requests, int* completed, int* indices,
                            typename Run::status* statuses) {
    return has_compounds<Run>(count, requests)
               ? emulate::Request_get_status_some<Run>(count, requests, completed, indices, statuses)
               : original<Request_get_status_some<Run>>(count, requests, completed, indices, statuses);
}

/// Frees a request. A compound that has not begun is destroyed at once, because after the free nothing can begin it.
template <class Run>
int Request_free(request_of<Run>* request) {
    if (request == nullptr || !is_compound<Run>(*request))
        return original<Request_free<Run>>(request);
    compound<Run>* const operation = compound_of<Run>(*request);
    if (operation == nullptr)
        return raise_bad_request<Run>();
    compound_numbers.remove(operation->number);
    *request = library_null<Run, object::request>();
    if (!is_active<Run>(*operation) || !is_begun<Run>(*operation)) {
        destroy<Run>(*operation);
    } else {
        add_freed<Run>(*operation);
        end_some_freed<Run>(some_freed);
    }
    return 0;
}

template <class Run>
int Cancel(request_of<Run>* request) {
    if (request == nullptr || !is_compound<Run>(*request))
        return original<Cancel<Run>>(request);
    compound<Run>* const operation = compound_of<Run>(*request);
    if (operation == nullptr || !is_active<Run>(*operation))
        return raise_bad_request<Run>();
    for (int i = operation->complete; i < operation->count && is_begun<Run>(*operation); ++i)
        if (!is_library_null<Run, object::request>(operation->children[i]))
            if (const int code = Cancel<Run>(&operation->children[i]); code != 0)
                return code;
    return 0;
}

template <class Run>
int Start(request_of<Run>* request) {
    if (request == nullptr || !is_compound<Run>(*request))
        return original<Start<Run>>(request);
    compound<Run>* const operation = compound_of<Run>(*request);
    return operation != nullptr ? start<Run>(*operation) : raise_bad_request<Run>();
}

template <class Run>
int Startall(int count, request_of<Run>* requests) {
    if (!has_compounds<Run>(count, requests))
        return original<Startall<Run>>(count, requests);
    for (int i = 0; i < count; ++i)
        if (const int code = Start<Run>(&requests[i]); code != 0)
            return code;
    return 0;
}

template <class Run>
int Finalize() {
    end_all_freed<Run>();
    return original<Finalize<Run>>();
}

/// Conversions to and from Fortran numbers. Numbers of the library's own requests count from 0.
template <class Run>
int Request_c2f(word request) {
    return compound_handle<Run>::number_of(request, original<Request_c2f<Run>>);
}
template <class Run>
int Request_toint(word request) {
    return compound_handle<Run>::number_of(request, original<Request_toint<Run>>);
}
template <class Run>
word Request_f2c(int number) {
    return compound_handle<Run>::handle_at(number, original<Request_f2c<Run>>);
}
template <class Run>
word Request_fromint(int number) {
    return compound_handle<Run>::handle_at(number, original<Request_fromint<Run>>);
}

} // namespace with_compounds

} // namespace anympi::emulate
