#pragma once

namespace anympi::arch {

// Comparisons whose result is hidden from the compiler. Otherwise the compiler would know the value in the branch where
// the comparison is true, and would load that constant into another register although the value is in one already.

[[gnu::always_inline]] inline bool is_not_zero(int value) {
    asm goto("test %0, %0\n\tjnz %l[yes]" : : "r"(value) : "cc" : yes);
    return false;
yes:
    return true;
}

template <int Other>
[[gnu::always_inline]] inline bool is_equal_to(int value) {
    asm goto("cmp %1, %0\n\tjne %l[no]" : : "r"(value), "i"(Other) : "cc" : no);
    return true;
no:
    return false;
}

} // namespace anympi::arch
