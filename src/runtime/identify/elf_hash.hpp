#pragma once

#include <cstdint>
#include <string_view>

namespace anympi::runtime {

// The hashes of names in the two tables by which a dynamic linker finds symbols.

constexpr std::uint32_t gnu_hash_of(std::string_view name) {
    std::uint32_t hash = 5381;
    for (const char character : name)
        hash = hash * 33 + static_cast<unsigned char>(character);
    return hash;
}

constexpr std::uint32_t old_hash_of(std::string_view name) {
    std::uint32_t hash = 0;
    for (const char character : name) {
        hash = (hash << 4) + static_cast<unsigned char>(character);
        hash = (hash ^ (hash & 0xf0000000U) >> 24) & 0x0fffffffU;
    }
    return hash;
}

} // namespace anympi::runtime
