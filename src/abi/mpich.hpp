#pragma once

#include "abi/abi.hpp"

#include "mpich_values.hpp" // generated

#include <cstdint>

namespace anympi {

/// The ABI of MPICH 3.1 and later, Intel MPI, MVAPICH and Cray MPICH (libmpi.so.12).
struct mpich : mpich_values {
    static constexpr abi name = abi::mpich;
    static constexpr handle_style handles = handle_style::integers;
    static constexpr mpi_version newest_version{5, 0};
    static constexpr int abi_major = -1; // MPI_Abi_get_version returns -1: this is not the standard ABI
    static constexpr int abi_minor = -1;
    static constexpr std::uint32_t absent_handle = mpi_DATATYPE_NULL; // every function rejects it

    /// Handles are ints; MPI_File is a pointer to an object of ROMIO.
    template <object O>
    using handle = handle_bits<O != object::file>;

    /// The class in bits 29..26 of a handle.
    template <object O>
    static constexpr std::uint32_t class_number = [] {
        constexpr std::uint32_t numbers[object_classes] = {1, 3, 5, 4, 2, 7, 11, 6, 11, 14, 8};
        return numbers[static_cast<int>(O)];
    }();

    /// Error codes are composite: the low bits hold the class, and the other bits select the text.
    static constexpr int class_of(int code) { return code > 0x7f ? code & 0x7f : code; }
    static constexpr bool is_added_code(int code) { return (code & 0x40000000) != 0; }
    static constexpr bool codes_are_classes = false;
    static constexpr int first_code = 0x80;
    static constexpr int foreign_codes = 0x40000000; // in the range of codes that a program adds
    static constexpr int program_codes = 0; // unused: a callback's return value becomes part of a composite code

    /// MPICH 4.3 and later report success once an error handler of the program has returned. A call that "succeeded"
    /// may therefore have returned a null pointer.
    static constexpr bool hides_errors = true;

    /// MPIR_ERRORS_THROW_EXCEPTIONS of mpi.h, for the C++ bindings. With this error handler, calls return their error
    /// code, and the inline code of the C++ bindings throws.
    static constexpr std::uint32_t errors_throw = 0x54000002;

    /// False although the library exports the functions for fault tolerance: they abort the process (ch4 of MPICH 4.0)
    /// or crash (Intel MPI 2021.19).
    static constexpr bool tolerates_faults = false;
    static constexpr bool small_keyvals = false; // keyvals have kind bits like handles, which makes them negative
    static constexpr int fortran_keyvals = 1;    // the number that Fortran adds to predefined keyvals

    struct status {
        int count_low;
        int count_high_and_cancelled; // bit 0: cancelled, bits 31..1: upper part of the count
        int source, tag, error;
    };
};

static_assert(sizeof(mpich::status) == 20);

} // namespace anympi
