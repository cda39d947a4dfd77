#include "front/fortran_side.hpp"

#include "convert/lock.hpp"
#include "front/bind.hpp"

namespace anympi {

namespace straight {

fortran_side program{};
void* layered[procedure_count];

} // namespace straight

namespace {

constinit lock guard;
const straight::procedure* procedures = nullptr; ///< of the pair that is bound
void* const* functions_bound = nullptr;

/// A procedure stays layered where the runtime lacks its function, and where a tool has taken the C function that it
/// calls: the tool sees the calls of Fortran so.
void replace(const straight::procedure& by, void*& layered, fortran_row& row) {
    if (functions_bound[static_cast<int>(by.of)] == missing_functions[static_cast<int>(by.of)])
        return;
    layered = row.slots[fortran_row::without_tools];
    for (int i = 0; i < 2; ++i)
        if (row.functions[i] == row.functions[fortran_row::without_tools])
            __atomic_store_n(&row.slots[i], by.code, __ATOMIC_RELEASE);
}

void replace_all() {
    using namespace straight;
    if (procedures == nullptr || program.stamp != procedure_stamp)
        return;
    for (int i = 0; i < procedure_count; ++i)
        replace(procedures[i], layered[i], i < plain_count ? program.plain[i] : program.described[i - plain_count]);
}

} // namespace

void use_straight(const straight::procedure* of_pair, void* const* targets) {
    const locked hold(guard);
    procedures = of_pair;
    functions_bound = targets;
    replace_all();
}

} // namespace anympi

/// The first one. Another one of the process, whose common blocks are elsewhere, stays layered.
extern "C" [[gnu::visibility("default")]] void PMPIX_Meet_fortran(const anympi::fortran_side* side) {
    const anympi::locked hold(anympi::guard);
    if (anympi::straight::program.stamp != 0)
        return;
    anympi::straight::program = *side;
    anympi::replace_all();
}
