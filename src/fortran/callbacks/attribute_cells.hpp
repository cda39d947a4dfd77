#pragma once

#include <cstdint>

namespace anympi::fortran {

// Attributes that are set in one language and read in another.
//
// C sets an address, and Fortran reads the address as an integer. Fortran sets an integer, and C reads the address of a
// cell that holds the integer. MPI stores the address of the cell, so an attribute that is the address of a cell was
// set by Fortran. A cell has the size of an address. C reads the INTEGER of the MPI-1 functions at the same address,
// since the low part comes first.

/// Returns what MPI stores for a value that Fortran sets, or nullptr if memory is exhausted.
void* attribute_to_c(std::int64_t value);

/// Returns the value that Fortran reads for an attribute that the program has set, in either language.
std::int64_t attribute_of_program(void* stored);

/// Returns the value that Fortran reads for any attribute. MPI's own attributes are addresses of integers, except the
/// base of a window.
std::int64_t attribute_to_fortran(int c_keyval, void* stored);

/// Returns what MPI stores for `value` in a copy of the attribute `stored`, as if it was set from the same language.
/// The result nullptr is either C's value 0, or means that memory is exhausted.
void* changed_attribute(void* stored, std::int64_t value);

} // namespace anympi::fortran

namespace anympi::fortran::rule {

/// Converts an attribute. Integer is INTEGER in the functions of MPI-1, otherwise an integer of the size of an address.
template <class Integer>
void* attribute(Integer program) {
    return attribute_to_c(program);
}

/// Converts an extra state, which Fortran callbacks get by reference.
template <class Integer>
void* extra_state(const Integer* program) {
    return const_cast<Integer*>(program);
}

template <class Integer>
class attribute_out {
public:
    attribute_out(Integer* program, int c_keyval) : program(program), keyval(c_keyval) {}
    void* place() { return &written; }
    void finish(int) {
        if (written != &written)
            *program = static_cast<Integer>(attribute_to_fortran(keyval, written));
    }

private:
    Integer* program;
    int keyval;
    void* written = &written; // its own address, which is never an attribute
};

} // namespace anympi::fortran::rule
