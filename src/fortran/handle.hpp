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

/// Numbers below it are the handles of that value. In the standard ABI that holds for predefined ones; on a library
/// whose own handles are numbers, for all others too, which is learned from the first of them.
inline constexpr std::uint64_t predefined_numbers = app::handles == handle_style::small_constants ? 0x1000 : 0;
inline constexpr std::uint64_t all_numbers = std::uint64_t{1} << 32;
[[gnu::visibility("hidden")]] extern std::uint64_t known_numbers;

template <object O>
inline std::uint64_t known_numbers_of() {
    if constexpr (same_bits<O>)
        return all_numbers;
    else if constexpr (O == object::file || predefined_numbers == 0) // files are pointers in every library
        return predefined_numbers;
    else
        return known_numbers; // changes once, and either value is right then
}

/// A handle whose number is known to be its value.
struct known {
    template <object O>
    static c_handle<O> handle(int number) {
        return static_cast<c_handle<O>>(static_cast<std::uint32_t>(number));
    }
};

/// What was read before is read again, instead of being kept in registers that have to be saved: fewer instructions.
[[gnu::always_inline]] inline void read_again() {
    asm volatile("" ::: "memory");
}

template <object... O, class... Number>
[[gnu::always_inline]] inline bool are_known(Number... numbers) {
    if constexpr (sizeof...(O) > 1 && ((!same_bits<O> && O != object::file) && ...))
        return (static_cast<std::uint32_t>(numbers) | ...) < known_numbers_of<object::comm>();
    else
        return ((static_cast<std::uint32_t>(numbers) < known_numbers_of<O>()) && ...);
}

/// Any handle.
struct any {
    template <object O>
    static c_handle<O> handle(int number) {
        if (are_known<O>(number))
            return known::handle<O>(number);
        const c_handle<O> found = converter<O>::object_of(number);
        if constexpr (predefined_numbers != 0 && O != object::file)
            if (found == known::handle<O>(number))
                known_numbers = all_numbers;
        return found;
    }
};

template <object O>
inline c_handle<O> handle(int number) {
    return any::handle<O>(number);
}

template <object O>
[[gnu::always_inline]] inline int number(c_handle<O> handle) {
    return handle < known_numbers_of<O>() ? static_cast<int>(handle) : converter<O>::number_of(handle);
}

#if __has_cpp_attribute(gnu::noipa)
#define ANYMPI_APART [[gnu::noipa]]
#else
#define ANYMPI_APART [[gnu::noinline]]
#endif

/// The way of the calls whose handles are not all known, kept apart so that the others have no registers to save.
template <auto Procedure, class... Arguments>
ANYMPI_APART void otherwise(Arguments... arguments) {
    Procedure(arguments...);
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
