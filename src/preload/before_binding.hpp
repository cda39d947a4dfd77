#pragma once

namespace anympi {

// The link between before_binding.so and check_library.so.

/// Holds the number of the process, and behind a space the files that were preloaded when the process was started once
/// more for the sake of missing names. check_library.so leaves the number alone when it has asked the front which
/// interposers these names need.
inline constexpr char bound_early_variable[] = "ANYMPI_BOUND_EARLY";

} // namespace anympi

/// Returns true if the names that objects of this process need have been looked at: those that the front has are there.
extern "C" bool anympi_has_looked_before_binding();
