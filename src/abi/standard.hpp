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
    static constexpr int abi_major = 1; ///< what MPI_Abi_get_version tells programs of this ABI
    static constexpr int abi_minor = 0;
    /// The libraries that have this ABI today are MPICH's, with composite codes (see mpich.hpp).
    static constexpr int class_of(int code) { return code > mpi_ERR_LASTCODE ? code & 0x7f : code; }
    static constexpr bool is_added_code(int code) { return (code & 0x40000000) != 0; }
    static constexpr bool codes_are_classes = false;
    static constexpr int first_code = mpi_ERR_LASTCODE + 1;
    static constexpr int foreign_codes = first_code; ///< where a program finds the codes of other libraries
    static constexpr int program_codes = 0;
    static constexpr bool hides_errors = true;        ///< it may be MPICH
    static constexpr std::uintptr_t errors_throw = 0; ///< no handler for the C++ bindings alone
    static constexpr bool tolerates_faults = false;   ///< no part of the standard
    static constexpr bool small_keyvals = false;
    static constexpr int fortran_keyvals = 0; ///< what Fortran adds to predefined ones
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
