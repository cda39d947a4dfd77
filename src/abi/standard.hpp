#pragma once

#include "abi/abi.hpp"

#include "standard_values.hpp" // generated

#include <cstdint>

namespace anympi {

/// The standard ABI of MPI 5.0 (libmpi_abi.so.1), final values: those of mpi.h, which api/constants.api tells.
struct standard : standard_values {
    static constexpr abi name = abi::standard;
    static constexpr handle_style handles = handle_style::small_constants;
    static constexpr mpi_version newest_version{5, 0};
    /// Of a library: those that have this ABI today are MPICH's, with composite codes (see mpich.hpp).
    static constexpr int class_of(int code) { return code > mpi_ERR_LASTCODE ? code & 0x7f : code; }
    static constexpr bool is_added_code(int code) { return (code & 0x40000000) != 0; }
    static constexpr bool codes_are_classes = false;
    static constexpr int first_code = 16384;         ///< the first number that is no class
    static constexpr int foreign_codes = first_code; ///< where a program finds the codes of other libraries
    static constexpr int program_codes = 0;
    static constexpr bool hides_errors = true;        ///< it may be MPICH
    static constexpr std::uintptr_t errors_throw = 0; ///< no handler for the C++ bindings alone
    static constexpr bool tolerates_faults = false;   ///< no part of the standard
    static constexpr bool small_keyvals = false;
    static constexpr int fortran_keyvals = 0;  ///< what Fortran adds to predefined ones
    static constexpr int absent = -0x7fffffff; ///< no such value in this ABI
    static constexpr std::uintptr_t absent_handle = 0;

    template <object>
    using handle = std::uintptr_t;

    struct status {
        int source, tag, error;
        int internal[5];
    };

    // not in this ABI
    static constexpr int mpi_ERR_PROC_FAILED = absent;
    static constexpr int mpi_ERR_PROC_FAILED_PENDING = absent;
    static constexpr int mpi_ERR_REVOKED = absent;
    static constexpr int mpi_COMBINER_HVECTOR_INTEGER = absent;
    static constexpr int mpi_COMBINER_HINDEXED_INTEGER = absent;
    static constexpr int mpi_COMBINER_STRUCT_INTEGER = absent;
    static constexpr int fortran_LB = absent;
    static constexpr int fortran_UB = absent;

    /// Predefined attribute functions of communicators, datatypes, windows: addresses that are never called.
    static constexpr std::uintptr_t null_copy[] = {0, 0, 0};
    static constexpr std::uintptr_t dup[] = {1, 1, 1};
    static constexpr std::uintptr_t null_delete[] = {0, 0, 0};
};

static_assert(sizeof(standard::status) == 32 && alignof(standard::status) == 4);

} // namespace anympi
