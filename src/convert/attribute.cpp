#include "convert/attribute.hpp"

#include "base/entry_table.hpp"
#include "base/lock.hpp"

#include <cstdlib>
#include <new>

namespace anympi {

namespace {

entry_table<keyval_record> records;
constinit lock attribute_guard;

} // namespace

keyval_record* keyval_record::make(void* copy, void* remove, void* extra_state) {
    void* const memory = std::malloc(sizeof(keyval_record));
    return memory != nullptr ? new (memory) keyval_record{copy, remove, extra_state, 1} : nullptr;
}

void keyval_record::drop_reference() {
    if (references.fetch_sub(1, std::memory_order_acq_rel) == 1)
        std::free(this);
}

constinit keyval_registry keyval_records;

void keyval_registry::add(object of, int keyval, keyval_record* record) {
    const locked hold(attribute_guard);
    record->of = of;
    record->keyval = keyval;
    records.add(record);
}

keyval_record* keyval_registry::find_and_add_reference(object of, int keyval) {
    const locked hold(attribute_guard);
    keyval_record* const record = records.find(keyval_record::key_of(of, keyval));
    if (record != nullptr)
        record->add_reference();
    return record;
}

keyval_record* keyval_registry::take_out(object of, int keyval) {
    const locked hold(attribute_guard);
    return records.take_out(keyval_record::key_of(of, keyval));
}

} // namespace anympi
