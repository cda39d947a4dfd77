#include "convert/handle_table.hpp"

#include "runtime/message.hpp"

#include <cstdlib>

namespace anympi {

/// Takes the head of the list. Another thread may take it, use it and put it back meanwhile, with another successor:
/// the counter in the head tells.
bool handle_table::take_free(std::uint32_t& index) {
    std::uint64_t head = free_head.load(std::memory_order_acquire);
    for (;;) {
        const auto first = static_cast<std::uint32_t>(head);
        if (first == 0)
            return false;
        const std::uint64_t rest = ((head >> 32) + 1) << 32 | at(first - 1).next.load(std::memory_order_relaxed);
        if (free_head.compare_exchange_weak(head, rest, std::memory_order_acquire)) {
            index = first - 1;
            return true;
        }
    }
}

bool handle_table::have_block(std::uint32_t number) {
    if (blocks[number].load(std::memory_order_acquire) != nullptr)
        return true;
    auto* const fresh = static_cast<slot*>(std::calloc(block_size, sizeof(slot)));
    slot* expected = nullptr;
    if (fresh != nullptr && !blocks[number].compare_exchange_strong(expected, fresh, std::memory_order_acq_rel))
        std::free(fresh); // another thread was faster
    return blocks[number].load(std::memory_order_acquire) != nullptr;
}

bool handle_table::take_unused(std::uint32_t& index) {
    std::uint32_t next = used.load(std::memory_order_relaxed);
    do {
        if (next / block_size >= block_count || !have_block(next / block_size))
            return false;
    } while (!used.compare_exchange_weak(next, next + 1, std::memory_order_relaxed));
    index = next;
    return true;
}

namespace {

/// The object exists in the runtime already and the call has succeeded: there is nothing to return.
[[noreturn]] void stop_without_handles() {
    runtime::stop("no handle is left for another MPI object: 16777216 of its class are in use, or there is no memory.");
}

} // namespace

std::uint32_t handle_table::add(word object, std::uint32_t class_number) {
    std::uint32_t index = 0;
    if (!take_free(index) && !take_unused(index))
        stop_without_handles();
    slot& mine = at(index);
    const std::uint32_t handle = of_class(class_number) | numbered(index, mine.generation++);
    mine.object.store(object, std::memory_order_relaxed);
    mine.handle.store(handle, std::memory_order_release);
    return handle;
}

void handle_table::remove(std::uint32_t handle) {
    const std::uint32_t index = index_of(handle);
    if (handle < first_handle || blocks[index / block_size].load(std::memory_order_acquire) == nullptr)
        return;
    slot& mine = at(index);
    std::uint32_t expected = handle;
    if (!mine.handle.compare_exchange_strong(expected, 0, std::memory_order_acq_rel))
        return; // stale
    std::uint64_t head = free_head.load(std::memory_order_relaxed);
    do
        mine.next.store(static_cast<std::uint32_t>(head), std::memory_order_relaxed);
    while (!free_head.compare_exchange_weak(head, ((head >> 32) + 1) << 32 | (index + 1), std::memory_order_release));
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
    auto** const fresh = static_cast<entry**>(std::calloc(more, sizeof(entry*)));
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
    const word object = table.find(handle);
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
