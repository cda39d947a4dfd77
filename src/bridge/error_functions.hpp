#pragma once

#include "bridge/missing_reports.hpp"
#include "bridge/report_no_memory.hpp"
#include "convert/crossings.hpp"
#include "convert/used_codes.hpp"

namespace anympi::bridge {

// Error classes, error codes and their texts.

/// Returns the class of a code that is not itself a class. Not inline, so that the frequent case needs no stack frame.
template <class P>
[[gnu::noinline]] int class_of_code(int code, int* error_class) {
    if (error_class != nullptr && is_own_code(code)) {
        *error_class = P::app::mpi_ERR_UNSUPPORTED_OPERATION;
        return 0;
    }
    const int result = target<P>.Error_class(code_to_run<P>(code), error_class);
    if (result == 0 && error_class != nullptr)
        *error_class = plain_code_to_app<P>(*error_class);
    return error_to_app<P>(result);
}

template <class P>
int Error_class(int code, int* error_class) {
    if (error_class == nullptr || !is_class<typename P::app>(code))
        return class_of_code<P>(code, error_class);
    *error_class = code; // some classes of the program have no number in the runtime
    return 0;
}

template <class P>
int Error_string(int code, char* text, int* length) {
    if (text != nullptr && length != nullptr && is_own_code(code)) {
        *length = missing.describe(static_cast<function>(code - own_codes), text, P::app::mpi_MAX_ERROR_STRING);
        return 0;
    }
    text_out<P::app::mpi_MAX_ERROR_STRING, P::run::mpi_MAX_ERROR_STRING> text_(text);
    const int result = target<P>.Error_string(code_to_run<P>(code), text_.argument(), length);
    if (result != 0)
        return error_to_app<P>(result);
    text_.finish(length);
    return 0;
}

template <class P>
int Add_error_class(int* error_class) {
    used_code_note note;
    if (note.lacks_memory())
        return report_no_memory<P>();
    const int code = target<P>.Add_error_class(error_class);
    if (code != 0 || error_class == nullptr)
        return error_to_app<P>(code);
    *error_class = plain_code_to_app<P>(*error_class);
    note.keep(*error_class);
    return 0;
}

template <class P>
int Add_error_code(int error_class, int* error_code) {
    used_code_note note;
    if (note.lacks_memory())
        return report_no_memory<P>();
    const int code = target<P>.Add_error_code(code_to_run<P>(error_class), error_code);
    if (code != 0 || error_code == nullptr)
        return error_to_app<P>(code);
    *error_code += error_shift<P>; // always shifted: in MPICH 4.1 the number of an added code may equal a class (0x220)
    note.keep(*error_code);
    return 0;
}

template <class P>
int Add_error_string(int code, const char* text) {
    const text_in<P::run::mpi_MAX_ERROR_STRING> text_(text);
    return error_to_app<P>(target<P>.Add_error_string(code_to_run<P>(code), text_.argument()));
}

template <class P, class Remove>
int remove_number(Remove remove, int number) {
    if (const int code = remove(code_to_run<P>(number)); code != 0)
        return error_to_app<P>(code);
    forget_used_code(number);
    return 0;
}
template <class P>
int Remove_error_class(int error_class) {
    return remove_number<P>(target<P>.Remove_error_class, error_class);
}
template <class P>
int Remove_error_code(int code) {
    return remove_number<P>(target<P>.Remove_error_code, code);
}

} // namespace anympi::bridge
