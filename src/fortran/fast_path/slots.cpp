#include "fortran/fast_path/slots.hpp"

#include "fast_path_list.hpp" // generated
#include "fortran/core/sentinel.hpp"
#include "fortran/sections/deferred_work.hpp"

// Passes the procedures of this library to libmpi_abi, which replaces some of them by fast-path procedures when it
// binds a runtime.

// This library works with every libmpi_abi, but only anympi's libmpi_abi has the function.
#pragma weak anympi_meet_fortran_1

namespace anympi::fortran {

[[gnu::constructor]] static void meet_front() {
    static const fortran_side side{
        .release = ANYMPI_RELEASE,
        .minus_bottom = -reinterpret_cast<std::uintptr_t>(mpipriv1_),
        .status_ignore = mpipriv1_ + 2,
        .statuses_ignore = mpipriv2_,
        .deferred_count = &deferred_count,
        .by_address = rows_by_address,
        .by_descriptor = rows_by_descriptor,
    };
    if (anympi_meet_fortran_1 != nullptr)
        anympi_meet_fortran_1(&side);
}

} // namespace anympi::fortran
