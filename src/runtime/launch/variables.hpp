#pragma once

namespace anympi::runtime {

/// Variables that `anympi run` sets for a job whose launcher passes on only listed variables: the program that the
/// launcher starts (src/starter), and the names of the variables that were passed on, separated by colons.
inline constexpr char starter_variable[] = "ANYMPI_STARTER";
inline constexpr char handed_on_variable[] = "ANYMPI_HANDED_ON";

} // namespace anympi::runtime
