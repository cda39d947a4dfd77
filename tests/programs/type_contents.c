// The construction of a datatype: combiners, and the returned arguments, with every constant and handle in them.
// ranks: 1
#include "check.h"

typedef struct parts {
    int combiner;
    int integers[32], integer_count;
    MPI_Aint addresses[8];
    int address_count;
    MPI_Datatype types[8];
    int type_count;
} parts;

static int take_apart(MPI_Datatype type, parts* p) {
    memset(p, 0xee, sizeof *p);
    return CHECK_OK(MPI_Type_get_envelope(type, &p->integer_count, &p->address_count, &p->type_count, &p->combiner)) &&
           CHECK_OK(MPI_Type_get_contents(type, p->integer_count, p->address_count, p->type_count, p->integers,
                                          p->addresses, p->types));
}

static void check_integers(const parts* p, const int* expected, int n) {
    CHECK_INT(p->integer_count, n);
    for (int i = 0; i < n && i < p->integer_count; i++)
        CHECK_INT(p->integers[i], expected[i]);
}

#define INTEGERS(...)                                                                                                  \
    check_integers(&p, (const int[]){__VA_ARGS__}, (int)(sizeof((const int[]){__VA_ARGS__}) / sizeof(int)))

// The argument handles of the datatypes below are predefined: the constants themselves are returned.
static void one_type(const parts* p, int combiner, MPI_Datatype inner) {
    CHECK_INT(p->combiner, combiner);
    CHECK_INT(p->type_count, 1);
    CHECK_SAME(p->types[0], inner);
}

static void named(void) {
    static const MPI_Datatype types[] = {
        MPI_CHAR,        MPI_SIGNED_CHAR,     MPI_UNSIGNED_CHAR,    MPI_BYTE,     MPI_PACKED,
        MPI_WCHAR,       MPI_SHORT,           MPI_UNSIGNED_SHORT,   MPI_INT,      MPI_UNSIGNED,
        MPI_LONG,        MPI_UNSIGNED_LONG,   MPI_LONG_LONG,        MPI_FLOAT,    MPI_DOUBLE,
        MPI_LONG_DOUBLE, MPI_INT8_T,          MPI_INT64_T,          MPI_UINT16_T, MPI_UINT32_T,
        MPI_C_BOOL,      MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_AINT,     MPI_OFFSET,
        MPI_COUNT,       MPI_FLOAT_INT,       MPI_DOUBLE_INT,       MPI_LONG_INT, MPI_SHORT_INT,
        MPI_2INT,        MPI_LONG_DOUBLE_INT,
    };
    CASE("named");
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        int integers = -1, addresses = -1, count = -1, combiner = -1;
        CHECK_OK(MPI_Type_get_envelope(types[i], &integers, &addresses, &count, &combiner));
        CHECK_INT(combiner, MPI_COMBINER_NAMED);
        CHECK_INT(integers, 0);
        CHECK_INT(addresses, 0);
        CHECK_INT(count, 0);
    }
}

// Every predefined datatype inside a contiguous one is returned as itself.
static void predefined_inside(void) {
    static const MPI_Datatype types[] = {
        MPI_CHAR,
        MPI_SIGNED_CHAR,
        MPI_UNSIGNED_CHAR,
        MPI_BYTE,
        MPI_WCHAR,
        MPI_SHORT,
        MPI_UNSIGNED_SHORT,
        MPI_INT,
        MPI_UNSIGNED,
        MPI_LONG,
        MPI_UNSIGNED_LONG,
        MPI_LONG_LONG_INT,
        MPI_LONG_LONG,
        MPI_UNSIGNED_LONG_LONG,
        MPI_FLOAT,
        MPI_DOUBLE,
        MPI_LONG_DOUBLE,
        MPI_INT8_T,
        MPI_INT16_T,
        MPI_INT32_T,
        MPI_INT64_T,
        MPI_UINT8_T,
        MPI_UINT16_T,
        MPI_UINT32_T,
        MPI_UINT64_T,
        MPI_C_BOOL,
        MPI_C_FLOAT_COMPLEX,
        MPI_C_COMPLEX,
        MPI_C_DOUBLE_COMPLEX,
        MPI_C_LONG_DOUBLE_COMPLEX,
        MPI_AINT,
        MPI_OFFSET,
        MPI_COUNT,
        MPI_FLOAT_INT,
        MPI_DOUBLE_INT,
        MPI_LONG_INT,
        MPI_SHORT_INT,
        MPI_2INT,
        MPI_LONG_DOUBLE_INT,
    };
    parts p;
    CASE("predefined types inside");
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        MPI_Datatype type;
        CHECK_OK(MPI_Type_contiguous(2, types[i], &type));
        if (take_apart(type, &p))
            one_type(&p, MPI_COMBINER_CONTIGUOUS, types[i]);
        CHECK_OK(MPI_Type_free(&type));
    }
}

static void constructors(void) {
    MPI_Datatype type;
    parts p;
    CASE("dup"), CHECK_OK(MPI_Type_dup(MPI_FLOAT, &type)), take_apart(type, &p);
    one_type(&p, MPI_COMBINER_DUP, MPI_FLOAT), CHECK_INT(p.integer_count, 0), MPI_Type_free(&type);

    CASE("contiguous"), CHECK_OK(MPI_Type_contiguous(7, MPI_CHAR, &type)), take_apart(type, &p);
    one_type(&p, MPI_COMBINER_CONTIGUOUS, MPI_CHAR), INTEGERS(7), MPI_Type_free(&type);

    CASE("vector"), CHECK_OK(MPI_Type_vector(2, 3, -4, MPI_INT, &type)), take_apart(type, &p);
    one_type(&p, MPI_COMBINER_VECTOR, MPI_INT), INTEGERS(2, 3, -4), MPI_Type_free(&type);

    CASE("hvector"), CHECK_OK(MPI_Type_create_hvector(2, 3, -40, MPI_INT, &type)), take_apart(type, &p);
    one_type(&p, MPI_COMBINER_HVECTOR, MPI_INT), INTEGERS(2, 3);
    CHECK_INT(p.address_count, 1), CHECK_INT(p.addresses[0], -40), MPI_Type_free(&type);

    CASE("indexed"), CHECK_OK(MPI_Type_indexed(2, (int[]){3, 4}, (int[]){-5, 6}, MPI_INT, &type));
    take_apart(type, &p), one_type(&p, MPI_COMBINER_INDEXED, MPI_INT), INTEGERS(2, 3, 4, -5, 6), MPI_Type_free(&type);

    CASE("hindexed");
    CHECK_OK(MPI_Type_create_hindexed(2, (int[]){3, 4}, (MPI_Aint[]){-50, 60}, MPI_INT, &type)), take_apart(type, &p);
    one_type(&p, MPI_COMBINER_HINDEXED, MPI_INT), INTEGERS(2, 3, 4);
    CHECK_INT(p.address_count, 2), CHECK_INT(p.addresses[0], -50), CHECK_INT(p.addresses[1], 60), MPI_Type_free(&type);

    CASE("indexed_block"), CHECK_OK(MPI_Type_create_indexed_block(2, 3, (int[]){8, 9}, MPI_INT, &type));
    take_apart(type, &p), one_type(&p, MPI_COMBINER_INDEXED_BLOCK, MPI_INT), INTEGERS(2, 3, 8, 9);
    MPI_Type_free(&type);

    CASE("hindexed_block"), CHECK_OK(MPI_Type_create_hindexed_block(2, 3, (MPI_Aint[]){80, 90}, MPI_INT, &type));
    take_apart(type, &p), one_type(&p, MPI_COMBINER_HINDEXED_BLOCK, MPI_INT), INTEGERS(2, 3);
    CHECK_INT(p.address_count, 2), CHECK_INT(p.addresses[1], 90), MPI_Type_free(&type);

    CASE("resized"), CHECK_OK(MPI_Type_create_resized(MPI_LONG, -8, 32, &type)), take_apart(type, &p);
    one_type(&p, MPI_COMBINER_RESIZED, MPI_LONG), CHECK_INT(p.address_count, 2);
    CHECK_INT(p.addresses[0], -8), CHECK_INT(p.addresses[1], 32), MPI_Type_free(&type);

    CASE("struct");
    CHECK_OK(MPI_Type_create_struct(3, (int[]){1, 2, 3}, (MPI_Aint[]){0, 16, 64},
                                    (MPI_Datatype[]){MPI_DOUBLE, MPI_SHORT_INT, MPI_C_BOOL}, &type));
    take_apart(type, &p), CHECK_INT(p.combiner, MPI_COMBINER_STRUCT), INTEGERS(3, 1, 2, 3);
    CHECK_INT(p.address_count, 3), CHECK_INT(p.addresses[2], 64), CHECK_INT(p.type_count, 3);
    CHECK_SAME(p.types[0], MPI_DOUBLE), CHECK_SAME(p.types[1], MPI_SHORT_INT), CHECK_SAME(p.types[2], MPI_C_BOOL);
    MPI_Type_free(&type);
}

// Constants with different values in every ABI are between plain numbers that may be equal to them.
static void arrays(void) {
    MPI_Datatype type;
    parts p;
    static const int orders[2] = {MPI_ORDER_C, MPI_ORDER_FORTRAN};
    for (int i = 0; i < 2; i++) {
        CASE("subarray");
        CHECK_OK(
            MPI_Type_create_subarray(2, (int[]){56, 57}, (int[]){12, 15}, (int[]){0, 1}, orders[i], MPI_INT, &type));
        take_apart(type, &p), one_type(&p, MPI_COMBINER_SUBARRAY, MPI_INT);
        INTEGERS(2, 56, 57, 12, 15, 0, 1, orders[i]), MPI_Type_free(&type);

        CASE("darray");
        CHECK_OK(MPI_Type_create_darray(
            6, 1, 4, (int[]){16, 17, 18, 19},
            (int[]){MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_CYCLIC},
            (int[]){MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG, 2},
            (int[]){3, 2, 1, 1}, orders[i], MPI_INT, &type));
        take_apart(type, &p), one_type(&p, MPI_COMBINER_DARRAY, MPI_INT);
        INTEGERS(6, 1, 4, 16, 17, 18, 19, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE,
                 MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG, 2,
                 3, 2, 1, 1, orders[i]);
        MPI_Type_free(&type);
    }
}

// A derived datatype inside is returned as a valid handle that must be freed, even after the program has freed its own
// handle.
static void derived_inside(void) {
    MPI_Datatype inner, outer, deepest;
    parts p, q;
    int size = -1;
    CASE("derived type inside");
    CHECK_OK(MPI_Type_vector(2, 1, 3, MPI_SHORT, &inner));
    CHECK_OK(MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 16}, (MPI_Datatype[]){inner, MPI_INT}, &outer));
    CHECK_OK(MPI_Type_free(&inner));
    take_apart(outer, &p);
    CHECK_INT(p.type_count, 2);
    CHECK_SAME(p.types[1], MPI_INT);
    deepest = p.types[0];
    CHECK_OK(MPI_Type_size(deepest, &size));
    CHECK_INT(size, 2 * sizeof(short));
    take_apart(deepest, &q);
    one_type(&q, MPI_COMBINER_VECTOR, MPI_SHORT);
    CHECK_OK(MPI_Type_free(&deepest));
    CHECK_OK(MPI_Type_free(&outer));
}

static void f90(void) {
    MPI_Datatype type;
    parts p;
    CASE("Fortran types by precision");
    if (!CHECK_OK(MPI_Type_create_f90_real(6, MPI_UNDEFINED, &type)))
        return;
    take_apart(type, &p), CHECK_INT(p.combiner, MPI_COMBINER_F90_REAL), INTEGERS(6, MPI_UNDEFINED);
    CHECK_OK(MPI_Type_create_f90_complex(MPI_UNDEFINED, 30, &type));
    take_apart(type, &p), CHECK_INT(p.combiner, MPI_COMBINER_F90_COMPLEX), INTEGERS(MPI_UNDEFINED, 30);
    CHECK_OK(MPI_Type_create_f90_integer(9, &type));
    take_apart(type, &p), CHECK_INT(p.combiner, MPI_COMBINER_F90_INTEGER), INTEGERS(9);
}

static void pair_types(void) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    CASE("pairs of value and index");
    if (!OFFERED(MPI_Type_get_value_index, (MPI_DOUBLE, MPI_INT, &type)))
        return;
    CHECK_SAME(type, MPI_DOUBLE_INT);
    CHECK_OK(MPI_Type_get_value_index(MPI_FLOAT, MPI_INT, &type));
    CHECK_SAME(type, MPI_FLOAT_INT);
    CHECK_OK(MPI_Type_get_value_index(MPI_INT, MPI_INT, &type));
    CHECK_SAME(type, MPI_2INT);
    CHECK_OK(MPI_Type_get_value_index(MPI_LONG_DOUBLE, MPI_INT, &type));
    CHECK_SAME(type, MPI_LONG_DOUBLE_INT);
    CHECK_OK(MPI_Type_get_value_index(MPI_LONG, MPI_INT, &type));
    CHECK_SAME(type, MPI_LONG_INT);
    CHECK_OK(MPI_Type_get_value_index(MPI_SHORT, MPI_INT, &type));
    CHECK_SAME(type, MPI_SHORT_INT);
    CHECK_OK(MPI_Type_get_value_index(MPI_CHAR, MPI_INT, &type)); // not a predefined datatype
    CHECK_SAME(type, MPI_DATATYPE_NULL);
    CHECK_CLASS(MPI_Type_get_value_index(MPI_DATATYPE_NULL, MPI_INT, &type), MPI_ERR_TYPE);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    named();
    predefined_inside();
    constructors();
    arrays();
    derived_inside();
    f90();
    pair_types();
    return check_end();
}
