// Datatypes: data, sizes and extents of every constructor; predefined datatypes; names; matching by size.
// ranks: 1 2
#include "check.h"

// ---- predefined types ---------------------------------------------------------------------------------------------

typedef struct named_type {
    MPI_Datatype type;
    size_t size; // 0: depends on the runtime's Fortran compiler
    const char* name;
} named_type;

typedef struct double_int {
    double value;
    int index;
} double_int;
typedef struct long_int {
    long value;
    int index;
} long_int;
typedef struct long_double_int {
    long double value;
    int index;
} long_double_int;

#define NAMED(type, size)                                                                                              \
    { type, size, #type }

static const named_type c_types[] = {
    NAMED(MPI_CHAR, 1),
    NAMED(MPI_SIGNED_CHAR, 1),
    NAMED(MPI_UNSIGNED_CHAR, 1),
    NAMED(MPI_BYTE, 1),
    NAMED(MPI_PACKED, 1),
    NAMED(MPI_WCHAR, sizeof(wchar_t)),
    NAMED(MPI_SHORT, sizeof(short)),
    NAMED(MPI_UNSIGNED_SHORT, sizeof(short)),
    NAMED(MPI_INT, sizeof(int)),
    NAMED(MPI_UNSIGNED, sizeof(int)),
    NAMED(MPI_LONG, sizeof(long)),
    NAMED(MPI_UNSIGNED_LONG, sizeof(long)),
    NAMED(MPI_LONG_LONG_INT, sizeof(long long)),
    NAMED(MPI_UNSIGNED_LONG_LONG, sizeof(long long)),
    NAMED(MPI_FLOAT, sizeof(float)),
    NAMED(MPI_DOUBLE, sizeof(double)),
    NAMED(MPI_LONG_DOUBLE, sizeof(long double)),
    NAMED(MPI_INT8_T, 1),
    NAMED(MPI_INT16_T, 2),
    NAMED(MPI_INT32_T, 4),
    NAMED(MPI_INT64_T, 8),
    NAMED(MPI_UINT8_T, 1),
    NAMED(MPI_UINT16_T, 2),
    NAMED(MPI_UINT32_T, 4),
    NAMED(MPI_UINT64_T, 8),
    NAMED(MPI_C_BOOL, 1),
    NAMED(MPI_C_FLOAT_COMPLEX, 2 * sizeof(float)),
    NAMED(MPI_C_DOUBLE_COMPLEX, 2 * sizeof(double)),
    NAMED(MPI_C_LONG_DOUBLE_COMPLEX, 2 * sizeof(long double)),
    NAMED(MPI_AINT, sizeof(MPI_Aint)),
    NAMED(MPI_OFFSET, sizeof(MPI_Offset)),
    NAMED(MPI_COUNT, sizeof(MPI_Count)),
    NAMED(MPI_FLOAT_INT, sizeof(float) + sizeof(int)),
    NAMED(MPI_DOUBLE_INT, sizeof(double) + sizeof(int)),
    NAMED(MPI_LONG_INT, sizeof(long) + sizeof(int)),
    NAMED(MPI_SHORT_INT, sizeof(short) + sizeof(int)),
    NAMED(MPI_2INT, 2 * sizeof(int)),
    NAMED(MPI_LONG_DOUBLE_INT, sizeof(long double) + sizeof(int)),
};

// A runtime may be built without Fortran, C++ or some widths; then the datatype is invalid or has no size.
static const named_type optional_types[] = {
    NAMED(MPI_INTEGER, 0),
    NAMED(MPI_REAL, 0),
    NAMED(MPI_DOUBLE_PRECISION, 0),
    NAMED(MPI_COMPLEX, 0),
    NAMED(MPI_LOGICAL, 0),
    NAMED(MPI_CHARACTER, 0),
    NAMED(MPI_DOUBLE_COMPLEX, 0),
    NAMED(MPI_2REAL, 0),
    NAMED(MPI_2INTEGER, 0),
    NAMED(MPI_INTEGER1, 1),
    NAMED(MPI_INTEGER2, 2),
    NAMED(MPI_INTEGER4, 4),
    NAMED(MPI_INTEGER8, 8),
    NAMED(MPI_INTEGER16, 16),
    NAMED(MPI_REAL2, 2),
    NAMED(MPI_REAL4, 4),
    NAMED(MPI_REAL8, 8),
    NAMED(MPI_REAL16, 16),
    NAMED(MPI_COMPLEX4, 4),
    NAMED(MPI_COMPLEX8, 8),
    NAMED(MPI_COMPLEX16, 16),
    NAMED(MPI_COMPLEX32, 32),
    NAMED(MPI_LOGICAL1, 1),
    NAMED(MPI_LOGICAL2, 2),
    NAMED(MPI_LOGICAL4, 4),
    NAMED(MPI_LOGICAL8, 8),
    NAMED(MPI_LOGICAL16, 16),
    NAMED(MPI_CXX_BOOL, 0),
    NAMED(MPI_CXX_FLOAT_COMPLEX, 0),
    NAMED(MPI_CXX_DOUBLE_COMPLEX, 0),
    NAMED(MPI_CXX_LONG_DOUBLE_COMPLEX, 0),
    NAMED(MPI_2DOUBLE_PRECISION, 0),
};

enum { c_type_count = sizeof c_types / sizeof c_types[0], optional_count = sizeof optional_types / sizeof c_types[0] };

static void predefined_sizes(void) {
    CASE("sizes of predefined types");
    for (int i = 0; i < c_type_count; i++) {
        int size = -1;
        MPI_Count large = -1;
        MPI_Aint lower = -1, extent = -1;
        if (!CHECK_OK(MPI_Type_size(c_types[i].type, &size)))
            printf("# %s\n", c_types[i].name);
        CHECK_INT(size, c_types[i].size);
        CHECK_OK(MPI_Type_size_x(c_types[i].type, &large));
        CHECK_INT(large, c_types[i].size);
        CHECK_OK(MPI_Type_get_extent(c_types[i].type, &lower, &extent));
        CHECK_INT(lower, 0);
        CHECK(extent >= (MPI_Aint)c_types[i].size);
    }
    MPI_Aint lower, extent;
    CHECK_OK(MPI_Type_get_extent(MPI_DOUBLE_INT, &lower, &extent));
    CHECK_INT(extent, sizeof(double_int));
    CHECK_OK(MPI_Type_get_extent(MPI_LONG_INT, &lower, &extent));
    CHECK_INT(extent, sizeof(long_int));
    CHECK_OK(MPI_Type_get_extent(MPI_LONG_DOUBLE_INT, &lower, &extent));
    CHECK_INT(extent, sizeof(long_double_int));

    CASE("sizes of optional types");
    for (int i = 0; i < optional_count; i++) {
        int size = -1;
        int code = MPI_Type_size(optional_types[i].type, &size);
#ifdef MPI_ABI_VERSION // a program recognises a missing datatype by its size; the query is not an error
        MPI_Count large = 0;
        CHECK_OK(code);
        CHECK(size == MPI_UNDEFINED || (optional_types[i].size ? size == (int)optional_types[i].size : size > 0));
        CHECK_OK(MPI_Type_size_c(optional_types[i].type, &large));
        CHECK_INT(large, size);
#else
        if (code != MPI_SUCCESS)
            CHECK_CLASS(code, MPI_ERR_TYPE, MPI_ERR_ARG); // not supported here
        else if (size != MPI_UNDEFINED && size != 0 && optional_types[i].size)
            CHECK_INT(size, optional_types[i].size);
#endif
    }
#ifdef MPI_ABI_VERSION
    int size = 0;
    CHECK_CLASS(MPI_Type_size(MPI_DATATYPE_NULL, &size), MPI_ERR_TYPE);
#endif
}

// Logical datatypes of a given size are optional, but anympi offers them on every library, as integers of that size.
static void sized_logicals(void) {
    static const struct {
        MPI_Datatype type;
        size_t size;
    } logicals[] = {{MPI_LOGICAL1, 1}, {MPI_LOGICAL2, 2}, {MPI_LOGICAL4, 4}, {MPI_LOGICAL8, 8}};
    CASE("logical types of a size");
    for (unsigned i = 0; i < sizeof logicals / sizeof *logicals; i++) {
        const size_t bytes = logicals[i].size;
        char mine[16] = {0}, all[16], any[16];
        int size = -1;
        CHECK_OK(MPI_Type_size(logicals[i].type, &size));
        CHECK_INT(size, bytes);
        mine[0] = 1;                   // .TRUE.
        mine[bytes] = check_rank == 0; // true on one process
        CHECK_OK(MPI_Allreduce(mine, all, 2, logicals[i].type, MPI_LAND, MPI_COMM_WORLD));
        CHECK_OK(MPI_Allreduce(mine, any, 2, logicals[i].type, MPI_LOR, MPI_COMM_WORLD));
        CHECK(all[0] != 0 && (all[bytes] != 0) == (check_ranks == 1));
        CHECK(any[0] != 0 && any[bytes] != 0);
    }
}

// Every predefined type carries data: a message to the next rank, compared byte by byte.
static void predefined_messages(void) {
    int right = (check_rank + 1) % check_ranks, left = (check_rank + check_ranks - 1) % check_ranks;
    CASE("messages of predefined types");
    for (int i = 0; i < c_type_count; i++) {
        // Zeros and ones are valid values of every datatype. Pair types have padding, which is not sent, so they are
        // all zeros.
        long double out[8] = {0}, in[8];
        MPI_Status status;
        MPI_Aint lower, extent;
        int count = -1;
        CHECK_OK(MPI_Type_get_extent(c_types[i].type, &lower, &extent));
        for (size_t byte = 0; byte < c_types[i].size && extent == (MPI_Aint)c_types[i].size; byte++)
            ((unsigned char*)out)[byte] = (unsigned char)(byte % 2);
        memset(in, 0, sizeof in);
        CHECK_OK(
            MPI_Sendrecv(out, 1, c_types[i].type, right, i, in, 1, c_types[i].type, left, i, MPI_COMM_WORLD, &status));
        CHECK_BYTES(in, out, c_types[i].size);
        CHECK_OK(MPI_Get_count(&status, c_types[i].type, &count));
        CHECK_INT(count, 1);
        CHECK_OK(MPI_Get_count(&status, MPI_BYTE, &count));
        CHECK_INT(count, c_types[i].size);
    }
}

static void predefined_names(void) {
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    CASE("names");
    for (int i = 0; i < c_type_count; i++) {
        memset(name, 'x', sizeof name);
        CHECK_OK(MPI_Type_get_name(c_types[i].type, name, &length));
        CHECK_INT(length, strlen(name));
        // Two names for one datatype: a runtime may return the older one.
        if (c_types[i].type == MPI_C_FLOAT_COMPLEX)
            CHECK(!strcmp(name, "MPI_C_FLOAT_COMPLEX") || !strcmp(name, "MPI_C_COMPLEX"));
        else if (c_types[i].type == MPI_LONG_LONG_INT)
            CHECK(!strcmp(name, "MPI_LONG_LONG_INT") || !strcmp(name, "MPI_LONG_LONG"));
        else
            CHECK_STRING(name, c_types[i].name);
    }
#ifdef MPI_ABI_VERSION
    static const struct {
        MPI_Datatype type;
        const char* name;
    } others[] = {{MPI_DATATYPE_NULL, "MPI_DATATYPE_NULL"}, {MPI_LOGICAL1, "MPI_LOGICAL1"},
                  {MPI_LOGICAL4, "MPI_LOGICAL4"},           {MPI_LOGICAL8, "MPI_LOGICAL8"},
                  {MPI_LOGICAL16, "MPI_LOGICAL16"},         {MPI_INTEGER4, "MPI_INTEGER4"}};
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
        CHECK_OK(MPI_Type_get_name(others[i].type, name, &length));
        CHECK_STRING(name, others[i].name);
        CHECK_INT(length, strlen(others[i].name));
    }
#endif
    MPI_Datatype derived;
    CHECK_OK(MPI_Type_contiguous(2, MPI_INT, &derived));
    CHECK_OK(MPI_Type_get_name(derived, name, &length));
    CHECK_INT(length, 0);
    CHECK_STRING(name, "");
    CHECK_OK(MPI_Type_set_name(derived, "a name of my own"));
    CHECK_OK(MPI_Type_get_name(derived, name, &length));
    CHECK_STRING(name, "a name of my own");
    CHECK_INT(length, 16);
    CHECK_OK(MPI_Type_free(&derived));
    CHECK_SAME(derived, MPI_DATATYPE_NULL);
}

static void match_size(void) {
    MPI_Datatype type;
    int size;
    static const int sizes[][2] = {{MPI_TYPECLASS_INTEGER, 1}, {MPI_TYPECLASS_INTEGER, 2}, {MPI_TYPECLASS_INTEGER, 4},
                                   {MPI_TYPECLASS_INTEGER, 8}, {MPI_TYPECLASS_REAL, 4},    {MPI_TYPECLASS_REAL, 8},
                                   {MPI_TYPECLASS_COMPLEX, 8}, {MPI_TYPECLASS_COMPLEX, 16}};
    CASE("match_size");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        int code = MPI_Type_match_size(sizes[i][0], sizes[i][1], &type);
        if (code != MPI_SUCCESS) { // a runtime without Fortran
            CHECK_CLASS(code, MPI_ERR_ARG, MPI_ERR_TYPE);
            continue;
        }
        CHECK_OK(MPI_Type_size(type, &size));
        CHECK_INT(size, sizes[i][1]);
        if ((uintptr_t)MPI_COMM_WORLD < 4096) // the standard ABI: a predefined datatype is its constant
            CHECK((uintptr_t)type < 4096);
    }
    CHECK_CLASS(MPI_Type_match_size(MPI_TYPECLASS_REAL, 5, &type), MPI_ERR_ARG, MPI_ERR_TYPE);
}

// ---- constructors: a message in the type, received as plain ints --------------------------------------------------

// Sends `count` of `type` from `from` and compares what arrives, as ints, with `expected`.
static void check_selected(const int* from, int count, MPI_Datatype type, const int* expected, int n) {
    int in[32], got = -1, right = (check_rank + 1) % check_ranks, left = (check_rank + check_ranks - 1) % check_ranks;
    MPI_Status status;
    memset(in, 0, sizeof in);
    CHECK_OK(MPI_Type_commit(&type));
    CHECK_OK(MPI_Sendrecv(from, count, type, right, 1, in, 32, MPI_INT, left, 1, MPI_COMM_WORLD, &status));
    CHECK_OK(MPI_Get_count(&status, MPI_INT, &got));
    CHECK_INT(got, n);
    CHECK_BYTES(in, expected, (size_t)n * sizeof(int));
    CHECK_OK(MPI_Type_free(&type));
    CHECK_SAME(type, MPI_DATATYPE_NULL);
}

#define SELECTED(count, type, ...)                                                                                     \
    check_selected(source, count, type, (const int[]){__VA_ARGS__},                                                    \
                   (int)(sizeof((const int[]){__VA_ARGS__}) / sizeof(int)))

static int source[32];

static void constructors(void) {
    MPI_Datatype type;
    const MPI_Aint unit = sizeof(int);
    CASE("contiguous"), MPI_Type_contiguous(3, MPI_INT, &type), SELECTED(2, type, 0, 1, 2, 3, 4, 5);
    CASE("vector"), MPI_Type_vector(3, 2, 4, MPI_INT, &type), SELECTED(1, type, 0, 1, 4, 5, 8, 9);
    CASE("hvector"), MPI_Type_create_hvector(2, 1, 5 * unit, MPI_INT, &type), SELECTED(1, type, 0, 5);
    CASE("indexed"), MPI_Type_indexed(2, (int[]){2, 1}, (int[]){3, 0}, MPI_INT, &type), SELECTED(1, type, 3, 4, 0);
    CASE("hindexed");
    MPI_Type_create_hindexed(2, (int[]){1, 2}, (MPI_Aint[]){6 * unit, unit}, MPI_INT, &type);
    SELECTED(1, type, 6, 1, 2);
    CASE("indexed_block"), MPI_Type_create_indexed_block(2, 2, (int[]){7, 2}, MPI_INT, &type);
    SELECTED(1, type, 7, 8, 2, 3);
    CASE("hindexed_block"), MPI_Type_create_hindexed_block(2, 1, (MPI_Aint[]){unit, 9 * unit}, MPI_INT, &type);
    SELECTED(1, type, 1, 9);
    CASE("struct");
    MPI_Type_create_struct(3, (int[]){1, 4, 1}, (MPI_Aint[]){2 * unit, 5 * unit, 8 * unit},
                           (MPI_Datatype[]){MPI_INT, MPI_BYTE, MPI_UNSIGNED}, &type);
    SELECTED(1, type, 2, 5, 8);
    CASE("subarray, C order"); // rows 1 to 2, column 1 of a 4 by 3 matrix
    MPI_Type_create_subarray(2, (int[]){4, 3}, (int[]){2, 1}, (int[]){1, 1}, MPI_ORDER_C, MPI_INT, &type);
    SELECTED(1, type, 4, 7);
    CASE("subarray, Fortran order");
    MPI_Type_create_subarray(2, (int[]){4, 3}, (int[]){2, 1}, (int[]){1, 1}, MPI_ORDER_FORTRAN, MPI_INT, &type);
    SELECTED(1, type, 5, 6);
    CASE("darray, block"); // the second of two processes
    MPI_Type_create_darray(2, 1, 1, (int[]){6}, (int[]){MPI_DISTRIBUTE_BLOCK}, (int[]){MPI_DISTRIBUTE_DFLT_DARG},
                           (int[]){2}, MPI_ORDER_C, MPI_INT, &type);
    SELECTED(1, type, 3, 4, 5);
    CASE("darray, cyclic");
    MPI_Type_create_darray(2, 1, 1, (int[]){6}, (int[]){MPI_DISTRIBUTE_CYCLIC}, (int[]){MPI_DISTRIBUTE_DFLT_DARG},
                           (int[]){2}, MPI_ORDER_C, MPI_INT, &type);
    SELECTED(1, type, 1, 3, 5);
    CASE("darray, cyclic of 2, undistributed rows");
    MPI_Type_create_darray(2, 0, 2, (int[]){2, 4}, (int[]){MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_CYCLIC},
                           (int[]){MPI_DISTRIBUTE_DFLT_DARG, 1}, (int[]){1, 2}, MPI_ORDER_C, MPI_INT, &type);
    SELECTED(1, type, 0, 2, 4, 6);
    CASE("resized");
    MPI_Type_create_resized(MPI_INT, 0, 3 * unit, &type);
    SELECTED(3, type, 0, 3, 6);
    CASE("dup"), MPI_Type_dup(MPI_INT, &type), SELECTED(2, type, 0, 1);
}

static void extents(void) {
    MPI_Datatype vector, resized;
    MPI_Aint lower, extent;
    MPI_Count lower_x, extent_x, size_x;
    int size;
    CASE("extents");
    CHECK_OK(MPI_Type_vector(2, 1, 3, MPI_DOUBLE, &vector));
    CHECK_OK(MPI_Type_create_resized(vector, -8, 100, &resized));
    CHECK_OK(MPI_Type_get_extent(vector, &lower, &extent));
    CHECK_INT(lower, 0);
    CHECK_INT(extent, 4 * sizeof(double));
    CHECK_OK(MPI_Type_get_extent(resized, &lower, &extent));
    CHECK_INT(lower, -8);
    CHECK_INT(extent, 100);
    CHECK_OK(MPI_Type_get_true_extent(resized, &lower, &extent));
    CHECK_INT(lower, 0);
    CHECK_INT(extent, 4 * sizeof(double));
    CHECK_OK(MPI_Type_get_extent_x(resized, &lower_x, &extent_x));
    CHECK_INT(lower_x, -8);
    CHECK_INT(extent_x, 100);
    CHECK_OK(MPI_Type_get_true_extent_x(resized, &lower_x, &extent_x));
    CHECK_INT(lower_x, 0);
    CHECK_INT(extent_x, 4 * sizeof(double));
    CHECK_OK(MPI_Type_size(resized, &size));
    CHECK_INT(size, 2 * sizeof(double));
    CHECK_OK(MPI_Type_size_x(resized, &size_x));
    CHECK_INT(size_x, 2 * sizeof(double));
    CHECK_OK(MPI_Type_free(&vector)); // the resized datatype stays valid
    CHECK_OK(MPI_Type_commit(&resized));
    CHECK_OK(MPI_Type_free(&resized));
}

static void addresses(void) {
    int array[10];
    MPI_Aint first = 0, last = 0;
    CASE("addresses");
    CHECK_OK(MPI_Get_address(&array[0], &first));
    CHECK_OK(MPI_Get_address(&array[9], &last));
    CHECK_INT(first, (intptr_t)array);
    CHECK_INT(MPI_Aint_diff(last, first), 9 * sizeof(int));
    CHECK_INT(MPI_Aint_add(first, 9 * sizeof(int)), last);
}

// Only part of an element arrives: the count is undefined, but the number of basic elements is defined.
static void partial_elements(void) {
    MPI_Datatype pair;
    MPI_Status status;
    int out[3] = {1, 2, 3}, in[4], count = -1, elements = -1;
    MPI_Count elements_x = -1;
    CASE("partial elements");
    CHECK_OK(MPI_Type_contiguous(2, MPI_INT, &pair));
    CHECK_OK(MPI_Type_commit(&pair));
    CHECK_OK(MPI_Sendrecv(out, 3, MPI_INT, check_rank, 1, in, 2, pair, check_rank, 1, MPI_COMM_WORLD, &status));
    CHECK_OK(MPI_Get_count(&status, pair, &count));
    CHECK_INT(count, MPI_UNDEFINED);
    CHECK_OK(MPI_Get_elements(&status, pair, &elements));
    CHECK_INT(elements, 3);
    CHECK_OK(MPI_Get_elements_x(&status, pair, &elements_x));
    CHECK_INT(elements_x, 3);
    CHECK_OK(MPI_Type_free(&pair));
}

// Datatypes of Fortran by precision and range: equal arguments give the same handle, which must not be freed.
static void f90_types(void) {
    MPI_Datatype first = MPI_DATATYPE_NULL, second = MPI_DATATYPE_NULL;
    int size = -1;
    CASE("Fortran types by precision");
    if (!CHECK_OK(MPI_Type_create_f90_real(15, MPI_UNDEFINED, &first)))
        return;
    CHECK_OK(MPI_Type_create_f90_real(15, MPI_UNDEFINED, &second));
    CHECK_SAME(first, second);
    CHECK_OK(MPI_Type_size(first, &size));
    CHECK_INT(size, 8);
    CHECK_OK(MPI_Type_create_f90_complex(MPI_UNDEFINED, 30, &first));
    CHECK_OK(MPI_Type_size(first, &size));
    CHECK_INT(size, 8);
    CHECK_OK(MPI_Type_create_f90_integer(4, &first));
    CHECK_OK(MPI_Type_size(first, &size));
    CHECK_INT(size, 2);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    for (int i = 0; i < 32; i++)
        source[i] = i;
    predefined_sizes();
    sized_logicals();
    predefined_messages();
    predefined_names();
    match_size();
    constructors();
    extents();
    addresses();
    partial_elements();
    f90_types();
    return check_end();
}
