#pragma once

/// For functions with more arguments than registers: what keeps the compiler from saving registers for them.

#if __has_cpp_attribute(gnu::noipa)
#define ANYMPI_APART [[gnu::noipa]]
#else
#define ANYMPI_APART [[gnu::noinline]]
#endif

namespace anympi {

/// Parameters that came on the stack are read from there where they are needed.
template <class... Parameter>
[[gnu::always_inline]] inline void stay_on_stack(Parameter&... parameters) {
    const auto stay = [](auto& parameter) __attribute__((always_inline)) {
        asm("" : "+m"(parameter));
    };
    (stay(parameters), ...);
}

/// What was read before is read again, instead of being kept in registers that have to be saved: fewer instructions.
[[gnu::always_inline]] inline void read_again() {
    asm volatile("" ::: "memory");
}

} // namespace anympi
