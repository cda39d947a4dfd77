#include "fortran/fast_path/slots.hpp"

#include "fast_path_list.hpp" // generated
#include "fortran/core/sentinel.hpp"
#include "fortran/sections/pending.hpp"

/// Offers the procedures of this library to the front, which replaces some by fast-path ones when a runtime is bound.

// This library works with every libmpi_abi, and only ours has the function.
#pragma weak anympi_meet_fortran_1

namespace anympi::fortran {

[[gnu::constructor]] static void meet_front() {
    static const fortran_side side{
        .release = ANYMPI_RELEASE,
        .minus_bottom = -reinterpret_cast<std::uintptr_t>(mpipriv1_),
        .status_ignore = mpipriv1_ + 2,
        .statuses_ignore = mpipriv2_,
        .pending_count = &pending_count,
        .plain = straight_plain_rows,
        .described = straight_described_rows,
    };
    if (anympi_meet_fortran_1 != nullptr)
        anympi_meet_fortran_1(&side);
}

} // namespace anympi::fortran
