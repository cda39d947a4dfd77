#pragma once

namespace anympi::arch {

constexpr bool is_not_zero(int value) {
    return value != 0;
}

template <int Other>
constexpr bool is_equal_to(int value) {
    return value == Other;
}

} // namespace anympi::arch
