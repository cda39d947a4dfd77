#include "convert/lasting.hpp"

#include "convert/lock.hpp"

#include <cstdlib>

namespace anympi {

namespace {

struct kept_block {
    word request;
    void* block;
    kept_block* next;
};

constinit lock guard;
kept_block* first = nullptr;

struct lasting_value {
    word value;
    lasting_value* next;
};
lasting_value* values = nullptr;

/// The oldest one of that number: another thread may have been given the number for a new operation already.
kept_block* take_out(word request) {
    const locked hold(guard);
    kept_block** oldest = nullptr;
    for (kept_block** link = &first; *link != nullptr; link = &(*link)->next)
        if ((*link)->request == request)
            oldest = link;
    if (oldest == nullptr)
        return nullptr;
    kept_block* const found = *oldest;
    *oldest = found->next;
    return found;
}

} // namespace

constinit lasting_arrays lasting;

void lasting_arrays::keep(word request, void* block) {
    auto* const entry = static_cast<kept_block*>(std::malloc(sizeof(kept_block)));
    if (entry == nullptr)
        return; // the block stays allocated: a leak, but the operation may still read it
    const locked hold(guard);
    *entry = {request, block, first};
    first = entry;
    alive.fetch_add(1, std::memory_order_relaxed);
}

void lasting_arrays::release(word request) {
    kept_block* const entry = take_out(request);
    if (entry == nullptr)
        return;
    alive.fetch_sub(1, std::memory_order_relaxed);
    std::free(entry->block);
    std::free(entry);
}

word* lasting_copy(word value) {
    const locked hold(guard);
    for (lasting_value* known = values; known != nullptr; known = known->next)
        if (known->value == value)
            return &known->value;
    auto* const made = static_cast<lasting_value*>(std::malloc(sizeof(lasting_value)));
    if (made == nullptr)
        return nullptr;
    *made = {value, values};
    values = made;
    return &made->value;
}

} // namespace anympi
