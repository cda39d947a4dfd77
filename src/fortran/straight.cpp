#include "fortran/straight.hpp"

#include "fortran/pending.hpp"
#include "fortran/sentinel.hpp"
#include "straight_list.hpp" // generated

/// Offers the procedures of this library to the front, which replaces some by straight ones when a runtime is bound.

namespace anympi::fortran {

[[gnu::constructor]] static void meet_front() {
    static const fortran_side side{
        straight::procedure_stamp, -reinterpret_cast<std::uintptr_t>(mpipriv1_), mpipriv1_ + 2,     mpipriv2_,
        &pending_count, straight_plain_rows,                          straight_described_rows,
    };
    if (anympi_meet_fortran != nullptr)
        anympi_meet_fortran(&side);
}

} // namespace anympi::fortran
