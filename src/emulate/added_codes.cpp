#include "emulate/added_codes.hpp"

#include "convert/lock.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace anympi::emulate {

namespace {

struct added {
    int number;
    int of_class; ///< its own for a class
    char* text;   ///< nullptr: none
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
    if (found == nullptr || found->text != nullptr || (found->of_class == number) != is_class ||
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
    *made = {number, of_class, nullptr, first};
    first = made;
}

void note_added_class(int number) {
    note_added_code(number, number);
}

bool note_text(int number, const char* text) {
    const locked hold(guard);
    added* const found = *place_of(number);
    if (found == nullptr)
        return false;
    std::free(found->text);
    found->text = text != nullptr ? strdup(text) : nullptr;
    return true;
}

int class_of_added(int number) {
    const locked hold(guard);
    const added* const found = *place_of(number);
    return found != nullptr ? found->of_class : 0;
}

bool text_of_added(int number, char* text, int room) {
    const locked hold(guard);
    const added* const found = *place_of(number);
    if (found == nullptr)
        return false;
    std::snprintf(text, static_cast<std::size_t>(room), "%s", found->text != nullptr ? found->text : "");
    return true;
}

bool remove_added_class(int number) {
    return remove(number, true);
}

bool remove_added_code(int number) {
    return remove(number, false);
}

} // namespace anympi::emulate
