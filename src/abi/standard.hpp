#pragma once

#include "abi/abi.hpp"

#include "standard_values.hpp" // generated

#include <cstdint>

namespace anympi {

/// The standard ABI of MPI 5.0 (libmpi_abi.so.1).
struct standard : standard_values {
    static constexpr abi name = abi::standard;
    static constexpr handle_style handles = handle_style::small_constants;
    static constexpr mpi_version newest_version{5, 0};
    static constexpr int abi_major = 1; // the result of MPI_Abi_get_version for programs of this ABI
    static constexpr int abi_minor = 0;
    /// Today's libraries with this ABI are MPICH's, which use composite codes (see mpich.hpp).
    static constexpr int class_of(int code) { return code > mpi_ERR_LASTCODE ? code & 0x7f : code; }
    static constexpr bool is_added_code(int code) { return (code & 0x40000000) != 0; }
    static constexpr bool codes_are_classes = false;
    static constexpr int first_code = mpi_ERR_LASTCODE + 1;
    static constexpr int foreign_codes = first_code; // the codes of other libraries start here for a program
    static constexpr int program_codes = 0;
    static constexpr bool hides_errors = true;        // the library may be MPICH
    static constexpr std::uintptr_t errors_throw = 0; // the C++ bindings have no error handler of their own
    static constexpr bool tolerates_faults = false;   // fault tolerance is not part of the standard
    static constexpr bool small_keyvals = false;
    static constexpr int fortran_keyvals = 0; // the number that Fortran adds to predefined keyvals
    static constexpr std::uintptr_t absent_handle = 0;

    template <object>
    using handle = std::uintptr_t;

    struct status {
        int source, tag, error;
        int internal[5];
    };
};

static_assert(sizeof(standard::status) == 32 && alignof(standard::status) == 4);

} // namespace anympi
