#pragma once

#include "base/lock.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace anympi {

/// Copies of byte strings that live as long as the process; equal byte strings share one copy. MPI and programs in C
/// get the addresses and may copy them, so nobody knows when the last address is gone.
class immortal_bytes {
public:
    /// Returns the copy of these bytes, or nullptr if memory is exhausted.
    void* copy_of(const void* bytes, std::size_t size) {
        const locked hold(guard);
        if (capacity != 0)
            if (item* const known = entry_for(bytes, size); known != nullptr)
                return known->bytes(); // found: needs no memory
        if (used >= capacity / 2 && !grow())
            return nullptr;
        item*& entry = entry_for(bytes, size);
        entry = add(bytes, size);
        return entry != nullptr ? entry->bytes() : nullptr;
    }

    /// Returns true if `address` is the address of a copy. All copies must have the size `size`.
    bool contains(const void* address, std::size_t size) {
        const locked hold(guard);
        for (std::size_t i = 0; i < block_count; ++i) {
            const std::uintptr_t distance =
                reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(blocks[i].begin);
            if (distance < blocks[i].filled)
                return distance % item::length(size) == sizeof(item);
        }
        return false;
    }

private:
    /// The header in front of each copy.
    struct item {
        std::size_t size;

        static constexpr std::size_t length(std::size_t size) { return sizeof(item) + (size + 7) / 8 * 8; }
        std::byte* bytes() { return reinterpret_cast<std::byte*>(this + 1); }
        bool holds(const void* others, std::size_t length) {
            return size == length && std::memcmp(bytes(), others, length) == 0;
        }
    };

    /// Memory is allocated in blocks, because copies must not move. Each block is at least twice as large as the
    /// previous one.
    struct block {
        std::byte* begin;
        std::size_t filled;
        std::size_t length;
    };
    static constexpr std::size_t most_blocks = 40;
    static constexpr std::size_t first_length = 1024;

    block blocks[most_blocks] = {};
    std::size_t block_count = 0;
    item** index = nullptr; // open addressing, at most half full
    std::size_t capacity = 0;
    std::size_t used = 0;
    lock guard;

    static std::size_t hash(const void* bytes, std::size_t size) {
        std::uint64_t hashed = size;
        for (std::size_t done = 0; done < size; done += 8) {
            std::uint64_t part = 0;
            std::memcpy(&part, static_cast<const std::byte*>(bytes) + done, size - done < 8 ? size - done : 8);
            hashed = (hashed ^ part) * 0x9e3779b97f4a7c15U;
            hashed ^= hashed >> 32; // addresses and shifted numbers differ in their upper bits only
        }
        return hashed;
    }

    item*& entry_for(const void* bytes, std::size_t size) {
        for (std::size_t i = hash(bytes, size);; ++i) {
            item*& entry = index[i & (capacity - 1)];
            if (entry == nullptr || entry->holds(bytes, size))
                return entry;
        }
    }

    bool grow() {
        const std::size_t larger = capacity == 0 ? 128 : 2 * capacity;
        auto* const room = static_cast<item**>(std::calloc(larger, sizeof(void*)));
        if (room == nullptr)
            return false;
        item** const old = index;
        const std::size_t old_capacity = capacity;
        index = room;
        capacity = larger;
        for (std::size_t i = 0; i < old_capacity; ++i)
            if (old[i] != nullptr)
                entry_for(old[i]->bytes(), old[i]->size) = old[i];
        std::free(old);
        return true;
    }

    /// Returns memory for an item at the end of the last block, or nullptr.
    std::byte* room_for(std::size_t length) {
        block* last = block_count != 0 ? &blocks[block_count - 1] : nullptr;
        if (last == nullptr || last->length - last->filled < length) {
            if (block_count == most_blocks)
                return nullptr;
            const std::size_t usual = last != nullptr ? 2 * last->length : first_length;
            const std::size_t chosen = length < usual ? usual : length;
            auto* const begin = static_cast<std::byte*>(std::malloc(chosen));
            if (begin == nullptr)
                return nullptr;
            last = &blocks[block_count++];
            *last = {begin, 0, chosen};
        }
        std::byte* const room = last->begin + last->filled;
        last->filled += length;
        return room;
    }

    item* add(const void* bytes, std::size_t size) {
        std::byte* const room = room_for(item::length(size));
        if (room == nullptr)
            return nullptr;
        auto* const made = reinterpret_cast<item*>(room);
        made->size = size;
        std::memcpy(made->bytes(), bytes, size);
        ++used;
        return made;
    }
};

/// An immortal_bytes for values of one type.
template <class Value>
class immortal_values {
    static_assert(std::has_unique_object_representations_v<Value> && alignof(Value) <= alignof(std::size_t));

public:
    /// Returns the copy that equals `value`, or nullptr if memory is exhausted.
    Value* copy_of(const Value& value) { return static_cast<Value*>(bytes.copy_of(&value, sizeof value)); }

    /// Returns true if this is the address of one of these copies.
    bool contains(const void* address) { return bytes.contains(address, sizeof(Value)); }

private:
    immortal_bytes bytes;
};

} // namespace anympi
