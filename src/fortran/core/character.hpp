#pragma once

#include "base/array.hpp"

#include <cstddef>
#include <cstring>

namespace anympi::fortran::rule {

/// A CHARACTER argument without the blanks that pad it.
struct trimmed {
    const char* begin;
    std::size_t size;
};

inline trimmed without_trailing_blanks(const char* text, int length) {
    std::size_t size = length > 0 ? static_cast<std::size_t>(length) : 0;
    while (size > 0 && text[size - 1] == ' ')
        --size;
    return {text, size};
}

/// Removes leading blanks, too, as MPI requires for keys and values of infos.
inline trimmed without_blanks(const char* text, int length) {
    trimmed rest = without_trailing_blanks(text, length);
    for (; rest.size > 0 && *rest.begin == ' '; ++rest.begin)
        --rest.size;
    return rest;
}

/// Fills the program's CHARACTER variable with a C string: cut or padded with blanks.
inline void pad(char* program, int length, const char* c) {
    const std::size_t room = length > 0 ? static_cast<std::size_t>(length) : 0;
    const std::size_t size = strnlen(c, room);
    std::memmove(program, c, size);
    std::memset(program + size, ' ', room - size);
}

/// A CHARACTER argument as a C string, for the duration of a call.
class text_in {
public:
    explicit text_in(trimmed text) : text(text), copy(text.size + 1) {}
    bool lacks_memory() const { return copy.lacks_memory(); }
    void fill() {
        std::memcpy(copy.data(), text.begin, text.size);
        copy[text.size] = '\0';
    }
    const char* place() { return copy.data(); }
    void finish(int) {}

private:
    trimmed text;
    scratch<char, 256> copy;
};

/// A C string of at most Longest characters, including the terminating zero, for a CHARACTER variable.
template <int Longest>
class text_out {
public:
    text_out(char* program, int length) : program(program), length(length) { written[0] = untouched; }
    char* place() { return written; }
    void finish(int code) {
        if (code == 0 && written[0] != untouched)
            pad(program, length, written);
    }

private:
    static constexpr char untouched = '\x7f'; // means that the call wrote no text
    char* program;
    int length;
    char written[Longest];
};

} // namespace anympi::fortran::rule
