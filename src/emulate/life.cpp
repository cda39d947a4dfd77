#include "emulate/life.hpp"

#include <cstdlib>

namespace anympi::emulate {

constinit runtime_life life{};

namespace {

struct {
    lock guard;
    int* keyvals;
    int count;
    int room;
} attributes{};

/// The place of a keyval, or -1.
int place_of(int keyval) {
    for (int i = 0; i < attributes.count; ++i)
        if (attributes.keyvals[i] == keyval)
            return i;
    return -1;
}

bool make_room() {
    if (attributes.count < attributes.room)
        return true;
    const int room = attributes.room + 16;
    void* const more = std::realloc(attributes.keyvals, static_cast<std::size_t>(room) * sizeof(int));
    if (more == nullptr)
        return false;
    attributes.keyvals = static_cast<int*>(more);
    attributes.room = room;
    return true;
}

} // namespace

bool note_attribute_of_self(int keyval, bool& is_new) {
    const locked hold(attributes.guard);
    is_new = place_of(keyval) < 0;
    if (!is_new)
        return true;
    if (!make_room())
        return false;
    attributes.keyvals[attributes.count++] = keyval;
    return true;
}

void forget_attribute_of_self(int keyval) {
    const locked hold(attributes.guard);
    const int place = place_of(keyval);
    if (place < 0)
        return;
    --attributes.count;
    for (int i = place; i < attributes.count; ++i)
        attributes.keyvals[i] = attributes.keyvals[i + 1];
}

bool take_attribute_of_self(int& keyval) {
    const locked hold(attributes.guard);
    if (attributes.count == 0)
        return false;
    keyval = attributes.keyvals[--attributes.count];
    return true;
}

/// Handlers run in the reverse order, so before the destructors of the runtime, which was loaded earlier.
void at_exit(void (*end)(int code, void*)) {
    on_exit(end, nullptr);
}

} // namespace anympi::emulate
