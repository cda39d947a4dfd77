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

} // namespace anympi::emulate
