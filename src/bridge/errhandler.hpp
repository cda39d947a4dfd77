#pragma once

#include "base/make_once.hpp"
#include "base/stubs.hpp"
#include "bridge/report_no_memory.hpp"
#include "convert/crossings.hpp"
#include "convert/deferred_handlers.hpp"

#include <atomic>

namespace anympi::bridge {

/// Calls the program's error handler with the program's own handle and error code. Returns the code that the handler
/// leaves.
template <class P, object O>
int tell_error_handler(const reported_error& error) {
    borrowed<P, O> object_handle(static_cast<run_handle<P, O>>(error.object));
    int code = error.code;
    using handler = void(app_handle<P, O>*, int*, ...);
    const callback_error_code on_its_way = callback_error; // calls by the handler may overwrite it
    reinterpret_cast<handler*>(error.user_function)(&object_handle.handle, &code);
    callback_error = on_its_way;
    return code;
}

/// The function that the runtime calls instead of the program's error handler. A stub adds the program's function. If
/// the handler changes the code, the new code is written back, because MPICH's MPI_File_open returns it.
template <class P, object O>
void call_error_handler(run_handle<P, O>* handle, int* code, void*, void*, void*, void* user_function) {
    const int seen = is_direct<P> ? *code : error_seen_by_handler<P>(*code);
    const reported_error error{tell_error_handler<P, O>, user_function, *handle, seen, *code};
    if (defer_error(error))
        return;
    if (const int left = tell_error_handler<P, O>(error); left != seen)
        *code = is_direct<P> ? left : raised_to_run<P>(left);
}

template <class P, object O, class Create>
int create_error_handler(Create create, void* user_function, app_handle<P, object::errhandler>* errhandler) {
    void* const stub = stub_unless_null(user_function, reinterpret_cast<void*>(call_error_handler<P, O>));
    if (lacks_counterpart(user_function, stub))
        return report_no_memory<P>();
    if (auto* const prepare = before_first_handler.exchange(nullptr))
        prepare();
    handle_out<P, object::errhandler> errhandler_{errhandler};
    if (const int code = create(stub, errhandler_.argument()); code != 0)
        return finish_failed_call<P>(code, errhandler_);
    errhandler_.finish();
    return 0;
}

template <class P>
int Comm_create_errhandler(void* function, app_handle<P, object::errhandler>* errhandler) {
    return create_error_handler<P, object::comm>(target<P>.Comm_create_errhandler, function, errhandler);
}
template <class P>
int File_create_errhandler(void* function, app_handle<P, object::errhandler>* errhandler) {
    return create_error_handler<P, object::file>(target<P>.File_create_errhandler, function, errhandler);
}
template <class P>
int Win_create_errhandler(void* function, app_handle<P, object::errhandler>* errhandler) {
    return create_error_handler<P, object::win>(target<P>.Win_create_errhandler, function, errhandler);
}
template <class P>
int Session_create_errhandler(void* function, app_handle<P, object::errhandler>* errhandler) {
    return create_error_handler<P, object::session>(target<P>.Session_create_errhandler, function, errhandler);
}

// ---- setting and querying ----

/// An error handler for each class of objects that replaces the handler of MPICH's C++ bindings (errors_throw). The
/// runtime has no such handler. The replacement does nothing, since inline code of the bindings throws the exception.
template <class P, object O>
inline std::atomic<app_handle<P, object::errhandler>> handler_for_throwing{0};

inline void ignore_error(void*, int*, ...) {}

template <class P>
inline bool is_throwing(app_handle<P, object::errhandler> errhandler) {
    return P::app::errors_throw != 0 && errhandler == P::app::errors_throw;
}

template <class P, object O, class Create>
int replace_throwing(Create create, app_handle<P, object::errhandler>& errhandler) {
    if (!is_throwing<P>(errhandler))
        return 0;
    return make_once(handler_for_throwing<P, O>, errhandler, [create](app_handle<P, object::errhandler>* made) {
        return create_error_handler<P, O>(create, reinterpret_cast<void*>(ignore_error), made);
    });
}

template <class P, object O, class Set, class Create>
int set_error_handler(Set set, Create create, app_handle<P, O> object, app_handle<P, object::errhandler> errhandler) {
    if (const int code = replace_throwing<P, O>(create, errhandler); code != 0)
        return code;
    return error_to_app<P>(set(to_run<P, O>(object), to_run<P, object::errhandler>(errhandler)));
}

template <class P, object O, class Get>
int get_error_handler(Get get, app_handle<P, O> object, app_handle<P, object::errhandler>* errhandler) {
    handle_out<P, object::errhandler> errhandler_{errhandler};
    if (const int code = get(to_run<P, O>(object), errhandler_.argument()); is_error(code))
        return finish_failed_call<P>(code, errhandler_);
    errhandler_.finish();
    const app_handle<P, object::errhandler> ours = handler_for_throwing<P, O>;
    if (P::app::errors_throw == 0 || ours == 0 || *errhandler != ours)
        return 0;
    run_handle<P, object::errhandler> got = to_run<P, object::errhandler>(ours);
    if constexpr (is_narrowed<P, object::errhandler>)
        forget<P, object::errhandler>(ours);
    *errhandler = P::app::errors_throw;
    return error_to_app<P>(target<P>.Errhandler_free(&got));
}

template <class P>
int Comm_set_errhandler(app_handle<P, object::comm> comm, app_handle<P, object::errhandler> errhandler) {
    return set_error_handler<P, object::comm>(target<P>.Comm_set_errhandler, target<P>.Comm_create_errhandler, comm,
                                              errhandler);
}
template <class P>
int File_set_errhandler(app_handle<P, object::file> file, app_handle<P, object::errhandler> errhandler) {
    return set_error_handler<P, object::file>(target<P>.File_set_errhandler, target<P>.File_create_errhandler, file,
                                              errhandler);
}
template <class P>
int Win_set_errhandler(app_handle<P, object::win> win, app_handle<P, object::errhandler> errhandler) {
    return set_error_handler<P, object::win>(target<P>.Win_set_errhandler, target<P>.Win_create_errhandler, win,
                                             errhandler);
}

template <class P>
int Comm_get_errhandler(app_handle<P, object::comm> comm, app_handle<P, object::errhandler>* errhandler) {
    return get_error_handler<P, object::comm>(target<P>.Comm_get_errhandler, comm, errhandler);
}
template <class P>
int File_get_errhandler(app_handle<P, object::file> file, app_handle<P, object::errhandler>* errhandler) {
    return get_error_handler<P, object::file>(target<P>.File_get_errhandler, file, errhandler);
}
template <class P>
int Win_get_errhandler(app_handle<P, object::win> win, app_handle<P, object::errhandler>* errhandler) {
    return get_error_handler<P, object::win>(target<P>.Win_get_errhandler, win, errhandler);
}

template <class P>
int Errhandler_free(app_handle<P, object::errhandler>* errhandler) {
    if (errhandler != nullptr && is_throwing<P>(*errhandler)) {
        *errhandler = program_null<P, object::errhandler>();
        return 0;
    }
    handle_inout<P, object::errhandler> errhandler_(errhandler);
    if (const int code = target<P>.Errhandler_free(errhandler_.argument()); is_error(code))
        return error_to_app<P>(code);
    errhandler_.finish();
    return 0;
}

} // namespace anympi::bridge
