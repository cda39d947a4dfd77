#include "emulate/added_codes.hpp"

#include "convert/lock.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace anympi::emulate {

struct added {
    int number;
    int of_class; ///< its own for a class
    char* text;   ///< nullptr: none
    added* next;
};

namespace {

constinit lock guard;
added* first = nullptr;
added* first_removed = nullptr; ///< to be added again

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
    found->next = first_removed;
    first_removed = found;
    return true;
}

/// One that `is_right`; 0: there is none.
template <class Test>
int take_removed(Test is_right) {
    const locked hold(guard);
    added** place = &first_removed;
    while (*place != nullptr && !is_right(**place))
        place = &(*place)->next;
    added* const found = *place;
    if (found == nullptr)
        return 0;
    *place = found->next;
    found->next = first;
    first = found;
    return found->number;
}

} // namespace

added_note::added_note() : made(static_cast<added*>(std::malloc(sizeof(added)))) {}

added_note::~added_note() {
    std::free(made);
}

void added_note::keep(int number, int of_class) {
    const locked hold(guard);
    *made = {number, of_class, nullptr, first};
    first = made;
    made = nullptr;
}

int take_removed_class() {
    return take_removed([](const added& one) { return one.of_class == one.number; });
}

int take_removed_code(int of_class) {
    return take_removed([of_class](const added& one) { return one.of_class == of_class && one.number != of_class; });
}

bool note_text(int number, char* text) {
    const locked hold(guard);
    added* const found = *place_of(number);
    std::free(found != nullptr ? found->text : text);
    if (found != nullptr)
        found->text = text;
    return found != nullptr;
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
