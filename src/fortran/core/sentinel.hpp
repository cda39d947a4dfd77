#pragma once

#include "base/optimizer_barriers.hpp"
#include "fortran/core/app.hpp"

#include <cstdint>

/// Variables whose addresses mean something: MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE … are common blocks, which
/// every program defines for itself. The layer defines them too (commons_*.cpp), visible, so that the dynamic linker
/// gives it the address of the program's.

extern "C" {

// standard programs and those of MPICH's family
extern int mpipriv1_[];  // MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE
extern int mpipriv2_[];  // MPI_STATUSES_IGNORE, MPI_ERRCODES_IGNORE
extern char mpiprivc_[]; // MPI_ARGVS_NULL, MPI_ARGV_NULL
extern int mpifcmb5_[];  // MPI_UNWEIGHTED
extern int mpifcmb9_[];  // MPI_WEIGHTS_EMPTY
extern int mpifcmba_[];  // MPI_BUFFER_AUTOMATIC

// MPICH's module mpi_f08 has variables of the C library
extern int MPIR_F08_MPI_BOTTOM;
extern int MPIR_F08_MPI_IN_PLACE;
extern anympi::mpich::status MPIR_F08_MPI_STATUS_IGNORE_OBJ;
extern anympi::mpich::status MPIR_F08_MPI_STATUSES_IGNORE_OBJ[1];
extern int* MPI_UNWEIGHTED;
extern int* MPI_WEIGHTS_EMPTY;

// ... and of its own, in the spellings of gfortran and of Intel's compiler
#define ANYMPI_LINK_CONSTANT(TYPE, NAME)                                                                               \
    extern TYPE __mpi_f08_link_constants_MOD_mpi_##NAME;                                                               \
    extern TYPE mpi_f08_link_constants_mp_mpi_##NAME##_;
ANYMPI_LINK_CONSTANT(char, argv_null)
ANYMPI_LINK_CONSTANT(char, argvs_null)
ANYMPI_LINK_CONSTANT(int, errcodes_ignore)
ANYMPI_LINK_CONSTANT(int, unweighted)
ANYMPI_LINK_CONSTANT(int, weights_empty)
#undef ANYMPI_LINK_CONSTANT

// programs of Open MPI
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

} // extern "C"

namespace anympi::fortran::rule {

/// What an address of the program stands for.
template <class App>
struct sentinel;

/// How many words of 4 bytes an INTEGER of the common blocks has: 2 if the compiler was told to make all of 8 bytes,
/// as in programs of the vendors that pass INTEGER*4 to MPI by themselves. Learned by MPI_INIT.
extern std::ptrdiff_t integer_words;
void measure_integers();

/// What the vendors' C programs know as "status ignored" of Fortran becomes what Fortran knows.
void show_statuses_to_c();

/// Addresses in a common block that are used as they are: 0 - mpipriv1_, and that of its third INTEGER.
[[gnu::visibility("hidden")]] extern std::uintptr_t minus_mpipriv1;
[[gnu::visibility("hidden")]] extern const int* const third_of_mpipriv1;

template <class App>
struct common_blocks {
    static constexpr std::ptrdiff_t status_size = sizeof(typename App::status) / sizeof(int);

    static bool is_bottom(const void* a) { return a == mpipriv1_; }
    static std::ptrdiff_t words() { return App::handles == handle_style::integers ? integer_words : 1; }
    /// The first two of the block, told by one comparison.
    static bool is_bottom_or_in_place(const void* a) {
        return reinterpret_cast<std::uintptr_t>(a) + minus_mpipriv1 <
               2 * sizeof(int) * static_cast<std::size_t>(words());
    }

    static bool is_in_place(const void* a) { return a == mpipriv1_ + words(); }
    static bool is_status_ignore(const void* a) {
        return a == (App::handles == handle_style::integers ? mpipriv1_ + 2 * words() : third_of_mpipriv1);
    }
    static bool is_statuses_ignore(const void* a) { return a == mpipriv2_; }
    static bool is_errcodes_ignore(const void* a) { return a == mpipriv2_ + status_size * words(); }
    static bool is_argvs_null(const void* a) { return a == mpiprivc_; }
    static bool is_argv_null(const void* a) { return a == mpiprivc_ + 1; }
    static bool is_unweighted(const void* a) { return a == mpifcmb5_; }
    static bool is_weights_empty(const void* a) { return a == mpifcmb9_; }
    static bool is_automatic(const void* a) { return a == mpifcmba_; }
    static const int* unweighted() { return reinterpret_cast<const int*>(App::mpi_UNWEIGHTED); }
    static const int* weights_empty() { return reinterpret_cast<const int*>(App::mpi_WEIGHTS_EMPTY); }
};

template <>
struct sentinel<standard> : common_blocks<standard> {};

template <>
struct sentinel<mpich> : common_blocks<mpich> {
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
#define ANYMPI_LINK_CONSTANT(NAME)                                                                                     \
    static bool is_##NAME(const void* a) {                                                                             \
        return blocks::is_##NAME(a) || a == &__mpi_f08_link_constants_MOD_mpi_##NAME ||                                \
               a == &mpi_f08_link_constants_mp_mpi_##NAME##_;                                                          \
    }
    ANYMPI_LINK_CONSTANT(argv_null)
    ANYMPI_LINK_CONSTANT(argvs_null)
    ANYMPI_LINK_CONSTANT(errcodes_ignore)
    ANYMPI_LINK_CONSTANT(unweighted)
    ANYMPI_LINK_CONSTANT(weights_empty)
#undef ANYMPI_LINK_CONSTANT
    static const int* unweighted() {
        return MPI_UNWEIGHTED;
    }
    static const int* weights_empty() {
        return MPI_WEIGHTS_EMPTY;
    }
};

template <>
struct sentinel<openmpi> {
    static bool is_bottom(const void* a) { return a == &mpi_fortran_bottom_; }
    static bool is_in_place(const void* a) { return a == &mpi_fortran_in_place_; }
    static bool is_bottom_or_in_place(const void* a) { return is_bottom(a) || is_in_place(a); }
    static bool is_status_ignore(const void* a) { return a == mpi_fortran_status_ignore_; }
    static bool is_statuses_ignore(const void* a) { return a == mpi_fortran_statuses_ignore_; }
    static bool is_errcodes_ignore(const void* a) { return a == &mpi_fortran_errcodes_ignore_; }
    static bool is_argvs_null(const void* a) { return a == &mpi_fortran_argvs_null_; }
    static bool is_argv_null(const void* a) { return a == &mpi_fortran_argv_null_; }
    static bool is_unweighted(const void* a) { return a == &mpi_fortran_unweighted_; }
    static bool is_weights_empty(const void* a) { return a == &mpi_fortran_weights_empty_; }
    static bool is_automatic(const void* a) { return a == &mpi_fortran_buffer_automatic_; }
    static const int* unweighted() { return reinterpret_cast<const int*>(openmpi::mpi_UNWEIGHTED); }
    static const int* weights_empty() { return reinterpret_cast<const int*>(openmpi::mpi_WEIGHTS_EMPTY); }
};

using here = sentinel<app>;

[[gnu::always_inline]] inline void* buffer(void* program) {
    if (here::is_bottom(program)) [[unlikely]] {
        prefer_jump();
        return reinterpret_cast<void*>(app::mpi_BOTTOM);
    }
    return program;
}

[[gnu::always_inline]] inline void* buffer_in_place(void* program) {
    if (here::is_bottom_or_in_place(program)) [[unlikely]] {
        prefer_jump();
        return reinterpret_cast<void*>(here::is_bottom(program) ? app::mpi_BOTTOM : app::mpi_IN_PLACE);
    }
    return program;
}

[[gnu::always_inline]] inline void* buffer_automatic(void* program) {
    return here::is_automatic(program) ? reinterpret_cast<void*>(app::mpi_BUFFER_AUTOMATIC) : program;
}

/// A status is the same in both languages, so the program's own is read and written.
[[gnu::always_inline]] inline c_status* status(c_status* program) {
    if (here::is_status_ignore(program)) [[unlikely]] {
        prefer_jump();
        return reinterpret_cast<c_status*>(app::mpi_STATUS_IGNORE);
    }
    return program;
}

[[gnu::always_inline]] inline c_status* statuses(c_status* program) {
    if (here::is_statuses_ignore(program)) {
        prefer_jump();
        return reinterpret_cast<c_status*>(app::mpi_STATUSES_IGNORE);
    }
    return program;
}

inline int* error_codes(int* program) {
    return here::is_errcodes_ignore(program) ? reinterpret_cast<int*>(app::mpi_ERRCODES_IGNORE) : program;
}

inline int* weights(const int* program) {
    const int* const c = here::is_unweighted(program)      ? here::unweighted()
                         : here::is_weights_empty(program) ? here::weights_empty()
                                                           : program;
    return const_cast<int*>(c); // out where MPI writes them
}

} // namespace anympi::fortran::rule
