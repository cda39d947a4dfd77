#pragma once

namespace anympi {

// The interface between before_binding.so and check_library.so.

/// If before_binding.so has started the process again because of missing names, this variable holds the process number,
/// a space, and the files that were preloaded for that start. When check_library.so has asked the front which
/// interposers these names need, it leaves only the number.
inline constexpr char bound_early_variable[] = "ANYMPI_BOUND_EARLY";

} // namespace anympi

/// Returns true if before_binding.so has checked the names that objects of this process need. Names that the front has
/// are then defined.
extern "C" bool anympi_has_looked_before_binding();
