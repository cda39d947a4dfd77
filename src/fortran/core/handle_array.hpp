#pragma once

#include "base/array.hpp"
#include "fortran/core/handle_numbers.hpp"

namespace anympi::fortran::rule {

inline std::size_t items(long long count) {
    return count > 0 ? static_cast<std::size_t>(count) : 0;
}

template <object O>
inline void read_handles(const int* numbers, std::size_t count, c_handle<O>* handles) {
    for (std::size_t i = 0; i < count; ++i)
        handles[i] = handle<O>(numbers[i]);
}
template <object O>
inline void write_numbers(const c_handle<O>* handles, std::size_t count, int* numbers) {
    for (std::size_t i = 0; i < count; ++i)
        write_number<O>(handles[i], &numbers[i]);
}

// Arrays are created in two steps: the constructor allocates an array, and fill() fills it if memory was available.
// lacks_memory() costs nothing if the array is on the stack.

/// An array of handles for the duration of a call. The program's own array is used if an INTEGER has the bits of a
/// handle.
template <object O>
class handles_in {
public:
    handles_in(const int* program, long long count)
        : program(program), count(items(count)), copy(same_bits<O> ? 0 : this->count) {}
    bool lacks_memory() const { return copy.lacks_memory(); }
    void fill() {
        if constexpr (!same_bits<O>)
            read_handles<O>(program, count, copy.data());
    }
    const c_handle<O>* place() {
        if constexpr (same_bits<O>)
            return reinterpret_cast<const c_handle<O>*>(program);
        else
            return copy.data();
    }
    void finish(int) {}

private:
    const int* program;
    std::size_t count;
    scratch<c_handle<O>, same_bits<O> ? 1 : 64> copy;
};

/// The requests of a completion call.
template <object O>
class handles_inout {
public:
    handles_inout(const int*, long long count) : changed(same_bits<O> ? 0 : items(count)) {}
    bool lacks_memory() const { return changed.lacks_memory(); }
    void fill(const int* program, long long count) {
        if constexpr (!same_bits<O>)
            read_handles<O>(program, items(count), changed.data());
    }
    c_handle<O>* place(int* program) {
        if constexpr (same_bits<O>)
            return reinterpret_cast<c_handle<O>*>(program);
        else
            return changed.data();
    }
    void finish(int* program, long long count) {
        if constexpr (!same_bits<O>)
            write_numbers<O>(changed.data(), items(count), program);
    }

private:
    scratch<c_handle<O>, same_bits<O> ? 1 : 64> changed;
};

/// Handles that C writes. Only the called function knows how many.
template <object O>
class handles_out {
public:
    handles_out(int* program, long long count)
        : program(program), count(same_bits<O> ? 0 : items(count)), written(this->count) {}
    bool lacks_memory() const { return written.lacks_memory(); }
    void fill() {
        for (std::size_t i = 0; i < count; ++i)
            written[i] = 0;
    }
    c_handle<O>* place() {
        if constexpr (same_bits<O>)
            return reinterpret_cast<c_handle<O>*>(program);
        else
            return written.data();
    }
    void finish(int) {
        for (std::size_t i = 0; i < count; ++i)
            if (written[i] != 0)
                program[i] = number<O>(written[i]);
    }

private:
    int* program;
    std::size_t count;
    scratch<c_handle<O>, same_bits<O> ? 1 : 32> written;
};

/// Copies a converted array that is read until an operation completes. anympi does not learn of the completion, so the
/// copy is never freed, and equal arrays share one copy. Returns nullptr if memory is exhausted.
void* immortal_copy(const void* items, std::size_t size);

/// An array of handles that the library reads until an operation completes.
template <object O>
class handles_until_completion {
public:
    handles_until_completion(const int* program, long long count) : array(program, count) {
        if (same_bits<O> || array.lacks_memory())
            return;
        array.fill();
        copy = static_cast<const c_handle<O>*>(immortal_copy(array.place(), items(count) * sizeof(c_handle<O>)));
    }
    bool lacks_memory() const { return !same_bits<O> && copy == nullptr; }
    void fill() {}
    const c_handle<O>* place() { return same_bits<O> ? array.place() : copy; }
    void finish(int) {}

private:
    handles_in<O> array;
    const c_handle<O>* copy = nullptr;
};

} // namespace anympi::fortran::rule
