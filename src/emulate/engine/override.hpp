#pragma once

#include "base/lock.hpp"
#include "convert/pair.hpp"
#include "moments.hpp" // generated

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

/// The functions that the library has itself, by whatever name.
template <class Run>
inline functions<Run> own_functions{};

/// One function of ours that stands in the table.
struct installed_override {
    void** place;
    void* code;
    void* before;
    int number; ///< in the generator's list
};

/// Remembers an override and tells the listener.
void note_override(const installed_override& made);

/// What was remembered, in the order of the installation.
int count_overrides();
const installed_override& override_at(int index);

/// Is called after each override, with the place in the table and the function before, if somebody has copies of the
/// table.
using override_listener = void(void** place, void* before);
[[gnu::visibility("hidden")]] extern override_listener* function_was_overridden;

/// Returns true for an override that is not to be installed, by its number in the generator's list; nullptr: all are.
using override_filter = bool(int number);
[[gnu::visibility("hidden")]] extern override_filter* is_left_out;

/// A store that ThreadSanitizer does not see: it would report the readers, who are meant to read without an atomic
/// operation.
template <class Function>
__attribute__((noinline, no_sanitize("thread"))) void store_for_plain_readers(Function& place, Function by) {
    __atomic_store_n(&place, by, __ATOMIC_RELEASE);
}

/// Puts `By` into a place of `library<Run>`. Does nothing if the place is empty (the runtime lacks the function and it
/// cannot be built), if `By` stands there already, or if the override is left out. Only the code that the generator
/// writes from api/overrides.api calls this.
///
/// Other threads may be reading it. They do so without an atomic operation, which would cost each bridge an
/// instruction; a pointer is read whole on every machine that we run on. Which of the two they read must not matter to
/// them: what only `By` knows, they have from the thread that called this first.
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

/// Installs what the register (api/overrides.api) has for a moment, if its conditions are true of the library. The
/// generator writes it.
template <class Run>
void install_overrides(moment now);

/// The same for a moment that may come again, in several threads.
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
