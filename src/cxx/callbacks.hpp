#pragma once

// Converts functions of the program that take objects of MPI:: to functions for the C library. Include this header
// after the declarations of a vendor.

#include "base/immortal_values.hpp"
#include "base/stubs.hpp"
#include "cxx/calls.hpp"

#include <type_traits>

namespace anympi::cxx {

// ---- the C functions of each class ----

template <class Object>
struct c_side;

/// Calls `use` with an object that holds the handle.
template <class Object, class Handle, class Use>
auto use_as(Handle handle, Use use) {
    Object object(handle);
    return use(object);
}

/// A communicator is passed to the program as an object of its kind.
template <>
struct c_side<MPI::Comm> {
    using handle = MPI_Comm;
    using copy_function = MPI_Comm_copy_attr_function;
    using delete_function = MPI_Comm_delete_attr_function;
    using error_function = MPI_Comm_errhandler_function;
    static constexpr auto create_keyval = MPI_Comm_create_keyval;
    static constexpr auto create_errhandler = MPI_Comm_create_errhandler;

    template <class Use>
    static auto with_object(MPI_Comm comm, Use use) {
        int is_inter = 0;
        int topology = 0;
        MPI_Comm_test_inter(comm, &is_inter);
        if (is_inter)
            return use_as<MPI::Intercomm>(comm, use);
        MPI_Topo_test(comm, &topology);
        if (topology == MPI::values::mpi_CART)
            return use_as<MPI::Cartcomm>(comm, use);
        if (topology == MPI::values::mpi_GRAPH)
            return use_as<MPI::Graphcomm>(comm, use);
        return use_as<MPI::Intracomm>(comm, use);
    }
};

template <>
struct c_side<MPI::Datatype> {
    using copy_function = MPI_Type_copy_attr_function;
    using delete_function = MPI_Type_delete_attr_function;
    static constexpr auto create_keyval = MPI_Type_create_keyval;

    static auto with_object(MPI_Datatype type, auto use) { return use_as<MPI::Datatype>(type, use); }
};

template <>
struct c_side<MPI::Win> {
    using handle = MPI_Win;
    using copy_function = MPI_Win_copy_attr_function;
    using delete_function = MPI_Win_delete_attr_function;
    using error_function = MPI_Win_errhandler_function;
    static constexpr auto create_keyval = MPI_Win_create_keyval;
    static constexpr auto create_errhandler = MPI_Win_create_errhandler;

    static auto with_object(MPI_Win win, auto use) { return use_as<MPI::Win>(win, use); }
};

template <>
struct c_side<MPI::File> {
    using handle = MPI_File;
    using error_function = MPI_File_errhandler_function;
    static constexpr auto create_errhandler = MPI_File_create_errhandler;

    static auto with_object(MPI_File file, auto use) { return use_as<MPI::File>(file, use); }
};

// ---- reductions and error handlers: MPI passes them no state, so each function of the program needs a stub ----

/// Returns a C function that calls `converter` with the function of the program as its sixth argument (base/stubs.hpp).
/// Returns nullptr, which MPI rejects, for a null pointer and if memory is exhausted.
template <class CFunction, class Converter, class Function>
CFunction* stub_of_program(Converter* converter, Function* function) {
    return reinterpret_cast<CFunction*>(
        stub_unless_null(reinterpret_cast<void*>(function), reinterpret_cast<void*>(converter)));
}

inline void call_reduction(void* in, void* inout, int* count, MPI_Datatype* type, void*, MPI::User_function* function) {
    function(in, inout, *count, MPI::Datatype(*type));
}

inline MPI_User_function* reduction_stub(MPI::User_function* function) {
    return stub_of_program<MPI_User_function>(call_reduction, function);
}

template <class Object>
void call_error_handler(typename c_side<Object>::handle* handle, int* code, void*, void*, void*,
                        typename Object::Errhandler_function* function) {
    c_side<Object>::with_object(*handle, [&](Object& object) {
        function(object, code);
        MPI::remember_handled_code(*code);
    });
}

template <class Object>
MPI::Errhandler create_errhandler(typename Object::Errhandler_function* function) {
    return result_of<MPI::Errhandler>(
        MPI::COMM_WORLD, c_side<Object>::create_errhandler,
        stub_of_program<typename c_side<Object>::error_function>(call_error_handler<Object>, function));
}

// ---- attributes ----

/// The functions that the program passed for a key. Programs of Open MPI may mix functions of C and C++. A null pointer
/// means that nothing is copied or deleted.
template <class Object>
struct attribute_functions {
    typename c_side<Object>::copy_function* c_copy;
    typename c_side<Object>::delete_function* c_delete;
    typename Object::Copy_attr_function* cxx_copy;
    typename Object::Delete_attr_function* cxx_delete;
    void* extra_state;
};

/// The records of all keys; equal functions share a record. Records are never freed, because attributes outlive their
/// key and, on MPI_COMM_SELF, main.
template <class Object>
constinit immortal_values<attribute_functions<Object>> all_attribute_functions;

template <class Object, class Handle>
int copy_attribute(Handle handle, int keyval, void* state, void* value, void* copy, int* flag) {
    const auto& functions = *static_cast<attribute_functions<Object>*>(state);
    if (functions.c_copy != nullptr)
        return functions.c_copy(handle, keyval, functions.extra_state, value, copy, flag);
    *flag = 0;
    if (functions.cxx_copy == nullptr)
        return 0;
    return c_side<Object>::with_object(handle, [&](const Object& object) {
        bool copied = false;
        const int code = functions.cxx_copy(object, keyval, functions.extra_state, value, copy, copied);
        *flag = copied;
        return code;
    });
}

template <class Object, class Handle>
int delete_attribute(Handle handle, int keyval, void* value, void* state) {
    const auto& functions = *static_cast<attribute_functions<Object>*>(state);
    if (functions.c_delete != nullptr)
        return functions.c_delete(handle, keyval, value, functions.extra_state);
    if (functions.cxx_delete == nullptr)
        return 0;
    return c_side<Object>::with_object(
        handle, [&](Object& object) { return functions.cxx_delete(object, keyval, value, functions.extra_state); });
}

template <class Object>
int create_keyval(const attribute_functions<Object>& functions, int& keyval) {
    auto* const state = all_attribute_functions<Object>.copy_of(functions);
    if (state == nullptr)
        return MPI::values::mpi_ERR_NO_MEM;
    return c_side<Object>::create_keyval(copy_attribute<Object>, delete_attribute<Object>, &keyval, state);
}

// ---- generalized requests ----

/// The functions of a generalized request. In Open MPI, inline code of the program fills this struct, so the order of
/// its members is fixed.
struct grequest_functions {
    void* extra_state;
    MPI::Grequest::Query_function* query;
    MPI::Grequest::Free_function* free;
    MPI::Grequest::Cancel_function* cancel;
};

inline int query_grequest(void* state, MPI_Status* status) {
    const auto& functions = *static_cast<grequest_functions*>(state);
    MPI::Status object(*status);
    const int code = functions.query(functions.extra_state, object);
    *status = *static_cast<MPI_Status*>(object);
    return code;
}

inline int free_grequest(void* state) {
    auto* functions = static_cast<grequest_functions*>(state);
    const int code = functions->free(functions->extra_state);
    delete functions;
    return code;
}

inline int cancel_grequest(void* state, int completed) {
    const auto& functions = *static_cast<grequest_functions*>(state);
    return functions.cancel(functions.extra_state, completed != 0);
}

// ---- data representations ----

/// A conversion is a C function, a C++ function or missing.
struct datarep_functions {
    struct conversion {
        MPI_Datarep_conversion_function* c;
        MPI::Datarep_conversion_function* cxx;
        bool is_missing() const { return c == nullptr && cxx == nullptr; }
    };
    conversion read, write;
    MPI::Datarep_extent_function* extent;
    void* extra_state;
};

/// Calls a function of the program and returns its error code. Open MPI's functions return void, which counts as
/// success.
template <class Function, class... Arguments>
int code_of(Function* function, Arguments&&... arguments) {
    if constexpr (std::is_void_v<decltype(function(arguments...))>)
        return function(arguments...), 0;
    else
        return function(arguments...);
}

template <datarep_functions::conversion datarep_functions::*Which>
int convert(void* memory, MPI_Datatype type, int count, void* file, MPI_Offset position, void* state) {
    const auto& functions = *static_cast<datarep_functions*>(state);
    const auto& conversion = functions.*Which;
    if (conversion.c != nullptr)
        return conversion.c(memory, type, count, file, position, functions.extra_state);
    MPI::Datatype object(type);
    return code_of(conversion.cxx, memory, object, count, file, position, functions.extra_state);
}

inline int extent_in_file(MPI_Datatype type, MPI_Aint* extent, void* state) {
    const auto& functions = *static_cast<datarep_functions*>(state);
    return code_of(functions.extent, MPI::Datatype(type), *extent, functions.extra_state);
}

/// Registers a data representation. MPI cannot unregister it, so its functions are never freed.
inline void register_datarep(const char* name, const datarep_functions& functions) {
    MPI_Datarep_conversion_function* const none = nullptr;
    MPI::check(MPI::COMM_WORLD,
               MPI_Register_datarep(name, functions.read.is_missing() ? none : convert<&datarep_functions::read>,
                                    functions.write.is_missing() ? none : convert<&datarep_functions::write>,
                                    extent_in_file, new datarep_functions(functions)));
}

} // namespace anympi::cxx
