#pragma once

#include "convert/pair.hpp"

namespace anympi::emulate {

/// A function that is kept once and read by many threads: one may have it from its place without another word of the
/// thread that kept it.
template <class Function>
class kept_function {
public:
    operator Function() const { return __atomic_load_n(&function_, __ATOMIC_ACQUIRE); }
    void keep(Function function) { __atomic_store_n(&function_, function, __ATOMIC_RELEASE); }

private:
    Function function_ = nullptr;
};

/// What stood in the place of `library<Run>` that the function `By` of ours has taken: it calls that where it has
/// nothing to add.
template <auto By>
inline constinit kept_function<decltype(By)> kept;

/// Is told of each place that was taken and what stood there, if somebody has copies of the functions.
using place_listener = void(void** place, void* before);
inline constinit place_listener* place_was_taken = nullptr;

/// A store that ThreadSanitizer does not see: it would report the readers, who are meant to read without an atomic
/// operation.
template <class Function>
__attribute__((noinline, no_sanitize("thread"))) void store_for_plain_readers(Function& place, Function by) {
    __atomic_store_n(&place, by, __ATOMIC_RELEASE);
}

/// Puts `By` into a place, unless the runtime has no such function and none can be built.
///
/// Other threads may be reading it. They do so without an atomic operation, which would cost each bridge an
/// instruction; a pointer is read whole on every machine that we run on. Which of the two they read must not matter to
/// them: what only `By` knows, they have from the thread that called this first.
template <auto By>
void override_function(decltype(By)& place) {
    if (place == nullptr)
        return;
    const auto before = place;
    kept<By>.keep(before);
    store_for_plain_readers(place, By);
    if (place_was_taken != nullptr)
        place_was_taken(reinterpret_cast<void**>(&place), reinterpret_cast<void*>(before));
}

} // namespace anympi::emulate
