#pragma once

#include <climits>
#include <cstdint>

namespace anympi::emulate {

/// The largest count of the small functions. Test builds lower it to a few, so that the ways for large counts run with
/// small data.
#ifdef ANYMPI_NARROW_LIMIT
inline constexpr std::uint64_t narrow_limit = ANYMPI_NARROW_LIMIT;
#else
inline constexpr std::uint64_t narrow_limit = INT_MAX;
#endif

/// Negative ones do not fit: the caller reports them.
inline constexpr bool fits(std::int64_t count) {
    return static_cast<std::uint64_t>(count) <= narrow_limit;
}

/// For displacements, which may be negative.
inline constexpr bool fits_signed(std::int64_t displacement) {
    return fits(displacement) || fits(-displacement);
}

/// For numbers that fit, or that the runtime is to refuse.
inline constexpr int narrowed(std::int64_t count) {
    if (count < INT_MIN)
        return INT_MIN;
    return count > INT_MAX ? INT_MAX : static_cast<int>(count);
}

} // namespace anympi::emulate
