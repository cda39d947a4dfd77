#pragma once

namespace anympi::arch {

/// Keeps the compiler from loading parameters that came on the stack before they are needed, and from saving registers
/// for them.
template <class... Parameter>
[[gnu::always_inline]] inline void stay_on_stack(Parameter&... parameters) {
    const auto stay = [](auto& parameter) __attribute__((always_inline)) {
        asm("" : "+m"(parameter));
    };
    (stay(parameters), ...);
}

/// Reads a parameter that came on the stack once more from there, which is cheaper than a register that must be saved
/// for it. Reads into rdx, since eax holds the result of the call already.
template <class Pointer>
[[gnu::always_inline]] inline Pointer read_from_stack(const Pointer& parameter) {
    Pointer value;
    asm("mov %1, %0" : "=d"(value) : "m"(parameter));
    return value;
}

} // namespace anympi::arch
