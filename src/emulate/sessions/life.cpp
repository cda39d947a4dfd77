#include "emulate/sessions/life.hpp"

#include "base/entry_table.hpp"

#include <cstdlib>

namespace anympi::emulate {

constinit runtime_life life{};

namespace {

struct attribute {
    int keyval;
    attribute* before; // the attribute that was set before this one
    attribute* after;
    attribute* next;

    word key() const { return static_cast<word>(keyval); }
};

struct {
    lock guard;
    entry_table<attribute> all;
    attribute* last;
} attributes{};

void take_out(attribute* gone) {
    attributes.all.take_out(*gone);
    (gone->after != nullptr ? gone->after->before : attributes.last) = gone->before;
    if (gone->before != nullptr)
        gone->before->after = gone->after;
    std::free(gone);
}

} // namespace

bool note_attribute_of_self(int keyval, bool& is_new) {
    const locked hold(attributes.guard);
    is_new = attributes.all.find(static_cast<word>(keyval)) == nullptr;
    if (!is_new)
        return true;
    auto* const made = static_cast<attribute*>(std::malloc(sizeof(attribute)));
    if (made == nullptr)
        return false;
    *made = {keyval, attributes.last, nullptr, nullptr};
    if (attributes.last != nullptr)
        attributes.last->after = made;
    attributes.last = made;
    attributes.all.add(made);
    return true;
}

void forget_attribute_of_self(int keyval) {
    const locked hold(attributes.guard);
    if (attribute* const known = attributes.all.find(static_cast<word>(keyval)))
        take_out(known);
}

bool take_attribute_of_self(int& keyval) {
    const locked hold(attributes.guard);
    if (attributes.last == nullptr)
        return false;
    keyval = attributes.last->keyval;
    take_out(attributes.last);
    return true;
}

// Exit handlers run in reverse order, so this one runs before the destructors of the runtime, which was loaded earlier.
void at_exit(void (*end)(int code, void*)) {
    on_exit(end, nullptr);
}

} // namespace anympi::emulate
