#include "convert/lasting.hpp"

#include "convert/lock.hpp"

#include <cstdlib>

namespace anympi {

namespace {

constinit lock guard;

struct lasting_value {
    word value;
    lasting_value* next;
};
lasting_value* values = nullptr;

} // namespace

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
