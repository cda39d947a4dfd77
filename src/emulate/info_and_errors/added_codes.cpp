#include "emulate/info_and_errors/added_codes.hpp"

#include "base/entry_table.hpp"
#include "base/lock.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace anympi::emulate {

struct added {
    int number;
    int of_class; // the number itself for a class
    char* text;   // nullptr if there is no text
    added* next;

    word key() const { return static_cast<word>(number); }
    bool is_class() const { return of_class == number; }
};

// The codes of one class. The class is one of MPI's or was added by the program.
struct class_of_codes {
    int number;
    int codes;      // number of codes that are added now
    added* removed; // codes to reuse
    class_of_codes* next;

    word key() const { return static_cast<word>(number); }
};

namespace {

constinit lock added_guard;
entry_table<added> all_added;
entry_table<class_of_codes> classes;
added* removed_classes = nullptr; // classes to reuse

added* find(int number) {
    return all_added.find(static_cast<word>(number));
}

// Returns the entry of a code's class, which was made when the code was added.
class_of_codes& class_of(const added& code) {
    return *classes.find(static_cast<word>(code.of_class));
}

// Returns the list of removed classes, or of removed codes of the same class.
added*& removed_list_of(const added& one) {
    return one.is_class() ? removed_classes : class_of(one).removed;
}

void count_code(const added& one, int more) {
    if (!one.is_class())
        class_of(one).codes += more;
}

bool has_codes(int number) {
    const class_of_codes* const of = classes.find(static_cast<word>(number));
    return of != nullptr && of->codes > 0;
}

bool remove(int number, bool is_class) {
    const locked hold(added_guard);
    added* const found = find(number);
    if (found == nullptr || found->text != nullptr || found->is_class() != is_class || (is_class && has_codes(number)))
        return false;
    all_added.take_out(*found);
    count_code(*found, -1);
    added*& removed = removed_list_of(*found);
    found->next = removed;
    removed = found;
    return true;
}

// Adds the most recently removed number again. Returns the number, or 0 if the list is empty.
int add_again(added*& removed) {
    added* const found = removed;
    if (found == nullptr)
        return 0;
    removed = found->next;
    all_added.add(found);
    count_code(*found, 1);
    return found->number;
}

} // namespace

added_note::added_note()
    : made(static_cast<added*>(std::malloc(sizeof(added)))),
      spare_class(static_cast<class_of_codes*>(std::malloc(sizeof(class_of_codes)))) {}

added_note::~added_note() {
    std::free(made);
    std::free(spare_class);
}

void added_note::keep(int number, int of_class) {
    const locked hold(added_guard);
    class_of_codes* of = classes.find(static_cast<word>(of_class));
    if (of == nullptr) {
        of = spare_class;
        spare_class = nullptr;
        *of = {of_class, 0, nullptr, nullptr};
        classes.add(of);
    }
    *made = {number, of_class, nullptr, nullptr};
    all_added.add(made);
    count_code(*made, 1);
    made = nullptr;
}

int take_removed_class() {
    const locked hold(added_guard);
    return add_again(removed_classes);
}

int take_removed_code(int of_class) {
    const locked hold(added_guard);
    class_of_codes* const of = classes.find(static_cast<word>(of_class));
    return of != nullptr ? add_again(of->removed) : 0;
}

bool note_text(int number, char* text) {
    const locked hold(added_guard);
    added* const found = find(number);
    std::free(found != nullptr ? found->text : text);
    if (found != nullptr)
        found->text = text;
    return found != nullptr;
}

int class_of_added(int number) {
    const locked hold(added_guard);
    const added* const found = find(number);
    return found != nullptr ? found->of_class : 0;
}

bool text_of_added(int number, char* text, int room) {
    const locked hold(added_guard);
    const added* const found = find(number);
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
