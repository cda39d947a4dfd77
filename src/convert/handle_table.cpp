#include "convert/handle_table.hpp"

#include "runtime/message.hpp"
#include "runtime/open/dynamic_linker.hpp"

#include <cstdlib>

namespace anympi {

namespace {

// Stops the process. The object already exists in the runtime and the call has succeeded, so no error can be returned.
[[noreturn, gnu::cold]] void stop_without_handles() {
    runtime::stop(
        "cannot create a handle for an MPI object: 16777216 objects of its class exist, or memory is exhausted.");
}

// Returns a list head with a new first slot and an incremented counter.
std::uint64_t changed_head(std::uint64_t head, std::uint32_t first) {
    return ((head >> 32) + 1) << 32 | first;
}

} // namespace

// Takes the first slot of the free list. Another thread may meanwhile take that slot, use it and put it back with
// another successor. The counter in the head detects this.
bool handle_table::take_free(std::uint32_t& index) {
    std::uint64_t head = free_head.load(std::memory_order_acquire);
    for (;;) {
        const auto first = static_cast<std::uint32_t>(head);
        if (first == 0)
            return false;
        const auto next = static_cast<std::uint32_t>(at(first)->object.load(std::memory_order_relaxed));
        if (free_head.compare_exchange_weak(head, changed_head(head, next), std::memory_order_acquire)) {
            index = first;
            return true;
        }
    }
}

void handle_table::put_free(std::uint32_t index) {
    slot& free = *at(index);
    std::uint64_t head = free_head.load(std::memory_order_relaxed);
    do
        free.object.store(static_cast<std::uint32_t>(head), std::memory_order_relaxed);
    while (!free_head.compare_exchange_weak(head, changed_head(head, index), std::memory_order_release));
}

// Makes sure that memory exists for a slot that was never used. Returns false if memory is exhausted.
bool handle_table::have_slot(std::uint32_t index) {
    if (index < small_count)
        return true;
    const std::uint32_t number = index / block_size;
    if (number >= block_count)
        return false;
    slot* expected = blocks[number].load(std::memory_order_acquire);
    if (expected != nullptr)
        return true;
    auto* const fresh = static_cast<slot*>(std::calloc(block_size, sizeof(slot)));
    if (fresh != nullptr && !blocks[number].compare_exchange_strong(expected, fresh, std::memory_order_acq_rel))
        std::free(fresh); // another thread was faster
    return blocks[number].load(std::memory_order_acquire) != nullptr;
}

bool handle_table::take_unused(std::uint32_t& index, std::uint32_t class_number) {
    std::uint32_t last = used.load(std::memory_order_relaxed);
    do {
        if (!have_slot(last + 1))
            return false;
    } while (!used.compare_exchange_weak(last, last + 1, std::memory_order_relaxed));
    index = last + 1; // index 0 is never used: 0 ends a list
    at(index)->handle = of_class(class_number) | first_number(index);
    return true;
}

std::uint32_t handle_table::add(word object, std::uint32_t class_number) {
    std::uint32_t index = 0;
    if (!take_free(index) && !take_unused(index, class_number)) [[unlikely]]
        stop_without_handles();
    slot& mine = *at(index);
    mine.object.store(object, std::memory_order_relaxed);
    return mine.handle;
}

handle_table::slot* handle_table::find_alive(std::uint32_t handle) const {
    slot* const found = handle >= first_handle ? at(index_of(handle)) : nullptr;
    return found != nullptr && found->handle == handle ? found : nullptr;
}

void handle_table::remove(std::uint32_t handle) {
    slot* const mine = find_alive(handle);
    if (mine == nullptr)
        return; // the handle is stale
    count_generation(*mine);
    put_free(index_of(handle));
}

namespace {

constinit lock key_guard;
bool has_key = false;
pthread_key_t key;

// Returns true if end_of_thread() will be called for this thread.
bool watch_thread(void (*at_end)(void*), void* table) {
    // Before glibc 2.34, a program without threads may lack these functions.
    auto* const create = reinterpret_cast<decltype(&pthread_key_create)>(runtime::find_loaded("pthread_key_create"));
    auto* const set = reinterpret_cast<decltype(&pthread_setspecific)>(runtime::find_loaded("pthread_setspecific"));
    if (create == nullptr || set == nullptr)
        return false;
    {
        const locked hold(key_guard);
        if (!has_key)
            has_key = create(&key, at_end) == 0;
    }
    return has_key && set(key, table) == 0;
}

} // namespace

// Called if the thread's own list is full, or for the first handle that the thread frees.
[[gnu::cold, gnu::noinline]] void request_handles::remove_without_room(std::uint32_t handle) {
    mine.room = 0;
    if (mine.first != nullptr)
        give_back(most_slots / 2);
    else if (watch_thread(end_of_thread, this))
        mine.room = most_slots;
    handle_table::remove(handle);
}

void request_handles::give_back(int count) {
    for (; count > 0 && mine.first != nullptr; --count, ++mine.room) {
        const auto index = static_cast<std::uint32_t>(mine.first - small);
        mine.first = reinterpret_cast<slot*>(mine.first->object.load(std::memory_order_relaxed));
        put_free(index);
    }
}

// Returns the slots of a thread that ends. If the thread completes further requests, it is registered again.
void request_handles::end_of_thread(void* table) {
    static_cast<request_handles*>(table)->give_back(most_slots);
    mine.room = 0;
}

std::uint32_t request_handles::add_needed_when_freed(word object, std::uint32_t class_number) {
    const std::uint32_t handle = add(object, class_number);
    find_alive(handle)->mark = handle;
    return handle;
}

bool request_handles::is_needed_when_freed(std::uint32_t handle) const {
    const slot* const found = find_alive(handle);
    return found != nullptr && found->mark == handle;
}

[[gnu::always_inline]] inline std::uint32_t& shared_handles::extra_references(std::uint32_t index) {
    if (index < small_count) [[likely]]
        return small_extra_references[index];
    return more_extra_references[index / block_size][index % block_size];
}

void shared_handles::make_room_for_references(std::uint32_t index) {
    if (index < small_count || more_extra_references[index / block_size] != nullptr) [[likely]]
        return;
    more_extra_references[index / block_size] =
        static_cast<std::uint32_t*>(std::calloc(block_size, sizeof(std::uint32_t)));
    if (more_extra_references[index / block_size] == nullptr)
        stop_without_handles();
}

// Returns the place in a bucket that holds the index of an object's slot, or the place where the index belongs. There
// must be buckets.
[[gnu::always_inline]] inline std::uint32_t* shared_handles::place_of(word object) {
    constexpr int least_distance_bits = 4; // malloc keeps objects at least this far apart
    std::uint32_t* place = &buckets[(object >> least_distance_bits) % bucket_count];
    while (*place != 0) {
        slot& here = *at(*place);
        if (here.object.load(std::memory_order_relaxed) == object)
            break;
        place = &here.mark;
    }
    return place;
}

// Doubles the number of buckets. If memory is exhausted, the table keeps its buckets and the chains become longer.
void shared_handles::grow() {
    if (bucket_count == 0) {
        buckets = first_buckets;
        bucket_count = first_bucket_count;
        return;
    }
    const std::size_t more = 2 * bucket_count + 1;
    auto* const fresh = static_cast<std::uint32_t*>(std::calloc(more, sizeof(std::uint32_t)));
    if (fresh == nullptr)
        return;
    std::uint32_t* const old = buckets;
    const std::size_t old_count = bucket_count;
    buckets = fresh;
    bucket_count = more;
    for (std::size_t i = 0; i < old_count; ++i)
        for (std::uint32_t each = old[i]; each != 0;) {
            slot& moved = *at(each);
            const std::uint32_t next = moved.mark;
            moved.mark = 0;
            *place_of(moved.object.load(std::memory_order_relaxed)) = each;
            each = next;
        }
    if (old != first_buckets)
        std::free(old);
}

// Adds an object that has no handle yet. Returns the new handle.
[[gnu::noinline]] std::uint32_t shared_handles::add_at(std::uint32_t* place, word object, std::uint32_t class_number) {
    std::uint32_t index = 0;
    if (!take_free(index) && !take_unused(index, class_number)) [[unlikely]]
        stop_without_handles();
    make_room_for_references(index);
    slot& mine = *at(index);
    mine.object.store(object, std::memory_order_relaxed);
    mine.mark = 0;
    *place = index;
    ++entries;
    return mine.handle;
}

std::uint32_t shared_handles::add_reference(word object, std::uint32_t class_number) {
    const locked hold(guard);
    if (entries >= bucket_count)
        grow();
    std::uint32_t* const place = place_of(object);
    const std::uint32_t index = *place;
    if (index == 0)
        return add_at(place, object, class_number);
    ++extra_references(index);
    return at(index)->handle;
}

std::uint32_t shared_handles::find_handle(word object) {
    const locked hold(guard);
    const std::uint32_t index = bucket_count != 0 ? *place_of(object) : 0;
    return index != 0 ? at(index)->handle : 0;
}

[[gnu::flatten]] void shared_handles::drop_reference(std::uint32_t handle) {
    const locked hold(guard);
    slot* const mine = find_alive(handle);
    if (mine == nullptr)
        return;
    const std::uint32_t index = index_of(handle);
    if (std::uint32_t& besides = extra_references(index); besides != 0) {
        --besides;
        return;
    }
    *place_of(mine->object.load(std::memory_order_relaxed)) = mine->mark;
    --entries;
    count_generation(*mine);
    put_free(index);
}

} // namespace anympi
