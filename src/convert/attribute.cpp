#include "convert/attribute.hpp"

#include "convert/lock.hpp"

#include <cstdlib>
#include <new>

namespace anympi {

namespace {

constexpr unsigned bucket_count = 1024;
keyval_record* buckets[bucket_count];
constinit lock guard;

keyval_record** bucket_of(object of, int keyval) {
    return &buckets[(static_cast<unsigned>(keyval) * 31 + static_cast<unsigned>(of)) % bucket_count];
}

keyval_record** link_to(object of, int keyval) {
    keyval_record** link = bucket_of(of, keyval);
    while (*link != nullptr && ((*link)->keyval != keyval || (*link)->of != of))
        link = &(*link)->next;
    return link;
}

} // namespace

keyval_record* keyval_record::make(void* copy, void* remove, void* extra_state) {
    void* const memory = std::malloc(sizeof(keyval_record));
    return memory != nullptr ? new (memory) keyval_record{copy, remove, extra_state, 1} : nullptr;
}

void keyval_record::drop() {
    if (references.fetch_sub(1, std::memory_order_acq_rel) == 1)
        std::free(this);
}

constinit keyval_registry keyval_records;

void keyval_registry::add(object of, int keyval, keyval_record* record) {
    const locked hold(guard);
    keyval_record** const bucket = bucket_of(of, keyval);
    record->of = of;
    record->keyval = keyval;
    record->next = *bucket;
    *bucket = record;
}

keyval_record* keyval_registry::find_and_hold(object of, int keyval) {
    const locked hold(guard);
    keyval_record* const record = *link_to(of, keyval);
    if (record != nullptr)
        record->hold();
    return record;
}

keyval_record* keyval_registry::take_out(object of, int keyval) {
    const locked hold(guard);
    keyval_record** const link = link_to(of, keyval);
    keyval_record* const record = *link;
    if (record != nullptr)
        *link = record->next;
    return record;
}

constinit std::atomic<int> last_used_code{0};

void note_used_code(int code) {
    int known = last_used_code.load(std::memory_order_relaxed);
    while (code > known && !last_used_code.compare_exchange_weak(known, code, std::memory_order_relaxed))
        ;
}

} // namespace anympi
