#pragma once

/// Lets the symbol `name` stand for a function (the second argument), with its size, so that backtrace_symbols and
/// dladdr find a name for the places inside of the function. The symbol can be seen from outside although the function
/// is hidden. Nothing calls the function by this symbol, and no instruction is added to it. To be written in a function
/// that is compiled, and need not run.
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): the statement wants a text that is written here
#define ANYMPI_BACKTRACE_NAME(name, ...)                                                                               \
    asm volatile(".globl " name "\n.type " name ", @function\n.set " name ", %c0" : : "i"(__VA_ARGS__))
