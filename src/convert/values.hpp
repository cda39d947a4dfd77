#pragma once

#include "categories.hpp" // generated: values of each category, in the same order for every ABI
#include "convert/pair.hpp"

#include <cstddef>

namespace anympi {

/// Returns true if a call that succeeded set its flag. There may be no flag at all where errors are hidden
/// (abi/mpich.hpp).
template <class P>
bool is_set(const int* flag) {
    return (!P::run::hides_errors || flag != nullptr) && *flag != 0;
}

/// A number that is a constant of no category in any ABI. An unknown value becomes this number if it would mean
/// something else on the other side.
inline constexpr int never_a_constant = -0x7ffffff0;

/// Converts a constant: returns the value of `To` at the place where `value` stands in the list of `From`. Values that
/// the program invented must stay invalid. They pass unchanged unless they would be a constant of the other side.
template <class From, class To, template <class> class Category>
[[gnu::always_inline]] constexpr int convert_value(int value) {
    constexpr auto& from = Category<From>::values;
    constexpr auto& to = Category<To>::values;
    for (std::size_t i = 0; i < sizeof from / sizeof *from; ++i)
        if (from[i] == value && from[i] != From::absent)
            return to[i];
#pragma GCC unroll 4 // the few of ranks, whose loops would take a register that every call must save
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

/// Converts flags one by one. Bits that the program's ABI does not know become bit 30, which no ABI uses, so that the
/// runtime still rejects them.
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
