#pragma once

#include "abi/abi.hpp"

#include "openmpi_values.hpp" // generated

#include <cstddef>
#include <cstdint>

namespace anympi {

/// The ABI of Open MPI 4 and 5 (libmpi.so.40). A predefined handle is the address of a data object. Its constant names
/// the symbol of that object.
struct openmpi : openmpi_values {
    static constexpr abi name = abi::openmpi;
    static constexpr handle_style handles = handle_style::addresses;
    static constexpr mpi_version newest_version{3, 1}; // up to Open MPI 5.0
    static constexpr int abi_major = -1;               // MPI_Abi_get_version returns -1: this is not the standard ABI
    static constexpr int abi_minor = -1;
    static constexpr std::uintptr_t absent_handle = 0;

    template <object>
    using handle = std::uintptr_t;

    /// Error codes are classes or added codes, and all are small. Open MPI returns any other number from a callback
    /// unchanged from the outer call, so a program's own numbers are passed on above `program_codes`.
    static constexpr int class_of(int code) { return code; }
    static constexpr bool is_added_code(int code) { return code > mpi_ERR_LASTCODE; }
    static constexpr bool codes_are_classes = true; // programs compare returned codes with classes
    static constexpr int first_code = mpi_ERR_LASTCODE + 1;
    static constexpr int foreign_codes = 0;
    static constexpr int program_codes = 0x40000000;

    static constexpr bool hides_errors = false;       // success means success
    static constexpr std::uintptr_t errors_throw = 0; // the C++ bindings have no error handler of their own
    static constexpr bool tolerates_faults = true;    // the functions of Open MPI 5.0 for fault tolerance work
    static constexpr bool small_keyvals = true;       // keyvals continue the numbers of the predefined ones
    static constexpr int fortran_keyvals = 0;         // the number that Fortran adds to predefined keyvals

    /// Packed to 4 bytes because it is stored inside a standard program's status, which consists of ints.
    struct [[gnu::packed, gnu::aligned(4)]] status {
        int source, tag, error;
        int cancelled;
        std::size_t count; // bytes
    };
};

static_assert(sizeof(openmpi::status) == 24);

} // namespace anympi
