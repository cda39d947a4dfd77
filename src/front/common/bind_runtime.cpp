#include "front/common/bind_runtime.hpp"

#include "base/lock.hpp"
#include "convert/pair.hpp"
#include "front/common/around_start.hpp"
#include "front/common/entry.hpp"
#include "front/common/function_table.hpp"
#include "front/common/other_front.hpp"
#include "front/common/pair_instances.hpp"
#include "front/common/two_abis.hpp"
#include "runtime/identify/note.hpp"
#include "runtime/message.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <link.h>
#include <new>
#include <sys/auxv.h>

ANYMPI_FRONT_NOTE;

namespace anympi {

namespace {

// Several threads may make the first call. Each of them chooses and opens a library; the first one decides for all. The
// guard is never held while a thread waits for the loader's lock or runs code of the MPI library: a thread inside
// dlopen holds the loader's lock and may run a constructor that calls MPI, which would wait for the guard.
constinit lock binding_guard;
const runtime::choice* chosen = nullptr;
runtime::opened open_runtime{};
std::atomic<bool> bound = false;

// A callback for dl_iterate_phdr, which visits the program first.
int note_linker(dl_phdr_info* program, std::size_t, void* names_linker) {
    const auto* const end = program->dlpi_phdr + program->dlpi_phnum;
    *static_cast<bool*>(names_linker) =
        std::any_of(program->dlpi_phdr, end, [](const auto& segment) { return segment.p_type == PT_INTERP; });
    return 1;
}

// Returns true if the kernel loaded no dynamic linker, and the program does not ask for one. Without the second
// condition a program that the dynamic linker loaded (`ld.so ./program`) would count as static.
bool is_linked_statically() {
    bool names_linker = false;
    dl_iterate_phdr(note_linker, &names_linker);
    return getauxval(AT_BASE) == 0 && !names_linker;
}

// A statically linked program has no loader that could open an MPI library.
void refuse_static_program() {
    if (is_linked_statically())
        runtime::stop("this program is linked with -static and cannot open an MPI library at run time.\n"
                      "Link it without -static; libmpi_abi.a itself may stay (mpicc -static-mpi).");
}

runtime::choice* new_choice() {
    void* const memory = std::malloc(sizeof(runtime::choice)); // too large for a small stack
    if (memory == nullptr)
        runtime::stop("memory is exhausted.");
    return new (memory) runtime::choice;
}

// Stops a process that mixes ABIs. Runs before any thread can have opened the runtime, because the runtime's own
// libraries must not count as parts of the program.
void refuse_mixtures() {
    const locked hold(binding_guard);
    if (chosen != nullptr)
        return;
    refuse_other_abi();
    refuse_other_front();
}

// Chooses the MPI library for this process and returns it.
const runtime::library& choose_library() {
    runtime::choice* const mine = new_choice();
    runtime::choose(*mine);
    const locked hold(binding_guard);
    if (chosen != nullptr)
        std::free(mine);
    else
        chosen = mine;
    return chosen->mpi;
}

void open_library(const runtime::library& mpi) {
    const runtime::opened mine = runtime::open(mpi);
    const locked hold(binding_guard);
    if (open_runtime.objects != nullptr) {
        runtime::forget(mine);
        return;
    }
    runtime::bind_to_itself(
        mpi, mine, needs_no_front(app::name, mpi) ? runtime::position::before_front : runtime::position::apart);
    open_runtime = mine;
    watch_for_other_abi(); // before any thread can use the runtime, because the runtime then opens plug-ins
}

void fill_slots(const runtime::library& mpi) {
    static void* targets[function_count];
    const locked hold(binding_guard);
    if (bound.load(std::memory_order_relaxed))
        return;
    set_missing_reports();
    set_start_checks();
    if (!bind_interface(mpi.interface, open_runtime, targets))
        runtime::stop("%s does not have the layout of an MPI library of its family.\n"
                      "Choose another one with ANYMPI_MPI; `anympi list` shows what there is.",
                      mpi.path);
    for (int i = 0; i < function_count; ++i)
        __atomic_store_n(&slots[i], targets[i], __ATOMIC_RELEASE);
    bound.store(true, std::memory_order_release);
    show_function_table(mpi.interface);
}

} // namespace

void bind_runtime() {
    if (bound.load(std::memory_order_acquire))
        return;
    if (runtime::is_opening())
        runtime::stop("%s calls MPI while it is being opened, which no known MPI library does.\n"
                      "Choose another one with ANYMPI_MPI.",
                      chosen->mpi.path);
    refuse_static_program();
    refuse_mixtures();
    const runtime::library& mpi = choose_library();
    if constexpr (app::name != abi::standard) // only fronts of vendors can step aside
        if (needs_no_front(app::name, mpi) && !is_behind(mpi))
            step_aside(mpi);
    open_library(mpi);
    runtime::check_answers(mpi, open_runtime);
    fill_slots(mpi);
}

const runtime::choice& bound_runtime() {
    return *chosen;
}

void* runtime_symbol(const char* name) {
    bind_runtime();
    return runtime::symbol(open_runtime, name);
}

} // namespace anympi
