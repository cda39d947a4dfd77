#pragma once

#include "fortran/core/rules.hpp"

// Procedures for texts whose length is an argument.

namespace anympi::fortran::entry {

template <class Calls>
inline void Info_get(const int* info, const char* key, const int* valuelen, char* value, int* flag, int* ierror,
                     int key_length, int value_length) {
    rule::text_in key_c(rule::without_blanks(key, key_length));
    scratch<char, 1025> value_c(rule::items(*valuelen) + 1);
    if (key_c.lacks_memory() || value_c.lacks_memory()) [[unlikely]]
        return rule::report(ierror, rule::raise_no_memory());
    key_c.fill();
    int found = 0;
    const int code =
        Calls::Info_get(rule::handle<object::info>(*info), key_c.place(), *valuelen, value_c.data(), &found);
    if (code == 0) {
        *flag = rule::logical(found);
        if (found != 0)
            rule::pad(value, value_length, value_c.data());
    }
    rule::report(ierror, code);
}

namespace detail {

/// A text with its length. C counts the terminating zero, Fortran does not. With a length of 0 the program asks only
/// for the length.
class counted_text {
public:
    explicit counted_text(int* length) : length(length), size(*length > 0 ? *length + 1 : 0), text(rule::items(size)) {}
    bool lacks_memory() const { return text.lacks_memory(); }
    int* size_place() { return &size; }
    char* place() { return text.data(); }
    void finish(char* program, int room) {
        if (*length > 0)
            rule::pad(program, room, text.data());
        *length = size > 0 ? size - 1 : 0;
    }

private:
    int* length;
    int size;
    scratch<char, 1025> text;
};

} // namespace detail

template <class Calls>
inline void Info_get_string(const int* info, const char* key, int* buflen, char* value, int* flag, int* ierror,
                            int key_length, int value_length) {
    rule::text_in key_c(rule::without_blanks(key, key_length));
    detail::counted_text value_c(buflen);
    if (key_c.lacks_memory() || value_c.lacks_memory()) [[unlikely]]
        return rule::report(ierror, rule::raise_no_memory());
    key_c.fill();
    int found = 0;
    const int code = Calls::Info_get_string(rule::handle<object::info>(*info), key_c.place(), value_c.size_place(),
                                            value_c.place(), &found);
    if (code == 0) {
        *flag = rule::logical(found);
        if (found != 0)
            value_c.finish(value, value_length);
    }
    rule::report(ierror, code);
}

template <class Calls>
inline void Session_get_nth_pset(const int* session, const int* info, const int* n, int* pset_len, char* pset_name,
                                 int* ierror, int pset_name_length) {
    detail::counted_text name_c(pset_len);
    if (name_c.lacks_memory()) [[unlikely]]
        return rule::report(ierror, rule::raise_no_memory());
    const int code =
        Calls::Session_get_nth_pset(rule::handle<object::session>(*session), rule::handle<object::info>(*info), *n,
                                    name_c.size_place(), name_c.place());
    if (code == 0)
        name_c.finish(pset_name, pset_name_length);
    rule::report(ierror, code);
}

} // namespace anympi::fortran::entry
