#pragma once

#include "convert/lock.hpp"
#include "convert/pair.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace anympi {

/// Handles of 32 bits for the objects of a runtime whose handles are pointers, one table per class. A handle is
///     bits 31..26  kind 3 ("indirect", which no predefined handle has) and class, as in MPICH
///     bit  25      clear: 9 bits of generation, 16 of index; set: 1 bit of generation, 24 of index
/// so that the first 65536 live objects tell a stale handle through 512 uses of its slot; 16 million may live.
/// Slots lie in blocks that never move. Nothing here locks: free slots are a list whose head carries a counter.
class handle_table {
public:
    static constexpr std::uint32_t first_handle = 0xc0000000;

    static constexpr std::uint32_t of_class(std::uint32_t number) { return first_handle | number << 26; }
    static constexpr bool is_of_class(std::uint32_t handle, std::uint32_t number) {
        return (handle ^ of_class(number)) < 1u << 26;
    }

    /// A new handle. The process ends if there is no memory, or if 16 million are alive.
    std::uint32_t add(word object, std::uint32_t class_number);

    /// The object, or 0 if the handle is not alive.
    word find(std::uint32_t handle) const {
        if (handle < first_handle) [[unlikely]]
            return 0;
        const std::uint32_t index = index_of(handle);
        const slot* const block = blocks[index / block_size].load(std::memory_order_acquire);
        if (block == nullptr) [[unlikely]]
            return 0;
        const slot& at = block[index % block_size];
        return at.handle.load(std::memory_order_acquire) == handle ? at.object.load(std::memory_order_relaxed) : 0;
    }

    /// Gives the slot back. Of two threads that remove the same handle, one does.
    void remove(std::uint32_t handle);

private:
    struct slot {
        std::atomic<word> object;
        std::atomic<std::uint32_t> handle; ///< 0: free
        std::atomic<std::uint32_t> next;   ///< while free: the next free one, plus one
        std::uint32_t generation;          ///< of its next handle; its owner's alone
    };

    static constexpr std::uint32_t block_size = 4096;
    static constexpr std::uint32_t block_count = 4096;
    static constexpr std::uint32_t large_mark = 1u << 25;
    static constexpr std::uint32_t small_limit = 1u << 16;

    static std::uint32_t index_of(std::uint32_t handle) {
        return handle & ((handle & large_mark) != 0 ? 0xffffffu : 0xffffu);
    }
    static std::uint32_t numbered(std::uint32_t index, std::uint32_t generation) {
        return index | (index < small_limit ? (generation & 0x1ff) << 16 : large_mark | (generation & 1) << 24);
    }
    slot& at(std::uint32_t index) {
        return blocks[index / block_size].load(std::memory_order_acquire)[index % block_size];
    }

    bool take_free(std::uint32_t& index);
    bool take_unused(std::uint32_t& index);
    bool have_block(std::uint32_t number);

    std::atomic<std::uint64_t> free_head{0}; ///< upper half: how often it was changed; lower half: index plus one
    std::atomic<std::uint32_t> used{0};      ///< slots that were ever used
    std::atomic<slot*> blocks[block_count]{};
};

/// The same for classes whose handles are compared: one object has one handle, however often the runtime gives it out
/// (MPI_Comm_get_errhandler, MPI_Comm_get_parent, a callback's argument). It lives until each of them is freed.
class shared_handles {
public:
    /// The object's handle, counted once more.
    std::uint32_t hold(word object, std::uint32_t class_number);

    /// The object's handle; 0: it has none.
    std::uint32_t known(word object);

    void drop(std::uint32_t handle);

    word find(std::uint32_t handle) const { return table.find(handle); }

private:
    struct entry {
        word object;
        std::uint32_t handle;
        std::uint32_t count;
        entry* next;
    };

    entry** place_of(word object);
    void grow();

    handle_table table;
    lock guard;
    entry** buckets = nullptr;
    std::size_t bucket_count = 0;
    std::size_t entries = 0;
};

} // namespace anympi
