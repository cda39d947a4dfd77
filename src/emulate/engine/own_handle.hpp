#pragma once

#include "convert/handle.hpp"

#include <cstdint>

namespace anympi::emulate {

/// Handles of anympi's own objects, in the runtime's format, with numbers that the runtime never returns. In MPICH's
/// format they have the kind of invalid handles. As addresses they have bit 62 set but not bit 63, which a
/// sign-extended integer handle would also have. `Class` is the class in MPICH's handles and in the numbers of a
/// handle_table.
template <class Run, object O, std::uint32_t Class>
struct own_handle {
    using handle = handle_of<Run, O>;

    static constexpr std::uint32_t class_number = Class;
    static constexpr std::uint32_t class_bits = 0x3fu << 26;
    static constexpr std::uint32_t null_number = Class << 26;
    static constexpr bool is_narrow = sizeof(handle) == sizeof(std::uint32_t);

    /// Returns true if the handle is anympi's own, alive or not.
    static bool is_own(handle h) {
        if constexpr (is_narrow)
            return is_number(h);
        else
            return h >> 62 == 1;
    }

    /// Returns true if a Fortran number is anympi's. Fortran numbers are the lower halves of handles.
    static bool is_number(std::uint32_t number) {
        return (number & class_bits) == null_number && number != null_number;
    }
    static constexpr handle with_number(std::uint32_t number) {
        return static_cast<handle>(is_narrow ? word{0} : word{1} << 62) | number;
    }

    /// Convert to and from Fortran numbers (convert/number.hpp). The library converts the numbers of its own objects.
    static int number_of(word h, int (*number_in_library)(word)) {
        const auto own = static_cast<handle>(h);
        return is_own(own) ? static_cast<int>(static_cast<std::uint32_t>(own)) : number_in_library(h);
    }
    static word handle_at(int number, word (*handle_in_library)(int)) {
        const auto bits = static_cast<std::uint32_t>(number);
        return is_number(bits) ? with_number(bits) : handle_in_library(number);
    }

    /// Convert to and from the numbers of a handle_table, which have the kind of valid handles.
    static handle from_table(std::uint32_t entry) { return with_number(entry ^ handle_table::first_handle); }
    static std::uint32_t in_table(handle h) { return static_cast<std::uint32_t>(h) ^ handle_table::first_handle; }
};

} // namespace anympi::emulate
