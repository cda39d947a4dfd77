#include "base/immortal_values.hpp"
#include "base/stubs.hpp"
#include "fortran/callbacks/attribute_cells.hpp"
#include "fortran/callbacks/predefined_callbacks.hpp"
#include "fortran/core/exported.hpp"
#include "fortran/core/logical.hpp"

// Makes C callbacks from the Fortran functions that a program passes to MPI. All arguments of Fortran functions are
// addresses: handles are INTEGERs, statuses have the same bytes as in C, and LOGICALs have the values of the compiler.
// The callbacks of mpif.h, mpi and mpi_f08 are called in the same way.
//
// The entries have the arguments of the C function of the same name, with the address of a Fortran function for each
// callback and the address of the Fortran variable for the extra state (scheme B3 of the MPI Forum). The Fortran
// procedures call the entries.

namespace anympi::fortran {

namespace {

// ---- reductions and error handlers, which need a stub because they have no extra state ----

template <class Count>
void call_reduction(void* in, void* inout, Count* length, c_handle<object::datatype>* type, void*, void* function) {
    int type_ = rule::number<object::datatype>(*type);
    reinterpret_cast<void (*)(void*, void*, Count*, int*)>(function)(in, inout, length, &type_);
}

template <object O>
void call_error_handler(c_handle<O>* handle, int* code, void*, void*, void*, void* function) {
    int handle_ = rule::number<O>(*handle);
    reinterpret_cast<void (*)(int*, int*)>(function)(&handle_, code);
}

// Calls `create` with a stub that calls `converter` with the Fortran function.
template <class Create, class Converter, class... Rest>
int create_with_stub(Create create, Converter* converter, void* function, Rest... rest) {
    void* const stub = stub_unless_null(function, reinterpret_cast<void*>(converter));
    return lacks_counterpart(function, stub) ? app::mpi_ERR_NO_MEM : create(stub, rest...);
}

// ---- attributes ----

// The functions of an attribute key. They are never freed, because attributes outlive their key, and C may set them,
// too.
struct keyval_functions {
    void* copy;
    void* remove;
    std::int64_t extra_state;
};
constinit immortal_values<keyval_functions> all_keyval_functions;

// Integer is the type of the attributes: an integer of the size of an address, or INTEGER in the functions of MPI-1.
template <class Integer, object O>
int copy_attribute(c_handle<O> handle, int keyval, void* state, void* value, void* copied, int* flag) {
    const auto& functions = *static_cast<const keyval_functions*>(state);
    void*& copied_ = *static_cast<void**>(copied);
    *flag = 0;
    if (is_null_copy_function(functions.copy))
        return 0;
    if (is_dup_function(functions.copy)) { // copies the whole value, even if it does not fit into an INTEGER
        copied_ = value;
        *flag = 1;
        return 0;
    }
    int handle_ = rule::number<O>(handle);
    int flag_ = 0;
    int code = 0;
    auto extra_state = static_cast<Integer>(functions.extra_state);
    auto in = static_cast<Integer>(attribute_of_program(value));
    Integer out = in;
    using function = void(int*, int*, Integer*, Integer*, Integer*, int*, int*);
    reinterpret_cast<function*>(functions.copy)(&handle_, &keyval, &extra_state, &in, &out, &flag_, &code);
    if (code != 0 || !rule::is_true(flag_))
        return code;
    copied_ = changed_attribute(value, out);
    *flag = 1;
    return copied_ != nullptr || out == 0 ? 0 : app::mpi_ERR_NO_MEM;
}

template <class Integer, object O>
int delete_attribute(c_handle<O> handle, int keyval, void* value, void* state) {
    const auto& functions = *static_cast<const keyval_functions*>(state);
    if (is_null_delete_function(functions.remove))
        return 0;
    int handle_ = rule::number<O>(handle);
    int code = 0;
    auto extra_state = static_cast<Integer>(functions.extra_state);
    auto value_ = static_cast<Integer>(attribute_of_program(value));
    using function = void(int*, int*, Integer*, Integer*, int*);
    reinterpret_cast<function*>(functions.remove)(&handle_, &keyval, &value_, &extra_state, &code);
    return code;
}

template <class Integer, object O, class Create>
int create_keyval(Create create, void* copy, void* remove, int* keyval, void* extra_state) {
    auto* const functions = all_keyval_functions.copy_of({copy, remove, *static_cast<Integer*>(extra_state)});
    return functions != nullptr ? create(reinterpret_cast<void*>(copy_attribute<Integer, O>),
                                         reinterpret_cast<void*>(delete_attribute<Integer, O>), keyval, functions)
                                : app::mpi_ERR_NO_MEM;
}

// ---- generalized requests ----

// The functions of a generalized request. MPI calls `free` exactly once, at the end.
struct grequest_functions {
    void* query;
    void* free;
    void* cancel;
    std::int64_t extra_state;
    std::int64_t* variable; // the program's variable
};

// Calls one of the functions with the extra state. A callback may change the extra state, and the vendors' libraries
// let the program read the new value from its variable. But that variable may be a temporary of the compiler that no
// longer exists, so it is written only if it still has the old value.
template <class... Arguments>
int call_with_state(grequest_functions& functions, void* function, Arguments*... arguments) {
    const std::int64_t before = functions.extra_state;
    int code = 0;
    reinterpret_cast<void (*)(std::int64_t*, Arguments * ..., int*)>(function)(&functions.extra_state, arguments...,
                                                                               &code);
    if (functions.extra_state != before && *functions.variable == before)
        *functions.variable = functions.extra_state;
    return code;
}

int query_grequest(void* state, c_status* status) {
    auto& functions = *static_cast<grequest_functions*>(state);
    return call_with_state(functions, functions.query, status);
}

int free_grequest(void* state) {
    auto functions = *static_cast<grequest_functions*>(state);
    std::free(state); // before the call, because the program's function may not return
    return call_with_state(functions, functions.free);
}

int cancel_grequest(void* state, int complete) {
    auto& functions = *static_cast<grequest_functions*>(state);
    int complete_ = rule::logical(complete);
    return call_with_state(functions, functions.cancel, &complete_);
}

template <class Start>
int start_grequest(Start start, void* query, void* free, void* cancel, void* extra_state,
                   c_handle<object::request>* request) {
    void* const functions = std::malloc(sizeof(grequest_functions));
    if (functions == nullptr)
        return app::mpi_ERR_NO_MEM;
    auto* const variable = static_cast<std::int64_t*>(extra_state);
    *static_cast<grequest_functions*>(functions) = {query, free, cancel, *variable, variable};
    const int code = start(reinterpret_cast<void*>(query_grequest), reinterpret_cast<void*>(free_grequest),
                           reinterpret_cast<void*>(cancel_grequest), functions, request);
    if (code != 0)
        std::free(functions);
    return code;
}

// ---- data representations ----

// The functions of a data representation. They are never freed, because MPI cannot remove a representation.
struct datarep_functions {
    void* read;
    void* write;
    void* extent;
    std::int64_t extra_state;
};
constinit immortal_values<datarep_functions> all_datarep_functions;

int extent_in_file(c_handle<object::datatype> type, std::intptr_t* extent, void* state) {
    const auto& functions = *static_cast<const datarep_functions*>(state);
    std::int64_t extra_state = functions.extra_state;
    int type_ = rule::number<object::datatype>(type);
    int code = 0;
    using function = void(int*, std::intptr_t*, std::int64_t*, int*);
    reinterpret_cast<function*>(functions.extent)(&type_, extent, &extra_state, &code);
    return code;
}

template <class Count, void* datarep_functions::*Which>
int convert(void* memory, c_handle<object::datatype> type, Count count, void* file, std::int64_t position,
            void* state) {
    const auto& functions = *static_cast<const datarep_functions*>(state);
    std::int64_t extra_state = functions.extra_state;
    int type_ = rule::number<object::datatype>(type);
    int code = 0;
    using function = void(void*, int*, Count*, void*, std::int64_t*, std::int64_t*, int*);
    reinterpret_cast<function*>(functions.*Which)(memory, &type_, &count, file, &position, &extra_state, &code);
    return code;
}

template <class Count, class Register>
int register_datarep(Register call, const char* name, void* read, void* write, void* extent, void* extra_state) {
    auto* const functions =
        all_datarep_functions.copy_of({read, write, extent, *static_cast<std::int64_t*>(extra_state)});
    if (functions == nullptr)
        return app::mpi_ERR_NO_MEM;
    const auto unless_null = [](void* function, auto* converter) {
        return is_null_conversion(function) ? nullptr : reinterpret_cast<void*>(converter);
    };
    return call(name, unless_null(read, convert<Count, &datarep_functions::read>),
                unless_null(write, convert<Count, &datarep_functions::write>), reinterpret_cast<void*>(extent_in_file),
                functions);
}

} // namespace

// ---- the entries ----

#define ENTRY(NAME, SUFFIX, PARAMETERS, ...)                                                                           \
    EXPORTED int MPI_##NAME##SUFFIX PARAMETERS {                                                                       \
        [[maybe_unused]] const auto call = MPI_##NAME;                                                                 \
        return __VA_ARGS__;                                                                                            \
    }                                                                                                                  \
    EXPORTED int PMPI_##NAME##SUFFIX PARAMETERS {                                                                      \
        const auto call = PMPI_##NAME;                                                                                 \
        return __VA_ARGS__;                                                                                            \
    }
#define ENTRIES(NAME, PARAMETERS, ...)                                                                                 \
    ENTRY(NAME, _fcb, PARAMETERS, __VA_ARGS__)                                                                         \
    ENTRY(NAME, _f08cb, PARAMETERS, __VA_ARGS__)

#define OP_CREATE(NAME, COUNT)                                                                                         \
    ENTRIES(NAME, (void* function, int commute, c_handle<object::op>* op),                                             \
            create_with_stub(call, call_reduction<COUNT>, function, commute, op))
OP_CREATE(Op_create, int)
OP_CREATE(Op_create_c, std::int64_t)

#define CREATE_ERRHANDLER(NAME, CLASS)                                                                                 \
    ENTRIES(NAME, (void* function, c_handle<object::errhandler>* errhandler),                                          \
            create_with_stub(call, call_error_handler<CLASS>, function, errhandler))
CREATE_ERRHANDLER(Comm_create_errhandler, object::comm)
CREATE_ERRHANDLER(File_create_errhandler, object::file)
CREATE_ERRHANDLER(Session_create_errhandler, object::session)
CREATE_ERRHANDLER(Win_create_errhandler, object::win)

#define KEYVAL_PARAMETERS (void* copy, void* remove, int* keyval, void* extra_state)
#define CREATE_KEYVAL(NAME, CLASS)                                                                                     \
    ENTRIES(NAME, KEYVAL_PARAMETERS, create_keyval<std::int64_t, CLASS>(call, copy, remove, keyval, extra_state))
CREATE_KEYVAL(Comm_create_keyval, object::comm)
CREATE_KEYVAL(Type_create_keyval, object::datatype)
CREATE_KEYVAL(Win_create_keyval, object::win)
ENTRY(Keyval_create, _fcb, KEYVAL_PARAMETERS, create_keyval<int, object::comm>(call, copy, remove, keyval, extra_state))

ENTRIES(Grequest_start, (void* query, void* free, void* cancel, void* extra_state, c_handle<object::request>* request),
        start_grequest(call, query, free, cancel, extra_state, request))

#define REGISTER_DATAREP(NAME, COUNT)                                                                                  \
    ENTRIES(NAME, (const char* name, void* read, void* write, void* extent, void* extra_state),                        \
            register_datarep<COUNT>(call, name, read, write, extent, extra_state))
REGISTER_DATAREP(Register_datarep, int)
REGISTER_DATAREP(Register_datarep_c, std::int64_t)

} // namespace anympi::fortran
