#pragma once

#include "convert/pair.hpp"

#include <cstdint>

namespace anympi {

// Handles that are addresses.

/// Objects that the runtime made travel as they are in programs whose handles are pointers. Where a predefined handle
/// is an address, the highest bit tells the two apart: no address of a program has it.
inline constexpr word made_by_runtime = word{1} << 63;
template <class P>
inline constexpr word mark_of_made = P::app::handles == handle_style::addresses ? made_by_runtime : 0;

/// Returns the handle that the program holds of an object that the runtime made.
template <class P>
inline word made_to_program(word handle) {
    return handle | mark_of_made<P>;
}

/// Finds the standard number of a predefined object of a library whose handles are addresses of its data. The objects
/// lie close together and are at least 256 bytes long, so that their distance from the first, divided by 256, tells
/// them apart.
struct address_lookup {
    word first = 0;
    word span = 0;
    std::uint16_t* ids = nullptr;

    static constexpr int spacing_bits = 8;

    word find(word address, const word* known) const {
        const word distance = address - first;
        if (distance >= span) [[likely]]
            return 0;
        const std::uint16_t id = ids[distance >> spacing_bits];
        return id != 0 && known[id] == address ? id : 0;
    }
};
template <class Run>
inline address_lookup address_ids{};
/// Objects that the linker has put into a program of the library's own ABI: they lie far from the others.
template <class Run>
inline address_lookup copied_address_ids{};

} // namespace anympi
