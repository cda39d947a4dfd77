#pragma once

#include "arch/comparison.hpp"
#include "convert/values.hpp"

namespace anympi {

/// Error codes of a program:
///     classes              by table
///     foreign_codes + n    the runtime's code n that is no class: composite codes, classes and codes that were added
///     own_codes + f        function f is not offered by the runtime
/// The shift is injective and needs no table, so MPI_Error_string reaches the runtime's own text.
/// Programs that expect classes (App::codes_are_classes) get the class of a composite code, and added ones as they are.
inline constexpr int own_codes = 0x7fff0000;

constexpr bool is_own_code(int code) {
    return code >= own_codes && code < own_codes + function_count;
}

/// True if other ABIs have classes that this one lacks. Only then can "absent" be found among its own.
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

/// How far a code of the runtime that is no class is moved: not at all if the program could not take it for one of its
/// own classes.
template <class P>
inline constexpr int error_shift =
    P::app::codes_are_classes || P::run::first_code >= P::app::first_code ? 0 : P::app::foreign_codes;

/// Returns true if a code of the program is a code of the runtime that is no class.
template <class P>
constexpr bool is_shifted(int code) {
    if (P::app::codes_are_classes)
        return P::run::is_added_code(code);
    return code >= (error_shift<P> != 0 ? error_shift<P> : P::run::first_code);
}

/// A number that travels through the runtime and must come back to the program unchanged: what a callback of the
/// program returned, or a code of our own. The runtime sees an error of its own in its place.
struct callback_error_code {
    int code = 0;         ///< in the program's numbers; 0 if there is none
    int library_code = 0; ///< the class or the code that the runtime sees
};
[[gnu::visibility("hidden")]] extern constinit thread_local callback_error_code callback_error;

/// Converts a code that the program looks up. Does not change an error that is on its way back through the runtime.
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

/// Converts a code that the program raises. The error handler and the outer call get back a code that has no number in
/// the runtime.
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

/// Returns what the runtime sees in the place of a number that a callback returned: the number itself, in a range of
/// its own, if the runtime passes any number on. Two requests that fail in one call keep their codes that way.
template <class P>
constexpr int library_code_for(int code) {
    constexpr int range = P::run::program_codes;
    return range != 0 && code > 0 && code < range ? range + code : P::run::mpi_ERR_OTHER;
}

/// Keeps the result of a callback, which comes back from the outer call. Any number but 0 is the program's own. Returns
/// what the runtime sees in its place.
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

/// Returns true if a code of the runtime is a class that the program has, too. Another class keeps its number, and with
/// it its text.
template <class P>
constexpr bool is_common_class(int code) {
    return is_class<typename P::run>(code) && value_to_app<P, category_error_class>(code) != P::app::absent;
}

/// Converts a code of the runtime by its number alone.
template <class P>
constexpr int plain_code_to_app(int code) {
    if (is_common_class<P>(code))
        return class_to_app<P>(code);
    if (P::run::program_codes != 0 && code >= P::run::program_codes)
        return code - P::run::program_codes;
    // Open MPI lets codes of its lower layers through, which are negative (-30 from a second MPI_Buffer_attach in 4.1).
    if (code < 0)
        return P::app::mpi_ERR_INTERN;
    if (P::app::codes_are_classes && !P::run::is_added_code(code))
        return class_to_app<P>(P::run::class_of(code));
    return code + error_shift<P>;
}

/// Converts a code for an error handler. The call that failed is still running and will return the same code.
template <class P>
int error_seen_by_handler(int code) {
    return callback_error.code != 0 && P::run::class_of(code) == callback_error.library_code
               ? callback_error.code
               : plain_code_to_app<P>(code);
}

/// Converts the result of a call. Cold: the calls that succeed save no register for it.
template <class P>
[[gnu::cold, gnu::noinline]] int error_to_app(int code) {
    if (code == 0 || is_direct<P>)
        return code;
    const int seen = error_seen_by_handler<P>(code);
    callback_error.code = 0;
    return seen;
}

/// Converts the result of a call that runs callbacks and has cleared callback_error before. What a callback returned is
/// the result, whatever the runtime made of it (MPI_Type_dup of Open MPI 4.1 returns MPI_ERR_INTERN).
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

/// Returns the result of a call that succeeded: the code that is in its register already, unless so much follows the
/// call that the code would have to be saved for it.
template <class P>
[[gnu::always_inline]] inline int success_code(int code) {
    return P::app::handles == handle_style::integers ? 0 : code;
}

/// Converts the result of a call that failed, after it has put in order what the call was to make.
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
