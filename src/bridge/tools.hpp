#pragma once

#include "base/immortal_values.hpp"
#include "base/stubs.hpp"
#include "convert/crossings.hpp"

#include <type_traits>

namespace anympi::bridge {

// Functions of the tools interface that take a callback, or an object to which a variable is bound.

/// Reads and converts the handle that a variable is bound to. `bind` names its class.
template <class P>
word bound_handle(int bind, const void* program) {
    using run_abi = typename P::run;
    word handle = 0;
    const auto read = [&]<object O>(std::integral_constant<object, O>, int of_class) {
        if (bind == of_class)
            handle = to_run<P, O>(*static_cast<const app_handle<P, O>*>(program));
    };
    read(std::integral_constant<object, object::comm>{}, run_abi::mpi_T_BIND_MPI_COMM);
    read(std::integral_constant<object, object::datatype>{}, run_abi::mpi_T_BIND_MPI_DATATYPE);
    read(std::integral_constant<object, object::errhandler>{}, run_abi::mpi_T_BIND_MPI_ERRHANDLER);
    read(std::integral_constant<object, object::file>{}, run_abi::mpi_T_BIND_MPI_FILE);
    read(std::integral_constant<object, object::group>{}, run_abi::mpi_T_BIND_MPI_GROUP);
    read(std::integral_constant<object, object::op>{}, run_abi::mpi_T_BIND_MPI_OP);
    read(std::integral_constant<object, object::request>{}, run_abi::mpi_T_BIND_MPI_REQUEST);
    read(std::integral_constant<object, object::win>{}, run_abi::mpi_T_BIND_MPI_WIN);
    read(std::integral_constant<object, object::message>{}, run_abi::mpi_T_BIND_MPI_MESSAGE);
    read(std::integral_constant<object, object::info>{}, run_abi::mpi_T_BIND_MPI_INFO);
    read(std::integral_constant<object, object::session>{}, run_abi::mpi_T_BIND_MPI_SESSION);
    return handle;
}

/// The runtime's handles of objects that variables are bound to. They live forever, because a library may keep the
/// address of such a handle (MPICH does).
inline constinit immortal_values<word> bound_handles;

/// Returns a pointer to the converted handle of the object that a variable is bound to. `bind` is the answer to the
/// caller's query. If the variable is bound to no object, the pointer is passed on unchanged, since it may be anything.
/// If the query failed, the pointer is also passed on unchanged, so that the library reports the wrong index.
template <class P>
void* bound_object(int question_code, int bind, void* program) {
    if (question_code != 0 || program == nullptr || bind == P::run::mpi_T_BIND_NO_OBJECT)
        return program;
    return bound_handles.copy_of(bound_handle<P>(bind, program)); // a library with 32-bit handles reads the lower half
}

template <class P>
int T_cvar_handle_alloc(int index, void* object_handle, void** handle, int* count) {
    int bind = 0;
    const int asked =
        target<P>.T_cvar_get_info(index, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, &bind, nullptr);
    void* const object = bound_object<P>(asked, bind, object_handle);
    if (lacks_counterpart(object_handle, object))
        return P::app::mpi_T_ERR_MEMORY;
    return error_to_app<P>(target<P>.T_cvar_handle_alloc(index, object, handle, count));
}

template <class P>
int T_pvar_handle_alloc(void* session, int index, void* object_handle, void** handle, int* count) {
    int bind = 0;
    const int asked = target<P>.T_pvar_get_info(index, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                                nullptr, &bind, nullptr, nullptr, nullptr);
    void* const object = bound_object<P>(asked, bind, object_handle);
    if (lacks_counterpart(object_handle, object))
        return P::app::mpi_T_ERR_MEMORY;
    return error_to_app<P>(target<P>.T_pvar_handle_alloc(session, index, object, handle, count));
}

template <class P>
int T_event_handle_alloc(int index, void* object_handle, app_handle<P, object::info> info, void** registration) {
    int bind = 0;
    const int asked = target<P>.T_event_get_info(index, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                                 nullptr, nullptr, nullptr, &bind);
    void* const object = bound_object<P>(asked, bind, object_handle);
    if (lacks_counterpart(object_handle, object))
        return P::app::mpi_T_ERR_MEMORY;
    return error_to_app<P>(target<P>.T_event_handle_alloc(index, object, to_run<P, object::info>(info), registration));
}

template <class P>
int T_event_get_info(int index, char* name, int* name_length, int* verbosity, app_handle<P, object::datatype>* types,
                     std::intptr_t* displacements, int* elements, void** enumeration, app_handle<P, object::info>* info,
                     char* description, int* description_length, int* bind) {
    const int room = elements != nullptr && types != nullptr ? *elements : 0;
    handles_out<P, object::datatype> types_(types, room);
    if (types_.lacks_memory())
        return P::app::mpi_T_ERR_MEMORY;
    handle_out<P, object::info> info_{info};
    const int code =
        target<P>.T_event_get_info(index, name, name_length, verbosity, types_.argument(), displacements, elements,
                                   enumeration, info_.argument(), description, description_length, bind);
    if (code != 0)
        return error_to_app<P>(code);
    types_.finish(elements != nullptr && *elements < room ? *elements : room);
    if (verbosity != nullptr)
        *verbosity = value_to_app<P, category_t_verbosity>(*verbosity);
    if (info != nullptr)
        info_.finish();
    if (bind != nullptr)
        *bind = value_to_app<P, category_t_bind>(*bind);
    return 0;
}

// ---- callbacks: only the safety level is converted ----

template <class P>
void call_event_callback(void* instance, void* registration, int safety, void* user_data, void*, void* user_function) {
    using callback = void(void*, void*, int, void*);
    reinterpret_cast<callback*>(user_function)(instance, registration, value_to_app<P, category_t_cb_safety>(safety),
                                               user_data);
}
template <class P>
void call_event_free_callback(void* registration, int safety, void* user_data, void*, void*, void* user_function) {
    using callback = void(void*, int, void*);
    reinterpret_cast<callback*>(user_function)(registration, value_to_app<P, category_t_cb_safety>(safety), user_data);
}
template <class P>
void call_event_dropped_callback(std::int64_t count, void* registration, int source, int safety, void* user_data,
                                 void* user_function) {
    using callback = void(std::int64_t, void*, int, int, void*);
    reinterpret_cast<callback*>(user_function)(count, registration, source,
                                               value_to_app<P, category_t_cb_safety>(safety), user_data);
}

template <class P>
int T_event_register_callback(void* registration, int safety, app_handle<P, object::info> info, void* user_data,
                              void* callback) {
    void* const stub = stub_unless_null(callback, reinterpret_cast<void*>(call_event_callback<P>));
    if (lacks_counterpart(callback, stub))
        return P::app::mpi_T_ERR_MEMORY;
    return error_to_app<P>(target<P>.T_event_register_callback(
        registration, value_to_run<P, category_t_cb_safety>(safety), to_run<P, object::info>(info), user_data, stub));
}
template <class P>
int T_event_handle_free(void* registration, void* user_data, void* callback) {
    void* const stub = stub_unless_null(callback, reinterpret_cast<void*>(call_event_free_callback<P>));
    if (lacks_counterpart(callback, stub))
        return P::app::mpi_T_ERR_MEMORY;
    return error_to_app<P>(target<P>.T_event_handle_free(registration, user_data, stub));
}
template <class P>
int T_event_set_dropped_handler(void* registration, void* callback) {
    void* const stub = stub_unless_null(callback, reinterpret_cast<void*>(call_event_dropped_callback<P>));
    if (lacks_counterpart(callback, stub))
        return P::app::mpi_T_ERR_MEMORY;
    return error_to_app<P>(target<P>.T_event_set_dropped_handler(registration, stub));
}

} // namespace anympi::bridge
