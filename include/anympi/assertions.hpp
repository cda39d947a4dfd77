// How much is checked. Each level includes the levels before it:
//
//     light            checks that cost next to nothing compared with a call: buffers that do not fit, null objects
//     normal           before each call, whether MPI has ended; in messages also null communicators
//     communication    collective calls are compared across the processes (see compare.hpp)
//
// ANYMPI_ASSERTIONS chooses a level when a file is compiled (-DANYMPI_ASSERTIONS=communication). The default is light
// if NDEBUG is defined, and normal otherwise. Calls are compared in the whole program if one of its files was compiled
// with the level communication, if the environment has ANYMPI_ASSERTIONS=communication, or if the program calls
// set_assertion_level(). All processes must choose the same, since the comparison communicates.
#ifndef ANYMPI_ASSERTIONS_HPP
#define ANYMPI_ASSERTIONS_HPP

#include <atomic>
#include <cstdlib>
#include <string_view>

#include "kinds.hpp"

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

// ANYMPI_CHECKS is 1 if this file also makes the expensive checks. If the compiler has no abi_tag, functions with and
// without checks would have the same name, so all files make these checks.
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

// Functions of a few instructions around a call of MPI, which the compiler should not call.
#ifdef __OPTIMIZE__
#define ANYMPI_ALWAYS_INLINE __attribute__((always_inline))
#else
#define ANYMPI_ALWAYS_INLINE
#endif
#define ANYMPI_INLINE ANYMPI_ALWAYS_INLINE inline

namespace anympi {

/// The levels are ordered: a higher level checks more.
enum class AssertionLevel : int {
    light = ANYMPI_LEVEL_light,
    normal = ANYMPI_LEVEL_normal,
    communication = ANYMPI_LEVEL_communication,
};

#pragma GCC visibility push(default)
namespace shared {

/// The level of the whole program. Files that chose different levels can be linked together.
inline std::atomic<int> assertion_level{0};

// Variables that a collective call reads. They are plain, since a call may cost only a few instructions. They
// change with the level, while no thread makes a collective call: calls of several threads could not be compared while
// the level changes.

/// The largest handle of a communicator whose calls need a look first: the null handle, or every handle if calls are
/// compared. Handles below the null handle need a look too, which finds nothing.
inline std::uintptr_t last_gated = number_of(MPI_COMM_NULL);
/// All bits are set if calls are compared. No size is then what the caller expects.
inline MPI_Count gated_bits = 0;
inline void gate_calls(bool compares) noexcept {
    if (const MPI_Count bits = compares ? -1 : 0; bits != gated_bits) {
        last_gated = compares ? ~std::uintptr_t{0} : number_of(MPI_COMM_NULL);
        gated_bits = bits;
    }
}
/// Returns true if a collective call on the communicator needs a look: the handle is null, or calls are compared.
ANYMPI_INLINE bool is_gated(CommObject comm) noexcept {
    return number_of(comm.handle()) <= last_gated;
}

/// Returns true if collective calls are compared across processes.
inline bool compares_calls() noexcept {
    return assertion_level.load(std::memory_order_relaxed) >= ANYMPI_LEVEL_communication;
}

/// Raises the level to `level`; it never lowers the level. The result, always true, only serves initializers.
inline bool raise_assertion_level(int level) noexcept {
    const char* const wanted = std::getenv("ANYMPI_ASSERTIONS");
    if (wanted && std::string_view(wanted) == "communication")
        level = ANYMPI_LEVEL_communication;
    int before = assertion_level;
    while (before < level && !assertion_level.compare_exchange_weak(before, level)) {
    }
    gate_calls(compares_calls());
    return true;
}

} // namespace shared
#pragma GCC visibility pop

/// The highest level that is in force in any file of the program.
inline AssertionLevel assertion_level() noexcept {
    return static_cast<AssertionLevel>(shared::assertion_level.load());
}
/// Sets the level of the whole program. A level below `communication` turns the comparison of calls off; which other
/// checks a file makes was chosen when the file was compiled. All processes must set the same level at the same place.
inline void set_assertion_level(AssertionLevel level) noexcept {
    shared::assertion_level = static_cast<int>(level);
    shared::gate_calls(shared::compares_calls());
}

namespace {
/// Each file raises the level when the program starts.
[[maybe_unused]] const bool level_is_known = shared::raise_assertion_level(ANYMPI_LEVEL_OF(ANYMPI_ASSERTIONS));
} // namespace

} // namespace anympi

#endif
