#include "front/bind.hpp"

#include "convert/lock.hpp"
#include "convert/pair.hpp"
#include "front/entry.hpp"
#include "front/other_front.hpp"
#include "front/pairs.hpp"
#include "front/step_aside.hpp"
#include "runtime/message.hpp"
#include "runtime/note.hpp"

#include <sys/auxv.h>

ANYMPI_FRONT_NOTE;

namespace anympi {

namespace {

constinit lock guard;
bool bound = false;
runtime::choice chosen;
runtime::opened open_runtime{};

/// A statically linked program has no loader that could open an MPI library.
void refuse_static_program() {
    if (getauxval(AT_BASE) == 0)
        runtime::stop("this program is linked with -static and cannot open an MPI library at run time.\n"
                      "Link it without -static; libmpi_abi.a itself may stay (mpicc -static-mpi).");
}

void bind_chosen() {
    static void* targets[function_count];
    refuse_static_program();
    refuse_other_front();
    chosen = runtime::choose();
    if (app::name != abi::standard && chosen.mpi.interface == app::name)
        step_aside(chosen.mpi);
    open_runtime = runtime::open(chosen.mpi);
    if (!bind_interface(chosen.mpi.interface, open_runtime, targets))
        runtime::stop("%s is not laid out as an MPI library of its family.\n"
                      "Choose another one with ANYMPI_MPI; `anympi list` shows what there is.",
                      chosen.mpi.path);
    for (int i = 0; i < function_count; ++i)
        __atomic_store_n(&slots[i], targets[i], __ATOMIC_RELEASE);
}

} // namespace

void bind_runtime() {
    if (runtime::is_opening())
        runtime::stop("%s calls MPI while it is being opened, which no MPI library that we know does.\n"
                      "Choose another one with ANYMPI_MPI.",
                      chosen.mpi.path);
    const locked hold(guard);
    if (!bound)
        bind_chosen();
    bound = true;
}

const runtime::choice& bound_runtime() {
    return chosen;
}

void* runtime_symbol(const char* name) {
    bind_runtime();
    return runtime::symbol(open_runtime, name);
}

} // namespace anympi
