#pragma once

#include "front/common/app.hpp"
#include "front/common/bind_runtime.hpp"
#include "front/common/directory.hpp"
#include "front/common/missing.hpp"

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace anympi {

/// The addresses that the exported functions jump to. Each slot leads first to the code that binds a runtime, then to a
/// bridge, to the runtime's own function, or to a report that the runtime lacks the function. So a bound call costs one
/// indirect jump and no test.
[[gnu::visibility("hidden")]] extern void* slots[function_count];

template <class Signature>
[[gnu::always_inline]] inline Signature* slot(function f) {
    return reinterpret_cast<Signature*>(__atomic_load_n(&slots[static_cast<int>(f)], __ATOMIC_RELAXED));
}

/// Replaces `before` in a slot. Other threads may read the slot meanwhile; both functions give them a correct result.
inline void replace_in_slot(int f, void* before, void* by) {
    __atomic_compare_exchange_n(&slots[f], &before, by, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

} // namespace anympi
