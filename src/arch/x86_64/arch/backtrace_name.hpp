#pragma once

/// Gives a function (the second argument) the additional symbol `name`, so that backtrace_symbols and dladdr find a
/// name for addresses inside the function. The symbol is global although the function is hidden. Nothing calls the
/// function by this symbol, and the macro adds no instruction. Use the macro in a function that is compiled; the
/// function need not run.
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): the statement wants a text that is written here
#define ANYMPI_BACKTRACE_NAME(name, ...)                                                                               \
    asm volatile(".globl " name "\n.type " name ", @function\n.set " name ", %c0" : : "i"(__VA_ARGS__))
