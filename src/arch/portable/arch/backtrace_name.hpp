#pragma once

/// Does nothing on this processor, because not every assembler can define such a symbol. On x86_64 it gives a function
/// a symbol, so that backtrace_symbols finds a name.
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): as for other processors
#define ANYMPI_BACKTRACE_NAME(name, ...) static_cast<void>(__VA_ARGS__)
