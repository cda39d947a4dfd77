#pragma once

#include "convert/pair.hpp"

#include <cstdint>

namespace anympi {

// Handles that are addresses.

/// The mark of handles that the runtime made, in programs whose predefined handles are addresses. It is the highest
/// bit, which no address of a program has. Programs whose handles are pointers get the runtime's handles otherwise
/// unchanged.
inline constexpr word made_by_runtime = word{1} << 63;
template <class P>
inline constexpr word mark_of_made = P::app::handles == handle_style::addresses ? made_by_runtime : 0;

/// Returns the program's handle of an object that the runtime made.
template <class P>
inline word made_to_program(word handle) {
    return handle | mark_of_made<P>;
}

/// Finds the id of a predefined object of a library whose predefined handles are addresses of its data objects. The
/// objects are close together and are at least 256 bytes long, so the distance from the first object, divided by 256,
/// is different for each.
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
/// Data objects that the linker has copied into a program of the library's own ABI. They are far away from the
/// library's own objects.
template <class Run>
inline address_lookup copied_address_ids{};

} // namespace anympi
