#pragma once

#include "convert/address.hpp"
#include "convert/handle.hpp"

#include <climits>
#include <cstdint>

namespace anympi::emulate {

// The largest count that a runtime without large forms takes. A test build has a smaller one, so that what is done for
// larger counts can be seen with few elements.
#ifdef ANYMPI_NARROW_LIMIT
inline constexpr std::int64_t narrow_limit = ANYMPI_NARROW_LIMIT;
#else
inline constexpr std::int64_t narrow_limit = INT_MAX;
#endif

/// Larger counts are split into parts of so many elements: a power of two, so that parts of aligned data are aligned.
inline constexpr std::int64_t part_count = (narrow_limit + 1) / 2;
static_assert(narrow_limit >= 1 && (narrow_limit & (narrow_limit + 1)) == 0, "several counts are tested by one `or`");

/// A negative count does not fit. Several counts fit if all of them do: `fits(a | b)`.
[[gnu::always_inline]] constexpr bool fits(std::int64_t count) {
    return static_cast<std::uint64_t>(count) <= static_cast<std::uint64_t>(narrow_limit);
}

/// A negative count that does not fit stays negative: the runtime refuses it.
constexpr int narrow(std::int64_t count) {
    return fits(count) ? static_cast<int>(count) : -1;
}

/// For displacements, which may be negative.
constexpr bool fits_signed(std::int64_t displacement) {
    return fits(displacement) || fits(-displacement);
}

/// For numbers that fit, or that the runtime is to refuse.
constexpr int clamped(std::int64_t count) {
    if (count < INT_MIN)
        return INT_MIN;
    return count > INT_MAX ? INT_MAX : static_cast<int>(count);
}

/// The small form of a function, to be called with the arguments of the large one as they are, if the counts fit: an
/// int is the lower half of its register, or of its place on the stack. So nothing is moved, and the call is a jump.
template <class Small, class Large>
[[gnu::always_inline]] inline Large small_form(Small small, Large) {
    return reinterpret_cast<Large>(reinterpret_cast<void*>(small));
}

template <class Run>
using type_of = handle_of<Run, object::datatype>;

} // namespace anympi::emulate
