#pragma once

#include "base/optimizer_barriers.hpp"
#include "fortran/core/c_abi.hpp"

#include <cstdint>

// Variables whose addresses have a meaning (MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE …). They are common blocks,
// which every program defines. This layer also defines and exports them (common_blocks*.cpp), so that the dynamic
// linker gives the layer the addresses of the program's blocks.

extern "C" {

/// Programs of the standard ABI and of MPICH's family.
extern int mpipriv1_[];  // MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE
extern int mpipriv2_[];  // MPI_STATUSES_IGNORE, MPI_ERRCODES_IGNORE
extern char mpiprivc_[]; // MPI_ARGVS_NULL, MPI_ARGV_NULL
extern int mpifcmb5_[];  // MPI_UNWEIGHTED
extern int mpifcmb9_[];  // MPI_WEIGHTS_EMPTY
extern int mpifcmba_[];  // MPI_BUFFER_AUTOMATIC

/// Variables of MPICH's C library that its module mpi_f08 uses.
extern int MPIR_F08_MPI_BOTTOM;
extern int MPIR_F08_MPI_IN_PLACE;
extern anympi::mpich::status MPIR_F08_MPI_STATUS_IGNORE_OBJ;
extern anympi::mpich::status MPIR_F08_MPI_STATUSES_IGNORE_OBJ[1];
extern int* MPI_UNWEIGHTED;
extern int* MPI_WEIGHTS_EMPTY;

/// Variables of that module, in the spellings of gfortran, Intel's compiler and flang.
#define ANYMPI_LINK_CONSTANT(TYPE, NAME)                                                                               \
    extern TYPE __mpi_f08_link_constants_MOD_mpi_##NAME;                                                               \
    extern TYPE mpi_f08_link_constants_mp_mpi_##NAME##_;                                                               \
    extern TYPE _QMmpi_f08_link_constantsEmpi_##NAME;
ANYMPI_LINK_CONSTANT(char, argv_null)
ANYMPI_LINK_CONSTANT(char, argvs_null)
ANYMPI_LINK_CONSTANT(int, errcodes_ignore)
ANYMPI_LINK_CONSTANT(int, unweighted)
ANYMPI_LINK_CONSTANT(int, weights_empty)
ANYMPI_LINK_CONSTANT(int, buffer_automatic)
#undef ANYMPI_LINK_CONSTANT

/// Programs of Open MPI.
extern int mpi_fortran_bottom_;
extern int mpi_fortran_in_place_;
extern int mpi_fortran_unweighted_;
extern int mpi_fortran_weights_empty_;
extern int mpi_fortran_buffer_automatic_;
extern int mpi_fortran_errcodes_ignore_;
extern char mpi_fortran_argv_null_;
extern char mpi_fortran_argvs_null_;
extern int mpi_fortran_status_ignore_[];
extern int mpi_fortran_statuses_ignore_[];

/// Programs of Open MPI 1.10 that use the module mpi_f08.
extern int mpi_fortran_bottom;
extern int mpi_fortran_in_place;
extern int mpi_fortran_unweighted;
extern int mpi_fortran_weights_empty;
extern int mpi_fortran_errcodes_ignore;
extern int mpi_fortran_argv_null;
extern int mpi_fortran_argvs_null;
extern int mpi_fortran_status_ignore;
extern int mpi_fortran_statuses_ignore;

} // extern "C"

namespace anympi::fortran::rule {

/// Tests whether an address of the program is a sentinel.
template <class App>
struct sentinels_of;

/// The size of an INTEGER in the common blocks, in words of 4 bytes. It is 2 in programs of the vendors that were
/// compiled with 8-byte INTEGERs and pass INTEGER*4 to MPI. MPI_INIT measures it.
extern std::ptrdiff_t words_per_integer;
void measure_integers();

/// Sets MPI_F_STATUS_IGNORE and similar variables of the vendors' C libraries to the addresses that Fortran uses.
void show_statuses_to_c();

/// Addresses that are computed only once: 0 - mpipriv1_, and the third INTEGER of mpipriv1_.
[[gnu::visibility("hidden")]] extern std::uintptr_t minus_mpipriv1;
[[gnu::visibility("hidden")]] extern const int* const third_of_mpipriv1;

template <class App>
struct common_blocks {
    static constexpr std::ptrdiff_t status_size = sizeof(typename App::status) / sizeof(int);

    static bool is_bottom(const void* a) { return a == mpipriv1_; }
    static std::ptrdiff_t integer_words() { return App::handles == handle_style::integers ? words_per_integer : 1; }
    /// Tests with one comparison for the first two variables of the block.
    static bool is_bottom_or_in_place(const void* a) {
        return reinterpret_cast<std::uintptr_t>(a) + minus_mpipriv1 <
               2 * sizeof(int) * static_cast<std::size_t>(integer_words());
    }

    static bool is_in_place(const void* a) { return a == mpipriv1_ + integer_words(); }
    static bool is_status_ignore(const void* a) {
        return a == (App::handles == handle_style::integers ? mpipriv1_ + 2 * integer_words() : third_of_mpipriv1);
    }
    static bool is_statuses_ignore(const void* a) { return a == mpipriv2_; }
    static bool is_errcodes_ignore(const void* a) { return a == mpipriv2_ + status_size * integer_words(); }
    static bool is_argvs_null(const void* a) { return a == mpiprivc_; }
    static bool is_argv_null(const void* a) { return a == mpiprivc_ + 1; }
    static bool is_unweighted(const void* a) { return a == mpifcmb5_; }
    static bool is_weights_empty(const void* a) { return a == mpifcmb9_; }
    static bool is_automatic(const void* a) { return a == mpifcmba_; }
    static const int* unweighted() { return reinterpret_cast<const int*>(App::mpi_UNWEIGHTED); }
    static const int* weights_empty() { return reinterpret_cast<const int*>(App::mpi_WEIGHTS_EMPTY); }
};

template <>
struct sentinels_of<standard> : common_blocks<standard> {};

template <>
struct sentinels_of<mpich> : common_blocks<mpich> {
    using blocks = common_blocks<mpich>;
    static bool is_bottom(const void* a) { return blocks::is_bottom(a) || a == &MPIR_F08_MPI_BOTTOM; }
    static bool is_in_place(const void* a) { return blocks::is_in_place(a) || a == &MPIR_F08_MPI_IN_PLACE; }
    static bool is_bottom_or_in_place(const void* a) { return is_bottom(a) || is_in_place(a); }
    static bool is_status_ignore(const void* a) {
        return blocks::is_status_ignore(a) || a == &MPIR_F08_MPI_STATUS_IGNORE_OBJ;
    }
    static bool is_statuses_ignore(const void* a) {
        return blocks::is_statuses_ignore(a) || a == MPIR_F08_MPI_STATUSES_IGNORE_OBJ;
    }
#define ANYMPI_LINK_CONSTANT(RULE, NAME)                                                                               \
    static bool is_##RULE(const void* a) {                                                                             \
        return blocks::is_##RULE(a) || a == &__mpi_f08_link_constants_MOD_mpi_##NAME ||                                \
               a == &mpi_f08_link_constants_mp_mpi_##NAME##_ || a == &_QMmpi_f08_link_constantsEmpi_##NAME;            \
    }
    ANYMPI_LINK_CONSTANT(argv_null, argv_null)
    ANYMPI_LINK_CONSTANT(argvs_null, argvs_null)
    ANYMPI_LINK_CONSTANT(errcodes_ignore, errcodes_ignore)
    ANYMPI_LINK_CONSTANT(unweighted, unweighted)
    ANYMPI_LINK_CONSTANT(weights_empty, weights_empty)
    ANYMPI_LINK_CONSTANT(automatic, buffer_automatic)
#undef ANYMPI_LINK_CONSTANT
    static const int* unweighted() {
        return MPI_UNWEIGHTED;
    }
    static const int* weights_empty() {
        return MPI_WEIGHTS_EMPTY;
    }
};

template <>
struct sentinels_of<openmpi> {
#define ANYMPI_SENTINEL(NAME)                                                                                          \
    static bool is_##NAME(const void* a) {                                                                             \
        return a == &mpi_fortran_##NAME##_ || a == &mpi_fortran_##NAME;                                                \
    }
    ANYMPI_SENTINEL(bottom)
    ANYMPI_SENTINEL(in_place)
    ANYMPI_SENTINEL(status_ignore)
    ANYMPI_SENTINEL(statuses_ignore)
    ANYMPI_SENTINEL(errcodes_ignore)
    ANYMPI_SENTINEL(argvs_null)
    ANYMPI_SENTINEL(argv_null)
    ANYMPI_SENTINEL(unweighted)
    ANYMPI_SENTINEL(weights_empty)
#undef ANYMPI_SENTINEL
    static bool is_bottom_or_in_place(const void* a) {
        return is_bottom(a) || is_in_place(a);
    }
    static bool is_automatic(const void* a) {
        return a == &mpi_fortran_buffer_automatic_;
    }
    static const int* unweighted() {
        return reinterpret_cast<const int*>(openmpi::mpi_UNWEIGHTED);
    }
    static const int* weights_empty() {
        return reinterpret_cast<const int*>(openmpi::mpi_WEIGHTS_EMPTY);
    }
};

using sentinels = sentinels_of<app>;

[[gnu::always_inline]] inline void* buffer(void* program) {
    if (sentinels::is_bottom(program)) [[unlikely]] {
        prefer_jump();
        return reinterpret_cast<void*>(app::mpi_BOTTOM);
    }
    return program;
}

[[gnu::always_inline]] inline void* buffer_in_place(void* program) {
    if (sentinels::is_bottom_or_in_place(program)) [[unlikely]] {
        prefer_jump();
        return reinterpret_cast<void*>(sentinels::is_bottom(program) ? app::mpi_BOTTOM : app::mpi_IN_PLACE);
    }
    return program;
}

[[gnu::always_inline]] inline void* buffer_automatic(void* program) {
    return sentinels::is_automatic(program) ? reinterpret_cast<void*>(app::mpi_BUFFER_AUTOMATIC) : program;
}

/// Converts the address of a status. A status is the same in both languages, so the program's own is used.
[[gnu::always_inline]] inline c_status* status(c_status* program) {
    if (sentinels::is_status_ignore(program)) [[unlikely]] {
        prefer_jump();
        return reinterpret_cast<c_status*>(app::mpi_STATUS_IGNORE);
    }
    return program;
}

[[gnu::always_inline]] inline c_status* statuses(c_status* program) {
    if (sentinels::is_statuses_ignore(program)) {
        prefer_jump();
        return reinterpret_cast<c_status*>(app::mpi_STATUSES_IGNORE);
    }
    return program;
}

inline int* error_codes(int* program) {
    return sentinels::is_errcodes_ignore(program) ? reinterpret_cast<int*>(app::mpi_ERRCODES_IGNORE) : program;
}

inline int* weights(const int* program) {
    const int* const c = sentinels::is_unweighted(program)      ? sentinels::unweighted()
                         : sentinels::is_weights_empty(program) ? sentinels::weights_empty()
                                                                : program;
    return const_cast<int*>(c); // some procedures write to the weights
}

} // namespace anympi::fortran::rule
