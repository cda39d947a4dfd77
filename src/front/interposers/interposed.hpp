#pragma once

#include "abi/all.hpp"
#include "functions.hpp" // generated

// Macros that build an interposer (api/interposers.api): a library before the MPI library of the program's own family.
// Its functions lead to the front after that library.

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace anympi {

/// The slots of the front, which defines them.
EXPORTED void* anympi_slots_1[];

template <class Signature>
[[gnu::always_inline]] inline Signature* interposed(function f) {
    return reinterpret_cast<Signature*>(__atomic_load_n(&anympi_slots_1[static_cast<int>(f)], __ATOMIC_RELAXED));
}

} // namespace anympi

/// The front and check_library.so recognise an interposer by this symbol (runtime/open/image.hpp).
#define INTERPOSER(name)                                                                                               \
    EXPORTED const char anympi_interposer[];                                                                           \
    EXPORTED const char anympi_interposer[] = name;
