// Replaces code that programs in C never reach on MPICH and Open MPI (ANYMPI_PLAIN_FRONT).

#include "abi/standard.hpp"
#include "emulate/engine/emulation.hpp"
#include "front/standard/fortran_link.hpp"

#include <cstdio>
#include <cstdlib>

namespace anympi {

template <>
const fast_path::procedure* fast_path_procedures<pair<standard, mpich>>() {
    return nullptr;
}
template <>
const fast_path::procedure* fast_path_procedures<pair<standard, openmpi>>() {
    return nullptr;
}

template <>
void emulate::bind_replacements<standard>(void**, runtime::family) {
    std::fputs("anympi: this front is for tests (ANYMPI_PLAIN_FRONT): it runs on MPICH and Open MPI only\n", stderr);
    std::abort();
}

} // namespace anympi
