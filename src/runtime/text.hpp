#pragma once

#include <climits>
#include <cstdarg>
#include <cstddef>
#include <cstdio>

namespace anympi::runtime {

// Text of bounded length in its own memory: the front must run on libc alone, so there is no std::string.
// What does not fit is cut off, and `cut` tells: a path that was cut must not be used.
template <std::size_t capacity>
struct bounded_text {
    char text[capacity] = {};
    std::size_t length = 0;
    bool cut = false;

    [[gnu::format(printf, 2, 3)]] void append(const char* format, ...) {
        va_list arguments;
        va_start(arguments, format);
        const int wanted = std::vsnprintf(text + length, capacity - length, format, arguments);
        va_end(arguments);
        const std::size_t room = capacity - 1 - length;
        cut = cut || wanted < 0 || static_cast<std::size_t>(wanted) > room;
        length += wanted < 0 ? 0 : static_cast<std::size_t>(wanted) < room ? static_cast<std::size_t>(wanted) : room;
    }
};

using path_text = bounded_text<PATH_MAX>;

} // namespace anympi::runtime
