#pragma once

#include "base/lock.hpp"
#include "convert/pair.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace anympi {

/// A handle table: 32-bit handles for the objects of a runtime whose handles are pointers, one table per class. A
/// handle has
///     bits 31..26  kind 3 ("indirect", which no predefined handle has) and class, as in MPICH
///     bit  25      clear: 8 bits of generation, 16 bits of index; set: 1 bit of generation, 24 bits of index
/// For the first 65535 live objects, a stale handle is detected until its slot has been used 256 times. At most 16
/// million objects may be alive. Slots never move. The table has no lock: free slots form a list whose head contains a
/// counter.
class handle_table {
public:
    static constexpr std::uint32_t first_handle = 0xc0000000;

    static constexpr std::uint32_t of_class(std::uint32_t number) { return first_handle | number << 26; }

    /// Returns a new handle. Stops the process if memory is exhausted or if 16 million handles are alive.
    std::uint32_t add(word object, std::uint32_t class_number);

    /// Returns the object, or `otherwise` if the handle is not alive. `handle` must not be below first_handle.
    /// Everything is inline, because a function call here would force callers to save registers before they call the
    /// runtime.
    [[gnu::always_inline]] word find(std::uint32_t handle, word otherwise = 0) const {
        const slot* found = small_at(handle);
        if (found->handle != handle) [[unlikely]] {
            found = (handle & large_mark) != 0 ? at(handle & 0xffffff) : nullptr;
            if (found == nullptr || found->handle != handle)
                return otherwise;
        }
        return found->object.load(std::memory_order_relaxed);
    }

    /// Finds the object of a handle that is probably alive and has a small index. Returns nullptr for any other number.
    [[gnu::always_inline]] const std::atomic<word>* find_small(std::uint32_t handle) const {
        const slot* const found = small_at(handle);
        return found->handle == handle ? &found->object : nullptr;
    }

    /// Frees the slot of a handle. Ignores a handle that is not alive.
    void remove(std::uint32_t handle);

protected:
    struct slot {
        std::atomic<word> object; // in a free slot: the next free slot
        std::uint32_t handle;     // in a free slot: the next handle to return, which nobody has yet
        std::uint32_t mark;       // used by the derived class
    };

    static constexpr std::uint32_t small_count = 1u << 16;
    static constexpr std::uint32_t block_size = 4096; // slots beyond small_count are allocated in blocks
    static constexpr std::uint32_t block_count = 4096;
    static constexpr std::uint32_t large_mark = 1u << 25;

    static std::uint32_t index_of(std::uint32_t handle) {
        return handle & ((handle & large_mark) != 0 ? 0xffffff : 0xffff);
    }
    static std::uint32_t first_number(std::uint32_t index) { return index < small_count ? index : large_mark | index; }

    /// Increments the generation. The generation of a small index is a byte of its own, so that it cannot overflow into
    /// the bits above it.
    static void count_small_generation(slot& free) { ++reinterpret_cast<unsigned char*>(&free.handle)[2]; }
    static void count_generation(slot& free) {
        if ((free.handle & large_mark) != 0)
            free.handle ^= 1u << 24;
        else
            count_small_generation(free);
    }

    slot* small_at(std::uint32_t handle) const { return &small[handle & 0xffff]; }

    /// Returns the slot at an index, or nullptr if there is no memory for it yet.
    slot* at(std::uint32_t index) const {
        if (index < small_count) [[likely]]
            return &small[index];
        slot* const block = blocks[index / block_size].load(std::memory_order_acquire);
        return block != nullptr ? block + index % block_size : nullptr;
    }

    slot* find_alive(std::uint32_t handle) const;
    bool take_free(std::uint32_t& index);
    bool take_unused(std::uint32_t& index, std::uint32_t class_number);
    bool have_slot(std::uint32_t index);
    void put_free(std::uint32_t index);

    mutable slot small[small_count]{}; // the first member, so that its address needs no offset
    std::atomic<slot*> blocks[block_count]{};
    std::atomic<std::uint64_t> free_head{0}; // upper half: counter of changes; lower half: first index, or 0
    std::atomic<std::uint32_t> used{0};      // number of slots that were ever used, without the first
};

/// The handle table of requests, which are created and freed with every message. Each thread keeps some free slots in a
/// list of its own and returns them when it ends. A process has one such table.
class request_handles : public handle_table {
public:
    [[gnu::always_inline]] std::uint32_t add(word object, std::uint32_t class_number) {
        slot* const taken = mine.first;
        if (taken == nullptr) [[unlikely]]
            return handle_table::add(object, class_number);
        mine.first = reinterpret_cast<slot*>(taken->object.load(std::memory_order_relaxed));
        ++mine.room;
        taken->object.store(object, std::memory_order_relaxed);
        return taken->handle;
    }

    [[gnu::always_inline]] void remove(std::uint32_t handle) {
        slot* const given = small_at(handle);
        if (given->handle != handle) [[unlikely]]
            return handle_table::remove(handle); // a large index or a stale handle
        if (--mine.room < 0) [[unlikely]]
            return remove_without_room(handle);
        given->object.store(reinterpret_cast<word>(mine.first), std::memory_order_relaxed);
        count_small_generation(*given);
        mine.first = given;
    }

    /// Adds a request whose number is still needed after the program has freed its handle.
    std::uint32_t add_needed_when_freed(word object, std::uint32_t class_number);
    bool is_needed_when_freed(std::uint32_t handle) const;

private:
    /// The list of free slots of one thread.
    struct thread_slots {
        slot* first; // each slot holds the address of the next
        int room;    // how many more slots fit; 0 until the end of the thread is watched
    };
    static constexpr int most_slots = 64;

    void remove_without_room(std::uint32_t handle);
    void give_back(int count);
    static void end_of_thread(void* table);

    static inline constinit thread_local thread_slots mine{nullptr, 0};
};

/// The handle table of classes whose handles are compared. One object has one handle, even if the runtime returns the
/// object repeatedly (MPI_Comm_get_errhandler, MPI_Comm_get_parent, an argument of a callback). The handle lives until
/// each reference is freed. The runtime has already created an object when it gets its handle here, so a lack of memory
/// could not be reported. The first 65535 objects of a class therefore need no memory.
class shared_handles : private handle_table {
public:
    /// Returns the object's handle and adds a reference.
    std::uint32_t add_reference(word object, std::uint32_t class_number);

    /// Returns the object's handle, or 0 if the object has no handle.
    std::uint32_t find_handle(word object);

    void drop_reference(std::uint32_t handle);

    using handle_table::find;

private:
    std::uint32_t* place_of(word object);
    std::uint32_t add_at(std::uint32_t* place, word object, std::uint32_t class_number);
    std::uint32_t& extra_references(std::uint32_t index);
    void make_room_for_references(std::uint32_t index);
    void grow();

    static constexpr std::size_t first_bucket_count = 63;

    /// Protects everything below. Each bucket is a list of slots, by index. The mark of a slot is the index of the next
    /// slot; 0 ends the list.
    lock guard;
    std::uint32_t first_buckets[first_bucket_count]{};
    std::uint32_t* buckets = nullptr; // nullptr at first: with another value the file would contain the whole table
    std::size_t bucket_count = 0;
    std::size_t entries = 0;
    /// How many references a handle has in addition to the first.
    std::uint32_t small_extra_references[small_count]{};
    std::uint32_t* more_extra_references[block_count]{};
};

} // namespace anympi
