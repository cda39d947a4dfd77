#pragma once

#include "convert/crossings.hpp"
#include "emulate/datatypes/integer16_operations.hpp"

namespace anympi {

/// Returns true if a datatype may be an emulated one of 16 bytes, for whose reductions and accumulations the runtime
/// has no operations. Their numbers are the last of the standard ABI, so the comparison that finds a predefined
/// datatype also finds them, and other calls pay nothing.
template <class P>
inline bool may_be_integer16(app_handle<P, object::datatype> type) {
    return type >= first_of_16_bytes;
}

template <class P>
struct operands {
    word type;
    word op;
    int code;
};

template <class P>
operands<P> operands_of_reduction(app_handle<P, object::datatype> type, app_handle<P, object::op> op) {
    operands<P> of{to_run<P, object::datatype>(type), to_run<P, object::op>(op), 0};
    if (type < predefined_limit && op < predefined_limit)
        of.code = emulate::find_integer16_operation<typename P::run>(type, op, &of.op);
    return of;
}

template <class P>
operands<P> operands_of_accumulation(app_handle<P, object::datatype> type, app_handle<P, object::op> op,
                                     app_handle<P, object::win> win) {
    operands<P> of{to_run<P, object::datatype>(type), to_run<P, object::op>(op), 0};
    of.code = emulate::check_accumulation<typename P::run>(of.type, op, to_run<P, object::win>(win));
    return of;
}

} // namespace anympi
