#pragma once

#include "abi/abi.hpp"

#include <atomic>
#include <cstdint>

namespace anympi {

// 32-bit numbers for objects that are addresses (docs/decisions/0014). The number is a shortened address:
//     bit  31      always set, unlike in any other number of such a library
//     bits 30..27  the window: 1 GiB of the address space; windows are numbered in the order of their first use
//     bits 26..0   the place in the window, in steps of 8 bytes, since the objects contain pointers
// Nothing is stored for an object, so nothing must be freed when the object is freed, in whichever language.
namespace window {

inline constexpr int size_bits = 30;
inline constexpr int step_bits = 3;
inline constexpr int place_bits = size_bits - step_bits;
inline constexpr std::uint32_t count = 16;
inline constexpr std::uint32_t first = 1u << (31 - place_bits); // the number of the first window

inline constexpr word begin_of(word address) {
    return address & ~((word{1} << size_bits) - 1);
}
inline constexpr std::uint32_t window_of(std::uint32_t number) {
    return number >> place_bits;
}
inline constexpr std::uint32_t number_in(std::uint32_t window, word address) {
    return static_cast<std::uint32_t>(address) << (32 - size_bits) >> (32 - place_bits) | window << place_bits;
}
inline constexpr word address_in(word begin, std::uint32_t number) {
    return begin + (number << (32 - place_bits) >> (32 - size_bits));
}

/// Returns the address that number 0 would have in a window, so that one instruction converts a number to an address.
inline constexpr word origin_of(std::uint32_t window, word begin) {
    return begin - (word{window} << size_bits);
}
inline constexpr word address_from(word origin, word number) {
    return origin + (number << step_bits);
}
inline constexpr std::uint32_t number_from(word origin, word address) {
    return static_cast<std::uint32_t>((address - origin) >> step_bits);
}

} // namespace window

/// The windows of one class of objects. A window is added at its first use and never changes.
class address_windows {
public:
    /// Returns the number of an object, or 0 if `address` is not an address or if there are too many windows.
    std::uint32_t number_of(word address) {
        const word begin = window::begin_of(address);
        if (begins[0].load(std::memory_order_relaxed) == begin) [[likely]]
            return window::number_in(window::first, address);
        return number_elsewhere(address);
    }

    /// Returns the distance of an object from the start of the first window, where nearly all objects are. The object
    /// is in that window if is_place() returns true for this distance.
    word place_in_first(word address) const { return address - begins[0].load(std::memory_order_relaxed); }
    static bool is_place(word place) { return place < (word{1} << window::size_bits); }
    static int number_of_place(word place) {
        return static_cast<int>(place >> window::step_bits | window::first << window::place_bits);
    }
    /// Returns true if all numbers belong to the first window. One comparison tests them all.
    template <class... Number>
    static bool are_of_first(Number... numbers) {
        constexpr std::uint32_t begin = window::first << window::place_bits;
        return ((static_cast<std::uint32_t>(numbers) ^ begin) | ...) < (1u << window::place_bits);
    }
    /// Returns the origin of the first window, or 0 if there is no window yet.
    word origin_of_first() const { return first_origin.load(std::memory_order_relaxed); }
    static word address_from(word origin, int number) {
        return window::address_from(origin, static_cast<std::uint32_t>(number));
    }
    /// begin_of_first() and address_after() convert an existing number of the first window. They do not use the origin,
    /// because another thread may have returned the number before it stored the origin.
    word begin_of_first() const { return begins[0].load(std::memory_order_relaxed); }
    static word address_after(word begin, int number) {
        const std::uint32_t step = static_cast<std::uint32_t>(number) ^ (window::first << window::place_bits);
        return begin + (word{step} << window::step_bits);
    }

    /// Returns true if number_of() may have returned this number.
    static bool is_number(int number) { return number < 0; }

    /// Returns the address of a number, or 0 if number_of() never returned that number.
    word address_of(int number) const {
        const auto bits = static_cast<std::uint32_t>(number);
        const word begin = begins[window::window_of(bits) - window::first].load(std::memory_order_relaxed);
        return begin != unused ? window::address_in(begin, bits) : 0;
    }

private:
    static constexpr word unused = word{1} << 63; // far away from all addresses
    static constexpr word end_of_addresses =
        word{1} << 47; // anympi's own handles are above this limit (src/emulate/engine/own_handle.hpp)

    [[gnu::cold, gnu::noinline]] std::uint32_t number_elsewhere(word address) {
        const word begin = window::begin_of(address);
        if (begin >= end_of_addresses)
            return 0;
        for (std::uint32_t i = 0; i < window::count; ++i) {
            word found = begins[i].load(std::memory_order_relaxed);
            if (found == unused && begins[i].compare_exchange_strong(found, begin, std::memory_order_relaxed))
                found = begin;
            if (i == 0)
                first_origin.store(window::origin_of(window::first, found), std::memory_order_relaxed);
            if (found == begin)
                return window::number_in(window::first + i, address);
        }
        return 0;
    }

    std::atomic<word> first_origin = 0;
    std::atomic<word> begins[window::count] = {
        unused, unused, unused, unused, unused, unused, unused, unused,
        unused, unused, unused, unused, unused, unused, unused, unused,
    };
};

template <object O>
inline constinit address_windows windows_of{};

} // namespace anympi
