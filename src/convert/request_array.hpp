#pragma once

#include "arch/four_ints.hpp"
#include "base/array.hpp"
#include "base/optimizer_barriers.hpp"
#include "convert/handle.hpp"

namespace anympi {

/// True if the requests of a completion call are converted in place. The array belongs to the call while the call runs,
/// so handles of equal size are converted in place: only null differs. Other handles are converted in an array on the
/// stack.
template <class P>
inline constexpr bool requests_in_place = sizeof(app_handle<P, object::request>) ==
                                          sizeof(run_handle<P, object::request>);

template <class P, bool InPlace = requests_in_place<P>>
class request_array;

/// Replaces each occurrence of one request in an array by another request. A branch is cheaper than a conditional store
/// here, because nearly all requests are not null before a call and null after it.
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
    bool lacks_memory() const { return false; }
    run_handle<P, object::request>* argument() { return requests; }
    void finish() { give_back(count, requests); }
    void finish_one(const int*) { finish(); }

    /// Converts the array back for the program.
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

/// Converts four requests at once. The program's requests have 64 bits; their lower halves are the runtime's requests,
/// except for null.
template <class P>
struct four_requests {
    static constexpr bool are_marked = mark_of_made<P> != 0;
    static constexpr int upper_of_made = static_cast<int>(mark_of_made<P> >> 32);

    const word null_in_program = program_null<P, object::request>();
    const int lower_null = static_cast<int>(null_in_program);
    const int upper_null = static_cast<int>(null_in_program >> 32);
    const int null_in_runtime = static_cast<int>(runtime_null<P, object::request>());

    /// Converts to the runtime's requests. Null is either a small number, which the lower half identifies, or an
    /// address. The lower half of an address may equal the lower half of a request, but the upper halves differ,
    /// because requests have the mark there. XOR with the difference replaces null with one operation less than a
    /// selection between two values.
    void narrow(const word* from, std::uint32_t* to) const {
        const auto [lower, upper] = arch::four_ints::split(from);
        const arch::four_ints is_null = are_marked ? upper == upper_null : lower == lower_null;
        (lower ^ (is_null & (lower_null ^ null_in_runtime))).store(to);
    }

    arch::four_ints are_null(arch::four_ints made) const { return made == null_in_runtime; }

    void widen(arch::four_ints made, arch::four_ints is_null, word* to) const {
        const arch::four_ints lower = made ^ (is_null & (lower_null ^ null_in_runtime));
        const arch::four_ints upper = upper_of_made ^ (is_null & (upper_null ^ upper_of_made));
        arch::four_ints::join(lower, upper, to);
    }

    void set_null(word* to) const { arch::four_ints::fill(to, null_in_program); }
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
        const auto first = arch::four_ints::load(from);
        const auto second = arch::four_ints::load(from + 4);
        const arch::four_ints first_null = four.are_null(first);
        const arch::four_ints second_null = four.are_null(second);
        if ((first_null & second_null).is_all_set()) [[likely]] { // the usual case
            four.set_null(to);
            four.set_null(to + 4);
        } else {
            word* some_null = to;
            // Prevents the compiler from joining the stores of both branches, which would need copies.
            hide_value(some_null);
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
        if (copy.lacks_memory())
            return;
        if constexpr (is_narrowed<P, object::request>)
            for (int i = 0; i < count; ++i)
                copy[static_cast<std::size_t>(i)] = request_to_run<P>(requests[i]);
        else
            narrow_requests<P>(requests, copy.data(), count);
    }
    bool lacks_memory() const { return copy.lacks_memory(); }
    run_request* argument() { return requests != nullptr ? copy.data() : nullptr; }
    void finish() {
        if constexpr (is_narrowed<P, object::request>)
            for (int i = 0; i < count; ++i)
                finish_at(i);
        else
            widen_requests<P>(copy.data(), requests, count);
    }
    /// Finishes a call that completes one request. `index` points to its index, or is nullptr; the index may be outside
    /// of the array.
    void finish_one(const int* index) { finish_at(index != nullptr ? *index : -1); }
    static void give_back(int, handle*) {} // the program's array was not changed

private:
    void finish_at(int i) {
        if (i >= 0 && i < count)
            update<P, object::request>(requests[i], copy[static_cast<std::size_t>(i)]);
    }

    int count;
    handle* requests;
    scratch<run_request, 256> copy;
};

} // namespace anympi
