#pragma once

#include <climits>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace anympi {

/// Appends to a text of `capacity` bytes. Returns the new length. Sets `cut` if the text did not fit.
inline std::size_t append_to(char* text, std::size_t capacity, std::size_t length, bool& cut, const char* format,
                             va_list arguments) {
    const int wanted = std::vsnprintf(text + length, capacity - length, format, arguments);
    const std::size_t room = capacity - 1 - length;
    cut = cut || wanted < 0 || static_cast<std::size_t>(wanted) > room;
    return length + (wanted < 0                                ? 0
                     : static_cast<std::size_t>(wanted) < room ? static_cast<std::size_t>(wanted)
                                                               : room);
}

/// A text of bounded length that needs no heap. The front must run with libc only, so std::string is not available.
/// Text that does not fit is cut, and `cut` is set. A path that was cut must not be used.
template <std::size_t capacity>
struct bounded_text {
    char text[capacity] = {};
    std::size_t length = 0;
    bool cut = false;

    [[gnu::format(printf, 2, 3)]] void append(const char* format, ...) {
        va_list arguments;
        va_start(arguments, format);
        length = append_to(text, capacity, length, cut, format, arguments);
        va_end(arguments);
    }
};

/// A long text of bounded length on the heap, because the first MPI call may come from a thread with a small stack. If
/// memory is exhausted, the text stays empty and `cut` is set.
template <std::size_t capacity>
struct long_text {
    char* text = nothing;
    std::size_t length = 0;
    bool cut = false;

    long_text() = default;
    long_text(const long_text& other) { *this = other; }
    long_text(long_text&& other) noexcept { swap(other); }
    ~long_text() {
        if (text != nothing)
            std::free(text);
    }
    long_text& operator=(const long_text& other) {
        if (this == &other)
            return *this;
        const bool fits = other.length == 0 || reserve();
        length = fits ? other.length : 0;
        cut = other.cut || !fits;
        if (text != nothing)
            std::memcpy(text, other.text, length + 1);
        return *this;
    }
    long_text& operator=(long_text&& other) noexcept {
        swap(other);
        return *this;
    }

    /// Allocates `capacity` bytes for `text`. Returns false if memory is exhausted.
    bool reserve() {
        if (text != nothing)
            return true;
        auto* const room = static_cast<char*>(std::malloc(capacity));
        if (room == nullptr)
            return false;
        room[0] = '\0';
        text = room;
        return true;
    }

    [[gnu::format(printf, 2, 3)]] void append(const char* format, ...) {
        if (!reserve()) {
            cut = true;
            return;
        }
        va_list arguments;
        va_start(arguments, format);
        length = append_to(text, capacity, length, cut, format, arguments);
        va_end(arguments);
    }

private:
    static inline char nothing[1] = "";

    void swap(long_text& other) {
        std::swap(text, other.text);
        std::swap(length, other.length);
        std::swap(cut, other.cut);
    }
};

using path_text = long_text<PATH_MAX>;

} // namespace anympi
