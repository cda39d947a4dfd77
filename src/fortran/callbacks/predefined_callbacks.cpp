#include "fortran/callbacks/predefined_callbacks.hpp"

#include "fortran/core/exported.hpp"
#include "fortran/core/logical.hpp"

// The predefined callbacks, such as MPI_COMM_DUP_FN. They really do their work, because a program may call them itself.
// MPI recognises them by their addresses. A program may have a different address for each spelling of a name, so all
// are compared, through relocations.

namespace anympi::fortran {

// The spellings of a name that compilers use.
#define FOUR_SPELLINGS(EACH, SPELLED, LARGE, SMALL)                                                                    \
    EACH(SPELLED##_, SMALL)                                                                                            \
    EACH(SPELLED##__, SMALL)                                                                                           \
    EACH(SPELLED, SMALL)                                                                                               \
    EACH(LARGE, SMALL)

// All linker names of a callback: the names of mpif.h and mpi, the names of mpi_f08, and the procedures of the vendors'
// modules.
#define SPELLINGS(EACH, SMALL, LARGE)                                                                                  \
    FOUR_SPELLINGS(EACH, mpi_##SMALL, MPI_##LARGE, SMALL)                                                              \
    FOUR_SPELLINGS(EACH, pmpi_##SMALL, PMPI_##LARGE, SMALL)                                                            \
    FOUR_SPELLINGS(EACH, mpi_##SMALL##_f08, MPI_##LARGE##_F08, SMALL)                                                  \
    FOUR_SPELLINGS(EACH, pmpi_##SMALL##_f08, PMPI_##LARGE##_F08, SMALL)                                                \
    EACH(__mpi_f08_callbacks_MOD_mpi_##SMALL, SMALL)                                                                   \
    EACH(mpi_f08_callbacks_mp_mpi_##SMALL##_, SMALL)                                                                   \
    EACH(_QMmpi_f08_callbacksPmpi_##SMALL, SMALL)                                                                      \
    EACH(mpi_f08_callbacks_mpi_##SMALL##_, SMALL)

// A callback of MPI-1, and its successors for the three classes of objects with attributes.
#define FOUR_FUNCTIONS(EACH, SMALL, LARGE)                                                                             \
    SPELLINGS(EACH, SMALL, LARGE)                                                                                      \
    SPELLINGS(EACH, comm_##SMALL, COMM_##LARGE)                                                                        \
    SPELLINGS(EACH, type_##SMALL, TYPE_##LARGE)                                                                        \
    SPELLINGS(EACH, win_##SMALL, WIN_##LARGE)

#define NULL_COPY_FUNCTIONS(EACH) FOUR_FUNCTIONS(EACH, null_copy_fn, NULL_COPY_FN)
#define DUP_FUNCTIONS(EACH) FOUR_FUNCTIONS(EACH, dup_fn, DUP_FN)
#define NULL_DELETE_FUNCTIONS(EACH) FOUR_FUNCTIONS(EACH, null_delete_fn, NULL_DELETE_FN)
#define NULL_CONVERSIONS(EACH)                                                                                         \
    SPELLINGS(EACH, conversion_fn_null, CONVERSION_FN_NULL)                                                            \
    SPELLINGS(EACH, conversion_fn_null_c, CONVERSION_FN_NULL_C)

// ---- the functions; attributes of MPI-1 are INTEGERs ----

#define FUNCTION(NAME, ...) extern "C" void anympi_##NAME(__VA_ARGS__)

#define COPY_NOTHING(NAME, INTEGER)                                                                                    \
    FUNCTION(NAME, int*, int*, INTEGER*, INTEGER*, INTEGER*, int* flag, int* code) {                                   \
        *flag = rule::logical(false);                                                                                  \
        *code = 0;                                                                                                     \
    }
COPY_NOTHING(null_copy_fn, int)
COPY_NOTHING(comm_null_copy_fn, std::int64_t)
COPY_NOTHING(type_null_copy_fn, std::int64_t)
COPY_NOTHING(win_null_copy_fn, std::int64_t)

#define COPY_VALUE(NAME, INTEGER)                                                                                      \
    FUNCTION(NAME, int*, int*, INTEGER*, const INTEGER* in, INTEGER* out, int* flag, int* code) {                      \
        *out = *in;                                                                                                    \
        *flag = rule::logical(true);                                                                                   \
        *code = 0;                                                                                                     \
    }
COPY_VALUE(dup_fn, int)
COPY_VALUE(comm_dup_fn, std::int64_t)
COPY_VALUE(type_dup_fn, std::int64_t)
COPY_VALUE(win_dup_fn, std::int64_t)

#define DELETE_NOTHING(NAME)                                                                                           \
    FUNCTION(NAME, int*, int*, void*, void*, int* code) {                                                              \
        *code = 0;                                                                                                     \
    }
DELETE_NOTHING(null_delete_fn)
DELETE_NOTHING(comm_null_delete_fn)
DELETE_NOTHING(type_null_delete_fn)
DELETE_NOTHING(win_null_delete_fn)

#define CONVERT_NOTHING(NAME)                                                                                          \
    FUNCTION(NAME, void*, int*, void*, void*, std::int64_t*, std::int64_t*, int* code) {                               \
        *code = 0;                                                                                                     \
    }
CONVERT_NOTHING(conversion_fn_null)
CONVERT_NOTHING(conversion_fn_null_c)

// ---- names of the callbacks ----

#define NAME(SPELLING, SMALL) EXPORTED decltype(anympi_##SMALL) SPELLING __attribute__((alias("anympi_" #SMALL)));
NULL_COPY_FUNCTIONS(NAME)
DUP_FUNCTIONS(NAME)
NULL_DELETE_FUNCTIONS(NAME)
NULL_CONVERSIONS(NAME)

// ---- recognition by address ----

#define ADDRESS(SPELLING, SMALL) reinterpret_cast<const void*>(SPELLING),
#define IS_ONE_OF(FUNCTIONS, FUNCTION)                                                                                 \
    static const void* const known[] = {FUNCTIONS(ADDRESS)};                                                           \
    for (const void* each : known)                                                                                     \
        if (FUNCTION == each)                                                                                          \
            return true;                                                                                               \
    return false

bool is_null_copy_function(const void* function) {
    IS_ONE_OF(NULL_COPY_FUNCTIONS, function);
}
bool is_dup_function(const void* function) {
    IS_ONE_OF(DUP_FUNCTIONS, function);
}
bool is_null_delete_function(const void* function) {
    IS_ONE_OF(NULL_DELETE_FUNCTIONS, function);
}
bool is_null_conversion(const void* function) {
    IS_ONE_OF(NULL_CONVERSIONS, function);
}

} // namespace anympi::fortran
