#pragma once

namespace anympi::runtime {

// What `anympi run` tells the processes of a job whose launcher hands on only what it is told to: the program that it
// lets the launcher start, and the names of the variables that it has handed on, with colons between them.
inline constexpr char starter_variable[] = "ANYMPI_STARTER";
inline constexpr char handed_on_variable[] = "ANYMPI_HANDED_ON";

} // namespace anympi::runtime
