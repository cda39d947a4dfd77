#pragma once

#include "convert/pair.hpp"

namespace anympi::emulate {

/// A pointer that is set once and read by many threads, which need no other synchronisation with the one that set it.
template <class Function>
class original_function {
public:
    operator Function() const { return __atomic_load_n(&function_, __ATOMIC_ACQUIRE); }
    void set(Function function) { __atomic_store_n(&function_, function, __ATOMIC_RELEASE); }

private:
    Function function_ = nullptr;
};

/// The function that `By` has replaced in `library<Run>`. `By` calls it where it has nothing to add.
template <auto By>
inline constinit original_function<decltype(By)> original;

/// Is called after each override, with the place in the table and the function before, if somebody has copies of the
/// table.
using override_listener = void(void** place, void* before);
inline constinit override_listener* function_was_overridden = nullptr;

/// A store that ThreadSanitizer does not see: it would report the readers, who are meant to read without an atomic
/// operation.
template <class Function>
__attribute__((noinline, no_sanitize("thread"))) void store_for_plain_readers(Function& place, Function by) {
    __atomic_store_n(&place, by, __ATOMIC_RELEASE);
}

/// Puts `By` into a place of `library<Run>`. Does nothing if the place is empty: the runtime lacks the function and it
/// cannot be built.
///
/// Other threads may be reading it. They do so without an atomic operation, which would cost each bridge an
/// instruction; a pointer is read whole on every machine that we run on. Which of the two they read must not matter to
/// them: what only `By` knows, they have from the thread that called this first.
template <auto By>
void override_function(decltype(By)& place) {
    if (place == nullptr)
        return;
    const auto before = place;
    original<By>.set(before);
    store_for_plain_readers(place, By);
    if (function_was_overridden != nullptr)
        function_was_overridden(reinterpret_cast<void**>(&place), reinterpret_cast<void*>(before));
}

} // namespace anympi::emulate
