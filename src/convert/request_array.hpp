#pragma once

#include "base/array.hpp"
#include "convert/handle.hpp"

#include <emmintrin.h>

namespace anympi {

/// The array of requests of a completion call. It belongs to the call while that runs, so handles of equal size are
/// exchanged in place; others go through an array on the stack. Null is the only value that differs.
template <class P>
inline constexpr bool requests_in_place = sizeof(app_handle<P, object::request>) ==
                                          sizeof(run_handle<P, object::request>);

template <class P, bool InPlace = requests_in_place<P>>
class request_array;

/// Replaces one request by another one wherever it stands in an array. A branch is cheaper than a conditional store
/// here: nearly all requests are real before a call, and null after it.
inline void exchange_requests(word* requests, int count, word from, word to) {
    constexpr int block = 16;
    for (; count >= block; count -= block, requests += block)
#pragma GCC unroll 16
        for (int i = 0; i < block; ++i)
            if (requests[i] == from)
                requests[i] = to;
    for (int i = 0; i < count; ++i)
        if (requests[i] == from)
            requests[i] = to;
}

template <class P>
class request_array<P, true> {
    using handle = app_handle<P, object::request>;

public:
    request_array(int length, handle* program)
        : count(program != nullptr && length > 0 ? length : 0), requests(program) {
        if constexpr (mark_of_made<P> == 0)
            exchange_requests(requests, count, program_null<P, object::request>(), runtime_null<P, object::request>());
        else
            for (int i = 0; i < count; ++i)
                requests[i] = request_to_run<P>(requests[i]);
    }
    bool failed() const { return false; }
    run_handle<P, object::request>* argument() { return requests; }
    void back() { give_back(count, requests); }
    void back_one(int) { back(); }

    /// Gives the array back to the program.
    [[gnu::always_inline]] static void give_back(int count, handle* requests) {
        if constexpr (mark_of_made<P> == 0)
            exchange_requests(requests, count, runtime_null<P, object::request>(), program_null<P, object::request>());
        else
            for (int i = 0; i < count; ++i)
                requests[i] = request_to_app<P>(requests[i]);
    }

private:
    int count;
    handle* requests;
};

/// Requests of 64 bits in the program whose lower halves are those of the runtime, but for null; four at a time.
template <class P>
struct four_requests {
    static constexpr bool are_marked = mark_of_made<P> != 0;
    static constexpr int upper_of_made = static_cast<int>(mark_of_made<P> >> 32);

    const word null_in_program = program_null<P, object::request>();
    const int lower_null = static_cast<int>(null_in_program);
    const int upper_null = static_cast<int>(null_in_program >> 32);
    const int null_in_runtime = static_cast<int>(runtime_null<P, object::request>());

    /// Null is a small number, which the lower half tells, or an address. The lower half of an address may be that of
    /// any request, but its upper half is not: the others have the mark there. Null is exchanged by the difference,
    /// which is one operation less than a choice between two values.
    void narrow(const word* from, std::uint32_t* to) const {
        const __m128 first = _mm_loadu_ps(reinterpret_cast<const float*>(from));
        const __m128 second = _mm_loadu_ps(reinterpret_cast<const float*>(from + 2));
        const __m128i lower = _mm_castps_si128(_mm_shuffle_ps(first, second, 0x88));
        const __m128i upper = _mm_castps_si128(_mm_shuffle_ps(first, second, 0xdd));
        const __m128i is_null = are_marked ? _mm_cmpeq_epi32(upper, _mm_set1_epi32(upper_null))
                                           : _mm_cmpeq_epi32(lower, _mm_set1_epi32(lower_null));
        const __m128i difference = _mm_set1_epi32(lower_null ^ null_in_runtime);
        store(to, _mm_xor_si128(lower, _mm_and_si128(is_null, difference)));
    }

    __m128i are_null(__m128i made) const { return _mm_cmpeq_epi32(made, _mm_set1_epi32(null_in_runtime)); }

    void widen(__m128i made, __m128i is_null, word* to) const {
        const __m128i lower_difference = _mm_set1_epi32(lower_null ^ null_in_runtime);
        const __m128i upper_difference = _mm_set1_epi32(upper_null ^ upper_of_made);
        const __m128i lower = _mm_xor_si128(made, _mm_and_si128(is_null, lower_difference));
        const __m128i upper = _mm_xor_si128(_mm_set1_epi32(upper_of_made), _mm_and_si128(is_null, upper_difference));
        store(to, _mm_unpacklo_epi32(lower, upper));
        store(to + 2, _mm_unpackhi_epi32(lower, upper));
    }

    void set_null(word* to) const {
        const __m128i two = _mm_set1_epi64x(static_cast<long long>(null_in_program));
        store(to, two);
        store(to + 2, two);
    }

    static __m128i load(const std::uint32_t* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }

private:
    static void store(void* to, __m128i value) { _mm_storeu_si128(static_cast<__m128i*>(to), value); }
};

template <class P>
inline void narrow_requests(const word* from, std::uint32_t* to, int count) {
    const four_requests<P> four;
    for (; count >= 8; count -= 8, from += 8, to += 8) {
        four.narrow(from, to);
        four.narrow(from + 4, to + 4);
    }
    for (int i = 0; i < count; ++i)
        to[i] = request_to_run<P>(from[i]);
}

template <class P>
inline void widen_requests(const std::uint32_t* from, word* to, int count) {
    const four_requests<P> four;
    for (; count >= 8; count -= 8, from += 8, to += 8) {
        const __m128i first = four.load(from);
        const __m128i second = four.load(from + 4);
        const __m128i first_null = four.are_null(first);
        const __m128i second_null = four.are_null(second);
        if (_mm_movemask_epi8(_mm_and_si128(first_null, second_null)) == 0xffff) [[likely]] { // nearly always
            four.set_null(to);
            four.set_null(to + 4);
        } else {
            word* some_null = to;
            asm("" : "+r"(some_null)); // or the stores of both branches are joined, for which the first makes copies
            four.widen(first, first_null, some_null);
            four.widen(second, second_null, some_null + 4);
        }
    }
    for (int i = 0; i < count; ++i)
        to[i] = request_to_app<P>(from[i]);
}

template <class P>
class request_array<P, false> {
    using handle = app_handle<P, object::request>;
    using run_request = run_handle<P, object::request>;

public:
    request_array(int length, handle* program)
        : count(program != nullptr && length > 0 ? length : 0), requests(program),
          copy(static_cast<std::size_t>(count)) {
        if (copy.failed())
            return;
        if constexpr (is_narrowed<P, object::request>)
            for (int i = 0; i < count; ++i)
                copy[static_cast<std::size_t>(i)] = request_to_run<P>(requests[i]);
        else
            narrow_requests<P>(requests, copy.data(), count);
    }
    bool failed() const { return copy.failed(); }
    run_request* argument() { return requests != nullptr ? copy.data() : nullptr; }
    void back() {
        if constexpr (is_narrowed<P, object::request>)
            for (int i = 0; i < count; ++i)
                back_one(i);
        else
            widen_requests<P>(copy.data(), requests, count);
    }
    void back_one(int i) {
        if (i >= 0 && i < count)
            update<P, object::request>(requests[i], copy[static_cast<std::size_t>(i)]);
    }
    static void give_back(int, handle*) {} ///< the program's array was not touched

private:
    int count;
    handle* requests;
    scratch<run_request, 256> copy;
};

} // namespace anympi
