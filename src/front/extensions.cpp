#include "front/entry.hpp"

/// Extensions of the vendors, in the fronts for their programs. Which devices are supported the runtime is asked, if it
/// has the question; what has no counterpart in every runtime is reported as unsupported to the error handler.

namespace anympi {

namespace {

using comm = handle_of<app, object::comm>;
using group = handle_of<app, object::group>;
using request = handle_of<app, object::request>;
using session = handle_of<app, object::session>;
using info = handle_of<app, object::info>;

/// MPIX_Query_cuda_support and its like: 1 or 0.
int ask(const char* question) {
    auto* const asked = reinterpret_cast<int (*)()>(runtime_symbol(question));
    return asked != nullptr ? asked() : 0;
}

int unsupported(comm on) {
    slot<int(comm, int)>(function::Comm_call_errhandler)(on, app::mpi_ERR_UNSUPPORTED_OPERATION);
    return app::mpi_ERR_UNSUPPORTED_OPERATION;
}

comm self() {
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

/// MPICH's form of the question. The kinds of devices are 0: CUDA, 1: Level Zero, 2: HIP.
EXPORTED int PMPIX_GPU_query_support(int kind, int* is_supported) {
    constexpr const char* questions[] = {"MPIX_Query_cuda_support", "MPIX_Query_ze_support", "MPIX_Query_hip_support"};
    if (kind < 0 || kind > 2 || is_supported == nullptr)
        return app::mpi_ERR_ARG;
    *is_supported = ask(questions[kind]);
    return 0;
}
EXPORTED int MPIX_GPU_query_support(int, int*) __attribute__((weak, alias("PMPIX_GPU_query_support")));

#define UNSUPPORTED(name, parameters, object)                                                                          \
    EXPORTED int P##name parameters {                                                                                  \
        return unsupported(object);                                                                                    \
    }                                                                                                                  \
    EXPORTED int name parameters __attribute__((weak, alias("P" #name)));

// fault tolerance
UNSUPPORTED(MPIX_Comm_ack_failed, (comm on, int, int*), on)
UNSUPPORTED(MPIX_Comm_agree, (comm on, int*), on)
UNSUPPORTED(MPIX_Comm_failure_ack, (comm on), on)
UNSUPPORTED(MPIX_Comm_failure_get_acked, (comm on, group*), on)
UNSUPPORTED(MPIX_Comm_get_failed, (comm on, group*), on)
UNSUPPORTED(MPIX_Comm_iagree, (comm on, int*, request*), on)
UNSUPPORTED(MPIX_Comm_is_revoked, (comm on, int*), on)
UNSUPPORTED(MPIX_Comm_revoke, (comm on), on)
UNSUPPORTED(MPIX_Comm_shrink, (comm on, comm*), on)

// generalized requests that the library polls, and a function of Open MPI 5.0
UNSUPPORTED(MPIX_Grequest_class_allocate, (int, void*, request*), self())
UNSUPPORTED(MPIX_Grequest_class_create, (void*, void*, void*, void*, void*, int*), self())
UNSUPPORTED(MPIX_Grequest_start, (void*, void*, void*, void*, void*, void*, request*), self())
UNSUPPORTED(MPI_Session_set_info, (session, info), self())

} // namespace anympi
