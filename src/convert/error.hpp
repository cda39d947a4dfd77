#pragma once

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

/// Whether other ABIs have classes that this one lacks: only then can "absent" be found among its own.
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

/// By how much such a code is moved: not at all if the program could not take it for one of its classes.
template <class P>
inline constexpr int error_shift =
    P::app::codes_are_classes || P::run::first_code >= P::app::first_code ? 0 : P::app::foreign_codes;

/// Whether a code of the program is one of the runtime's that is no class.
template <class P>
constexpr bool is_shifted(int code) {
    if (P::app::codes_are_classes)
        return P::run::is_added_code(code);
    return code >= (error_shift<P> != 0 ? error_shift<P> : P::run::first_code);
}

/// What must be given back to the program unchanged although it travels through the runtime: the number that a callback
/// of the program returned, or a code of our own. The runtime sees an error of class `stand_in` instead.
struct kept_code {
    int code = 0;     ///< 0: nothing is kept
    int stand_in = 0; ///< class, or code, in the runtime's numbers
};
[[gnu::visibility("hidden")]] extern constinit thread_local kept_code kept;

/// For looking a code up. An error that is on its way back through the runtime is not touched by it.
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

/// For an error that the program makes: what has no number in the runtime, the handler and the outer call see again.
template <class P>
int raised_to_run(int code) {
    kept.code = 0;
    using app = typename P::app;
    const bool is_number_of_program = code > 0 && !is_shifted<P>(code) && !is_class<app>(code);
    if (is_own_code(code))
        kept = {code, P::run::mpi_ERR_UNSUPPORTED_OPERATION};
    else if (is_number_of_program)
        kept = {code, P::run::mpi_ERR_OTHER};
    return kept.code != 0 ? kept.stand_in : code_to_run<P>(code);
}

/// A number of the program as the runtime sees it: itself, in a range of its own, if the runtime carries any number
/// through. Two requests that fail in one call keep their codes so.
template <class P>
constexpr int stand_in_for(int code) {
    constexpr int range = P::run::program_codes;
    return range != 0 && code > 0 && code < range ? range + code : P::run::mpi_ERR_OTHER;
}

/// The result of a callback: any number but 0 is the program's own and comes back from the outer call.
template <class P>
int keep_user_code(int code) {
    if (code == 0)
        return 0;
    kept = {code, stand_in_for<P>(code)};
    return kept.stand_in;
}

template <class P>
constexpr int class_to_app(int code) {
    const int converted = value_to_app<P, category_error_class>(code);
    return is_class<typename P::app>(converted) ? converted : P::app::mpi_ERR_OTHER;
}

/// Whether a code of the runtime is a class that the program has, too. Another one keeps its number, and so its text.
template <class P>
constexpr bool is_common_class(int code) {
    return is_class<typename P::run>(code) && value_to_app<P, category_error_class>(code) != P::app::absent;
}

template <class P>
constexpr int code_without_kept(int code) {
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

/// For an error handler: the call that failed is still running and will return the same code.
template <class P>
int error_seen_by_handler(int code) {
    return kept.code != 0 && P::run::class_of(code) == kept.stand_in ? kept.code : code_without_kept<P>(code);
}

/// For the result of a call. Cold: it saves no register of the calls that succeed.
template <class P>
[[gnu::cold, gnu::noinline]] int error_to_app(int code) {
    if (code == 0 || is_direct<P>)
        return code;
    const int seen = error_seen_by_handler<P>(code);
    kept.code = 0;
    return seen;
}

/// For the result of a call that runs callbacks and has forgotten older codes before: what one of them returned is the
/// result, whatever the runtime made of it (MPI_Type_dup of Open MPI 4.1 answers MPI_ERR_INTERN).
template <class P>
[[gnu::cold, gnu::noinline]] int error_after_callbacks(int code) {
    if (kept.code == 0)
        return error_to_app<P>(code);
    const int seen = kept.code;
    kept.code = 0;
    return seen;
}

/// Whether a call failed. Hidden from the compiler, which otherwise knows that the code of success is 0 and loads it
/// once more, though it is in its register already.
[[gnu::always_inline]] inline bool is_error(int code) {
    asm goto("test %0, %0\n\tjnz %l[yes]" : : "r"(code) : "cc" : yes);
    return false;
yes:
    return true;
}

/// The result of a call that succeeded: the code that is in its register already, unless so much follows the call that
/// it had to be kept for it.
template <class P>
[[gnu::always_inline]] inline int succeeded(int code) {
    return P::app::handles == handle_style::integers ? 0 : code;
}

/// For calls that failed: what they were to make is put in order, then the code crosses.
template <class P, class... Outs>
[[gnu::cold, gnu::noinline]] int failed(int code, Outs... outs) {
    (outs.failed(), ...);
    return error_to_app<P>(code);
}
template <class P, class... Outs>
[[gnu::cold, gnu::noinline]] int failed_after_callbacks(int code, Outs... outs) {
    (outs.failed(), ...);
    return error_after_callbacks<P>(code);
}

} // namespace anympi
