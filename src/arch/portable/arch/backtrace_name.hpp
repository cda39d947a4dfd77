#pragma once

/// Lets a symbol stand for a function, so that backtrace_symbols finds a name. Not every assembler can.
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): as for other processors
#define ANYMPI_BACKTRACE_NAME(name, ...) static_cast<void>(__VA_ARGS__)
