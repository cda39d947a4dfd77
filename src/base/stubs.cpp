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

// A hash table with open addressing, at most half full. Entries are only added, never removed. A table that is too full
// is replaced by one of twice its size. The old table is never freed, because another thread may be reading it.
struct table {
    std::size_t mask;
    std::atomic<record*>* entries;
    table* replaced;
};

constexpr std::size_t first_table_size = 512;
std::atomic<record*> first_entries[first_table_size];
table first_table{first_table_size - 1, first_entries, nullptr};
std::atomic<table*> current{&first_table};

// The entry of a pair in a table, and the value that was read from it: the record of the pair, or nullptr. Callers must
// not read the entry again, because the thread that holds the lock may fill an empty entry with another pair at any
// time.
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

// Protects everything below. No user code runs while it is held.
pthread_mutex_t stubs_lock = PTHREAD_MUTEX_INITIALIZER;
arch::stub_row unused;
std::size_t used;

// Run around fork(): a child process must not inherit the lock while a thread holds it that does not exist in the
// child.
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

    // open() and close() are cancellation points: a thread that is cancelled there would keep the lock forever.
    int cancellation;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    take_lock();
    void* stub = add(wanted);
    release_lock();
    pthread_setcancelstate(cancellation, &cancellation);
    return stub;
}

} // namespace anympi
