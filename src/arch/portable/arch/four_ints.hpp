#pragma once

#include <cstdint>

namespace anympi::arch {

/// Four 32-bit integers that are processed together if the compiler vectorises the loops.
class four_ints {
public:
    four_ints(int value) { // NOLINT(cppcoreguidelines-pro-type-member-init): the loop sets them
        for (std::uint32_t& element : elements)
            element = static_cast<std::uint32_t>(value); // four times the same
    }

    static four_ints load(const std::uint32_t* from) {
        return made([&](int i) { return from[i]; });
    }
    void store(std::uint32_t* to) const {
        for (int i = 0; i < 4; ++i)
            to[i] = elements[i];
    }

    /// Sets all bits of an element if both operands have the same value there, and no bits otherwise.
    friend four_ints operator==(four_ints a, four_ints b) {
        return made([&](int i) { return a.elements[i] == b.elements[i] ? ~std::uint32_t{0} : 0; });
    }
    friend four_ints operator^(four_ints a, four_ints b) {
        return made([&](int i) { return a.elements[i] ^ b.elements[i]; });
    }
    friend four_ints operator&(four_ints a, four_ints b) {
        return made([&](int i) { return a.elements[i] & b.elements[i]; });
    }
    /// Returns true if all bits of all elements are set.
    bool is_all_set() const { return (elements[0] & elements[1] & elements[2] & elements[3]) == ~std::uint32_t{0}; }

    /// The halves of four words.
    struct halves;
    static halves split(const std::uintptr_t* words);
    static void join(four_ints lower, four_ints upper, std::uintptr_t* words) {
        for (int i = 0; i < 4; ++i)
            words[i] = lower.elements[i] | std::uintptr_t{upper.elements[i]} << 32;
    }
    /// Sets four words to the same value.
    static void fill(std::uintptr_t* words, std::uintptr_t value) {
        for (int i = 0; i < 4; ++i)
            words[i] = value;
    }

private:
    template <class Element>
    static four_ints made(Element element) {
        four_ints result(0);
        for (int i = 0; i < 4; ++i)
            result.elements[i] = element(i);
        return result;
    }

    std::uint32_t elements[4];
};

struct four_ints::halves {
    four_ints lower, upper;
};

inline four_ints::halves four_ints::split(const std::uintptr_t* words) {
    return {made([&](int i) { return static_cast<std::uint32_t>(words[i]); }),
            made([&](int i) { return static_cast<std::uint32_t>(words[i] >> 32); })};
}

} // namespace anympi::arch
