#pragma once

namespace anympi::arch {

/// Keeps the compiler from loading stack parameters before they are needed, and from saving registers for them.
template <class... Parameter>
[[gnu::always_inline]] inline void stay_on_stack(Parameter&... parameters) {
    const auto stay = [](auto& parameter) __attribute__((always_inline)) {
        asm("" : "+m"(parameter));
    };
    (stay(parameters), ...);
}

/// Reads a stack parameter again from the stack, which is cheaper than saving a register for it. Reads into rdx,
/// because eax already holds the result of the call.
template <class Pointer>
[[gnu::always_inline]] inline Pointer read_from_stack(const Pointer& parameter) {
    Pointer value;
    asm("mov %1, %0" : "=d"(value) : "m"(parameter));
    return value;
}

} // namespace anympi::arch
