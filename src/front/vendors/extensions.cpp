#include "convert/error_code.hpp"
#include "convert/handle_parameters.hpp"
#include "front/common/entry.hpp"

// Extensions of the vendors, in the fronts for their programs. The functions that ask about supported devices call the
// runtime, if it has such a function. Fault tolerance calls the runtime's own functions where they work. Everything
// else is reported as unsupported to the error handler.

namespace anympi {

namespace {

using comm = handle_of<app, object::comm>;
using group = handle_of<app, object::group>;
using request = handle_of<app, object::request>;
using session = handle_of<app, object::session>;
using info = handle_of<app, object::info>;

// Calls a function of the runtime such as MPIX_Query_cuda_support. Returns 1 or 0.
int ask(const char* question) {
    auto* const asked = reinterpret_cast<int (*)()>(runtime_symbol(question));
    return asked != nullptr ? asked() : 0;
}

int raise_unsupported(comm on) {
    slot<int(comm, int)>(function::Comm_call_errhandler)(on, app::mpi_ERR_UNSUPPORTED_OPERATION);
    return app::mpi_ERR_UNSUPPORTED_OPERATION;
}

// Arguments after the communicator in the calls below: handles that the runtime creates, and plain numbers.
template <object O>
struct made {
    handle_of<app, O>* slot;
};
template <class T>
struct as_it_is {
    T value;
    T argument() const { return value; }
    void finish() const {}
    void finish_after_error() const {}
};
template <class P, object O>
handle_out<P, O> crossing(made<O> parameter) {
    return {parameter.slot};
}
template <class P, class T>
as_it_is<T> crossing(T parameter) {
    return {parameter};
}

template <class P, class... Crossings>
int call(void* function, comm on, Crossings... crossings) {
    auto* const called = reinterpret_cast<int (*)(word, decltype(crossings.argument())...)>(function);
    const int code = called(to_run<P, object::comm>(on), crossings.argument()...);
    if (code != 0)
        return finish_failed_call<P>(code, crossings...);
    (crossings.finish(), ...);
    return 0;
}

template <class Run, class... Parameters>
int call_in(void* function, comm on, Parameters... parameters) {
    using with = pair<app, Run>;
    if constexpr (Run::tolerates_faults && !is_direct<with>)
        if (function != nullptr)
            return call<with>(function, on, crossing<with>(parameters)...);
    return raise_unsupported(on);
}

// Calls the runtime's own function of this name.
template <class... Parameters>
int forward(const char* name, comm on, Parameters... parameters) {
    void* const function = runtime_symbol(name);
    switch (bound_runtime().mpi.interface) {
    case abi::mpich:
        return call_in<mpich>(function, on, parameters...);
    case abi::openmpi:
        return call_in<openmpi>(function, on, parameters...);
    case abi::standard:
        break;
    }
    return call_in<standard>(function, on, parameters...);
}

comm comm_self() {
    return static_cast<comm>(predefined_of_program<app>(standard::mpi_COMM_SELF));
}

} // namespace

#define QUERY(name)                                                                                                    \
    EXPORTED int P##name() {                                                                                           \
        return ask(#name);                                                                                             \
    }                                                                                                                  \
    EXPORTED int name() __attribute__((weak, alias("P" #name)));

QUERY(MPIX_Query_cuda_support)
QUERY(MPIX_Query_hip_support)
QUERY(MPIX_Query_ze_support)
QUERY(MPIX_Query_rocm_support)

// MPICH's function for all devices. The kinds of devices are 0: CUDA, 1: Level Zero, 2: HIP.
EXPORTED int PMPIX_GPU_query_support(int kind, int* is_supported) {
    constexpr const char* questions[] = {"MPIX_Query_cuda_support", "MPIX_Query_ze_support", "MPIX_Query_hip_support"};
    if (kind < 0 || kind > 2 || is_supported == nullptr)
        return app::mpi_ERR_ARG;
    *is_supported = ask(questions[kind]);
    return 0;
}
EXPORTED int MPIX_GPU_query_support(int, int*) __attribute__((weak, alias("PMPIX_GPU_query_support")));

#define FORWARDED(name, parameters, ...)                                                                               \
    EXPORTED int P##name parameters {                                                                                  \
        return forward(#name, __VA_ARGS__);                                                                            \
    }                                                                                                                  \
    EXPORTED int name parameters __attribute__((weak, alias("P" #name)));

// fault tolerance
FORWARDED(MPIX_Comm_ack_failed, (comm on, int count, int* acked), on, count, acked)
FORWARDED(MPIX_Comm_agree, (comm on, int* flag), on, flag)
FORWARDED(MPIX_Comm_failure_ack, (comm on), on)
FORWARDED(MPIX_Comm_failure_get_acked, (comm on, group* failed), on, made<object::group>{failed})
FORWARDED(MPIX_Comm_get_failed, (comm on, group* failed), on, made<object::group>{failed})
FORWARDED(MPIX_Comm_iagree, (comm on, int* flag, request* begun), on, flag, made<object::request>{begun})
FORWARDED(MPIX_Comm_is_revoked, (comm on, int* flag), on, flag)
FORWARDED(MPIX_Comm_revoke, (comm on), on)
FORWARDED(MPIX_Comm_shrink, (comm on, comm* shrunk), on, made<object::comm>{shrunk})

#define UNSUPPORTED(name, parameters, object)                                                                          \
    EXPORTED int P##name parameters {                                                                                  \
        return raise_unsupported(object);                                                                              \
    }                                                                                                                  \
    EXPORTED int name parameters __attribute__((weak, alias("P" #name)));

// generalized requests that the library polls, and a function of Open MPI 5.0
UNSUPPORTED(MPIX_Grequest_class_allocate, (int, void*, request*), comm_self())
UNSUPPORTED(MPIX_Grequest_class_create, (void*, void*, void*, void*, void*, int*), comm_self())
UNSUPPORTED(MPIX_Grequest_start, (void*, void*, void*, void*, void*, void*, request*), comm_self())
UNSUPPORTED(MPI_Session_set_info, (session, info), comm_self())

} // namespace anympi
