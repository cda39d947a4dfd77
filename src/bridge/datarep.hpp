#pragma once

#include "bridge/report_no_memory.hpp"
#include "convert/crossings.hpp"
#include "convert/datarep_record.hpp"

namespace anympi::bridge {

template <class P>
int call_datarep_extent(run_handle<P, object::datatype> type, std::intptr_t* extent, void* state) {
    const auto* const record = static_cast<datarep_record*>(state);
    using function = int(app_handle<P, object::datatype>, std::intptr_t*, void*);
    const int code = reinterpret_cast<function*>(record->extent)(borrowed<P, object::datatype>(type).handle, extent,
                                                                 record->extra_state);
    return keep_callback_error<P>(code);
}

/// Calls a conversion function of the program. Count is int, or MPI_Count in the large form. `Which` is the member of
/// the record that holds the function.
template <class P, class Count, void* datarep_record::*Which>
int call_datarep_conversion(void* user, run_handle<P, object::datatype> type, Count count, void* file,
                            std::int64_t position, void* state) {
    const auto* const record = static_cast<datarep_record*>(state);
    using function = int(void*, app_handle<P, object::datatype>, Count, void*, std::int64_t, void*);
    const int code = reinterpret_cast<function*>(record->*Which)(user, borrowed<P, object::datatype>(type).handle,
                                                                 count, file, position, record->extra_state);
    return keep_callback_error<P>(code);
}

template <class P, class Count, class Register>
int register_datarep(Register register_, const char* name, void* read, void* write, void* extent, void* extra_state) {
    const datarep_record ours{reinterpret_cast<void*>(call_datarep_conversion<P, Count, &datarep_record::read>),
                              reinterpret_cast<void*>(call_datarep_conversion<P, Count, &datarep_record::write>),
                              reinterpret_cast<void*>(call_datarep_extent<P>), nullptr};
    int code = 0;
    if (!register_in_place(register_, name, {read, write, extent, extra_state}, ours, code))
        return report_no_memory<P>();
    return error_to_app<P>(code);
}

template <class P>
int Register_datarep(const char* name, void* read, void* write, void* extent, void* extra_state) {
    return register_datarep<P, int>(target<P>.Register_datarep, name, read, write, extent, extra_state);
}
template <class P>
int Register_datarep_c(const char* name, void* read, void* write, void* extent, void* extra_state) {
    return register_datarep<P, std::int64_t>(target<P>.Register_datarep_c, name, read, write, extent, extra_state);
}

} // namespace anympi::bridge
