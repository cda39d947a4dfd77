#pragma once

#include "convert/handle.hpp"

#include <cstdint>

namespace anympi::emulate {

/// Handles of the runtime's kind for objects of ours. The runtime never gives such numbers: MPICH's have the kind of
/// invalid handles, and addresses lack bit 62.
template <class Run, object O, std::uint32_t Class>
struct own_handle {
    using handle = handle_of<Run, O>;

    static constexpr bool is_narrow = sizeof(handle) == sizeof(std::uint32_t);
    static constexpr handle mark = is_narrow ? handle{0} : static_cast<handle>(word{1} << 62);
    static constexpr std::uint32_t class_bits = 0x3fu << 26;
    static constexpr std::uint32_t first = Class << 26; // the class's null handle, where handles are narrow

    static handle null() { return mark | static_cast<handle>(first); }
    static bool is_own(handle h) {
        const auto bits = static_cast<std::uint32_t>(h);
        return (h & mark) == mark && (bits & class_bits) == first && bits != first;
    }
    /// From and to the numbers of a handle_table, which have the kind of living handles.
    static handle of(std::uint32_t number) { return mark | static_cast<handle>(number ^ handle_table::first_handle); }
    static std::uint32_t number(handle h) { return static_cast<std::uint32_t>(h) ^ handle_table::first_handle; }
};

} // namespace anympi::emulate
