#include "front/standard/fortran_side.hpp"

#include "base/lock.hpp"
#include "front/common/bind.hpp"

namespace anympi {

namespace fast_path {

fortran_side program{};
void* full_path[procedure_count];

} // namespace fast_path

namespace {

constinit lock guard;
const fast_path::procedure* procedures = nullptr; ///< of the pair that is bound
void* const* functions_bound = nullptr;

/// A procedure stays on the full path where the runtime lacks its function, and where a tool has taken the C function
/// that it calls: the tool sees the calls of Fortran so.
void replace(const fast_path::procedure& by, void*& full_path, fortran_row& row) {
    if (functions_bound[static_cast<int>(by.of)] == missing_functions[static_cast<int>(by.of)])
        return;
    full_path = row.slots[fortran_row::without_tools];
    for (int i = 0; i < 2; ++i)
        if (row.functions[i] == row.functions[fortran_row::without_tools])
            __atomic_store_n(&row.slots[i], by.code, __ATOMIC_RELEASE);
}

void replace_all() {
    using namespace fast_path;
    if (procedures == nullptr || program.stamp != procedure_stamp)
        return;
    for (int i = 0; i < procedure_count; ++i)
        replace(procedures[i], full_path[i], i < plain_count ? program.plain[i] : program.described[i - plain_count]);
}

} // namespace

void use_fast_paths(const fast_path::procedure* of_pair, void* const* targets) {
    const locked hold(guard);
    procedures = of_pair;
    functions_bound = targets;
    replace_all();
}

} // namespace anympi

/// The first one. Another one of the process, whose common blocks are elsewhere, stays on the full path.
extern "C" [[gnu::visibility("default")]] void PMPIX_Meet_fortran(const anympi::fortran_side* side) {
    const anympi::locked hold(anympi::guard);
    if (anympi::fast_path::program.stamp != 0)
        return;
    anympi::fast_path::program = *side;
    anympi::replace_all();
}
