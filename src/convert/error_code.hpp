#pragma once

#include "arch/comparison.hpp"
#include "convert/values.hpp"

namespace anympi {

/// The error codes of a program are
///     classes              converted by table
///     foreign_codes + n    code n of the runtime, if n is not a class (a composite, an added class or an added code)
///     own_codes + f        the runtime does not offer function f
/// The shift is injective and needs no table, so MPI_Error_string reaches the runtime's own text. Programs that expect
/// classes (App::codes_are_classes) get the class of a composite code, and added codes unchanged.
inline constexpr int own_codes = 0x7fff0000;

constexpr bool is_own_code(int code) {
    return code >= own_codes && code < own_codes + function_count;
}

/// True if other ABIs have error classes that this ABI lacks. Only then can its list contain "absent".
template <class Abi>
inline constexpr bool lacks_classes = [] {
    for (int known : category_error_class<Abi>::values)
        if (known == Abi::absent)
            return true;
    return false;
}();

template <class Abi>
constexpr bool is_class(int code) {
    for (int known : category_error_class<Abi>::values)
        if (code == known)
            return code != Abi::mpi_ERR_LASTCODE && (!lacks_classes<Abi> || code != Abi::absent);
    return false;
}

/// The number that is added to a code of the runtime that is not a class. It is 0 if the program cannot mistake such a
/// code for one of its own classes.
template <class P>
inline constexpr int error_shift =
    P::app::codes_are_classes || P::run::first_code >= P::app::first_code ? 0 : P::app::foreign_codes;

/// Returns true if a code of the program stands for a code of the runtime that is not a class.
template <class P>
constexpr bool is_shifted(int code) {
    if (P::app::codes_are_classes)
        return P::run::is_added_code(code);
    return code >= (error_shift<P> != 0 ? error_shift<P> : P::run::first_code);
}

/// A number that must come back to the program unchanged through the runtime: the result of a callback, or one of
/// anympi's own codes. The runtime gets one of its own error codes instead.
struct callback_error_code {
    int code = 0;         // in the program's ABI; 0 if there is no such number
    int library_code = 0; // the class or code that the runtime gets
};
[[gnu::visibility("hidden")]] extern constinit thread_local callback_error_code callback_error;

/// Converts a code that the program looks up. Leaves callback_error unchanged.
template <class P>
int code_to_run(int code) {
    if (code == 0)
        return 0;
    if (is_own_code(code))
        return P::run::mpi_ERR_UNSUPPORTED_OPERATION;
    if (is_shifted<P>(code))
        return code - error_shift<P>;
    const int converted = value_to_run<P, category_error_class>(code);
    return converted == P::run::absent ? P::run::mpi_ERR_OTHER : converted;
}

/// Converts a code that the program raises. If the code has no number in the runtime, the error handler and the outer
/// call get it back through callback_error.
template <class P>
int raised_to_run(int code) {
    callback_error.code = 0;
    using app = typename P::app;
    const bool is_number_of_program = code > 0 && !is_shifted<P>(code) && !is_class<app>(code);
    if (is_own_code(code))
        callback_error = {code, P::run::mpi_ERR_UNSUPPORTED_OPERATION};
    else if (is_number_of_program)
        callback_error = {code, P::run::mpi_ERR_OTHER};
    return callback_error.code != 0 ? callback_error.library_code : code_to_run<P>(code);
}

/// Returns the code that the runtime gets for a number that a callback returned. If the runtime passes on any number,
/// this is the number itself in a separate range, so that two requests that fail in one call keep their codes.
template <class P>
constexpr int library_code_for(int code) {
    constexpr int range = P::run::program_codes;
    return range != 0 && code > 0 && code < range ? range + code : P::run::mpi_ERR_OTHER;
}

/// Stores the result of a callback, so that the outer call returns it. Any number except 0 is the program's own.
/// Returns the code that the runtime gets instead.
template <class P>
int keep_callback_error(int code) {
    if (code == 0)
        return 0;
    callback_error = {code, library_code_for<P>(code)};
    return callback_error.library_code;
}

template <class P>
constexpr int class_to_app(int code) {
    const int converted = value_to_app<P, category_error_class>(code);
    return is_class<typename P::app>(converted) ? converted : P::app::mpi_ERR_OTHER;
}

/// Returns true if a code of the runtime is a class that the program's ABI also has. Other classes keep their numbers,
/// and so their texts.
template <class P>
constexpr bool is_common_class(int code) {
    return is_class<typename P::run>(code) && value_to_app<P, category_error_class>(code) != P::app::absent;
}

/// Converts a code of the runtime, whatever callback_error holds.
template <class P>
constexpr int plain_code_to_app(int code) {
    if (is_common_class<P>(code))
        return class_to_app<P>(code);
    if (P::run::program_codes != 0 && code >= P::run::program_codes)
        return code - P::run::program_codes;
    // Open MPI sometimes returns negative codes of its lower layers (-30 from a second MPI_Buffer_attach in 4.1).
    if (code < 0)
        return P::app::mpi_ERR_INTERN;
    if (P::app::codes_are_classes && !P::run::is_added_code(code))
        return class_to_app<P>(P::run::class_of(code));
    return code + error_shift<P>;
}

/// Converts a code for an error handler. Keeps callback_error, because the failed call is still running and will return
/// the same code.
template <class P>
int error_seen_by_handler(int code) {
    return callback_error.code != 0 && P::run::class_of(code) == callback_error.library_code
               ? callback_error.code
               : plain_code_to_app<P>(code);
}

/// Converts the result of a call. Marked cold, so that successful calls save no register for it.
template <class P>
[[gnu::cold, gnu::noinline]] int error_to_app(int code) {
    if (code == 0 || is_direct<P>)
        return code;
    const int seen = error_seen_by_handler<P>(code);
    callback_error.code = 0;
    return seen;
}

/// Converts the result of a call that runs callbacks and has cleared callback_error before. If a callback returned an
/// error, that number is the result, even if the runtime replaced it (MPI_Type_dup of Open MPI 4.1 returns
/// MPI_ERR_INTERN).
template <class P>
[[gnu::cold, gnu::noinline]] int error_after_callbacks(int code) {
    if (callback_error.code == 0)
        return error_to_app<P>(code);
    const int seen = callback_error.code;
    callback_error.code = 0;
    return seen;
}

/// Returns true if a call failed.
[[gnu::always_inline]] inline bool is_error(int code) {
    return arch::is_not_zero(code);
}

/// Returns the result of a successful call. This is `code`, which is already in its register, unless code after the
/// call would have to save that register.
template <class P>
[[gnu::always_inline]] inline int success_code(int code) {
    return P::app::handles == handle_style::integers ? 0 : code;
}

/// Finishes the results of a failed call, then converts its error code.
template <class P, class... Outs>
[[gnu::cold, gnu::noinline]] int finish_failed_call(int code, Outs... outs) {
    (outs.finish_after_error(), ...);
    return error_to_app<P>(code);
}
template <class P, class... Outs>
[[gnu::cold, gnu::noinline]] int finish_failed_call_after_callbacks(int code, Outs... outs) {
    (outs.finish_after_error(), ...);
    return error_after_callbacks<P>(code);
}

} // namespace anympi
