#pragma once

#include <cstdint>
#include <emmintrin.h>

namespace anympi::arch {

/// Four 32-bit integers that are processed together.
class four_ints {
public:
    four_ints(int value) : bits(_mm_set1_epi32(value)) {} // four times the same

    static four_ints load(const std::uint32_t* from) {
        return four_ints(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    }
    void store(std::uint32_t* to) const { store(to, bits); }

    /// Sets all bits of an element if both operands have the same value there, and no bits otherwise.
    friend four_ints operator==(four_ints a, four_ints b) { return four_ints(_mm_cmpeq_epi32(a.bits, b.bits)); }
    friend four_ints operator^(four_ints a, four_ints b) { return four_ints(_mm_xor_si128(a.bits, b.bits)); }
    friend four_ints operator&(four_ints a, four_ints b) { return four_ints(_mm_and_si128(a.bits, b.bits)); }
    /// Returns true if all bits of all elements are set.
    bool is_all_set() const { return _mm_movemask_epi8(bits) == 0xffff; }

    /// The halves of four words.
    struct halves;
    static halves split(const std::uintptr_t* words);
    static void join(four_ints lower, four_ints upper, std::uintptr_t* words) {
        store(words, _mm_unpacklo_epi32(lower.bits, upper.bits));
        store(words + 2, _mm_unpackhi_epi32(lower.bits, upper.bits));
    }
    /// Sets four words to the same value.
    static void fill(std::uintptr_t* words, std::uintptr_t value) {
        const __m128i two = _mm_set1_epi64x(static_cast<long long>(value));
        store(words, two);
        store(words + 2, two);
    }

private:
    explicit four_ints(__m128i bits) : bits(bits) {}
    static void store(void* to, __m128i value) { _mm_storeu_si128(static_cast<__m128i*>(to), value); }

    __m128i bits;
};

struct four_ints::halves {
    four_ints lower, upper;
};

inline four_ints::halves four_ints::split(const std::uintptr_t* words) {
    const __m128 first = _mm_loadu_ps(reinterpret_cast<const float*>(words));
    const __m128 second = _mm_loadu_ps(reinterpret_cast<const float*>(words + 2));
    return {four_ints(_mm_castps_si128(_mm_shuffle_ps(first, second, 0x88))),
            four_ints(_mm_castps_si128(_mm_shuffle_ps(first, second, 0xdd)))};
}

} // namespace anympi::arch
