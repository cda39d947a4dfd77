#include "convert/handle_table.hpp"

#include "runtime/dynamic_linker.hpp"
#include "runtime/message.hpp"

#include <cstdlib>

namespace anympi {

namespace {

/// The object exists in the runtime already and the call has succeeded: there is nothing to return.
[[noreturn, gnu::cold]] void stop_without_handles() {
    runtime::stop("no handle is left for another MPI object: 16777216 of its class are in use, or there is no memory.");
}

/// The head of a list that begins with another slot, counted once more.
std::uint64_t changed_head(std::uint64_t head, std::uint32_t first) {
    return ((head >> 32) + 1) << 32 | first;
}

} // namespace

/// Takes the head of the list. Another thread may take it, use it and put it back meanwhile, with another successor:
/// the counter in the head tells.
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

/// Whether there is memory for a slot that was never used.
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
    index = last + 1; // the first slot stays empty: 0 is the end of a list
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

handle_table::slot* handle_table::alive(std::uint32_t handle) const {
    slot* const found = handle >= first_handle ? at(index_of(handle)) : nullptr;
    return found != nullptr && found->handle == handle ? found : nullptr;
}

void handle_table::remove(std::uint32_t handle) {
    slot* const mine = alive(handle);
    if (mine == nullptr)
        return; // stale
    use_again(*mine);
    put_free(index_of(handle));
}

namespace {

constinit lock key_guard;
bool has_key = false;
pthread_key_t key;

/// Whether end_of_thread() will be called for this thread.
bool watch_thread(void (*at_end)(void*), void* table) {
    // Before glibc 2.34 a program without threads may lack them.
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

/// Either the thread has its share, or this is its first.
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

/// A thread that completes requests while it ends is watched once more.
void request_handles::end_of_thread(void* table) {
    static_cast<request_handles*>(table)->give_back(most_slots);
    mine.room = 0;
}

std::uint32_t request_handles::add_kept(word object, std::uint32_t class_number) {
    const std::uint32_t handle = add(object, class_number);
    alive(handle)->mark = handle;
    return handle;
}

bool request_handles::is_kept(std::uint32_t handle) const {
    const slot* const found = alive(handle);
    return found != nullptr && found->mark == handle;
}

/// Where the entry of an object hangs, or would. There are buckets.
shared_handles::entry** shared_handles::place_of(word object) {
    constexpr int least_distance_bits = 4; // of two objects from malloc
    entry** link = &buckets[(object >> least_distance_bits) % bucket_count];
    while (*link != nullptr && (*link)->object != object)
        link = &(*link)->next;
    return link;
}

/// To twice as many buckets. Without memory the chains become longer.
void shared_handles::grow() {
    const std::size_t more = bucket_count != 0 ? 2 * bucket_count + 1 : 63;
    auto** const fresh = static_cast<entry**>(std::calloc(more, sizeof(void*)));
    if (fresh == nullptr)
        return;
    entry** const old = buckets;
    const std::size_t old_count = bucket_count;
    buckets = fresh;
    bucket_count = more;
    for (std::size_t i = 0; i < old_count; ++i)
        for (entry* each = old[i]; each != nullptr;) {
            entry* const next = each->next;
            each->next = nullptr;
            *place_of(each->object) = each;
            each = next;
        }
    std::free(old);
}

std::uint32_t shared_handles::hold(word object, std::uint32_t class_number) {
    const locked hold(guard);
    if (entries >= bucket_count)
        grow();
    if (bucket_count == 0)
        stop_without_handles();
    entry*& place = *place_of(object);
    if (place == nullptr) {
        auto* const fresh = static_cast<entry*>(std::malloc(sizeof(entry)));
        if (fresh == nullptr)
            stop_without_handles();
        *fresh = {object, table.add(object, class_number), 0, nullptr};
        place = fresh;
        ++entries;
    }
    ++place->count;
    return place->handle;
}

std::uint32_t shared_handles::known(word object) {
    const locked hold(guard);
    const entry* const found = bucket_count != 0 ? *place_of(object) : nullptr;
    return found != nullptr ? found->handle : 0;
}

void shared_handles::drop(std::uint32_t handle) {
    const locked hold(guard);
    const word object = handle >= handle_table::first_handle ? table.find(handle) : 0;
    if (object == 0)
        return;
    entry*& place = *place_of(object);
    if (--place->count != 0)
        return;
    entry* const gone = place;
    place = gone->next;
    --entries;
    table.remove(handle);
    std::free(gone);
}

} // namespace anympi
