#pragma once

#include <cstdlib>

namespace anympi {

/// The functions of a data representation, with their state. MPI cannot unregister a representation, so its record is
/// never freed.
struct datarep_record {
    void* read;
    void* write;
    void* extent;
    void* extra_state;
};

/// Registers the functions `ours` instead of the program's functions; their extra state is a copy of `program`. A
/// function that the program omits stays omitted: MPI_CONVERSION_FN_NULL is 0 in every ABI and means that nothing is
/// converted. Sets `code` to the result of `register_`. Returns false if memory is exhausted.
template <class Register>
bool register_in_place(Register register_, const char* name, const datarep_record& program, const datarep_record& ours,
                       int& code) {
    auto* const record = static_cast<datarep_record*>(std::malloc(sizeof(datarep_record)));
    if (record == nullptr)
        return false;
    *record = program;
    const auto if_given = [](void* given, void* our) { return given != nullptr ? our : nullptr; };
    code = register_(name, if_given(program.read, ours.read), if_given(program.write, ours.write),
                     if_given(program.extent, ours.extent), record);
    if (code != 0)
        std::free(record);
    return true;
}

} // namespace anympi
