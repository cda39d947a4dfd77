#pragma once

#include "base/array.hpp"
#include "convert/handle.hpp"
#include "convert/status.hpp"

#include <emmintrin.h>

namespace anympi {

/// The array of requests of a completion call. It belongs to the call while that runs, so handles of equal size are
/// exchanged in place; others go through an array on the stack. Null is the only value that differs.
template <class P>
inline constexpr bool requests_in_place = sizeof(app_handle<P, object::request>) ==
                                          sizeof(run_handle<P, object::request>);

template <class P, bool InPlace = requests_in_place<P>>
class request_array;

/// A branch is cheaper than a conditional store here: requests are all real before a call, all null after it.
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
            exchange_requests(requests, count, program_null<P, object::request>(), null_request<P>());
        else
            for (int i = 0; i < count; ++i)
                requests[i] = request_to_run<P>(requests[i]);
    }
    bool failed() const { return false; }
    run_handle<P, object::request>* argument() { return requests; }
    void back() { give_up(count, requests); }
    void back_one(int) { back(); }

    /// The program's again.
    [[gnu::always_inline]] static void give_up(int count, handle* requests) {
        if constexpr (mark_of_made<P> == 0)
            exchange_requests(requests, count, null_request<P>(), program_null<P, object::request>());
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

    const word program_null = anympi::program_null<P, object::request>();
    const int lower_null = static_cast<int>(program_null);
    const int upper_null = static_cast<int>(program_null >> 32);
    const int runtime_null = static_cast<int>(null_request<P>());

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
        const __m128i difference = _mm_set1_epi32(lower_null ^ runtime_null);
        store(to, _mm_xor_si128(lower, _mm_and_si128(is_null, difference)));
    }

    __m128i are_null(__m128i made) const { return _mm_cmpeq_epi32(made, _mm_set1_epi32(runtime_null)); }

    void widen(__m128i made, __m128i is_null, word* to) const {
        const __m128i lower_difference = _mm_set1_epi32(lower_null ^ runtime_null);
        const __m128i upper_difference = _mm_set1_epi32(upper_null ^ upper_of_made);
        const __m128i lower = _mm_xor_si128(made, _mm_and_si128(is_null, lower_difference));
        const __m128i upper = _mm_xor_si128(_mm_set1_epi32(upper_of_made), _mm_and_si128(is_null, upper_difference));
        store(to, _mm_unpacklo_epi32(lower, upper));
        store(to + 2, _mm_unpackhi_epi32(lower, upper));
    }

    void set_null(word* to) const {
        const __m128i two = _mm_set1_epi64x(static_cast<long long>(program_null));
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
            word* mixed = to;
            asm("" : "+r"(mixed)); // or the stores of both branches are joined, for which the first makes copies
            four.widen(first, first_null, mixed);
            four.widen(second, second_null, mixed + 4);
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
    static void give_up(int, handle*) {} ///< the program's were not touched

private:
    int count;
    handle* requests;
    scratch<run_request, 256> copy;
};

/// The two requests of an exchange with a neighbour, the most frequent array: the same without loops.
template <class P>
class two_requests {
    using request = app_handle<P, object::request>;
    using run_request = run_handle<P, object::request>;

public:
    explicit two_requests(request* program) : requests(program) {
        set(program, 0);
        set(program, 1);
    }
    run_request* argument() { return argument(requests); }
    [[gnu::always_inline]] void back() {
        request* const program = requests; // read once: it lies beside what the runtime has written
        if (both_null(argument(program))) [[likely]] {
            if constexpr (is_narrowed<P, object::request>) {
                forget<P, object::request>(program[0]);
                forget<P, object::request>(program[1]);
            }
            set_both_null(program);
        } else {
            update<P, object::request>(program[0], argument(program)[0]);
            update<P, object::request>(program[1], argument(program)[1]);
        }
    }

private:
    run_request* argument(request* program) {
        if constexpr (requests_in_place<P>)
            return program;
        else
            return copy;
    }
    static void set_both_null(request* program) {
        request null = program_null<P, object::request>();
        if constexpr (mark_of_made<P> == 0) {
            program[0] = program[1] = null;
        } else {
            program[0] = null;
            asm("" : "+r"(null)); // two stores: a vector of what is no constant takes longer to make
            program[1] = null;
        }
    }
    static bool both_null(const run_request* made) {
        const run_request null = null_request<P>();
        return __builtin_expect(made[0] == null, 1) && __builtin_expect(made[1] == null, 1);
    }
    void set(request* program, int i) {
        if constexpr (is_narrowed<P, object::request>) {
            copy[i] = request_to_run<P>(program[i]);
            return;
        }
        const bool is_null = program[i] == program_null<P, object::request>();
        if constexpr (!requests_in_place<P>)
            copy[i] = static_cast<run_request>(program[i]);
        else if constexpr (mark_of_made<P> != 0)
            program[i] &= ~mark_of_made<P>;
        if (is_null) [[unlikely]]
            argument(program)[i] = null_request<P>();
    }
    request* requests;
    run_request copy[requests_in_place<P> ? 1 : 2];
};

/// And their statuses.
template <class P>
class two_statuses {
public:
    explicit two_statuses(app_status<P>* program) : statuses(program) {}

    run_status<P>* argument() {
        staged[0] = staged[1] = empty_status(typename P::run{});
        return staged;
    }
    /// Where the call succeeded, so did both.
    void back(int code) const {
        if (code == 0) [[likely]] {
            status_to_app<P>(statuses[0], staged[0], 0);
            status_to_app<P>(statuses[1], staged[1], 0);
        } else {
            back_with_errors();
        }
    }

private:
    [[gnu::cold, gnu::noinline]] void back_with_errors() const {
        status_to_app<P>(statuses[0], staged[0]);
        status_to_app<P>(statuses[1], staged[1]);
    }

    app_status<P>* statuses;
    run_status<P> staged[2];
};

/// Statuses that the program does not want.
template <class P>
struct ignored_statuses {
    run_status<P>* argument() const { return ignored_status<P>(); }
    void back(int) const {}
};

/// The statuses of MPI_Waitall: staged in the program's own array, where the smaller ones of the runtime lie packed,
/// and expanded from the last to the first.
template <class P>
class packed_statuses {
    static_assert(sizeof(run_status<P>) <= sizeof(app_status<P>));

public:
    packed_statuses(int length, app_status<P>* program) : count(is_wanted<P>(program) ? length : 0), statuses(program) {
        constexpr auto empty = empty_status(typename P::run{});
        for (int i = 0; i < count; ++i)
            std::memcpy(packed(i), &empty, sizeof empty);
    }
    bool failed() const { return false; }
    run_status<P>* argument() {
        return is_wanted<P>(statuses) ? reinterpret_cast<run_status<P>*>(statuses) : ignored_status<P>();
    }
    void back(int) {
        for (int i = count - 1; i >= 0; --i) {
            run_status<P> from;
            std::memcpy(&from, packed(i), sizeof from);
            status_to_app<P>(statuses[i], from);
        }
    }

private:
    char* packed(int i) {
        return reinterpret_cast<char*>(statuses) + static_cast<std::size_t>(i) * sizeof(run_status<P>);
    }

    int count;
    app_status<P>* statuses;
};

/// The statuses of calls that may complete fewer than all: staged beside the program's array, which keeps what is not
/// completed.
template <class P>
class staged_statuses {
public:
    staged_statuses(int length, app_status<P>* program)
        : count(is_wanted<P>(program) && length > 0 ? length : 0), statuses(program),
          staged(static_cast<std::size_t>(count)) {
        constexpr auto empty = empty_status(typename P::run{});
        if (!staged.failed())
            for (int i = 0; i < count; ++i)
                staged[static_cast<std::size_t>(i)] = empty;
    }
    bool failed() const { return staged.failed(); }
    run_status<P>* argument() { return is_wanted<P>(statuses) ? staged.data() : ignored_status<P>(); }
    void back(int completed) {
        for (int i = 0; i < completed && i < count; ++i)
            status_to_app<P>(statuses[i], staged[static_cast<std::size_t>(i)]);
    }

private:
    int count;
    app_status<P>* statuses;
    scratch<run_status<P>, 64> staged;
};

/// Those of MPI_Waitall, by what there is room for.
template <class P>
using all_statuses =
    std::conditional_t<sizeof(run_status<P>) <= sizeof(app_status<P>), packed_statuses<P>, staged_statuses<P>>;

} // namespace anympi
