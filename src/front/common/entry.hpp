#pragma once

#include "front/common/app.hpp"
#include "front/common/bind_runtime.hpp"
#include "front/common/directory.hpp"
#include "front/common/missing.hpp"

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace anympi {

/// What the exported name of each function jumps to: first the loader, then, once a runtime is bound, a bridge, the
/// runtime's own function, or a report that the runtime has none. So a bound call costs one indirect jump and no test.
[[gnu::visibility("hidden")]] extern void* slots[function_count];

template <class Signature>
[[gnu::always_inline]] inline Signature* slot(function f) {
    return reinterpret_cast<Signature*>(__atomic_load_n(&slots[static_cast<int>(f)], __ATOMIC_RELAXED));
}

/// Puts another function into a slot that leads to `before`. Other threads may be reading the slot; either function
/// does what they want of it.
inline void replace_in_slot(int f, void* before, void* by) {
    __atomic_compare_exchange_n(&slots[f], &before, by, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

} // namespace anympi
