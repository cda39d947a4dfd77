#pragma once

#include "categories.hpp" // generated: values of each category, in the same order for every ABI
#include "convert/pair.hpp"

#include <cstddef>

namespace anympi {

/// Returns true if a successful call has set its flag. `flag` may be null if the library hides errors (abi/mpich.hpp).
template <class P>
bool is_set(const int* flag) {
    return (!P::run::hides_errors || flag != nullptr) && *flag != 0;
}

/// A number that no ABI uses as a constant of any category. It replaces an unknown value that would be a constant on
/// the other side.
inline constexpr int never_a_constant = -0x7ffffff0;

/// Converts a constant: returns the value that has the same place in the list of `To` as `value` has in the list of
/// `From`. Values that the program invented must stay invalid, so they are unchanged unless they are a constant on the
/// other side.
template <class From, class To, template <class> class Category>
[[gnu::always_inline]] constexpr int convert_value(int value) {
    constexpr auto& from = Category<From>::values;
    constexpr auto& to = Category<To>::values;
    for (std::size_t i = 0; i < sizeof from / sizeof *from; ++i)
        if (from[i] == value && from[i] != From::absent)
            return to[i];
#pragma GCC unroll 4 // ranks have few values; a loop would need a register that every call must save
    for (int other : to)
        if (other == value)
            return never_a_constant;
    return value;
}

template <class P, template <class> class Category>
constexpr int value_to_run(int value) {
    return convert_value<typename P::app, typename P::run, Category>(value);
}

template <class P, template <class> class Category>
constexpr int value_to_app(int value) {
    return convert_value<typename P::run, typename P::app, Category>(value);
}

/// Converts flags bit by bit. Bits that the program's ABI does not define become bit 30, which no ABI uses, so that the
/// runtime rejects them.
template <class From, class To, template <class> class Category>
constexpr int convert_bits(int bits) {
    constexpr auto& from = Category<From>::values;
    constexpr auto& to = Category<To>::values;
    int known = 0;
    int result = 0;
    for (std::size_t i = 0; i < sizeof from / sizeof *from; ++i) {
        if (from[i] == From::absent || to[i] == To::absent)
            continue;
        known |= from[i];
        result |= (bits & from[i]) ? to[i] : 0;
    }
    return (bits & ~known) ? result | (1 << 30) : result;
}

template <class P, template <class> class Category>
constexpr int bits_to_run(int bits) {
    return convert_bits<typename P::app, typename P::run, Category>(bits);
}

template <class P, template <class> class Category>
constexpr int bits_to_app(int bits) {
    return convert_bits<typename P::run, typename P::app, Category>(bits);
}

} // namespace anympi
