#pragma once

#include "fortran_calls.hpp" // generated: the C functions

namespace anympi::fortran::rule {

/// The C functions that turn a number into a handle and back. The profiling names: what a tool counts are the calls of
/// the program.
template <object O>
struct converter;

#define CONVERTER(CLASS, NAME)                                                                                         \
    template <>                                                                                                        \
    struct converter<object::CLASS> {                                                                                  \
        static c_handle<object::CLASS> object_of(int number) {                                                         \
            if constexpr (app::handles == handle_style::small_constants)                                               \
                return PMPI_##NAME##_fromint(number);                                                                  \
            else                                                                                                       \
                return PMPI_##NAME##_f2c(number);                                                                      \
        }                                                                                                              \
        static int number_of(c_handle<object::CLASS> handle) {                                                         \
            if constexpr (app::handles == handle_style::small_constants)                                               \
                return PMPI_##NAME##_toint(handle);                                                                    \
            else                                                                                                       \
                return PMPI_##NAME##_c2f(handle);                                                                      \
        }                                                                                                              \
    };
CONVERTER(comm, Comm)
CONVERTER(datatype, Type)
CONVERTER(errhandler, Errhandler)
CONVERTER(file, File)
CONVERTER(group, Group)
CONVERTER(info, Info)
CONVERTER(message, Message)
CONVERTER(op, Op)
CONVERTER(request, Request)
CONVERTER(session, Session)
CONVERTER(win, Win)
#undef CONVERTER

/// An INTEGER of the program holds the very bits of the C handle.
template <object O>
inline constexpr bool same_bits = sizeof(c_handle<O>) == sizeof(int);

/// Predefined handles of the standard ABI are their own numbers, all below this one.
inline constexpr unsigned predefined_numbers = app::handles == handle_style::small_constants ? 0x1000 : 0;

template <object O>
[[gnu::always_inline]] inline c_handle<O> handle(int number) {
    if constexpr (same_bits<O>)
        return static_cast<c_handle<O>>(number);
    else if (static_cast<unsigned>(number) < predefined_numbers) [[likely]]
        return static_cast<c_handle<O>>(number);
    else
        return converter<O>::object_of(number);
}

template <object O>
[[gnu::always_inline]] inline int number(c_handle<O> handle) {
    if constexpr (same_bits<O>)
        return static_cast<int>(handle);
    else if (handle < predefined_numbers)
        return static_cast<int>(handle);
    else
        return converter<O>::number_of(handle);
}

/// A handle that C writes. What a call that failed did not write stays as it was in the program.
template <object O>
class handle_out {
public:
    explicit handle_out(int* program) : program(program) {}

    c_handle<O>* place() {
        if constexpr (same_bits<O>)
            return reinterpret_cast<c_handle<O>*>(program);
        else
            return &written;
    }
    void finish(int) {
        if constexpr (!same_bits<O>)
            if (written != 0)
                *program = number<O>(written);
    }

private:
    int* program;
    c_handle<O> written = 0; // no handle at all in any ABI whose handles are wider than an INTEGER
};

/// A handle that C reads and may change.
template <object O>
class handle_inout {
public:
    explicit handle_inout(int* program) : program(program) {
        if constexpr (!same_bits<O>)
            before = changed = handle<O>(*program);
    }

    c_handle<O>* place() {
        if constexpr (same_bits<O>)
            return reinterpret_cast<c_handle<O>*>(program);
        else
            return &changed;
    }
    void finish(int) {
        if constexpr (!same_bits<O>)
            if (changed != before)
                *program = number<O>(changed);
    }

private:
    int* program;
    c_handle<O> before = 0;
    c_handle<O> changed = 0;
};

} // namespace anympi::fortran::rule
