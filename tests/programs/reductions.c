// Every predefined operation on every predefined datatype for which it is defined.
// ranks: 1 2 3 4
#include "check.h"
#include <complex.h>
#include <stdbool.h>

static long long factorial(int n) {
    return n < 2 ? 1 : n * factorial(n - 1);
}

static long long xor_up_to(int n) {
    return n == 0 ? 0 : n ^ xor_up_to(n - 1);
}

static int is_usable(MPI_Datatype type, int size) {
    int actual = 0;
    return CHECK_OK(MPI_Type_size(type, &actual)) && CHECK_INT(actual, size);
}

#define REDUCE(ctype, type, operation, result)                                                                         \
    do {                                                                                                               \
        ctype mine = (ctype)(check_rank + 1), all = (ctype)0;                                                          \
        CHECK_OK(MPI_Allreduce(&mine, &all, 1, type, operation, MPI_COMM_WORLD));                                      \
        CHECK(all == (ctype)(result));                                                                                 \
    } while (0)

// The name is passed as a string, because a macro's argument would already be replaced by its number.
#define ARITHMETIC_NAMED(ctype, type, name)                                                                            \
    CASE(name);                                                                                                        \
    if (!is_usable(type, (int)sizeof(ctype)))                                                                          \
        break;                                                                                                         \
    REDUCE(ctype, type, MPI_SUM, n*(n + 1) / 2);                                                                       \
    REDUCE(ctype, type, MPI_PROD, factorial(n));                                                                       \
    REDUCE(ctype, type, MPI_MAX, n);                                                                                   \
    REDUCE(ctype, type, MPI_MIN, 1)

#define BITWISE(ctype, type)                                                                                           \
    REDUCE(ctype, type, MPI_BAND, n == 1);                                                                             \
    REDUCE(ctype, type, MPI_BOR, n == 1 ? 1 : n < 4 ? 3 : 7);                                                          \
    REDUCE(ctype, type, MPI_BXOR, xor_up_to(n))

#define REAL(ctype, type)                                                                                              \
    do {                                                                                                               \
        ARITHMETIC_NAMED(ctype, type, #type);                                                                          \
    } while (0)

#define FORTRAN_INTEGER(ctype, type)                                                                                   \
    do {                                                                                                               \
        ARITHMETIC_NAMED(ctype, type, #type);                                                                          \
        BITWISE(ctype, type);                                                                                          \
    } while (0)

#define C_INTEGER(ctype, type) /* with the logical operations, which Fortran has for its LOGICAL only */               \
    do {                                                                                                               \
        ARITHMETIC_NAMED(ctype, type, #type);                                                                          \
        BITWISE(ctype, type);                                                                                          \
        REDUCE(ctype, type, MPI_LAND, 1);                                                                              \
        REDUCE(ctype, type, MPI_LOR, 1);                                                                               \
        REDUCE(ctype, type, MPI_LXOR, n % 2);                                                                          \
    } while (0)

static void integers(int n) {
    C_INTEGER(signed char, MPI_SIGNED_CHAR);
    C_INTEGER(unsigned char, MPI_UNSIGNED_CHAR);
    C_INTEGER(short, MPI_SHORT);
    C_INTEGER(unsigned short, MPI_UNSIGNED_SHORT);
    C_INTEGER(int, MPI_INT);
    C_INTEGER(unsigned, MPI_UNSIGNED);
    C_INTEGER(long, MPI_LONG);
    C_INTEGER(unsigned long, MPI_UNSIGNED_LONG);
    C_INTEGER(long long, MPI_LONG_LONG);
    C_INTEGER(unsigned long long, MPI_UNSIGNED_LONG_LONG);
    C_INTEGER(int8_t, MPI_INT8_T);
    C_INTEGER(int16_t, MPI_INT16_T);
    C_INTEGER(int32_t, MPI_INT32_T);
    C_INTEGER(int64_t, MPI_INT64_T);
    C_INTEGER(uint8_t, MPI_UINT8_T);
    C_INTEGER(uint16_t, MPI_UINT16_T);
    C_INTEGER(uint32_t, MPI_UINT32_T);
    C_INTEGER(uint64_t, MPI_UINT64_T);
    C_INTEGER(MPI_Aint, MPI_AINT);
    C_INTEGER(MPI_Offset, MPI_OFFSET);
    C_INTEGER(MPI_Count, MPI_COUNT);
}

static void floating_point(int n) {
    REAL(float, MPI_FLOAT);
    REAL(double, MPI_DOUBLE);
    REAL(long double, MPI_LONG_DOUBLE);
}

#define COMPLEX(ctype, type)                                                                                           \
    do {                                                                                                               \
        CASE(#type);                                                                                                   \
        if (!is_usable(type, (int)sizeof(ctype)))                                                                      \
            break;                                                                                                     \
        ctype mine = (ctype)(check_rank + 1) + (ctype)I, all = 0;                                                      \
        CHECK_OK(MPI_Allreduce(&mine, &all, 1, type, MPI_SUM, MPI_COMM_WORLD));                                        \
        CHECK(all == (ctype)(n * (n + 1) / 2) + (ctype)(n * I));                                                       \
    } while (0)

static void complex_numbers(int n) {
    COMPLEX(float complex, MPI_C_COMPLEX);
    COMPLEX(float complex, MPI_C_FLOAT_COMPLEX);
    COMPLEX(double complex, MPI_C_DOUBLE_COMPLEX);
    COMPLEX(long double complex, MPI_C_LONG_DOUBLE_COMPLEX);
}

static void bytes_and_truth(int n) {
    CASE("MPI_BYTE");
    REDUCE(unsigned char, MPI_BYTE, MPI_BOR, n == 1 ? 1 : n < 4 ? 3 : 7);
    CASE("MPI_C_BOOL");
    bool mine = check_rank == 0, all = false;
    CHECK_OK(MPI_Allreduce(&mine, &all, 1, MPI_C_BOOL, MPI_LOR, MPI_COMM_WORLD));
    CHECK(all == true);
    CHECK_OK(MPI_Allreduce(&mine, &all, 1, MPI_C_BOOL, MPI_LAND, MPI_COMM_WORLD));
    CHECK(all == (n == 1));
}

// Types of Fortran: C has the same layout for them with every compiler in use.
static void fortran(int n) {
    FORTRAN_INTEGER(int, MPI_INTEGER);
    FORTRAN_INTEGER(int8_t, MPI_INTEGER1);
    FORTRAN_INTEGER(int16_t, MPI_INTEGER2);
    FORTRAN_INTEGER(int32_t, MPI_INTEGER4);
    FORTRAN_INTEGER(int64_t, MPI_INTEGER8);
    REAL(float, MPI_REAL);
    REAL(double, MPI_DOUBLE_PRECISION);
    REAL(float, MPI_REAL4);
    REAL(double, MPI_REAL8);
    COMPLEX(float complex, MPI_COMPLEX);
    COMPLEX(double complex, MPI_DOUBLE_COMPLEX);
    COMPLEX(float complex, MPI_COMPLEX8);
    COMPLEX(double complex, MPI_COMPLEX16);
}

// A value and its index: the largest value, and the smallest index among equal values.
#define PAIR(ctype, type)                                                                                              \
    do {                                                                                                               \
        CASE(#type);                                                                                                   \
        struct {                                                                                                       \
            ctype value;                                                                                               \
            int index;                                                                                                 \
        } mine, all;                                                                                                   \
        memset(&mine, 0, sizeof mine);                                                                                 \
        memset(&all, 0, sizeof all);                                                                                   \
        mine.value = (ctype)(check_rank % 2);                                                                          \
        mine.index = 100 + check_rank;                                                                                 \
        CHECK_OK(MPI_Allreduce(&mine, &all, 1, type, MPI_MAXLOC, MPI_COMM_WORLD));                                     \
        CHECK(all.value == (ctype)(n > 1));                                                                            \
        CHECK_INT(all.index, n > 1 ? 101 : 100);                                                                       \
        CHECK_OK(MPI_Allreduce(&mine, &all, 1, type, MPI_MINLOC, MPI_COMM_WORLD));                                     \
        CHECK(all.value == (ctype)0);                                                                                  \
        CHECK_INT(all.index, 100);                                                                                     \
    } while (0)

static void pairs(int n) {
    PAIR(float, MPI_FLOAT_INT);
    PAIR(double, MPI_DOUBLE_INT);
    PAIR(long, MPI_LONG_INT);
    PAIR(short, MPI_SHORT_INT);
    PAIR(int, MPI_2INT);
    PAIR(long double, MPI_LONG_DOUBLE_INT);
}

static void wrong_combination(void) {
    double mine = 1, all = 0;
    CASE("operation that the type does not have");
    // Builds without checks (PyPI's MPICH) may compute something, but must not crash.
    int code = MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD);
    CHECK_CLASS(code, MPI_ERR_OP, MPI_ERR_TYPE, MPI_SUCCESS);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    integers(check_ranks);
    floating_point(check_ranks);
    complex_numbers(check_ranks);
    bytes_and_truth(check_ranks);
    fortran(check_ranks);
    pairs(check_ranks);
    wrong_combination();
    return check_end();
}
