// How much is checked. Each level includes those before it:
//
//     light            what costs next to nothing beside a call: buffers that do not fit, objects that are null
//     normal           before each call, whether MPI has ended, and null communicators of messages too
//     communication    collective calls are compared across the processes (see compare.hpp)
//
// ANYMPI_ASSERTIONS chooses one when a file is compiled (-DANYMPI_ASSERTIONS=communication); without it, the level is
// light if NDEBUG is defined, and else normal. Calls are compared in the whole program if one of its files was compiled
// with the level communication, if ANYMPI_ASSERTIONS=communication is in the environment, or if the program says so by
// set_assertion_level(). All processes must do the same, since the comparison is communication itself.
#ifndef ANYMPI_ASSERTIONS_HPP
#define ANYMPI_ASSERTIONS_HPP

#include <atomic>
#include <cstdlib>
#include <string_view>

#include "requirements.hpp"

#ifndef ANYMPI_ASSERTIONS
#ifdef NDEBUG
#define ANYMPI_ASSERTIONS light
#else
#define ANYMPI_ASSERTIONS normal
#endif
#endif

#define ANYMPI_LEVEL_light 1
#define ANYMPI_LEVEL_normal 2
#define ANYMPI_LEVEL_communication 3
#define ANYMPI_LEVEL_NAMED(name) ANYMPI_LEVEL_##name
#define ANYMPI_LEVEL_OF(name) ANYMPI_LEVEL_NAMED(name)
#if ANYMPI_LEVEL_OF(ANYMPI_ASSERTIONS) == 0 // an unknown word
#error ANYMPI_ASSERTIONS must be light, normal or communication
#endif

// Whether this file looks at more than what costs next to nothing. All files do where the compiler cannot give
// functions that differ other names.
#define ANYMPI_HAS_TAGS 0
#ifdef __has_attribute
#if __has_attribute(abi_tag)
#undef ANYMPI_HAS_TAGS
#define ANYMPI_HAS_TAGS 1
#endif
#endif
#ifndef ANYMPI_CHECKS
#define ANYMPI_CHECKS (!ANYMPI_HAS_TAGS || ANYMPI_LEVEL_OF(ANYMPI_ASSERTIONS) >= ANYMPI_LEVEL_normal)
#endif

namespace anympi {

/// Ordered: a higher level checks more.
enum class AssertionLevel : int {
    light = ANYMPI_LEVEL_light,
    normal = ANYMPI_LEVEL_normal,
    communication = ANYMPI_LEVEL_communication,
};

#pragma GCC visibility push(default)
namespace shared {

/// Of the whole program, so that files which chose differently can be linked together.
inline std::atomic<int> assertion_level{0};

/// The level never falls by itself. The result is for an initializer alone.
inline bool raise_assertion_level(int level) noexcept {
    const char* const wanted = std::getenv("ANYMPI_ASSERTIONS");
    if (wanted && std::string_view(wanted) == "communication")
        level = ANYMPI_LEVEL_communication;
    int before = assertion_level;
    while (before < level && !assertion_level.compare_exchange_weak(before, level)) {
    }
    return true;
}

/// Whether collective calls are compared across processes.
inline bool compares_calls() noexcept {
    return assertion_level.load(std::memory_order_relaxed) >= ANYMPI_LEVEL_communication;
}

} // namespace shared
#pragma GCC visibility pop

/// The highest level that is in force in any file of the program.
inline AssertionLevel assertion_level() noexcept {
    return static_cast<AssertionLevel>(shared::assertion_level.load());
}
/// From now on, for the whole program. Below `communication` it only says that calls are not compared: how much each
/// file checks itself was chosen when it was compiled. All processes must say the same at the same place.
inline void set_assertion_level(AssertionLevel level) noexcept {
    shared::assertion_level = static_cast<int>(level);
}

namespace {
// Of each file.
[[maybe_unused]] const bool level_is_known = shared::raise_assertion_level(ANYMPI_LEVEL_OF(ANYMPI_ASSERTIONS));
} // namespace

} // namespace anympi

#endif
