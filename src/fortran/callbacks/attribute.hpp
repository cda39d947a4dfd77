#pragma once

#include <cstdint>

namespace anympi::fortran {

/// Attributes set in one language and read in another.
///
/// What C sets is an address, and Fortran reads the address as an integer. What Fortran sets is an integer, and C reads
/// the address of a cell that holds it: so the cell's address is what MPI keeps, and an attribute is known to have been
/// set from Fortran by being the address of a cell. A cell is as wide as an address; C reads the INTEGER of the MPI-1
/// functions at the same place, since the low part comes first.

/// What MPI keeps for a value that Fortran sets; nullptr: out of memory.
void* attribute_to_c(std::int64_t value);

/// What Fortran reads of an attribute that the program has set itself, in whichever language.
std::int64_t attribute_of_program(void* kept);

/// What Fortran reads. The attributes that MPI sets itself are addresses of integers, but for the base of a window.
std::int64_t attribute_to_fortran(int c_keyval, void* kept);

/// The attribute that takes the place of `kept` in a copy: it keeps the language. nullptr may mean: out of memory.
void* changed_attribute(void* kept, std::int64_t value);

} // namespace anympi::fortran

namespace anympi::fortran::rule {

/// Integer is INTEGER in the functions of MPI-1, else an integer of the size of an address.
template <class Integer>
void* attribute(Integer program) {
    return attribute_to_c(program);
}

/// The callbacks of Fortran get it by reference.
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
    void* written = &written; // no attribute is this address
};

} // namespace anympi::fortran::rule
