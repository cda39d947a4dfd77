#pragma once

#include "convert/handle_ids.hpp"

#include <cstddef>
#include <cstdint>

namespace anympi {

// Predefined objects of ABIs with integer handles.

/// A perfect hash of the predefined handles of one class: some bits of a product. Its factor is chosen at compile time
/// so that no two handles share a place.
template <class Abi, object O>
struct integer_places {
    static constexpr int bits = O == object::datatype ? 10 : 8;
    static constexpr std::size_t size = std::size_t{1} << bits;

    static constexpr std::size_t place(std::uint32_t value, std::uint32_t by) { return value * by >> (32 - bits); }

    static constexpr bool keeps_apart(std::uint32_t by) {
        std::uint32_t taken[size]{};
        for (const auto& handle : predefined_handles<Abi>) {
            if (handle.of != O)
                continue;
            const auto value = static_cast<std::uint32_t>(handle.value);
            std::uint32_t& here = taken[place(value, by)];
            if (here != 0 && here != value) // two names may have the same handle
                return false;
            here = value;
        }
        return true;
    }
    static constexpr std::uint32_t factor = [] {
        std::uint32_t by = 0x9e3779b1; // odd, with bits set in all positions
        while (!keeps_apart(by))
            by += 0x10002;
        return by;
    }();

    static constexpr std::size_t place(std::uint32_t value) { return place(value, factor); }
};

/// Finds the id of a predefined object of an ABI with integer handles.
template <class Abi, object O>
struct integer_lookup : integer_places<Abi, O> {
    struct entry {
        std::uint32_t value;
        std::uint32_t id;
    };
    entry entries[integer_lookup::size]{};

    constexpr integer_lookup() {
        for (const auto& handle : predefined_handles<Abi>)
            if (entry& here = entries[this->place(static_cast<std::uint32_t>(handle.value))];
                handle.of == O && here.id == 0)
                here = {static_cast<std::uint32_t>(handle.value), static_cast<std::uint32_t>(handle.id)};
    }
};
template <class Abi, object O>
inline constexpr integer_lookup<Abi, O> integer_ids{};

/// Returns the id of an integer handle, or 0 if the handle is not predefined.
template <class Abi, object O>
inline word id_of_integer(std::uint32_t handle) {
    constexpr auto& ids = integer_ids<Abi, O>;
    const auto& entry = ids.entries[ids.place(handle)];
    return entry.value == handle ? entry.id : 0;
}

} // namespace anympi
