#pragma once

namespace anympi::arch {

/// Does nothing: the compiler decides which parameters are on the stack and when to read them.
template <class... Parameter>
constexpr void stay_on_stack(const Parameter&...) {}

template <class Pointer>
constexpr Pointer read_from_stack(const Pointer& parameter) {
    return parameter;
}

} // namespace anympi::arch
