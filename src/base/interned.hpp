#pragma once

#include "base/lock.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace anympi {

/// Values that live for ever, one for all that are equal: their addresses are handed to MPI and to programs in C, who
/// may copy them without our knowing, so that nobody can tell when the last one is gone.
template <class Value>
class interned {
    static_assert(std::has_unique_object_representations_v<Value>);

public:
    /// The one that equals `value`; nullptr: out of memory.
    Value* get(const Value& value) {
        const locked hold(guard);
        if (used >= capacity / 2 && !grow())
            return nullptr;
        Value*& entry = entry_for(value);
        if (entry == nullptr)
            entry = add(value);
        return entry;
    }

    /// Is this the address of one of these?
    bool contains(const void* address) {
        const locked hold(guard);
        for (std::size_t i = 0; i < block_count; ++i) {
            const std::uintptr_t distance =
                reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(blocks[i]);
            const std::size_t filled = size_of_block(i) - (i + 1 == block_count ? left_in_block : 0);
            if (distance < filled * sizeof(Value))
                return distance % sizeof(Value) == 0;
        }
        return false;
    }

private:
    // Values stay where they are: each block is twice as large as the one before.
    static constexpr std::size_t most_blocks = 40;
    static constexpr std::size_t size_of_block(std::size_t number) { return std::size_t{64} << number; }

    Value* blocks[most_blocks] = {};
    std::size_t block_count = 0;
    std::size_t left_in_block = 0;
    Value** index = nullptr; ///< open addressing, at most half full
    std::size_t capacity = 0;
    std::size_t used = 0;
    lock guard;

    static std::size_t hash(const Value& value) {
        std::uint64_t words[sizeof(Value) / 8];
        static_assert(sizeof words == sizeof(Value));
        std::memcpy(words, &value, sizeof words);
        std::uint64_t mixed = 0;
        for (const std::uint64_t word : words) {
            mixed = (mixed ^ word) * 0x9e3779b97f4a7c15U;
            mixed ^= mixed >> 32; // addresses and shifted numbers differ in their upper bits only
        }
        return mixed;
    }

    Value*& entry_for(const Value& value) {
        for (std::size_t i = hash(value);; ++i) {
            Value*& entry = index[i & (capacity - 1)];
            if (entry == nullptr || std::memcmp(entry, &value, sizeof value) == 0)
                return entry;
        }
    }

    bool grow() {
        const std::size_t larger = capacity == 0 ? 128 : 2 * capacity;
        auto* const room = static_cast<Value**>(std::calloc(larger, sizeof(Value*)));
        if (room == nullptr)
            return false;
        Value** const old = index;
        const std::size_t old_capacity = capacity;
        index = room;
        capacity = larger;
        for (std::size_t i = 0; i < old_capacity; ++i)
            if (old[i] != nullptr)
                entry_for(*old[i]) = old[i];
        std::free(old);
        return true;
    }

    Value* add(const Value& value) {
        if (left_in_block == 0) {
            if (block_count == most_blocks)
                return nullptr;
            auto* const block = static_cast<Value*>(std::malloc(size_of_block(block_count) * sizeof(Value)));
            if (block == nullptr)
                return nullptr;
            left_in_block = size_of_block(block_count);
            blocks[block_count++] = block;
        }
        Value* const place = blocks[block_count - 1] + (size_of_block(block_count - 1) - left_in_block--);
        std::memcpy(place, &value, sizeof value);
        ++used;
        return place;
    }
};

} // namespace anympi
