#pragma once

namespace anympi::arch {

/// Which parameters come on the stack, and what it costs to read them, is left to the compiler.
template <class... Parameter>
constexpr void stay_on_stack(const Parameter&...) {}

template <class Pointer>
constexpr Pointer read_from_stack(const Pointer& parameter) {
    return parameter;
}

} // namespace anympi::arch
