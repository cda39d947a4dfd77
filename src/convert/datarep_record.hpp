#pragma once

#include <cstdlib>

namespace anympi {

/// The functions of a data representation, with their state. A representation cannot be taken back, so its record lives
/// for ever.
struct datarep_record {
    void* read;
    void* write;
    void* extent;
    void* extra_state;
};

/// Registers the functions `ours` in the place of those of the program; their state is a record of `program`. A
/// function that the program leaves out is left out: MPI_CONVERSION_FN_NULL is 0 in every ABI and means that nothing is
/// converted. Sets the code that `register_` returns. Returns false if there is no memory.
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
