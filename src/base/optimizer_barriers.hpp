#pragma once

#include "arch/stack_parameter.hpp"

// Keeps the compiler from optimisations that make a call longer. None of this is an instruction or changes a result.

// For a function whose parameters the compiler must not change or move into registers.
#if __has_cpp_attribute(gnu::noipa)
#define ANYMPI_APART [[gnu::noipa]]
#else
#define ANYMPI_APART [[gnu::noinline]]
#endif

namespace anympi {

using arch::stay_on_stack;

/// Makes the compiler read memory again, instead of keeping what it has read in registers that have to be saved.
[[gnu::always_inline]] inline void read_again() {
    asm volatile("" ::: "memory");
}

/// Hides from the compiler where a value came from.
template <class Value>
[[gnu::always_inline]] inline void hide_value(Value& value) {
    asm("" : "+r"(value));
}

/// Makes the compiler jump around the code behind it. A jump that is never taken is shorter than a conditional move.
[[gnu::always_inline]] inline void prefer_jump() {
    asm volatile("");
}

} // namespace anympi
