#include "fortran/core/sentinel.hpp"

#include <dlfcn.h>
#include <link.h>

/// The common blocks of the standard's programs and of those of MPICH's family, which have the same names. Only the
/// size of a status differs.

namespace {

constexpr int status_size = anympi::fortran::rule::here::status_size;

} // namespace

// In a static program the block is this one, which must suit the compiler of the program.
#define COMMON __attribute__((visibility("default"), aligned(64)))

extern "C" {

COMMON int mpipriv1_[2 + status_size] = {};
COMMON int mpipriv2_[status_size + 1] = {};
COMMON char mpiprivc_[2] = {};
COMMON int mpifcmb5_[1] = {};
COMMON int mpifcmb9_[1] = {};
COMMON int mpifcmba_[1] = {};

} // extern "C"

namespace anympi::fortran::rule {

std::ptrdiff_t integer_words = 1;
const int* const third_of_mpipriv1 = mpipriv1_ + 2;
std::uintptr_t minus_mpipriv1 = 0; // which no linker can write

[[gnu::constructor]] static void find_blocks() {
    minus_mpipriv1 = -reinterpret_cast<std::uintptr_t>(mpipriv1_);
}

void measure_integers() {
    Dl_info where;
    void* symbol = nullptr;
    if (dladdr1(mpipriv1_, &where, &symbol, RTLD_DL_SYMENT) != 0 && symbol != nullptr)
        integer_words = static_cast<const ElfW(Sym)*>(symbol)->st_size > sizeof(int) * (2 + status_size) ? 2 : 1;
}

} // namespace anympi::fortran::rule
