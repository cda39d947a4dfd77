#include "base/lasting.hpp"

#include "base/entry_table.hpp"
#include "base/lock.hpp"

#include <cstdlib>

namespace anympi {

namespace {

constinit lock guard;

struct lasting_value {
    word value;
    lasting_value* next;

    word key() const { return value; }
};
entry_table<lasting_value> values;

} // namespace

word* lasting_copy(word value) {
    const locked hold(guard);
    if (lasting_value* const known = values.find(value))
        return &known->value;
    auto* const made = static_cast<lasting_value*>(std::malloc(sizeof(lasting_value)));
    if (made == nullptr)
        return nullptr;
    *made = {value, nullptr};
    values.add(made);
    return &made->value;
}

} // namespace anympi
