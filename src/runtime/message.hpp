#pragma once

#include "runtime/environment.hpp"

namespace anympi::runtime {

// Messages go to stderr, each in a single write so that those of several processes do not mix; every line of one begins
// with "anympi: ". Lines end where the format says so: control characters in arguments, line ends among them, are shown
// as question marks. Empty lines are left out, so that an argument may be a line that is not always there. The
// conversions are %s, %d, %u, %zu and %m, without flags and widths.
[[gnu::format(printf, 1, 2)]] void say(const char* format, ...);

// A text that was put together before: its line ends count, other control characters are shown as question marks.
void say_lines(const char* text);

// Does the same as say(), in rank 0 only: for messages that every process of a job would write.
[[gnu::format(printf, 1, 2)]] void say_for_job(const char* format, ...);

// Does the same as say(), if ANYMPI_VERBOSE asks for it.
[[gnu::format(printf, 1, 2)]] void say_if_verbose(const char* format, ...);

// Ends the process without exit handlers: the program is not in a state to run them. The exit code is 1; of a job of
// several processes the launcher decides. One process of each host speaks, and names its host if there are others: what
// is wrong may be so on that host alone.
[[noreturn, gnu::format(printf, 1, 2)]] void stop(const char* format, ...);

} // namespace anympi::runtime
