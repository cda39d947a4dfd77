#include "fortran/fast_path/slots.hpp"

#include "fast_path_list.hpp" // generated
#include "fortran/core/sentinel.hpp"
#include "fortran/sections/pending.hpp"

/// Offers the procedures of this library to the front, which replaces some by fast-path ones when a runtime is bound.

/// Only our front has it; this library works with any other of the standard ABI.
extern "C" [[gnu::weak]] void PMPIX_Meet_fortran(const anympi::fortran_side* side);

namespace anympi::fortran {

[[gnu::constructor]] static void meet_front() {
    static const fortran_side side{
        fast_path::procedure_stamp,
        -reinterpret_cast<std::uintptr_t>(mpipriv1_),
        mpipriv1_ + 2,
        mpipriv2_,
        &pending_count,
        straight_plain_rows,
        straight_described_rows,
    };
    if (PMPIX_Meet_fortran != nullptr)
        PMPIX_Meet_fortran(&side);
}

} // namespace anympi::fortran
