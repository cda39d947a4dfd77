#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace anympi {

/// Returns true if an array of the program has room for `there_is` elements.
inline bool has_room(const void* array, std::int64_t maximum, std::int64_t there_is) {
    return there_is <= 0 || (array != nullptr && maximum >= there_is);
}

/// An array for the duration of one call: on the stack for up to N elements, otherwise on the heap. Its elements are
/// not initialised.
template <class T, std::size_t N>
class scratch {
public:
    explicit scratch(std::size_t count) : items(count <= N ? few : static_cast<T*>(std::malloc(count * sizeof(T)))) {}
    ~scratch() {
        if (items != few)
            std::free(items);
    }
    scratch(const scratch&) = delete;
    scratch& operator=(const scratch&) = delete;

    T* data() { return items; }
    T& operator[](std::size_t i) { return items[i]; }
    bool lacks_memory() const { return items == nullptr; }

protected:
    void move_to_heap(std::size_t count) {
        items = count <= PTRDIFF_MAX / sizeof(T) ? static_cast<T*>(std::malloc(count * sizeof(T))) : nullptr;
    }

private:
    T few[N];
    T* items;
};

/// A scratch array for lengths that are nearly always small: an array on the stack costs no check.
template <class T, std::size_t N>
class short_scratch : public scratch<T, N> {
public:
    explicit short_scratch(std::size_t count) : scratch<T, N>(0) {
        if (count > N) [[unlikely]]
            this->move_to_heap(count);
    }
};

/// A converted copy of an array that the program passes in. A null pointer and a negative length are passed on
/// unchanged, so that the runtime checks them. The constructor reserves memory, and `fill` converts the elements. The
/// caller checks for memory between the two: a check after the loop would also cost time for arrays on the stack.
template <class To, std::size_t N = 64>
class array_in {
public:
    array_in(const void* from, long long length)
        : copy(from != nullptr && length > 0 ? static_cast<std::size_t>(length) : 0), given(from != nullptr) {}

    bool lacks_memory() const { return copy.lacks_memory(); }

    template <class From, class Convert>
    void fill(const From* from, long long length, Convert convert) {
        if (!given)
            return;
        for (long long i = 0; i < length; ++i)
            copy[static_cast<std::size_t>(i)] = static_cast<To>(convert(from[i]));
    }

    To* argument() { return given ? copy.data() : nullptr; }

private:
    short_scratch<To, N> copy;
    bool given;
};

} // namespace anympi
