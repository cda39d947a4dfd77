#pragma once

#include "runtime/environment.hpp"

namespace anympi::runtime {

/// Prints a message to stderr in a single write, so that messages of several processes do not mix. Every line begins
/// with "anympi: ". Line ends in the format start new lines; control characters in arguments, including line ends, are
/// shown as question marks. Empty lines are left out, so that an argument may be an optional line. The conversions are
/// %s, %d, %u, %zu and %m, without flags and widths.
[[gnu::format(printf, 1, 2)]] void say(const char* format, ...);

/// Prints a text that was composed before: its line ends start new lines, other control characters are shown as
/// question marks.
void say_lines(const char* text);

/// Does the same as say(), in rank 0 only: for messages that otherwise every process of a job would print.
[[gnu::format(printf, 1, 2)]] void say_for_job(const char* format, ...);

/// Does the same as say() if ANYMPI_VERBOSE is set.
[[gnu::format(printf, 1, 2)]] void say_if_verbose(const char* format, ...);

/// Prints a message and ends the process without exit handlers, because the program is not in a state to run them. The
/// exit code is 1; in a job of several processes the launcher decides on the exit code. One process of each host prints
/// the message. It names its host if the job has several hosts, because the cause may exist on that host only.
[[noreturn, gnu::format(printf, 1, 2)]] void stop(const char* format, ...);

} // namespace anympi::runtime
