#pragma once

#include "base/array.hpp"
#include "base/lock.hpp"
#include "convert/deferred_handlers.hpp"
#include "emulate/engine/backoff.hpp"
#include "emulate/engine/compound.hpp"
#include "emulate/engine/error.hpp"
#include "emulate/engine/override.hpp"
#include "emulate/engine/request_memory.hpp"

namespace anympi::emulate {

template <class Run>
inline void set_status(typename Run::status* to, const typename Run::status& from) {
    if (!is_wanted<Run>(to))
        return;
    const int error = to->error; // single completions do not write this field
    *to = from;
    to->error = error;
}

// ---- one compound ----

/// Tests the children one by one instead of all at once, so that an error is reported to the handler of the child's own
/// communicator, with its own code, as if the operation were a single one.
template <class Run>
bool are_children_complete(compound<Run>& operation) {
    for (int& i = operation.complete; i < operation.count; ++i) {
        typename Run::status status = empty_status(Run{});
        int is_complete = 0;
        const int code = with_own_error(
            operation.error, [&] { return library<Run>.Test(&operation.children[i], &is_complete, &status); });
        if (code == 0 && is_complete == 0)
            return false;
        if (operation.code == 0)
            operation.code = code;
        if (i == operation.status_from)
            operation.result = status;
    }
    return true;
}

template <class Run>
void finish(compound<Run>& operation) {
    if (operation.code == 0 && operation.does->finish != nullptr)
        operation.code =
            with_own_error(operation.error, [&] { return operation.does->finish(operation, operation.result); });
    operation.result.error = operation.code;
    operation.now.store(stage::finished, std::memory_order_release);
}

template <class Run>
bool is_active(const compound<Run>& operation) {
    return operation.now.load(std::memory_order_acquire) != stage::inactive;
}

template <class Run>
bool is_begun(compound<Run>& operation) {
    return operation.does->is_begun == nullptr || operation.does->is_begun(operation);
}

/// Lets the runtime make progress: a call that tests for one message makes progress with all requests.
template <class Run>
void make_progress() {
    int flag = 0;
    library<Run>.Iprobe(Run::mpi_ANY_SOURCE, Run::mpi_ANY_TAG, predefined<Run>(standard::mpi_COMM_SELF), &flag,
                        ignored_status<Run>());
}

/// Tests the children. Returns true if the operation has completed or is inactive. No thread waits for another one
/// here, because the tests may run the program's reductions, which may call this function again. Error handlers are not
/// called here, so that none can leave by longjmp while the operation is being tested; `conclude` calls them.
template <class Run>
bool advance(compound<Run>& operation) {
    if (operation.now.load(std::memory_order_acquire) != stage::active)
        return true;
    if (!is_begun<Run>(operation)) {
        make_progress<Run>();
        return false;
    }
    if (operation.is_asked.exchange(true, std::memory_order_acquire))
        return false;
    bool is_finished = operation.now.load(std::memory_order_relaxed) != stage::active;
    if (!is_finished && are_children_complete<Run>(operation)) {
        finish<Run>(operation);
        is_finished = true;
    }
    operation.is_asked.store(false, std::memory_order_release);
    return is_finished;
}

template <class Run>
void destroy(compound<Run>& operation) {
    for (int i = 0; i < operation.count; ++i) // persistent children, and children that a failed call has left
        if (!is_library_null<Run, object::request>(operation.children[i]))
            library<Run>.Request_free(&operation.children[i]);
    if (operation.does->destroy != nullptr) // after the children, because they may use what belongs to the operation
        operation.does->destroy(operation);
    while (memory_block* const block = operation.blocks) {
        operation.blocks = block->next;
        std::free(block);
    }
    std::free(&operation);
}

/// Returns the completion of an operation to the program: the error code and the status. The request becomes null or
/// inactive. The caller must call the error handler last (convert/deferred_handlers.hpp).
template <class Run>
int conclude(compound<Run>& operation, request_of<Run>& request, typename Run::status& status) {
    if (!is_active<Run>(operation)) {
        status = empty_status(Run{});
        return 0;
    }
    const int code = operation.code;
    status = operation.result;
    if (operation.error.tell != nullptr)
        defer_error(operation.error);
    operation.now.store(stage::inactive, std::memory_order_release);
    if (!operation.is_persistent) {
        compound_numbers.remove(operation.number);
        destroy<Run>(operation);
        request = library_null<Run, object::request>();
    }
    return code;
}

/// Like conclude, for a call that completes one request, whose status the program may not want.
template <class Run>
int conclude_alone(compound<Run>& operation, request_of<Run>& request, typename Run::status* status) {
    typename Run::status result;
    const int code = conclude<Run>(operation, request, result);
    set_status<Run>(status, result);
    return code;
}

/// Starts a persistent operation again. If one of several children cannot be started, the others may be running and use
/// the buffers. The operation is then active, and completes with the error when those children have completed.
template <class Run>
int start(compound<Run>& operation) {
    if (!operation.is_persistent || is_active<Run>(operation))
        return raise<Run>(Run::mpi_ERR_REQUEST);
    operation.code = operation.complete = 0;
    operation.error = {};
    operation.result = empty_status(Run{});
    const int code = operation.does->start(operation);
    if (code != 0)
        operation.code = code;
    if (code == 0 || operation.count > 1)
        operation.now.store(stage::active, std::memory_order_release);
    return code;
}

/// The `start` of an operation with one persistent child.
template <class Run>
int start_only_child(compound<Run>& operation) {
    return library<Run>.Start(operation.children);
}

// ---- operations that were freed before they had completed ----

/// The list of freed operations, in the order in which they are tested. An operation that has not completed moves to
/// the end.
template <class Run>
struct freed_compounds {
    lock guard;
    compound<Run>* first;
    compound<Run>* last;
    int count;
};
template <class Run>
inline freed_compounds<Run> freed{};

/// Adds a freed operation. Only this thread has the request, so no other thread is testing it. If is_asked is set, a
/// function of the program has left that test by longjmp or an exception.
template <class Run>
void add_freed(compound<Run>& operation) {
    freed_compounds<Run>& all = freed<Run>;
    operation.is_asked.store(false, std::memory_order_relaxed);
    operation.next = nullptr;
    const locked hold(all.guard);
    (all.first != nullptr ? all.last->next : all.first) = &operation;
    all.last = &operation;
    ++all.count;
}

/// Takes the first operation out of the list. Returns nullptr if the list is empty.
template <class Run>
compound<Run>* take_freed() {
    freed_compounds<Run>& all = freed<Run>;
    const locked hold(all.guard);
    compound<Run>* const taken = all.first;
    if (taken != nullptr) {
        all.first = taken->next;
        --all.count;
    }
    return taken;
}

/// Tests some freed operations and destroys those that have completed. As for other freed requests, errors are not
/// reported.
template <class Run>
void end_some_freed(int some) {
    without_handlers([some] {
        for (int i = 0; i < some; ++i) {
            compound<Run>* const operation = take_freed<Run>();
            if (operation == nullptr)
                break;
            if (advance<Run>(*operation))
                destroy<Run>(*operation);
            else
                add_freed<Run>(*operation);
        }
        return 0;
    });
}

/// How many freed operations each new operation tests: more than one, so that their number shrinks, but not all, so
/// that the cost does not grow with their number.
inline constexpr int some_freed = 4;

template <class Run>
int count_freed() {
    const locked hold(freed<Run>.guard);
    return freed<Run>.count;
}

/// Waits for all freed operations when MPI ends.
template <class Run>
void end_all_freed() {
    backoff between;
    for (int left = count_freed<Run>(); left > 0; left = count_freed<Run>()) {
        end_some_freed<Run>(left);
        between.pause();
    }
}

// ---- returning requests to the program ----

/// No further synchronisation is needed for the installation of the overrides: a thread that has a compound request got
/// it from the thread that published it, after the installation. For all other requests, the old and the new functions
/// do the same.
template <class Run>
void publish(compound<Run>* operation, request_of<Run>* request) {
    install_once<Run>(moment::compound_request);
    end_some_freed<Run>(some_freed);
    operation->now.store(operation->is_persistent ? stage::inactive : stage::active, std::memory_order_relaxed);
    operation->number = compound_numbers.add(reinterpret_cast<word>(operation), compound_handle<Run>::class_number);
    *request = compound_handle<Run>::from_table(operation->number);
}

/// Turns a request of the runtime into a compound with the same meaning.
template <class Run>
void wrap(compound<Run>* made, request_of<Run>* request, bool is_persistent) {
    static constexpr typename compound<Run>::behaviour does_as_child = {start_only_child<Run>};
    made->does = &does_as_child;
    made->children[0] = *request;
    made->status_from = 0;
    made->is_persistent = is_persistent;
    publish<Run>(made, request);
}

template <class Run>
request_memory<Run>::request_memory() : made(make<Run, compound>(1)) {}

template <class Run>
request_memory<Run>::~request_memory() {
    std::free(made);
}

template <class Run>
void request_memory<Run>::attach(request_of<Run>* request, bool is_persistent, void* memory) {
    compound<Run>* operation = compound_of<Run>(*request);
    if (operation == nullptr) {
        operation = static_cast<compound<Run>*>(made);
        made = nullptr;
        wrap<Run>(operation, request, is_persistent);
    }
    emulate::attach_memory<Run>(*operation, memory);
}

/// Ends an operation if only some of its children could be started. It is destroyed when those children have completed.
template <class Run>
void end_later(compound<Run>* operation) {
    install_once<Run>(moment::compound_request);
    operation->is_persistent = false;
    operation->now.store(stage::active, std::memory_order_release);
    add_freed<Run>(*operation);
}

} // namespace anympi::emulate
