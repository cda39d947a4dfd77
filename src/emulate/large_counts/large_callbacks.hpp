#pragma once

#include "base/stubs.hpp"
#include "convert/datarep_record.hpp"
#include "emulate/engine/error.hpp"
#include "emulate/large_counts/narrow.hpp"

namespace anympi::emulate {

// Callbacks with counts of type MPI_Count, for a runtime that calls them with counts of type int.

template <class Run>
void call_large_reduction(void* in, void* inout, int* length, handle_of<Run, object::datatype>* type, void*,
                          void* function) {
    std::int64_t large = *length;
    using reduction = void(void*, void*, std::int64_t*, handle_of<Run, object::datatype>*);
    reinterpret_cast<reduction*>(function)(in, inout, &large, type);
}

template <class Run>
int Op_create_c(void* function, int commutes, handle_of<Run, object::op>* op) {
    void* const stub = stub_unless_null(function, reinterpret_cast<void*>(call_large_reduction<Run>));
    if (lacks_counterpart(function, stub))
        return raise<Run>(Run::mpi_ERR_NO_MEM);
    return library<Run>.Op_create(stub, commutes, op);
}

template <class Run>
int call_large_extent(handle_of<Run, object::datatype> type, std::intptr_t* extent, void* state) {
    const auto* const record = static_cast<datarep_record*>(state);
    using function = int(handle_of<Run, object::datatype>, std::intptr_t*, void*);
    return reinterpret_cast<function*>(record->extent)(type, extent, record->extra_state);
}

template <class Run, void* datarep_record::*Which>
int call_large_conversion(void* user, handle_of<Run, object::datatype> type, int count, void* file,
                          std::int64_t position, void* state) {
    const auto* const record = static_cast<datarep_record*>(state);
    using function = int(void*, handle_of<Run, object::datatype>, std::int64_t, void*, std::int64_t, void*);
    return reinterpret_cast<function*>(record->*Which)(user, type, count, file, position, record->extra_state);
}

template <class Run>
int Register_datarep_c(const char* name, void* read, void* write, void* extent, void* extra_state) {
    const datarep_record ours{reinterpret_cast<void*>(call_large_conversion<Run, &datarep_record::read>),
                              reinterpret_cast<void*>(call_large_conversion<Run, &datarep_record::write>),
                              reinterpret_cast<void*>(call_large_extent<Run>), nullptr};
    int code = 0;
    if (!register_in_place(library<Run>.Register_datarep, name, {read, write, extent, extra_state}, ours, code))
        return raise<Run>(Run::mpi_ERR_NO_MEM);
    return code;
}

} // namespace anympi::emulate
