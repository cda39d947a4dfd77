#pragma once

#include "runtime/environment.hpp"

namespace anympi::runtime {

// Messages go to stderr, each in a single write so that those of several processes do not mix; every line of one begins
// with "anympi: ".
[[gnu::format(printf, 1, 2)]] void say(const char* format, ...);

// Only when ANYMPI_VERBOSE asks for it.
[[gnu::format(printf, 1, 2)]] void verbose(const char* format, ...);

// Ends the process with code 1 and without exit handlers: the program is not in a state to run them. For faults of the
// set-up (no library, bad configuration), which may differ from machine to machine: one process of each machine speaks.
[[noreturn, gnu::format(printf, 1, 2)]] void stop(const char* format, ...);

// The same for what holds for the whole job (its launcher does not fit): rank 0 speaks for all.
[[noreturn, gnu::format(printf, 1, 2)]] void stop_job(const char* format, ...);

} // namespace anympi::runtime
