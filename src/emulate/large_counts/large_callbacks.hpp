#pragma once

#include "base/stubs.hpp"
#include "emulate/engine/error.hpp"
#include "emulate/large_counts/narrow.hpp"

#include <cstdlib>

namespace anympi::emulate {

/// Functions of the program with counts of type MPI_Count, called by a runtime whose counts are int.

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

/// A data representation cannot be taken back, so its record lives for ever.
struct large_datarep {
    void* read;
    void* write;
    void* extent;
    void* extra_state;
};

template <class Run>
int large_datarep_extent(handle_of<Run, object::datatype> type, std::intptr_t* extent, void* state) {
    const auto* const record = static_cast<large_datarep*>(state);
    using function = int(handle_of<Run, object::datatype>, std::intptr_t*, void*);
    return reinterpret_cast<function*>(record->extent)(type, extent, record->extra_state);
}

template <class Run, void* large_datarep::*Which>
int large_conversion(void* user, handle_of<Run, object::datatype> type, int count, void* file, std::int64_t position,
                     void* state) {
    const auto* const record = static_cast<large_datarep*>(state);
    using function = int(void*, handle_of<Run, object::datatype>, std::int64_t, void*, std::int64_t, void*);
    return reinterpret_cast<function*>(record->*Which)(user, type, count, file, position, record->extra_state);
}

template <class Run>
int Register_datarep_c(const char* name, void* read, void* write, void* extent, void* extra_state) {
    auto* const record = static_cast<large_datarep*>(std::malloc(sizeof(large_datarep)));
    if (record == nullptr)
        return raise<Run>(Run::mpi_ERR_NO_MEM);
    *record = {read, write, extent, extra_state};
    // MPI_CONVERSION_FN_NULL is 0 in every ABI and means: no conversion.
    const auto unless_null = [](void* given, auto* ours) {
        return given != nullptr ? reinterpret_cast<void*>(ours) : nullptr;
    };
    const int code = library<Run>.Register_datarep(name, unless_null(read, large_conversion<Run, &large_datarep::read>),
                                                   unless_null(write, large_conversion<Run, &large_datarep::write>),
                                                   unless_null(extent, large_datarep_extent<Run>), record);
    if (code != 0)
        std::free(record);
    return code;
}

} // namespace anympi::emulate
