#pragma once

#include "arch/stack_parameter.hpp"

// Suppress compiler optimisations that make a call slower. None of these adds an instruction or changes a result.

// Marks a function whose parameters the compiler must not change or move into registers.
#if __has_cpp_attribute(gnu::noipa)
#define ANYMPI_APART [[gnu::noipa]]
#else
#define ANYMPI_APART [[gnu::noinline]]
#endif

namespace anympi {

using arch::stay_on_stack;

/// Makes the compiler read memory again, instead of keeping values in registers that it would have to save.
[[gnu::always_inline]] inline void read_again() {
    asm volatile("" ::: "memory");
}

/// Hides the origin of a value from the compiler.
template <class Value>
[[gnu::always_inline]] inline void hide_value(Value& value) {
    asm("" : "+r"(value));
}

/// Makes the compiler jump around the following code. A jump that is never taken is faster than a conditional move.
[[gnu::always_inline]] inline void prefer_jump() {
    asm volatile("");
}

} // namespace anympi
