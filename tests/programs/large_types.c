// Constructors with large counts create the same datatypes as the small ones, and return their arguments and the
// datatypes inside. The counts are small here; large_count.c tests counts that do not fit into an int.
// ranks: 1
#include "check.h"

typedef struct parts {
    int combiner, integers[32];
    MPI_Aint addresses[8];
    MPI_Count counts[32];
    MPI_Datatype types[8];
    MPI_Count integer_count, address_count, large_count, type_count;
} parts;

static int take_apart(MPI_Datatype type, parts* p) {
    memset(p, 0xee, sizeof *p);
    return CHECK_OK(MPI_Type_get_envelope_c(type, &p->integer_count, &p->address_count, &p->large_count, &p->type_count,
                                            &p->combiner)) &&
           CHECK_OK(MPI_Type_get_contents_c(type, p->integer_count, p->address_count, p->large_count, p->type_count,
                                            p->integers, p->addresses, p->counts, p->types));
}

// The program must free datatypes that it gets back, unless they are predefined.
static void give_back(parts* p) {
    for (int i = 0; i < p->type_count; i++) {
        MPI_Count numbers[4];
        int combiner = MPI_COMBINER_NAMED;
        CHECK_OK(MPI_Type_get_envelope_c(p->types[i], &numbers[0], &numbers[1], &numbers[2], &numbers[3], &combiner));
        if (combiner != MPI_COMBINER_NAMED)
            CHECK_OK(MPI_Type_free(&p->types[i]));
    }
}

// Packs elements. The data may be before and after the address, because displacements may be negative.
static MPI_Count packed_bytes(MPI_Datatype type, int count, char* to, MPI_Count room) {
    static char memory[1 << 16];
    int position = 0;
    for (size_t i = 0; i < sizeof memory; i++)
        memory[i] = (char)(i * 7 + i / 251);
    CHECK_OK(MPI_Pack(memory + sizeof memory / 2, count, type, to, (int)room, &position, MPI_COMM_SELF));
    return position;
}

static void same_layout(MPI_Datatype small, MPI_Datatype large) {
    static char bytes[1 << 14], expected[1 << 14];
    MPI_Count a[5] = {-1, -1, -1, -1, -1}, b[5] = {-2, -2, -2, -2, -2};
    CHECK_OK(MPI_Type_size_c(small, &a[0])), CHECK_OK(MPI_Type_size_c(large, &b[0]));
    CHECK_OK(MPI_Type_get_extent_c(small, &a[1], &a[2])), CHECK_OK(MPI_Type_get_extent_c(large, &b[1], &b[2]));
    CHECK_OK(MPI_Type_get_true_extent_c(small, &a[3], &a[4]));
    CHECK_OK(MPI_Type_get_true_extent_c(large, &b[3], &b[4]));
    for (int i = 0; i < 5; i++)
        CHECK_INT(b[i], a[i]);
    CHECK_OK(MPI_Type_commit(&small)), CHECK_OK(MPI_Type_commit(&large));
    MPI_Count size = packed_bytes(small, 2, expected, sizeof expected);
    CHECK_INT(packed_bytes(large, 2, bytes, sizeof bytes), size);
    CHECK_BYTES(bytes, expected, (size_t)size);
}

// The small functions cannot return large counts, even if the values are small.
static void refused_by_small_form(MPI_Datatype type) {
    int integers = -1, addresses = -1, types = -1, combiner = -1, numbers[32];
    MPI_Aint places[8];
    MPI_Datatype inner[8];
    // MPICH 4.0 and 4.1 return MPI_ERR_OTHER
    CHECK_CLASS(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), MPI_ERR_TYPE, MPI_ERR_OTHER);
    CHECK_CLASS(MPI_Type_get_contents(type, 32, 8, 8, numbers, places, inner), MPI_ERR_TYPE, MPI_ERR_OTHER);
}

static void check_parts(MPI_Datatype type, int combiner, const int* integers, int integer_count,
                        const MPI_Count* counts, int large_count) {
    parts p;
    if (!take_apart(type, &p))
        return;
    CHECK_INT(p.combiner, combiner);
    CHECK_INT(p.integer_count, integer_count);
    CHECK_INT(p.address_count, 0);
    CHECK_INT(p.large_count, large_count);
    for (int i = 0; i < integer_count && i < p.integer_count; i++)
        CHECK_INT(p.integers[i], integers[i]);
    for (int i = 0; i < large_count && i < p.large_count; i++)
        CHECK_INT(p.counts[i], counts[i]);
    refused_by_small_form(type);
    give_back(&p);
}

static void check_one_type(MPI_Datatype type, MPI_Datatype inner) {
    parts p;
    if (take_apart(type, &p) && CHECK_INT(p.type_count, 1))
        CHECK_SAME(p.types[0], inner);
}

#define COUNTS(...)                                                                                                    \
    (const MPI_Count[]){__VA_ARGS__}, (int)(sizeof((const MPI_Count[]){__VA_ARGS__}) / sizeof(MPI_Count))
#define INTS(...) (const int[]){__VA_ARGS__}, (int)(sizeof((const int[]){__VA_ARGS__}) / sizeof(int))
#define NONE NULL, 0

static void done(MPI_Datatype* small, MPI_Datatype* large) {
    same_layout(*small, *large);
    CHECK_OK(MPI_Type_free(small));
    CHECK_OK(MPI_Type_free(large));
}

// Each constructor with MPI_INT and with a datatype that has a lower bound and a gap.
static void regular(MPI_Datatype inner, int is_named) {
    MPI_Datatype small, large;
    static const MPI_Count runs[] = {0, 1, 3, 4, 7, 10, 28};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        CASE("contiguous");
        CHECK_OK(MPI_Type_contiguous((int)runs[i], inner, &small));
        CHECK_OK(MPI_Type_contiguous_c(runs[i], inner, &large));
        check_parts(large, MPI_COMBINER_CONTIGUOUS, NONE, COUNTS(runs[i]));
        if (is_named)
            check_one_type(large, inner);
        done(&small, &large);
        CASE("vector");
        CHECK_OK(MPI_Type_vector((int)runs[i], 5, 6, inner, &small));
        CHECK_OK(MPI_Type_vector_c(runs[i], 5, 6, inner, &large));
        check_parts(large, MPI_COMBINER_VECTOR, NONE, COUNTS(runs[i], 5, 6));
        done(&small, &large);
        CASE("vector, backwards");
        CHECK_OK(MPI_Type_vector(5, (int)runs[i] + 1, -30, inner, &small)); // MPICH gives empty blocks an extent
        CHECK_OK(MPI_Type_vector_c(5, runs[i] + 1, -30, inner, &large));
        check_parts(large, MPI_COMBINER_VECTOR, NONE, COUNTS(5, runs[i] + 1, -30));
        done(&small, &large);
        CASE("hvector");
        CHECK_OK(MPI_Type_create_hvector((int)runs[i], 4, 100, inner, &small));
        CHECK_OK(MPI_Type_create_hvector_c(runs[i], 4, 100, inner, &large));
        check_parts(large, MPI_COMBINER_HVECTOR, NONE, COUNTS(runs[i], 4, 100));
        done(&small, &large);
    }
    CASE("resized");
    CHECK_OK(MPI_Type_create_resized(inner, -4, 64, &small));
    CHECK_OK(MPI_Type_create_resized_c(inner, -4, 64, &large));
    check_parts(large, MPI_COMBINER_RESIZED, NONE, COUNTS(-4, 64));
    done(&small, &large);
}

static void listed(MPI_Datatype inner, int is_named) {
    MPI_Datatype small, large;
    static const int lengths[] = {1, 0, 5, 2, 9}, places[] = {0, 50, -8, 12, 20};
    static const MPI_Count large_lengths[] = {1, 0, 5, 2, 9}, large_places[] = {0, 50, -8, 12, 20};
    static const MPI_Count bytes_from_start[] = {0, 640, -160, 240, 480};
    static const MPI_Aint small_bytes[] = {0, 640, -160, 240, 480};
    CASE("indexed");
    CHECK_OK(MPI_Type_indexed(5, lengths, places, inner, &small));
    CHECK_OK(MPI_Type_indexed_c(5, large_lengths, large_places, inner, &large));
    check_parts(large, MPI_COMBINER_INDEXED, NONE, COUNTS(5, 1, 0, 5, 2, 9, 0, 50, -8, 12, 20));
    if (is_named)
        check_one_type(large, inner);
    done(&small, &large);
    CASE("hindexed");
    CHECK_OK(MPI_Type_create_hindexed(5, lengths, small_bytes, inner, &small));
    CHECK_OK(MPI_Type_create_hindexed_c(5, large_lengths, bytes_from_start, inner, &large));
    check_parts(large, MPI_COMBINER_HINDEXED, NONE, COUNTS(5, 1, 0, 5, 2, 9, 0, 640, -160, 240, 480));
    done(&small, &large);
    CASE("indexed_block");
    CHECK_OK(MPI_Type_create_indexed_block(5, 4, places, inner, &small));
    CHECK_OK(MPI_Type_create_indexed_block_c(5, 4, large_places, inner, &large));
    check_parts(large, MPI_COMBINER_INDEXED_BLOCK, NONE, COUNTS(5, 4, 0, 50, -8, 12, 20));
    done(&small, &large);
    CASE("hindexed_block");
    CHECK_OK(MPI_Type_create_hindexed_block(5, 4, small_bytes, inner, &small));
    CHECK_OK(MPI_Type_create_hindexed_block_c(5, 4, bytes_from_start, inner, &large));
    check_parts(large, MPI_COMBINER_HINDEXED_BLOCK, NONE, COUNTS(5, 4, 0, 640, -160, 240, 480));
    done(&small, &large);
    CASE("empty list");
    CHECK_OK(MPI_Type_create_hindexed(0, NULL, NULL, inner, &small));
    CHECK_OK(MPI_Type_create_hindexed_c(0, NULL, NULL, inner, &large));
    check_parts(large, MPI_COMBINER_HINDEXED, NONE, COUNTS(0));
    done(&small, &large);
}

static void structs(void) {
    MPI_Datatype small, large;
    const MPI_Datatype types[] = {MPI_DOUBLE, MPI_SHORT_INT, MPI_CHAR};
    parts p;
    CASE("struct");
    CHECK_OK(MPI_Type_create_struct(3, (int[]){1, 5, 7}, (MPI_Aint[]){0, 16, 64}, types, &small));
    CHECK_OK(MPI_Type_create_struct_c(3, (MPI_Count[]){1, 5, 7}, (MPI_Count[]){0, 16, 64}, types, &large));
    check_parts(large, MPI_COMBINER_STRUCT, NONE, COUNTS(3, 1, 5, 7, 0, 16, 64));
    if (take_apart(large, &p) && CHECK_INT(p.type_count, 3))
        for (int i = 0; i < 3; i++)
            CHECK_SAME(p.types[i], types[i]);
    done(&small, &large);
    CASE("struct of none");
    CHECK_OK(MPI_Type_create_struct(0, NULL, NULL, NULL, &small));
    CHECK_OK(MPI_Type_create_struct_c(0, NULL, NULL, NULL, &large));
    check_parts(large, MPI_COMBINER_STRUCT, NONE, COUNTS(0));
    done(&small, &large);
    CASE("struct of many");
    const MPI_Datatype many[] = {MPI_INT, MPI_INT, MPI_CHAR, MPI_CHAR, MPI_SHORT, MPI_DOUBLE, MPI_INT};
    CHECK_OK(
        MPI_Type_create_struct(7, (int[]){1, 1, 1, 4, 1, 1, 4}, (MPI_Aint[]){0, 4, 8, 9, 14, 16, 24}, many, &small));
    CHECK_OK(MPI_Type_create_struct_c(7, (MPI_Count[]){1, 1, 1, 4, 1, 1, 4}, (MPI_Count[]){0, 4, 8, 9, 14, 16, 24},
                                      many, &large));
    check_parts(large, MPI_COMBINER_STRUCT, NONE, COUNTS(7, 1, 1, 1, 4, 1, 1, 4, 0, 4, 8, 9, 14, 16, 24));
    done(&small, &large);
}

static void arrays(void) {
    MPI_Datatype small, large;
    static const int orders[2] = {MPI_ORDER_C, MPI_ORDER_FORTRAN};
    for (int i = 0; i < 2; i++) {
        CASE("subarray");
        CHECK_OK(MPI_Type_create_subarray(3, (int[]){5, 6, 7}, (int[]){2, 5, 4}, (int[]){3, 1, 2}, orders[i], MPI_INT,
                                          &small));
        CHECK_OK(MPI_Type_create_subarray_c(3, (MPI_Count[]){5, 6, 7}, (MPI_Count[]){2, 5, 4}, (MPI_Count[]){3, 1, 2},
                                            orders[i], MPI_INT, &large));
        check_parts(large, MPI_COMBINER_SUBARRAY, INTS(3, orders[i]), COUNTS(5, 6, 7, 2, 5, 4, 3, 1, 2));
        check_one_type(large, MPI_INT);
        done(&small, &large);
        for (int rank = 0; rank < 12; rank++) {
            static const int kinds[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE,
                                        MPI_DISTRIBUTE_CYCLIC};
            static const int arguments[] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG,
                                            MPI_DISTRIBUTE_DFLT_DARG, 2};
            static const int grid[] = {3, 2, 1, 2};
            CASE("darray");
            CHECK_OK(MPI_Type_create_darray(12, rank, 4, (int[]){7, 5, 3, 9}, kinds, arguments, grid, orders[i],
                                            MPI_SHORT, &small));
            CHECK_OK(MPI_Type_create_darray_c(12, rank, 4, (MPI_Count[]){7, 5, 3, 9}, kinds, arguments, grid, orders[i],
                                              MPI_SHORT, &large));
            check_parts(large, MPI_COMBINER_DARRAY,
                        INTS(12, rank, 4, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE,
                             MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG,
                             MPI_DISTRIBUTE_DFLT_DARG, 2, 3, 2, 1, 2, orders[i]),
                        COUNTS(7, 5, 3, 9));
            done(&small, &large);
        }
    }
}

// One datatype inside another, both freed by the program: each query returns the original arguments. Each small
// constructor returns its arguments; also two of them inside each other.
static void inside_small(MPI_Datatype large) {
    enum { n = 5 };
    MPI_Datatype outer[n], again;
    int integers[8];
    MPI_Aint addresses[4];
    CASE("large inside small");
    CHECK_OK(MPI_Type_vector(2, 1, 3, large, &outer[0]));
    CHECK_OK(MPI_Type_create_resized(large, 0, 64, &outer[1]));
    CHECK_OK(
        MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 64}, (MPI_Datatype[]){large, MPI_INT}, &outer[2]));
    CHECK_OK(MPI_Type_create_subarray(1, (int[]){4}, (int[]){2}, (int[]){1}, MPI_ORDER_C, large, &outer[3]));
    CHECK_OK(MPI_Type_indexed(1, (int[]){1}, (int[]){1}, large, &outer[4]));
    for (int i = 0; i < n; i++) {
        MPI_Datatype inner[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL}, around;
        CHECK_OK(MPI_Type_contiguous(2, outer[i], &around));
        CHECK_OK(MPI_Type_free(&outer[i]));
        CHECK_OK(MPI_Type_get_contents(around, 1, 0, 1, integers, addresses, &again));
        CHECK_OK(MPI_Type_free(&around));
        CHECK_OK(MPI_Type_get_contents(again, 8, 4, i == 2 ? 2 : 1, integers, addresses, inner));
        check_parts(inner[0], MPI_COMBINER_CONTIGUOUS, NONE, COUNTS(5));
        CHECK_OK(MPI_Type_free(&inner[0]));
        CHECK_OK(MPI_Type_free(&again));
    }
}

static void nested(void) {
    MPI_Datatype inner, outer, given;
    parts p;
    MPI_Count size = -1;
    CASE("large inside large");
    CHECK_OK(MPI_Type_vector_c(4, 5, 6, MPI_SHORT, &inner));
    CHECK_OK(MPI_Type_create_struct_c(2, (MPI_Count[]){1, 4}, (MPI_Count[]){0, 64}, (MPI_Datatype[]){inner, MPI_INT},
                                      &outer));
    CHECK_OK(MPI_Type_free(&inner));
    for (int again = 0; again < 2; again++) {
        if (!take_apart(outer, &p) || !CHECK_INT(p.type_count, 2))
            break;
        CHECK_SAME(p.types[1], MPI_INT);
        given = p.types[0];
        check_parts(given, MPI_COMBINER_VECTOR, NONE, COUNTS(4, 5, 6));
        CHECK_OK(MPI_Type_size_c(given, &size));
        CHECK_INT(size, 20 * sizeof(short));
        CHECK_OK(MPI_Type_free(&given));
    }
    CASE("returned by MPI_Type_get_contents, outer datatype freed first");
    if (take_apart(outer, &p)) {
        CHECK_OK(MPI_Type_free(&outer));
        check_parts(p.types[0], MPI_COMBINER_VECTOR, NONE, COUNTS(4, 5, 6));
        check_one_type(p.types[0], MPI_SHORT);
        CHECK_OK(MPI_Type_free(&p.types[0]));
    }
    CASE("small inside large");
    CHECK_OK(MPI_Type_vector(2, 3, 4, MPI_SHORT, &inner));
    CHECK_OK(MPI_Type_contiguous_c(4, inner, &outer));
    CHECK_OK(MPI_Type_free(&inner));
    if (take_apart(outer, &p)) {
        given = p.types[0];
        CHECK(take_apart(given, &p));
        CHECK_INT(p.combiner, MPI_COMBINER_VECTOR);
        CHECK_INT(p.large_count, 0);
        CHECK_INT(p.integer_count, 3);
        CHECK_INT(p.integers[2], 4);
        CHECK_OK(MPI_Type_free(&given));
    }
    CHECK_OK(MPI_Type_free(&outer));
    CASE("duplicate");
    CHECK_OK(MPI_Type_contiguous_c(5, MPI_FLOAT, &inner));
    CHECK_OK(MPI_Type_dup(inner, &outer));
    CHECK(take_apart(outer, &p));
    CHECK_INT(p.combiner, MPI_COMBINER_DUP);
    CHECK_INT(p.large_count, 0);
    check_parts(p.types[0], MPI_COMBINER_CONTIGUOUS, NONE, COUNTS(5));
    CHECK_OK(MPI_Type_free(&p.types[0]));
    same_layout(inner, outer);
    CHECK_OK(MPI_Type_free(&outer));
    inside_small(inner);
    CHECK_OK(MPI_Type_free(&inner));
}

// Datatypes of small constructors, queried in the large form.
static void small_ones(void) {
    MPI_Datatype type;
    parts p;
    CASE("named");
    CHECK_OK(MPI_Type_get_envelope_c(MPI_INT, &p.integer_count, &p.address_count, &p.large_count, &p.type_count,
                                     &p.combiner));
    CHECK_INT(p.combiner, MPI_COMBINER_NAMED);
    CHECK_INT(p.integer_count, 0);
    CHECK_INT(p.address_count, 0);
    CHECK_INT(p.large_count, 0);
    CHECK_INT(p.type_count, 0);
    CASE("hvector of the small form");
    CHECK_OK(MPI_Type_create_hvector(2, 3, -40, MPI_INT, &type));
    take_apart(type, &p);
    CHECK_INT(p.combiner, MPI_COMBINER_HVECTOR);
    CHECK_INT(p.large_count, 0);
    CHECK_INT(p.integer_count, 2);
    CHECK_INT(p.integers[1], 3);
    CHECK_INT(p.address_count, 1);
    CHECK_INT(p.addresses[0], -40);
    CHECK_SAME(p.types[0], MPI_INT);
    CHECK_OK(MPI_Type_free(&type));
}

static void wrong_arguments(void) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Count counts[8];
    CASE("wrong arguments");
    CHECK_CLASS(MPI_Type_contiguous_c(-1, MPI_INT, &type), MPI_ERR_COUNT, MPI_ERR_ARG);
    CHECK_CLASS(MPI_Type_vector_c(2, -3, 1, MPI_INT, &type), MPI_ERR_ARG, MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Type_indexed_c(2, (MPI_Count[]){1, -1}, (MPI_Count[]){0, 4}, MPI_INT, &type), MPI_ERR_ARG,
                MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Type_contiguous_c(2, MPI_DATATYPE_NULL, &type), MPI_ERR_TYPE);
    CHECK_OK(MPI_Type_contiguous_c(2, MPI_INT, &type));
    CHECK_CLASS(MPI_Type_get_contents_c(type, 0, 0, 0, 1, NULL, NULL, counts, &type), MPI_ERR_ARG, MPI_ERR_OTHER);
    CHECK_OK(MPI_Type_free(&type));
}

// Datatypes that are created and freed leave no memory behind: a leak of a few hundred bytes each would be noticed.
static void many(void) {
    CASE("many");
    int wrong = 0;
    for (int i = 0; i < 2000; i++) {
        MPI_Datatype inner, outer;
        parts p;
        wrong += MPI_Type_vector_c(4, 5, 6, MPI_SHORT, &inner) != MPI_SUCCESS;
        wrong += MPI_Type_contiguous_c(i, inner, &outer) != MPI_SUCCESS;
        wrong += MPI_Type_free(&inner) != MPI_SUCCESS;
        wrong += MPI_Type_get_contents_c(outer, 0, 0, 1, 1, p.integers, p.addresses, p.counts, p.types) != MPI_SUCCESS;
        wrong += p.counts[0] != i;
        wrong += MPI_Type_free(&p.types[0]) != MPI_SUCCESS;
        wrong += MPI_Type_free(&outer) != MPI_SUCCESS;
    }
    CHECK_INT(wrong, 0);
}

int main(int argc, char** argv) {
    MPI_Datatype probe, gap;
    check_begin(&argc, &argv);
    CASE("offered");
    if (OFFERED(MPI_Type_contiguous_c, (1, MPI_INT, &probe))) {
        CHECK_OK(MPI_Type_free(&probe));
        CHECK_OK(MPI_Type_create_resized(MPI_INT, -4, 20, &gap));
        regular(MPI_INT, 1), regular(gap, 0);
        listed(MPI_INT, 1), listed(gap, 0);
        CHECK_OK(MPI_Type_free(&gap));
        structs();
        arrays();
        nested();
        small_ones();
        wrong_arguments();
        many();
    }
    return check_end();
}
