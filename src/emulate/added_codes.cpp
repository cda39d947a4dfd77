#include "emulate/added_codes.hpp"

#include "convert/lock.hpp"

#include <cstdlib>

namespace anympi::emulate {

namespace {

struct added {
    int number;
    int of_class; ///< its own for a class
    bool has_text;
    added* next;
};

constinit lock guard;
added* first = nullptr;

added** place_of(int number) {
    added** place = &first;
    while (*place != nullptr && (*place)->number != number)
        place = &(*place)->next;
    return place;
}

bool has_codes(int number) {
    for (const added* one = first; one != nullptr; one = one->next)
        if (one->of_class == number && one->number != number)
            return true;
    return false;
}

bool remove(int number, bool is_class) {
    const locked hold(guard);
    added** const place = place_of(number);
    added* const found = *place;
    if (found == nullptr || found->has_text || (found->of_class == number) != is_class ||
        (is_class && has_codes(number)))
        return false;
    *place = found->next;
    std::free(found);
    return true;
}

} // namespace

void note_added_code(int number, int of_class) {
    auto* const made = static_cast<added*>(std::malloc(sizeof(added)));
    if (made == nullptr)
        return; // it cannot be removed
    const locked hold(guard);
    *made = {number, of_class, false, first};
    first = made;
}

void note_added_class(int number) {
    note_added_code(number, number);
}

bool note_text(int number, bool is_there) {
    const locked hold(guard);
    added* const found = *place_of(number);
    if (found != nullptr)
        found->has_text = is_there;
    return found != nullptr;
}

bool remove_added_class(int number) {
    return remove(number, true);
}

bool remove_added_code(int number) {
    return remove(number, false);
}

} // namespace anympi::emulate
