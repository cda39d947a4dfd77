#pragma once

#include "convert/array.hpp"
#include "emulate/compound.hpp"
#include "emulate/error.hpp"

#include <sched.h>

namespace anympi::emulate {

/// The runtime's own functions, after compound requests have taken their places.
template <class Run>
inline functions<Run> native{};

/// Statuses of the runtime where the caller may not want any.
template <class Run>
inline bool wants(const typename Run::status* status) {
    return status != nullptr && status != reinterpret_cast<const typename Run::status*>(Run::mpi_STATUS_IGNORE);
}
template <class Run>
inline typename Run::status* no_status() {
    return reinterpret_cast<typename Run::status*>(Run::mpi_STATUS_IGNORE);
}
/// MPI_STATUSES_IGNORE has the value of MPI_STATUS_IGNORE in every ABI.
template <class Run>
inline void set_status(typename Run::status* to, const typename Run::status& from) {
    if (!wants<Run>(to))
        return;
    const int error = to->error; // single completions do not write it
    *to = from;
    to->error = error;
}

// ---- one compound ----

/// The code of the first child that failed, not counting those that are still pending.
template <class Run>
int first_error(int code, const typename Run::status* statuses, int count) {
    if (Run::class_of(code) != Run::mpi_ERR_IN_STATUS)
        return code;
    for (int i = 0; i < count; ++i)
        if (const int error = statuses[i].error; error != 0 && Run::class_of(error) != Run::mpi_ERR_PENDING)
            return error;
    return code;
}

/// What a failed operation leaves of its children is the runtime's.
template <class Run>
void give_up_children(compound<Run>& operation) {
    for (int i = 0; i < operation.count; ++i)
        if (operation.children[i] != no_request<Run>())
            library<Run>.Request_free(&operation.children[i]); // a child may be a compound itself
}

template <class Run>
void finish(compound<Run>& operation, int code, const typename Run::status* statuses) {
    const bool has_status = operation.status_from >= 0 && operation.status_from < operation.count;
    operation.code = code == 0 ? 0 : first_error<Run>(code, statuses, operation.count);
    operation.result = has_status ? statuses[operation.status_from] : empty_status(Run{});
    if (code == 0 && operation.does->finish != nullptr)
        operation.code = operation.does->finish(operation, operation.result);
    operation.result.error = operation.code;
    if (code != 0 && !operation.is_persistent)
        give_up_children<Run>(operation);
    operation.is_finished = true;
}

/// Whether it has completed; asks the runtime if that is not known yet.
template <class Run>
bool advance(compound<Run>& operation) {
    if (!operation.is_active)
        return true;
    const locked hold(operation.guard);
    if (operation.is_finished)
        return true;
    scratch<typename Run::status, 8> statuses(static_cast<std::size_t>(operation.count));
    if (statuses.failed())
        return false;
    for (int i = 0; i < operation.count; ++i)
        statuses[static_cast<std::size_t>(i)] = empty_status(Run{});
    int are_done = 1;
    int code = 0;
    if (operation.count > 0)
        code = library<Run>.Testall(operation.count, operation.children, &are_done, statuses.data());
    if (code != 0 || are_done != 0)
        finish<Run>(operation, code, statuses.data());
    return operation.is_finished;
}

template <class Run>
void destroy(compound<Run>& operation) {
    give_up_children<Run>(operation); // first: inactive ones may look at what belongs to the operation
    if (operation.does->destroy != nullptr)
        operation.does->destroy(operation);
    std::free(&operation);
}

/// Tells the program that it has completed: the code and the status; the request is null then, or inactive.
template <class Run>
int conclude(compound<Run>& operation, request_of<Run>& request, typename Run::status& status) {
    if (!operation.is_active) {
        status = empty_status(Run{});
        return 0;
    }
    const int code = operation.code;
    status = operation.result;
    operation.is_active = operation.is_finished = false;
    if (!operation.is_persistent) {
        compound_numbers.remove(operation.number);
        destroy<Run>(operation);
        request = no_request<Run>();
    }
    return code;
}

// ---- those that were freed before they had completed ----

template <class Run>
struct freed_compounds {
    lock guard;
    compound<Run>* first;
};
template <class Run>
inline freed_compounds<Run> freed{};

template <class Run>
void add_freed(compound<Run>& operation) {
    const locked hold(freed<Run>.guard);
    operation.next = freed<Run>.first;
    freed<Run>.first = &operation;
}

/// Ends those that have completed. Whether any are left.
template <class Run>
bool end_freed() {
    compound<Run>* list = nullptr;
    {
        const locked hold(freed<Run>.guard);
        list = freed<Run>.first;
        freed<Run>.first = nullptr;
    }
    bool any = false;
    while (list != nullptr) {
        compound<Run>& operation = *list;
        list = operation.next;
        if (advance<Run>(operation)) {
            destroy<Run>(operation);
        } else {
            add_freed<Run>(operation);
            any = true;
        }
    }
    return any;
}

// ---- what takes the places of the runtime's functions ----

namespace mixed {

template <class Run>
int bad_request() {
    return raise<Run>(Run::mpi_ERR_REQUEST);
}

template <class Run>
void wait_for(compound<Run>& operation) {
    while (!advance<Run>(operation))
        sched_yield();
}

template <class Run>
int Wait(request_of<Run>* request, typename Run::status* status) {
    if (request == nullptr || !is_compound<Run>(*request))
        return native<Run>.Wait(request, status);
    compound<Run>* const operation = compound_of<Run>(*request);
    if (operation == nullptr)
        return bad_request<Run>();
    wait_for<Run>(*operation);
    typename Run::status result;
    const int code = conclude<Run>(*operation, *request, result);
    set_status<Run>(status, result);
    return code;
}

template <class Run>
int Test(request_of<Run>* request, int* flag, typename Run::status* status) {
    if (request == nullptr || flag == nullptr || !is_compound<Run>(*request))
        return native<Run>.Test(request, flag, status);
    compound<Run>* const operation = compound_of<Run>(*request);
    if (operation == nullptr)
        return bad_request<Run>();
    *flag = advance<Run>(*operation) ? 1 : 0;
    if (*flag == 0)
        return 0;
    typename Run::status result;
    const int code = conclude<Run>(*operation, *request, result);
    set_status<Run>(status, result);
    return code;
}

/// The requests of one call, split into the runtime's own and compounds. In the runtime's view a compound is null.
template <class Run>
class mixture {
public:
    using request = request_of<Run>;
    using status = typename Run::status;

    mixture(int length, request* all)
        : count(length > 0 && all != nullptr ? length : 0), requests(all), view(static_cast<std::size_t>(count)) {
        for (int i = 0; i < count && !view.failed(); ++i) {
            const bool is_ours = is_compound<Run>(all[i]);
            at(i) = is_ours ? no_request<Run>() : all[i];
            compounds += is_ours ? 1 : 0;
            is_wrong = is_wrong || (is_ours && compound_of<Run>(all[i]) == nullptr);
        }
    }
    bool has_compounds() const { return compounds != 0; }
    bool has_wrong() const { return is_wrong; }
    bool failed() const { return view.failed(); }

    request* natives() { return view.data(); }
    /// After a call of the runtime with them.
    void back() {
        for (int i = 0; i < count; ++i)
            if (!is_compound<Run>(requests[i]))
                requests[i] = at(i);
    }
    compound<Run>* operation(int i) const { return compound_of<Run>(requests[i]); }
    request& of(int i) { return requests[i]; }
    int size() const { return count; }

private:
    request& at(int i) { return view[static_cast<std::size_t>(i)]; }

    int count;
    request* requests;
    scratch<request, 64> view;
    int compounds = 0;
    bool is_wrong = false;
};

/// Statuses that are needed here even if the caller wants none.
template <class Run>
class all_results {
public:
    all_results(int length, typename Run::status* caller)
        : given(wants<Run>(caller) ? caller : nullptr),
          own(given == nullptr && length > 0 ? static_cast<std::size_t>(length) : 0) {}
    bool failed() const { return own.failed(); }
    typename Run::status* data() { return given != nullptr ? given : own.data(); }
    typename Run::status& operator[](int i) { return data()[i]; }

private:
    typename Run::status* given;
    scratch<typename Run::status, 64> own;
};

/// After the runtime's own have completed with `code`, and the compounds too.
template <class Run>
int conclude_all(mixture<Run>& requests, all_results<Run>& results, int code) {
    const bool has_errors = code != 0;
    for (int i = 0; i < requests.size(); ++i) {
        compound<Run>* const operation = requests.operation(i);
        if (operation == nullptr) {
            if (!has_errors)
                results[i].error = 0;
            continue;
        }
        results[i] = typename Run::status{};
        if (const int error = conclude<Run>(*operation, requests.of(i), results[i]); error != 0)
            code = Run::mpi_ERR_IN_STATUS;
    }
    return code;
}

template <class Run>
int Waitall(int count, request_of<Run>* requests, typename Run::status* statuses) {
    mixture<Run> mixed(count, requests);
    if (!mixed.has_compounds())
        return native<Run>.Waitall(count, requests, statuses);
    all_results<Run> results(count, statuses);
    if (mixed.has_wrong())
        return bad_request<Run>();
    if (mixed.failed() || results.failed())
        return raise<Run>(Run::mpi_ERR_NO_MEM);
    const int code = native<Run>.Waitall(count, mixed.natives(), results.data());
    mixed.back();
    if (code != 0 && Run::class_of(code) != Run::mpi_ERR_IN_STATUS)
        return code;
    for (int i = 0; i < count; ++i)
        if (compound<Run>* const operation = mixed.operation(i))
            wait_for<Run>(*operation);
    return conclude_all<Run>(mixed, results, code);
}

template <class Run>
int Testall(int count, request_of<Run>* requests, int* flag, typename Run::status* statuses) {
    mixture<Run> mixed(count, requests);
    if (!mixed.has_compounds() || flag == nullptr)
        return native<Run>.Testall(count, requests, flag, statuses);
    all_results<Run> results(count, statuses);
    if (mixed.has_wrong())
        return bad_request<Run>();
    if (mixed.failed() || results.failed())
        return raise<Run>(Run::mpi_ERR_NO_MEM);
    bool are_done = true;
    for (int i = 0; i < count; ++i)
        if (compound<Run>* const operation = mixed.operation(i))
            are_done = advance<Run>(*operation) && are_done;
    *flag = 0;
    if (!are_done) { // the others must progress all the same
        int any = 0;
        return native<Run>.Request_get_status(no_request<Run>(), &any, no_status<Run>());
    }
    const int code = native<Run>.Testall(count, mixed.natives(), flag, results.data());
    mixed.back();
    if (*flag == 0 || (code != 0 && Run::class_of(code) != Run::mpi_ERR_IN_STATUS))
        return code;
    return conclude_all<Run>(mixed, results, code);
}

/// One round of MPI_Waitany and MPI_Testany. `index` is MPI_UNDEFINED and the flag set if nothing is active.
template <class Run>
int try_any(mixture<Run>& mixed, int* index, int* flag, typename Run::status* status) {
    int code = native<Run>.Testany(mixed.size(), mixed.natives(), index, flag, status);
    mixed.back();
    if (code != 0 || (*flag != 0 && *index != Run::mpi_UNDEFINED))
        return code;
    bool any_active = *flag == 0;
    *flag = 0;
    *index = Run::mpi_UNDEFINED;
    for (int i = 0; i < mixed.size(); ++i) {
        compound<Run>* const operation = mixed.operation(i);
        if (operation == nullptr || !operation->is_active)
            continue;
        any_active = true;
        if (!advance<Run>(*operation))
            continue;
        typename Run::status result;
        code = conclude<Run>(*operation, mixed.of(i), result);
        set_status<Run>(status, result);
        *index = i;
        *flag = 1;
        return code;
    }
    if (!any_active) {
        *flag = 1;
        set_status<Run>(status, empty_status(Run{}));
    }
    return 0;
}

template <class Run>
int Testany(int count, request_of<Run>* requests, int* index, int* flag, typename Run::status* status) {
    mixture<Run> mixed(count, requests);
    if (!mixed.has_compounds() || index == nullptr || flag == nullptr)
        return native<Run>.Testany(count, requests, index, flag, status);
    if (mixed.has_wrong())
        return bad_request<Run>();
    if (mixed.failed())
        return raise<Run>(Run::mpi_ERR_NO_MEM);
    return try_any<Run>(mixed, index, flag, status);
}

template <class Run>
int Waitany(int count, request_of<Run>* requests, int* index, typename Run::status* status) {
    mixture<Run> mixed(count, requests);
    if (!mixed.has_compounds() || index == nullptr)
        return native<Run>.Waitany(count, requests, index, status);
    if (mixed.has_wrong())
        return bad_request<Run>();
    if (mixed.failed())
        return raise<Run>(Run::mpi_ERR_NO_MEM);
    for (;;) {
        int flag = 0;
        const int code = try_any<Run>(mixed, index, &flag, status);
        if (code != 0 || flag != 0)
            return code;
        sched_yield();
    }
}

/// One round of MPI_Waitsome and MPI_Testsome: first the runtime's own, then the compounds.
template <class Run>
int try_some(mixture<Run>& mixed, int* completed, int* indices, all_results<Run>& results) {
    int code = native<Run>.Testsome(mixed.size(), mixed.natives(), completed, indices, results.data());
    mixed.back();
    if (code != 0 && Run::class_of(code) != Run::mpi_ERR_IN_STATUS)
        return code;
    bool any_active = *completed != Run::mpi_UNDEFINED;
    int found = any_active ? *completed : 0;
    for (int i = 0; i < found && code == 0; ++i)
        results[i].error = 0;
    for (int i = 0; i < mixed.size(); ++i) {
        compound<Run>* const operation = mixed.operation(i);
        if (operation == nullptr || !operation->is_active)
            continue;
        any_active = true;
        if (!advance<Run>(*operation))
            continue;
        if (conclude<Run>(*operation, mixed.of(i), results[found]) != 0)
            code = Run::mpi_ERR_IN_STATUS;
        indices[found++] = i;
    }
    *completed = any_active ? found : Run::mpi_UNDEFINED;
    return code;
}

template <class Run>
int some(bool waits, int count, request_of<Run>* requests, int* completed, int* indices,
         typename Run::status* statuses) {
    const auto call = waits ? native<Run>.Waitsome : native<Run>.Testsome;
    mixture<Run> mixed(count, requests);
    if (!mixed.has_compounds() || completed == nullptr || indices == nullptr)
        return call(count, requests, completed, indices, statuses);
    all_results<Run> results(count, statuses);
    if (mixed.has_wrong())
        return bad_request<Run>();
    if (mixed.failed() || results.failed())
        return raise<Run>(Run::mpi_ERR_NO_MEM);
    for (;;) {
        const int code = try_some<Run>(mixed, completed, indices, results);
        if (code != 0 || *completed != 0 || !waits)
            return code;
        sched_yield();
    }
}
template <class Run>
int Waitsome(int count, request_of<Run>* requests, int* completed, int* indices, typename Run::status* statuses) {
    return some<Run>(true, count, requests, completed, indices, statuses);
}
template <class Run>
int Testsome(int count, request_of<Run>* requests, int* completed, int* indices, typename Run::status* statuses) {
    return some<Run>(false, count, requests, completed, indices, statuses);
}

template <class Run>
int Request_get_status(word request, int* flag, typename Run::status* status) {
    if (flag == nullptr || !is_compound<Run>(static_cast<request_of<Run>>(request)))
        return native<Run>.Request_get_status(request, flag, status);
    compound<Run>* const operation = compound_of<Run>(static_cast<request_of<Run>>(request));
    if (operation == nullptr)
        return bad_request<Run>();
    *flag = advance<Run>(*operation) ? 1 : 0;
    if (*flag != 0)
        set_status<Run>(status, operation->is_active ? operation->result : empty_status(Run{}));
    return 0;
}

template <class Run>
int Request_free(request_of<Run>* request) {
    if (request == nullptr || !is_compound<Run>(*request))
        return native<Run>.Request_free(request);
    compound<Run>* const operation = compound_of<Run>(*request);
    if (operation == nullptr)
        return bad_request<Run>();
    compound_numbers.remove(operation->number);
    *request = no_request<Run>();
    if (advance<Run>(*operation))
        destroy<Run>(*operation);
    else
        add_freed<Run>(*operation);
    return 0;
}

template <class Run>
int Cancel(request_of<Run>* request) {
    if (request == nullptr || !is_compound<Run>(*request))
        return native<Run>.Cancel(request);
    compound<Run>* const operation = compound_of<Run>(*request);
    if (operation == nullptr)
        return bad_request<Run>();
    for (int i = 0; i < operation->count; ++i)
        if (operation->children[i] != no_request<Run>())
            if (const int code = library<Run>.Cancel(&operation->children[i]); code != 0)
                return code;
    return 0;
}

template <class Run>
int start(compound<Run>& operation) {
    if (!operation.is_persistent || operation.is_active)
        return bad_request<Run>();
    operation.is_active = true;
    operation.is_finished = false;
    const int code = operation.does->start != nullptr ? operation.does->start(operation) : 0;
    operation.is_active = code == 0;
    return code;
}

template <class Run>
int Start(request_of<Run>* request) {
    if (request == nullptr || !is_compound<Run>(*request))
        return native<Run>.Start(request);
    compound<Run>* const operation = compound_of<Run>(*request);
    return operation != nullptr ? start<Run>(*operation) : bad_request<Run>();
}

template <class Run>
int Startall(int count, request_of<Run>* requests) {
    const mixture<Run> mixed(count, requests);
    if (!mixed.has_compounds())
        return native<Run>.Startall(count, requests);
    for (int i = 0; i < count; ++i)
        if (const int code = Start<Run>(&requests[i]); code != 0)
            return code;
    return 0;
}

template <class Run>
int Finalize() {
    while (end_freed<Run>())
        sched_yield();
    return native<Run>.Finalize();
}

/// Numbers of Fortran (convert/number.hpp). Libraries count their own from 0.
template <class Run>
int Request_c2f(word request) {
    const auto handle = static_cast<request_of<Run>>(request);
    return is_compound<Run>(handle) ? static_cast<int>(static_cast<std::uint32_t>(handle))
                                    : native<Run>.Request_c2f(request);
}
template <class Run>
word Request_f2c(int number) {
    const auto bits = static_cast<std::uint32_t>(number);
    return (bits & class_bits) == compound_class && bits != compound_class ? compound_mark<Run> | bits
                                                                           : native<Run>.Request_f2c(number);
}

} // namespace mixed

// ---- the replacement ----

template <class Function>
void replace(Function& place, Function by) {
    __atomic_store_n(&place, by, __ATOMIC_RELEASE);
}

template <class Run>
void replace_completion() {
    static constinit lock guard;
    static bool is_done = false;
    const locked hold(guard);
    if (is_done)
        return;
    functions<Run>& all = library<Run>;
    native<Run> = all;
    replace(all.Wait, mixed::Wait<Run>);
    replace(all.Waitall, mixed::Waitall<Run>);
    replace(all.Waitany, mixed::Waitany<Run>);
    replace(all.Waitsome, mixed::Waitsome<Run>);
    replace(all.Test, mixed::Test<Run>);
    replace(all.Testall, mixed::Testall<Run>);
    replace(all.Testany, mixed::Testany<Run>);
    replace(all.Testsome, mixed::Testsome<Run>);
    replace(all.Request_get_status, mixed::Request_get_status<Run>);
    replace(all.Request_free, mixed::Request_free<Run>);
    replace(all.Cancel, mixed::Cancel<Run>);
    replace(all.Start, mixed::Start<Run>);
    replace(all.Startall, mixed::Startall<Run>);
    replace(all.Finalize, mixed::Finalize<Run>);
    replace(all.Request_c2f, mixed::Request_c2f<Run>);
    replace(all.Request_f2c, mixed::Request_f2c<Run>);
    is_done = true;
}

template <class Run>
void publish(compound<Run>* operation, request_of<Run>* request) {
    replace_completion<Run>();
    end_freed<Run>();
    operation->is_active = !operation->is_persistent;
    operation->number = compound_numbers.add(reinterpret_cast<word>(operation), request_class);
    *request = request_for<Run>(operation->number);
}

/// An operation of which a part could not be begun: it ends when what was begun has ended.
template <class Run>
void end_later(compound<Run>* operation) {
    replace_completion<Run>();
    operation->is_active = true;
    operation->is_persistent = false;
    add_freed<Run>(*operation);
}

/// One whose parts may be cancelled.
template <class Run>
void abandon(compound<Run>* operation) {
    for (int i = 0; i < operation->count; ++i)
        if (operation->children[i] != no_request<Run>())
            library<Run>.Cancel(&operation->children[i]);
    end_later<Run>(operation);
}

} // namespace anympi::emulate
