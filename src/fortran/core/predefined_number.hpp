#pragma once

#include "fortran/core/c_abi.hpp"

#include <cstdint>
#include <string_view>

namespace anympi::fortran {

/// Returns the INTEGER of a predefined handle: the handle itself, or the number that the ABI lists.
constexpr int number_of(std::uint32_t handle) {
    return static_cast<int>(handle);
}
template <class Abi = app>
constexpr int number_of(const char* object) {
    for (const auto& listed : Abi::fortran_numbers)
        if (std::string_view{object} == listed.object)
            return listed.number;
    return 0; // this release does not have the object
}

} // namespace anympi::fortran
