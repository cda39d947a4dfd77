#pragma once

#include "base/optimizer_barriers.hpp"
#include "convert/address_windows.hpp"
#include "convert/fortran_integer.hpp"
#include "fortran_calls.hpp" // generated: the C functions

namespace anympi::fortran::rule {

/// The C functions that convert a number to a handle and back. They are called by their profiling names, so that tools
/// count only the calls of the program.
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

/// True if an INTEGER of the program holds the bits of the C handle.
template <object O>
inline constexpr bool same_bits = sizeof(c_handle<O>) == sizeof(int);

using fortran::handle_number;
using fortran::number_at;

/// Numbers below this limit are equal to their handles. In the standard ABI these are the numbers of predefined
/// handles. If the library's own handles are numbers, these are all numbers; the first such handle shows this.
/// `all_numbers` is larger than the sum of all numbers of a call.
inline constexpr std::uint64_t predefined_numbers =
    app::handles == handle_style::small_constants ? predefined_limit : 0;
inline constexpr std::uint64_t all_numbers = std::uint64_t{1} << 36;
[[gnu::visibility("hidden")]] inline constinit std::uint64_t known_numbers = predefined_numbers;

template <object O>
inline std::uint64_t known_numbers_of() {
    if constexpr (same_bits<O>)
        return all_numbers;
    else if constexpr (O == object::file || predefined_numbers == 0) // MPI_File is a pointer in every library
        return predefined_numbers;
    else
        return known_numbers; // changes only once; both values are right while it changes
}

/// A handle that is known to be equal to its number.
struct known {
    template <object O>
    static c_handle<O> handle(handle_number number) {
        return static_cast<c_handle<O>>(number);
    }
};

/// Tests several numbers by their sum. Predefined numbers have 10 bits, so the sum reaches the limit only if a number
/// is not known.
template <object... O, class... Number>
[[gnu::always_inline]] inline bool are_known(Number... numbers) {
    if constexpr (((!same_bits<O> && O != object::file) && ...))
        return (numbers + ...) < known_numbers_of<object::comm>();
    else
        return ((numbers < known_numbers_of<O>()) && ...);
}

/// The first window (convert/address_windows.hpp) of a class of objects whose numbers are derived from addresses. The
/// first such number shows which window it is.
struct learned_window {
    word origin;          // window::origin_of
    word begin;           // unequal to all addresses until the window is known
    std::uint32_t window; // a window without numbers until the window is known

    void learn(word address, int number) {
        if (window::number_in(window::first, address) != static_cast<std::uint32_t>(number))
            return;
        __atomic_store_n(&origin, window::origin_of(window::first, window::begin_of(address)), __ATOMIC_RELAXED);
        __atomic_store_n(&begin, window::begin_of(address), __ATOMIC_RELEASE);
        __atomic_store_n(&window, window::first, __ATOMIC_RELEASE);
    }
    bool has_number(handle_number number) const {
        return window::window_of(static_cast<std::uint32_t>(number)) == __atomic_load_n(&window, __ATOMIC_ACQUIRE);
    }
    bool has_address(word address) const {
        return window::begin_of(address) == __atomic_load_n(&begin, __ATOMIC_ACQUIRE);
    }
    word address_of(handle_number number) const { return window::address_from(origin, number); }
    int number_of(word address) const { return static_cast<int>(window::number_from(origin, address)); }
};
inline constexpr learned_window no_window{0, ~word{0}, ~0u};
template <object O>
[[gnu::visibility("hidden")]] inline constinit learned_window known_window = no_window;

template <object O>
inline constexpr bool may_have_windows = app::handles == handle_style::small_constants;

/// The value of a handle variable before C writes it. No handle of any ABI has its upper half. Only the upper half is
/// tested, because a failed call may have written the lower half. The test is part of the search for numbers, so it
/// costs nothing for handles whose numbers are known.
template <object O>
inline constexpr auto unwritten = static_cast<c_handle<O>>(~std::uint64_t{0});
template <object O>
inline bool is_unwritten(c_handle<O> handle) {
    return static_cast<std::uint64_t>(handle) >> 32 == 0xffffffffu;
}

/// Asks the library for the handle of a number, and learns from the answer.
template <object O>
[[gnu::cold, gnu::noinline]] c_handle<O> find_handle(handle_number number) {
    const c_handle<O> found = converter<O>::object_of(static_cast<int>(number));
    if constexpr (may_have_windows<O>) {
        known_window<O>.learn(found, static_cast<int>(number));
        if (O != object::file && found == known::handle<O>(number))
            known_numbers = all_numbers;
    }
    return found;
}
template <object O>
[[gnu::cold, gnu::noinline]] void find_number(c_handle<O> handle, int* program) {
    if (is_unwritten<O>(handle))
        return;
    *program = converter<O>::number_of(handle);
    if constexpr (may_have_windows<O>)
        known_window<O>.learn(handle, *program);
}

/// Converts any number, known or not.
struct any {
    template <object O>
    [[gnu::always_inline]] static c_handle<O> handle(handle_number number) {
        if (are_known<O>(number))
            return known::handle<O>(number);
        if constexpr (may_have_windows<O>)
            if (known_window<O>.has_number(number)) [[likely]]
                return known_window<O>.address_of(number);
        return find_handle<O>(number);
    }
};

template <object O>
[[gnu::always_inline]] inline c_handle<O> handle(handle_number number) {
    return any::handle<O>(number);
}
template <object O>
[[gnu::always_inline]] inline c_handle<O> handle(int number) {
    return any::handle<O>(number_at(&number));
}

/// Writes the number of a handle. find_number also writes its result, so that no register is saved around its call.
template <object O>
[[gnu::always_inline]] inline void write_number(c_handle<O> handle, int* const& program) {
    int number = static_cast<int>(handle);
    if (handle >= known_numbers_of<O>()) {
        if (!may_have_windows<O> || !known_window<O>.has_address(handle)) [[unlikely]]
            return find_number<O>(handle, program);
        number = known_window<O>.number_of(handle);
    }
    *program = number;
}

template <object O>
inline int number(c_handle<O> handle) {
    int made = 0;
    write_number<O>(handle, &made);
    return made;
}

template <auto Procedure, class... Arguments>
ANYMPI_APART void call_out_of_line(Arguments... arguments) {
    Procedure(arguments...);
}

/// Continues a call in a separate function if not all of its handles are known, so that the frequent calls save no
/// registers.
template <auto Procedure, class... Arguments>
[[gnu::always_inline]] inline void continue_out_of_line(const Arguments&... arguments) {
    read_again();
    call_out_of_line<Procedure, Arguments...>(arguments...);
}

/// A handle that C writes. If a failed call did not write it, the program's variable stays unchanged.
template <object O>
class handle_out {
public:
    explicit handle_out(int* /* the program's variable, as in place() and finish() */) {}

    c_handle<O>* place(int* program) {
        if constexpr (same_bits<O>)
            return reinterpret_cast<c_handle<O>*>(program);
        else
            return &written;
    }
    void finish(int* const& program) {
        if constexpr (!same_bits<O>)
            write_number<O>(written, program);
    }

private:
    c_handle<O> written = unwritten<O>;
};

/// A handle that C reads and may change.
template <object O>
class handle_inout {
public:
    explicit handle_inout(const int* program) : changed(same_bits<O> ? 0 : handle<O>(*program)) {}

    c_handle<O>* place(int* program) {
        if constexpr (same_bits<O>)
            return reinterpret_cast<c_handle<O>*>(program);
        else
            return &changed;
    }
    void finish(int* program) {
        if constexpr (!same_bits<O>)
            write_number<O>(changed, program);
    }

private:
    c_handle<O> changed;
};

} // namespace anympi::fortran::rule
