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

namespace {

used_code* used_codes = nullptr;

int find_last_used() {
    int last = 0;
    for (const used_code* each = used_codes; each != nullptr; each = each->next)
        last = each->code > last ? each->code : last;
    return last;
}

} // namespace

used_code_note::used_code_note() : made(static_cast<used_code*>(std::malloc(sizeof(used_code)))) {}

used_code_note::~used_code_note() {
    std::free(made);
}

void used_code_note::keep(int code) {
    const locked hold(guard);
    *made = {code, used_codes};
    used_codes = made;
    made = nullptr;
    if (code > last_used_code.load(std::memory_order_relaxed))
        last_used_code.store(code, std::memory_order_relaxed);
}

void forget_used_code(int code) {
    const locked hold(guard);
    used_code** place = &used_codes;
    while (*place != nullptr && (*place)->code != code)
        place = &(*place)->next;
    if (used_code* const gone = *place) {
        *place = gone->next;
        std::free(gone);
    }
    last_used_code.store(find_last_used(), std::memory_order_relaxed);
}

} // namespace anympi
