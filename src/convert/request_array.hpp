#pragma once

#include "convert/array.hpp"
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

/// Null is the only request of a program that has another value in the runtime, unless the program's handles are
/// tagged.
template <class P>
inline constexpr bool only_null_differs = P::app::handles == handle_style::small_constants;

template <class P>
class request_array<P, true> {
    using handle = app_handle<P, object::request>;

public:
    request_array(int length, handle* program)
        : count(program != nullptr && length > 0 ? length : 0), requests(program) {
        if constexpr (only_null_differs<P>)
            exchange_requests(requests, count, program_null<P, object::request>(), null_request<P>());
        else
            for (int i = 0; i < count; ++i)
                requests[i] = request_to_run<P>(requests[i]);
    }
    bool failed() const { return false; }
    run_handle<P, object::request>* argument() { return requests; }
    void back() {
        if constexpr (only_null_differs<P>)
            exchange_requests(requests, count, null_request<P>(), program_null<P, object::request>());
        else
            for (int i = 0; i < count; ++i)
                requests[i] = request_to_app<P>(requests[i]);
    }
    void back_one(int) { back(); }

private:
    int count;
    handle* requests;
};

/// Four handles of the program as four of a library with 32-bit handles. The nulls are exchanged by their difference,
/// which is one operation less than a choice between two values.
inline void narrow_four(const word* from, std::uint32_t* to, __m128i program_null, __m128i difference) {
    const __m128 low = _mm_loadu_ps(reinterpret_cast<const float*>(from));
    const __m128 high = _mm_loadu_ps(reinterpret_cast<const float*>(from + 2));
    const __m128i values = _mm_castps_si128(_mm_shuffle_ps(low, high, 0x88)); // the lower half of each
    const __m128i is_null = _mm_cmpeq_epi32(values, program_null);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_xor_si128(values, _mm_and_si128(is_null, difference)));
}

inline void widen_four(const std::uint32_t* from, word* to, __m128i runtime_null, __m128i difference) {
    const __m128i values = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const __m128i is_null = _mm_cmpeq_epi32(values, runtime_null);
    const __m128i mapped = _mm_xor_si128(values, _mm_and_si128(is_null, difference));
    const __m128i zero = _mm_setzero_si128();
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_unpacklo_epi32(mapped, zero));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 2), _mm_unpackhi_epi32(mapped, zero));
}

inline void narrow_requests(const word* from, std::uint32_t* to, int count, std::uint32_t program_null,
                            std::uint32_t runtime_null) {
    const __m128i null = _mm_set1_epi32(static_cast<int>(program_null));
    const __m128i difference = _mm_set1_epi32(static_cast<int>(program_null ^ runtime_null));
    for (; count >= 8; count -= 8, from += 8, to += 8) {
        narrow_four(from, to, null, difference);
        narrow_four(from + 4, to + 4, null, difference);
    }
    for (int i = 0; i < count; ++i) {
        const auto value = static_cast<std::uint32_t>(from[i]);
        to[i] = value == program_null ? runtime_null : value;
    }
}

inline void widen_requests(const std::uint32_t* from, word* to, int count, std::uint32_t runtime_null,
                           std::uint32_t program_null) {
    const __m128i null = _mm_set1_epi32(static_cast<int>(runtime_null));
    const __m128i difference = _mm_set1_epi32(static_cast<int>(program_null ^ runtime_null));
    for (; count >= 8; count -= 8, from += 8, to += 8) {
        widen_four(from, to, null, difference);
        widen_four(from + 4, to + 4, null, difference);
    }
    for (int i = 0; i < count; ++i)
        to[i] = from[i] == runtime_null ? program_null : from[i];
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
        if constexpr (only_null_differs<P>)
            narrow_requests(requests, copy.data(), count, null_id<object::request>, null_request<P>());
        else
            for (int i = 0; i < count; ++i)
                copy[static_cast<std::size_t>(i)] = request_to_run<P>(requests[i]);
    }
    bool failed() const { return copy.failed(); }
    run_request* argument() { return requests != nullptr ? copy.data() : nullptr; }
    void back() {
        if constexpr (only_null_differs<P>)
            widen_requests(copy.data(), requests, count, null_request<P>(), null_id<object::request>);
        else
            for (int i = 0; i < count; ++i)
                back_one(i);
    }
    void back_one(int i) {
        if (i >= 0 && i < count)
            update<P, object::request>(requests[i], copy[static_cast<std::size_t>(i)]);
    }

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
            program[0] = program[1] = program_null<P, object::request>();
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
    static bool both_null(const run_request* made) {
        const run_request null = null_request<P>();
        return __builtin_expect(made[0] == null, 1) && __builtin_expect(made[1] == null, 1);
    }
    void set(request* program, int i) {
        if constexpr (!only_null_differs<P>) {
            argument(program)[i] = request_to_run<P>(program[i]);
            return;
        }
        const bool is_null = program[i] == program_null<P, object::request>();
        if constexpr (!requests_in_place<P>)
            copy[i] = static_cast<run_request>(program[i]);
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
