#pragma once

#include "base/lock.hpp"
#include "convert/pair.hpp"
#include "moments.hpp" // generated

namespace anympi::emulate {

/// A pointer that is set once and read by many threads. They need no other synchronisation with the thread that sets
/// it.
template <class Function>
class original_function {
public:
    operator Function() const { return __atomic_load_n(&function_, __ATOMIC_ACQUIRE); }
    void set(Function function) { __atomic_store_n(&function_, function, __ATOMIC_RELEASE); }

private:
    Function function_ = nullptr;
};

/// The function that `By` has replaced in `library<Run>`. `By` calls it for everything that it does not change.
template <auto By>
inline constinit original_function<decltype(By)> original;

/// The library's own functions, whatever their names are.
template <class Run>
inline functions<Run> own_functions{};

/// An override in the table.
struct installed_override {
    void** place;
    void* code;
    void* before;
    int number; // its number in the generator's list
};

/// Records an override and calls the listener.
void note_override(const installed_override& made);

/// The recorded overrides, in the order of their installation.
int count_overrides();
const installed_override& override_at(int index);

/// Called after each override with the place in the table and the previous function. Set by code that has copies of the
/// table.
using override_listener = void(void** place, void* before);
[[gnu::visibility("hidden")]] extern override_listener* function_was_overridden;

/// Returns true if an override must not be installed; `number` is its number in the generator's list. If the pointer is
/// null, all overrides are installed.
using override_filter = bool(int number);
[[gnu::visibility("hidden")]] extern override_filter* is_left_out;

/// A store that ThreadSanitizer ignores. It would report the readers, which intentionally read without an atomic
/// operation.
template <class Function>
__attribute__((noinline, no_sanitize("thread"))) void store_for_plain_readers(Function& place, Function by) {
    __atomic_store_n(&place, by, __ATOMIC_RELEASE);
}

/// Puts `By` into a place of `library<Run>`. Does nothing if the place is empty (the runtime lacks the function and it
/// cannot be emulated), if the place already holds `By`, or if the filter excludes the override. Only the code that the
/// generator writes from api/overrides.api calls this function.
///
/// Other threads may be reading the place. They read it without an atomic operation, which would cost each bridge an
/// instruction; every supported processor reads a pointer as a whole. It must not matter which of the two functions
/// they read: objects that only `By` handles reach them from the thread that called this function first.
template <auto By>
void override_function(decltype(By)& place, int number) {
    const auto before = place;
    if (before == nullptr || before == By || (is_left_out != nullptr && is_left_out(number)))
        return;
    original<By>.set(before);
    store_for_plain_readers(place, By);
    note_override(
        {reinterpret_cast<void**>(&place), reinterpret_cast<void*>(By), reinterpret_cast<void*>(before), number});
}

/// Installs the overrides of the register (api/overrides.api) for a moment, if their conditions are true of the
/// library. The generator writes this function.
template <class Run>
void install_overrides(moment now);

/// Like install_overrides, for a moment that may come repeatedly and in several threads.
template <class Run>
void install_once(moment now) {
    static constinit lock guard;
    static unsigned done = 0;
    const unsigned bit = 1U << static_cast<unsigned>(now);
    const locked hold(guard);
    if ((done & bit) == 0)
        install_overrides<Run>(now);
    done |= bit;
}

} // namespace anympi::emulate
