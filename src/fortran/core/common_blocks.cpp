#include "fortran/core/sentinel.hpp"

#include <dlfcn.h>
#include <link.h>

// The common blocks of programs of the standard ABI and of MPICH's family. The names are the same; only the size of a
// status differs.

namespace {

constexpr int status_size = anympi::fortran::rule::sentinels::status_size;

} // namespace

// Programs that are linked statically use these blocks, so the blocks have the alignment that compilers require.
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

std::ptrdiff_t words_per_integer = 1;
const int* const third_of_mpipriv1 = mpipriv1_ + 2;
std::uintptr_t minus_mpipriv1 = 0; // no relocation can write a negative address

[[gnu::constructor]] static void find_blocks() {
    minus_mpipriv1 = -reinterpret_cast<std::uintptr_t>(mpipriv1_);
}

void measure_integers() {
    Dl_info where;
    void* symbol = nullptr;
    if (dladdr1(mpipriv1_, &where, &symbol, RTLD_DL_SYMENT) != 0 && symbol != nullptr)
        words_per_integer = static_cast<const ElfW(Sym)*>(symbol)->st_size > sizeof(int) * (2 + status_size) ? 2 : 1;
}

} // namespace anympi::fortran::rule
