#pragma once

#include <cstdint>
#include <string_view>

namespace anympi::runtime {

// The hashes of names in the two kinds of tables in which a dynamic linker finds symbols.

constexpr std::uint32_t gnu_hash_of(std::string_view name) {
    std::uint32_t hash = 5381;
    for (const char character : name)
        hash = hash * 33 + static_cast<unsigned char>(character);
    return hash;
}

/// Does not call strlen, because before_binding.so uses this function before it can call the C library.
constexpr std::uint32_t gnu_hash_of(const char* name) {
    std::uint32_t hash = 5381;
    for (; *name != '\0'; ++name)
        hash = hash * 33 + static_cast<unsigned char>(*name);
    return hash;
}

constexpr std::uint32_t add_to_old_hash(std::uint32_t hash, char character) {
    hash = (hash << 4) + static_cast<unsigned char>(character);
    return (hash ^ (hash & 0xf0000000U) >> 24) & 0x0fffffffU;
}

constexpr std::uint32_t old_hash_of(std::string_view name) {
    std::uint32_t hash = 0;
    for (const char character : name)
        hash = add_to_old_hash(hash, character);
    return hash;
}

constexpr std::uint32_t old_hash_of(const char* name) {
    std::uint32_t hash = 0;
    for (; *name != '\0'; ++name)
        hash = add_to_old_hash(hash, *name);
    return hash;
}

} // namespace anympi::runtime
