#include "base/stubs.hpp"

#include "arch/stub_code.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <pthread.h>

namespace anympi {
namespace {

using record = arch::stub_record;
using arch::stub_of;

// Open addressing, at most half full, entries only ever added. A full table is replaced by one of twice its size; the
// old one stays, because another thread may be reading it.
struct table {
    std::size_t mask;
    std::atomic<record*>* entries;
    table* replaced;
};

constexpr std::size_t first_table_size = 512;
std::atomic<record*> first_entries[first_table_size];
table first_table{first_table_size - 1, first_entries, nullptr};
std::atomic<table*> current{&first_table};

// Where a pair belongs in a table, and what was read there: the pair's record, or nullptr. An empty entry may be
// filled with another pair at once by the owner of the lock, so nobody reads it a second time.
struct place {
    std::atomic<record*>* entry;
    record* known;
};

place place_of(const table& in, record wanted) {
    const auto hashed = (reinterpret_cast<std::uintptr_t>(wanted.function) ^
                         reinterpret_cast<std::uintptr_t>(wanted.converter) * 0xff51afd7ed558ccdU) *
                        0x9e3779b97f4a7c15U;
    for (std::size_t i = hashed >> 32;; ++i) {
        auto* entry = &in.entries[i & in.mask];
        record* data = entry->load(std::memory_order_acquire);
        if (data == nullptr || (data->function == wanted.function && data->converter == wanted.converter))
            return {entry, data};
    }
}

// Everything below is changed by the owner of this lock only. No code of the user runs while it is held.
pthread_mutex_t stubs_lock = PTHREAD_MUTEX_INITIALIZER;
arch::stub_row unused;
std::size_t used;

// A child must not inherit the lock from a thread that does not exist in it.
void take_lock() {
    pthread_mutex_lock(&stubs_lock);
}
void release_lock() {
    pthread_mutex_unlock(&stubs_lock);
}

bool grow() {
    table* old = current.load(std::memory_order_relaxed);
    const std::size_t size = 2 * (old->mask + 1);
    auto* larger = static_cast<table*>(std::calloc(1, sizeof(table)));
    auto* entries = static_cast<std::atomic<record*>*>(std::calloc(size, sizeof(std::atomic<record*>)));
    if (larger == nullptr || entries == nullptr) {
        std::free(larger);
        std::free(entries);
        return false;
    }
    *larger = {size - 1, entries, old};
    for (std::size_t i = 0; i <= old->mask; ++i)
        if (record* data = old->entries[i].load(std::memory_order_relaxed))
            place_of(*larger, *data).entry->store(data, std::memory_order_relaxed);
    current.store(larger, std::memory_order_release);
    return true;
}

bool make_room() {
    if (used == 0)
        pthread_atfork(take_lock, release_lock, release_lock);
    if (used > current.load(std::memory_order_relaxed)->mask / 2 && !grow())
        return false;
    if (unused.count == 0)
        unused = arch::add_stubs();
    return unused.count != 0;
}

void* add(record wanted) {
    if (record* known = place_of(*current.load(std::memory_order_relaxed), wanted).known)
        return stub_of(known);
    if (!make_room())
        return nullptr;
    record* data = unused.records++;
    --unused.count;
    ++used;
    *data = wanted;
    place_of(*current.load(std::memory_order_relaxed), wanted).entry->store(data, std::memory_order_release);
    return stub_of(data);
}

} // namespace

void* stub_for(void* user_function, void* converter) {
    const record wanted{user_function, converter};
    if (record* known = place_of(*current.load(std::memory_order_acquire), wanted).known)
        return stub_of(known);

    // open() and close() are cancellation points: a thread that ended there would keep the lock.
    int cancellation;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    take_lock();
    void* stub = add(wanted);
    release_lock();
    pthread_setcancelstate(cancellation, &cancellation);
    return stub;
}

} // namespace anympi
