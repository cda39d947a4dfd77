#pragma once

#include "base/stubs.hpp"
#include "bridge/missing_reports.hpp"
#include "bridge/report_no_memory.hpp"
#include "convert/crossings.hpp"
#include "convert/deferred_handlers.hpp"
#include "convert/used_codes.hpp"

#include <atomic>

namespace anympi::bridge {

/// The handle is the program's own, the code in its numbers. The result is what the program makes of the code.
template <class P, object O>
int tell_error_handler(const reported_error& error) {
    borrowed<P, O> object_handle(static_cast<run_handle<P, O>>(error.object));
    int code = error.code;
    using handler = void(app_handle<P, O>*, int*, ...);
    const callback_error_code on_its_way = callback_error; // calls that the handler makes have codes of their own
    reinterpret_cast<handler*>(error.user_function)(&object_handle.handle, &code);
    callback_error = on_its_way;
    return code;
}

/// The runtime calls this function in place of the program's error handler, through a stub that adds the program's
/// function. A code that the program's handler changes is written back: MPICH's MPI_File_open returns it.
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
    void* stub = nullptr; // a null function is the runtime's to refuse
    if (user_function != nullptr) {
        stub = stub_for(user_function, reinterpret_cast<void*>(call_error_handler<P, O>));
        if (stub == nullptr)
            return report_no_memory<P>();
    }
    if (auto* const prepare = before_first_handler.exchange(nullptr))
        prepare();
    handle_out<P, object::errhandler> errhandler_{errhandler};
    if (const int code = create(stub, errhandler_.argument()); code != 0)
        return failed<P>(code, errhandler_);
    errhandler_.back();
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

// ---- setting and asking ----

/// The handler of MPICH's C++ bindings (errors_throw) does nothing as seen by the runtime, which has none: one of ours
/// stands for it, for each class of objects.
template <class P, object O>
inline std::atomic<app_handle<P, object::errhandler>> stands_for_throwing{0};

inline void ignore_error(void*, int*, ...) {}

template <class P>
inline bool is_throwing(app_handle<P, object::errhandler> errhandler) {
    return P::app::errors_throw != 0 && errhandler == P::app::errors_throw;
}

template <class P, object O, class Create>
int replace_throwing(Create create, app_handle<P, object::errhandler>& errhandler) {
    if (!is_throwing<P>(errhandler))
        return 0;
    app_handle<P, object::errhandler> known = stands_for_throwing<P, O>;
    if (known == 0) {
        app_handle<P, object::errhandler> made = 0;
        if (const int code = create_error_handler<P, O>(create, reinterpret_cast<void*>(ignore_error), &made);
            code != 0)
            return code;
        if (stands_for_throwing<P, O>.compare_exchange_strong(known, made)) // else another thread was faster
            known = made;
    }
    errhandler = known;
    return 0;
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
        return failed<P>(code, errhandler_);
    errhandler_.back();
    const app_handle<P, object::errhandler> ours = stands_for_throwing<P, O>;
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
    errhandler_.back();
    return 0;
}

// ---- codes and their texts ----

/// The class of a code that is none itself. Not inline, so that the frequent question needs no frame for it.
template <class P>
[[gnu::noinline]] int class_of_code(int code, int* error_class) {
    if (error_class != nullptr && is_own_code(code)) {
        *error_class = P::app::mpi_ERR_UNSUPPORTED_OPERATION;
        return 0;
    }
    const int result = target<P>.Error_class(code_to_run<P>(code), error_class);
    if (result == 0 && error_class != nullptr)
        *error_class = plain_code_to_app<P>(*error_class);
    return error_to_app<P>(result);
}

template <class P>
int Error_class(int code, int* error_class) {
    if (error_class == nullptr || !is_class<typename P::app>(code))
        return class_of_code<P>(code, error_class);
    *error_class = code; // some classes have no number in the runtime
    return 0;
}

template <class P>
int Error_string(int code, char* text, int* length) {
    if (text != nullptr && length != nullptr && is_own_code(code)) {
        *length = missing.describe(static_cast<function>(code - own_codes), text, P::app::mpi_MAX_ERROR_STRING);
        return 0;
    }
    text_out<P::app::mpi_MAX_ERROR_STRING, P::run::mpi_MAX_ERROR_STRING> text_(text);
    const int result = target<P>.Error_string(code_to_run<P>(code), text_.argument(), length);
    if (result != 0)
        return error_to_app<P>(result);
    text_.back(length);
    return 0;
}

template <class P>
int Add_error_class(int* error_class) {
    used_code_note note;
    if (note.failed())
        return report_no_memory<P>();
    const int code = target<P>.Add_error_class(error_class);
    if (code != 0 || error_class == nullptr)
        return error_to_app<P>(code);
    *error_class = plain_code_to_app<P>(*error_class);
    note.keep(*error_class);
    return 0;
}

template <class P>
int Add_error_code(int error_class, int* error_code) {
    used_code_note note;
    if (note.failed())
        return report_no_memory<P>();
    const int code = target<P>.Add_error_code(code_to_run<P>(error_class), error_code);
    if (code != 0 || error_code == nullptr)
        return error_to_app<P>(code);
    *error_code += error_shift<P>; // not told by its looks where it belongs to one of MPI's classes (MPICH 4.1: 0x220)
    note.keep(*error_code);
    return 0;
}

template <class P>
int Add_error_string(int code, const char* text) {
    const text_in<P::run::mpi_MAX_ERROR_STRING> text_(text);
    return error_to_app<P>(target<P>.Add_error_string(code_to_run<P>(code), text_.argument()));
}

template <class P, class Remove>
int remove_number(Remove remove, int number) {
    if (const int code = remove(code_to_run<P>(number)); code != 0)
        return error_to_app<P>(code);
    forget_used_code(number);
    return 0;
}
template <class P>
int Remove_error_class(int error_class) {
    return remove_number<P>(target<P>.Remove_error_class, error_class);
}
template <class P>
int Remove_error_code(int code) {
    return remove_number<P>(target<P>.Remove_error_code, code);
}

} // namespace anympi::bridge
