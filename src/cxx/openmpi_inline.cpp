// The C functions that inline code in the headers of Open MPI 4.1 calls. Nearly every program with the bindings has
// undefined references to them, even if it does not use them.

#include "cxx/openmpi_bindings.hpp"

#include "cxx/callbacks.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

using namespace anympi::cxx;

// ---- generalized requests ----

extern "C" int ompi_mpi_cxx_grequest_query_fn_intercept(void* state, MPI_Status* status) {
    return query_grequest(state, status);
}
extern "C" int ompi_mpi_cxx_grequest_free_fn_intercept(void* state) {
    return free_grequest(state);
}
extern "C" int ompi_mpi_cxx_grequest_cancel_fn_intercept(void* state, int completed) {
    return cancel_grequest(state, completed);
}

// ---- reductions ----
//
// The inline MPI::Op::Init is
//
//     MPI_Op_create(ompi_mpi_cxx_op_intercept, commute, &handle);
//     ompi_op_set_cxx_callback(handle, function);
//
// so an operation is created before its function is known. Open MPI 4 can store the function in its operation; no other
// library can. So MPI_Op_create here only records its arguments, and the second call creates the operation. For that,
// this MPI_Op_create must come before the one of libmpi.so.40. It does, because programs list libmpi_cxx.so.40 first.

namespace {

struct waiting_creation {
    MPI_Op* place;
    int commute;
};
thread_local waiting_creation waiting{};

// Used if libmpi.so.40 comes first: the only reduction of the program, because a reduction does not get its operation.
std::atomic<MPI::User_function*> only_function{nullptr};

using create_function = decltype(MPI_Op_create);

create_function* create_of_library() {
    void* library = dlopen("libmpi.so.40", RTLD_LAZY | RTLD_NOLOAD); // always loaded, since this library needs it
    return reinterpret_cast<create_function*>(dlsym(library != nullptr ? library : RTLD_NEXT, "PMPI_Op_create"));
}

int create_op(MPI_User_function* function, int commute, MPI_Op* op) {
    static create_function* const create = create_of_library();
    return create(function, commute, op);
}

void use_as_only(MPI::User_function* function) {
    MPI::User_function* used = nullptr;
    if (only_function.compare_exchange_strong(used, function) || used == function)
        return;
    std::fprintf(stderr,
                 "anympi: this program has several C++ reductions (MPI::Op). They cannot be distinguished because "
                 "libmpi.so.40 was loaded before libmpi_cxx.so.40.\n"
                 "anympi: start it with libmpi_cxx.so.40 as the first library of LD_PRELOAD.\n");
    std::abort();
}

} // namespace

extern "C" void ompi_mpi_cxx_op_intercept(void* in, void* inout, int* count, MPI_Datatype* type) {
    only_function.load()(in, inout, *count, MPI::Datatype(*type));
}

extern "C" int PMPI_Op_create(MPI_User_function* function, int commute, MPI_Op* op) {
    if (function != ompi_mpi_cxx_op_intercept)
        return create_op(function, commute, op);
    waiting = {op, commute};
    *op = MPI::Op();
    return 0;
}
extern "C" int MPI_Op_create(MPI_User_function*, int, MPI_Op*) __attribute__((weak, alias("PMPI_Op_create")));

extern "C" void ompi_op_set_cxx_callback(MPI_Op, MPI_User_function* function) {
    auto* user_function = reinterpret_cast<MPI::User_function*>(reinterpret_cast<void*>(function));
    if (waiting.place == nullptr)
        return use_as_only(user_function);
    create_op(reduction_stub(user_function), waiting.commute, waiting.place);
    waiting = {};
}

void MPI::Op::Init(User_function* function, bool commute) {
    create_op(reduction_stub(function), commute, &handle);
}
