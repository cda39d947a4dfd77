#include "base/foreign_text.hpp"

namespace anympi {
namespace {

unsigned byte_at(std::string_view text, std::size_t place) {
    return place < text.size() ? static_cast<unsigned char>(text[place]) : 0;
}

// Returns the length of a UTF-8 character by its first byte, or 0 if no character begins with this byte.
std::size_t length_announced_by(unsigned first) {
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first < 0xe0)
        return 2;
    if (first >= 0xe0 && first < 0xf0)
        return 3;
    return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

// Returns the code point of a character, or 0 if one of its later bytes is wrong.
unsigned code_point(std::string_view text, std::size_t length) {
    constexpr unsigned bits_of_first[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    unsigned code = byte_at(text, 0) & bits_of_first[length];
    for (std::size_t i = 1; i < length; i++) {
        if ((byte_at(text, i) & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (byte_at(text, i) & 0x3f);
    }
    return code;
}

// Returns true for overlong encodings, UTF-16 surrogates, and code points beyond Unicode.
bool is_malformed(unsigned code, std::size_t length) {
    return (length == 3 && code < 0x800) || (length == 4 && code < 0x10000) || (code >= 0xd800 && code < 0xe000) ||
           code > 0x10ffff;
}

bool is_control(unsigned code) {
    return code < ' ' || (code >= 0x7f && code < 0xa0);
}

// Returns true for line and paragraph separators, and for characters that change the direction of writing.
bool rearranges(unsigned code) {
    return code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

} // namespace

std::size_t length_if_harmless(std::string_view text) {
    const std::size_t length = length_announced_by(byte_at(text, 0));
    const unsigned code = code_point(text, length);
    return is_control(code) || is_malformed(code, length) || rearranges(code) ? 0 : length;
}

} // namespace anympi
