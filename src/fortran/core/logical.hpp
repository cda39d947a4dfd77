#pragma once

#include "fortran/core/handle_array.hpp"

namespace anympi::fortran::rule {

/// The values of .TRUE. and .FALSE. in the program's compiler. Their lowest bits differ in all compilers.
struct logical_values {
    int yes = 1;
    int no = 0;
};
[[gnu::visibility("hidden")]] inline constinit logical_values logicals;

inline int is_true(int program) {
    return program & 1;
}

inline int logical(int c) {
    return c != 0 ? logicals.yes : logicals.no;
}

class logical_out {
public:
    explicit logical_out(int* program) : program(program) {}
    int* place() { return &written; }
    void finish(int) {
        if (written != untouched)
            *program = logical(written);
    }

private:
    static constexpr int untouched = -0x7fffffff; // means that the call failed
    int* program;
    int written = untouched;
};

class logicals_in {
public:
    logicals_in(const int* program, long long count) : program(program), count(items(count)), copy(this->count) {}
    bool lacks_memory() const { return copy.lacks_memory(); }
    void fill() {
        for (std::size_t i = 0; i < count; ++i)
            copy[i] = is_true(program[i]);
    }
    const int* place() { return copy.data(); }
    void finish(int) {}

private:
    const int* program;
    std::size_t count;
    scratch<int, 32> copy;
};

/// LOGICALs that C writes. Only the called function knows how many: if a communicator has fewer dimensions than the
/// array, the rest of the program's array stays unchanged.
class logicals_out {
public:
    logicals_out(int* program, long long count) : program(program), count(items(count)), written(this->count) {}
    bool lacks_memory() const { return written.lacks_memory(); }
    void fill() {
        for (std::size_t i = 0; i < count; ++i)
            written[i] = untouched;
    }
    int* place() { return written.data(); }
    void finish(int) {
        for (std::size_t i = 0; i < count; ++i)
            if (written[i] != untouched)
                program[i] = logical(written[i]);
    }

private:
    static constexpr int untouched = -0x7fffffff;
    int* program;
    std::size_t count;
    scratch<int, 32> written;
};

} // namespace anympi::fortran::rule
