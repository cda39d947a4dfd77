#pragma once

#include "convert/address.hpp"
#include "convert/handle.hpp"

#include <climits>
#include <cstdint>

namespace anympi::emulate {

// The largest count that a runtime without large forms accepts. A test build has a smaller limit, so that tests reach
// the code for larger counts with few elements.
#ifdef ANYMPI_NARROW_LIMIT
inline constexpr std::int64_t narrow_limit = ANYMPI_NARROW_LIMIT;
#else
inline constexpr std::int64_t narrow_limit = INT_MAX;
#endif

/// Larger counts are split into parts with this number of elements. It is a power of two, so that parts of aligned data
/// are aligned.
inline constexpr std::int64_t part_count = (narrow_limit + 1) / 2;
static_assert(narrow_limit >= 1 && (narrow_limit & (narrow_limit + 1)) == 0, "several counts are tested by one `or`");

/// Returns true if a count fits. A negative count does not fit. One call tests several counts: `fits(a | b)`.
[[gnu::always_inline]] constexpr bool fits(std::int64_t count) {
    return static_cast<std::uint64_t>(count) <= static_cast<std::uint64_t>(narrow_limit);
}

/// Converts a count. One that does not fit becomes negative, so that the runtime rejects it.
constexpr int narrow(std::int64_t count) {
    return fits(count) ? static_cast<int>(count) : -1;
}

/// Returns true if a displacement fits, which may be negative.
constexpr bool fits_signed(std::int64_t displacement) {
    return fits(displacement) || fits(-displacement);
}

/// Converts a number that fits, or that the runtime must reject.
constexpr int clamped(std::int64_t count) {
    if (count < INT_MIN)
        return INT_MIN;
    return count > INT_MAX ? INT_MAX : static_cast<int>(count);
}

/// Returns the small form of a function with the type of the large form. If the counts fit, it can be called with the
/// large form's arguments unchanged: an int is the lower half of its register, or of its place on the stack. No
/// argument is moved, and the call is a jump.
template <class Small, class Large>
[[gnu::always_inline]] inline Large small_form(Small small, Large) {
    return reinterpret_cast<Large>(reinterpret_cast<void*>(small));
}

template <class Run>
using type_of = handle_of<Run, object::datatype>;

} // namespace anympi::emulate
