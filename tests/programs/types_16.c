// MPI_INTEGER16 and MPI_LOGICAL16, which most libraries lack. There, one datatype of anympi represents both, under the
// name of the first. It must behave like a predefined datatype in all queries and in every reduction.
// ranks: 1 2 4
// abi: standard
#include "check.h"

__extension__ typedef __int128 integer16;
__extension__ typedef unsigned __int128 unsigned16;

enum { count = 5 };

// Returns a value with bits in all places, which every rank can compute.
static integer16 value_of(int rank, int at) {
    unsigned16 bits = (unsigned16)(rank + 3) * 0x9e3779b97f4a7c15u + (unsigned)(at * 7 + 1);
    return (integer16)(bits * bits * 0xd1b54a32d192ed03u) >> (at % 3 * 40);
}
static integer16 logical_of(int rank, int at) {
    return (rank * 5 + at * 3) % 4 < 2;
}

typedef struct {
    MPI_Op op;
    const char* name;
    MPI_Datatype type;
} operation;

static const operation operations[] = {
    {MPI_MAX, "max of MPI_INTEGER16", MPI_INTEGER16},       {MPI_MIN, "min of MPI_INTEGER16", MPI_INTEGER16},
    {MPI_SUM, "sum of MPI_INTEGER16", MPI_INTEGER16},       {MPI_PROD, "product of MPI_INTEGER16", MPI_INTEGER16},
    {MPI_BAND, "bits and of MPI_INTEGER16", MPI_INTEGER16}, {MPI_BOR, "bits or of MPI_INTEGER16", MPI_INTEGER16},
    {MPI_BXOR, "bits xor of MPI_INTEGER16", MPI_INTEGER16}, {MPI_LAND, "and of MPI_LOGICAL16", MPI_LOGICAL16},
    {MPI_LOR, "or of MPI_LOGICAL16", MPI_LOGICAL16},        {MPI_LXOR, "xor of MPI_LOGICAL16", MPI_LOGICAL16},
};
enum { operation_count = sizeof operations / sizeof operations[0] };

static integer16 apply(MPI_Op op, integer16 a, integer16 b) {
    if (op == MPI_MAX)
        return a > b ? a : b;
    if (op == MPI_MIN)
        return a < b ? a : b;
    if (op == MPI_SUM)
        return (integer16)((unsigned16)a + (unsigned16)b);
    if (op == MPI_PROD)
        return (integer16)((unsigned16)a * (unsigned16)b);
    if (op == MPI_BAND)
        return a & b;
    if (op == MPI_BOR)
        return a | b;
    if (op == MPI_BXOR)
        return a ^ b;
    if (op == MPI_LAND)
        return a && b;
    if (op == MPI_LOR)
        return a || b;
    return !a != !b;
}

static integer16 given(const operation* with, int rank, int at) {
    return with->type == MPI_INTEGER16 ? value_of(rank, at) : logical_of(rank, at);
}

// Computes the result over the first `ranks` ranks.
static integer16 expected(const operation* with, int ranks, int at) {
    integer16 all = given(with, 0, at);
    for (int rank = 1; rank < ranks; rank++)
        all = apply(with->op, all, given(with, rank, at));
    return all;
}

static void check_result(const operation* with, const integer16* result, int ranks, int first, int some) {
    for (int i = 0; i < some; i++) {
        integer16 right = expected(with, ranks, first + i);
        CHECK_BYTES(&result[i], &right, sizeof right);
    }
}

// ---- all reductions in all forms ----

typedef struct {
    const operation* with;
    integer16 mine[4 * count]; // enough for one block per rank
    integer16 result[4 * count];
} reduction;

static void fill(reduction* all, const operation* with) {
    all->with = with;
    for (int i = 0; i < 4 * count; i++)
        all->mine[i] = given(with, check_rank, i);
    memset(all->result, 0x55, sizeof all->result);
}

// A form begins an operation and completes it.
#define BLOCKING(name, ...) CHECK_OK(MPI_##name(__VA_ARGS__, MPI_COMM_WORLD))
#define COMPLETED(call, is_persistent)                                                                                 \
    do {                                                                                                               \
        MPI_Request request = MPI_REQUEST_NULL;                                                                        \
        if (!CHECK_OK(call))                                                                                           \
            break;                                                                                                     \
        if (is_persistent)                                                                                             \
            CHECK_OK(MPI_Start(&request));                                                                             \
        CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));                                                               \
        if (is_persistent)                                                                                             \
            CHECK_OK(MPI_Request_free(&request));                                                                      \
    } while (0)
#define IN_ALL_FORMS(name, iname, judge, ...)                                                                          \
    do {                                                                                                               \
        fill(all, with);                                                                                               \
        BLOCKING(name, __VA_ARGS__);                                                                                   \
        judge;                                                                                                         \
        fill(all, with);                                                                                               \
        COMPLETED(MPI_##iname(__VA_ARGS__, MPI_COMM_WORLD, &request), 0);                                              \
        judge;                                                                                                         \
        fill(all, with);                                                                                               \
        COMPLETED(MPI_##name##_init(__VA_ARGS__, MPI_COMM_WORLD, MPI_INFO_NULL, &request), 1);                         \
        judge;                                                                                                         \
    } while (0)
static void all_reductions(reduction* all, const operation* with) {
    const int last = check_ranks - 1;
    int blocks[4];
    MPI_Count large_blocks[4];
    for (int rank = 0; rank < check_ranks; rank++)
        large_blocks[rank] = blocks[rank] = rank % 2 ? count : count - 2;
    int before = 0;
    for (int rank = 0; rank < check_rank; rank++)
        before += blocks[rank];
#define ARGUMENTS all->mine, all->result, count, with->type, with->op
    IN_ALL_FORMS(Allreduce, Iallreduce, check_result(with, all->result, check_ranks, 0, count), ARGUMENTS);
    IN_ALL_FORMS(Scan, Iscan, check_result(with, all->result, check_rank + 1, 0, count), ARGUMENTS);
    IN_ALL_FORMS(Exscan, Iexscan, check_result(with, all->result, check_rank, 0, check_rank ? count : 0), ARGUMENTS);
    IN_ALL_FORMS(Reduce, Ireduce, check_result(with, all->result, check_ranks, 0, check_rank == last ? count : 0),
                 ARGUMENTS, last);
    IN_ALL_FORMS(Reduce_scatter_block, Ireduce_scatter_block,
                 check_result(with, all->result, check_ranks, check_rank * count, count), ARGUMENTS);
    IN_ALL_FORMS(Reduce_scatter, Ireduce_scatter,
                 check_result(with, all->result, check_ranks, before, blocks[check_rank]), all->mine, all->result,
                 blocks, with->type, with->op);

    fill(all, with);
    CHECK_OK(MPI_Allreduce_c(ARGUMENTS, MPI_COMM_WORLD));
    check_result(with, all->result, check_ranks, 0, count);
    fill(all, with);
    CHECK_OK(MPI_Reduce_scatter_c(all->mine, all->result, large_blocks, with->type, with->op, MPI_COMM_WORLD));
    check_result(with, all->result, check_ranks, before, blocks[check_rank]);
    fill(all, with);
    CHECK_OK(MPI_Allreduce(MPI_IN_PLACE, all->mine, count, with->type, with->op, MPI_COMM_WORLD));
    check_result(with, all->mine, check_ranks, 0, count);
#undef ARGUMENTS

    for (int i = 0; i < count; i++)
        all->mine[i] = given(with, 0, i), all->result[i] = given(with, 1, i);
    CHECK_OK(MPI_Reduce_local(all->mine, all->result, count, with->type, with->op));
    check_result(with, all->result, 2, 0, count);
}

static void reductions(void) {
    reduction all;
    for (int i = 0; i < operation_count; i++) {
        CASE(operations[i].name);
        all_reductions(&all, &operations[i]);
    }

    CASE("operations that MPI does not define");
    fill(&all, &operations[0]);
    CHECK_CLASS(MPI_Reduce_local(all.mine, all.result, 1, MPI_LOGICAL16, MPI_SUM), MPI_ERR_OP);
    CHECK_CLASS(MPI_Reduce_local(all.mine, all.result, 1, MPI_INTEGER16, MPI_LAND), MPI_ERR_OP);
    CHECK_CLASS(MPI_Reduce_local(all.mine, all.result, 1, MPI_INTEGER16, MPI_MAXLOC), MPI_ERR_OP);
}

// ---- an operation of the program ----

static MPI_Datatype type_in_operation;

static void keep_larger(void* in, void* inout, int* length, MPI_Datatype* type) {
    type_in_operation = *type;
    for (int i = 0; i < *length; i++) {
        integer16 a, b;
        memcpy(&a, (char*)in + i * 16, 16);
        memcpy(&b, (char*)inout + i * 16, 16);
        if (a > b)
            memcpy((char*)inout + i * 16, &a, 16);
    }
}

static void own_operation(void) {
    CASE("an operation of the program");
    reduction all;
    MPI_Op op;
    CHECK_OK(MPI_Op_create(keep_larger, 1, &op));
    fill(&all, &operations[0]);
    CHECK_OK(MPI_Allreduce(all.mine, all.result, count, MPI_INTEGER16, op, MPI_COMM_WORLD));
    check_result(&operations[0], all.result, check_ranks, 0, count);
    CHECK_OK(MPI_Reduce_local(all.mine, all.result, count, MPI_INTEGER16, op));
    CHECK_SAME(type_in_operation, MPI_INTEGER16);
    CHECK_OK(MPI_Op_free(&op));
}

// ---- like a predefined datatype ----

// The library may have one datatype for both.
static int is_same(MPI_Datatype given, MPI_Datatype type) {
    return given == type || given == MPI_INTEGER16;
}

static void questions(MPI_Datatype type, const char* name) {
    CASE(name);
    int size = 0, integers = -1, addresses = -1, types = -1, combiner = -1, length = 0;
    MPI_Aint lower = -1, extent = -1;
    char text[MPI_MAX_OBJECT_NAME];
    MPI_Datatype copy = type;
    CHECK_OK(MPI_Type_size(type, &size));
    CHECK_INT(size, 16);
    CHECK_OK(MPI_Type_get_extent(type, &lower, &extent));
    CHECK_INT(lower, 0);
    CHECK_INT(extent, 16);
    CHECK_OK(MPI_Type_get_true_extent(type, &lower, &extent));
    CHECK_INT(extent, 16);
    CHECK_OK(MPI_Type_get_name(type, text, &length));
    CHECK(strcmp(text, name) == 0 || strcmp(text, "MPI_INTEGER16") == 0);
    CHECK_OK(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
    CHECK_INT(combiner, MPI_COMBINER_NAMED);
    CHECK_INT(integers + addresses + types, 0);
    MPI_Count large[4] = {-1, -1, -1, -1};
    CHECK_OK(MPI_Type_get_envelope_c(type, &large[0], &large[1], &large[2], &large[3], &combiner));
    CHECK_INT(combiner, MPI_COMBINER_NAMED);
    CHECK_INT(large[0] + large[1] + large[2] + large[3], 0);
    CHECK_CLASS(MPI_Type_get_contents(type, 1, 1, 1, &integers, &lower, &copy), MPI_ERR_TYPE);
    copy = type;
    CHECK_CLASS(MPI_Type_free(&copy), MPI_ERR_TYPE);
    CHECK_SAME(copy, type);
    CHECK_OK(MPI_Type_commit(&copy));
    CHECK_SAME(copy, type);
    CHECK_SAME(MPI_Type_fromint(MPI_Type_toint(type)), type);
    CHECK_OK(MPI_Type_size(type, &size)); // it still exists
    CHECK_INT(size, 16);
}

static void matching(void) {
    CASE("matching sizes");
    MPI_Datatype found = MPI_DATATYPE_NULL;
    CHECK_OK(MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 16, &found));
    CHECK_SAME(found, MPI_INTEGER16);
    CHECK_OK(MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 8, &found));
    CHECK(found != MPI_INTEGER16);
}

static MPI_Datatype of_copy, of_delete;
static int copy_attribute(MPI_Datatype type, int key, void* state, void* value, void* copy, int* flag) {
    (void)key, (void)state;
    of_copy = type;
    *(void**)copy = value;
    *flag = 1;
    return MPI_SUCCESS;
}
static int delete_attribute(MPI_Datatype type, int key, void* value, void* state) {
    (void)key, (void)value, (void)state;
    of_delete = type;
    return MPI_SUCCESS;
}

static void attributes(void) {
    CASE("attributes");
    int key, there = 0;
    void* value = NULL;
    MPI_Datatype copy;
    CHECK_OK(MPI_Type_create_keyval(copy_attribute, delete_attribute, &key, NULL));
    CHECK_OK(MPI_Type_set_attr(MPI_INTEGER16, key, &key));
    CHECK_OK(MPI_Type_dup(MPI_INTEGER16, &copy));
    CHECK_SAME(of_copy, MPI_INTEGER16);
    CHECK_OK(MPI_Type_get_attr(copy, key, &value, &there));
    CHECK(there && value == &key);
    CHECK_OK(MPI_Type_free(&copy));
    CHECK_OK(MPI_Type_delete_attr(MPI_INTEGER16, key));
    CHECK_SAME(of_delete, MPI_INTEGER16);
    CHECK_OK(MPI_Type_free_keyval(&key));
}

// ---- derived datatypes ----

static void contents(void) {
    CASE("inside a structure");
    const int lengths[] = {2, 1, 3};
    const MPI_Aint places[] = {0, 32, 48};
    const MPI_Datatype types[] = {MPI_INTEGER16, MPI_INT, MPI_LOGICAL16};
    MPI_Datatype made, vector, given_types[3], copy;
    int integers[4], numbers[4];
    MPI_Aint addresses[3];
    CHECK_OK(MPI_Type_create_struct(3, lengths, places, types, &made));
    CHECK_OK(MPI_Type_commit(&made));
    CHECK_OK(MPI_Type_get_envelope(made, &numbers[0], &numbers[1], &numbers[2], &numbers[3]));
    for (int again = 0; again < 3; again++) { // an earlier call must not change the result
        CHECK_OK(MPI_Type_get_contents(made, numbers[0], numbers[1], numbers[2], integers, addresses, given_types));
        for (int i = 0; i < 3; i++)
            CHECK(i == 2 ? is_same(given_types[i], types[i]) : given_types[i] == types[i]);
    }
    CHECK_OK(MPI_Type_vector(2, 3, 4, MPI_LOGICAL16, &vector));
    CHECK_OK(MPI_Type_get_contents(vector, 3, 0, 1, integers, addresses, given_types));
    CHECK(is_same(given_types[0], MPI_LOGICAL16));
    CHECK_OK(MPI_Type_dup(MPI_INTEGER16, &copy));
    CHECK_OK(MPI_Type_get_contents(copy, 0, 0, 1, integers, addresses, given_types));
    CHECK_SAME(given_types[0], MPI_INTEGER16);
    CHECK_OK(MPI_Type_free(&copy));
    CHECK_OK(MPI_Type_free(&vector));
    CHECK_OK(MPI_Type_contiguous_c(3, MPI_INTEGER16, &vector));
    MPI_Count counts[4] = {0}, large[4];
    CHECK_OK(MPI_Type_get_envelope_c(vector, &large[0], &large[1], &large[2], &large[3], &numbers[0]));
    CHECK_OK(MPI_Type_get_contents_c(vector, large[0], large[1], large[2], large[3], integers, addresses, counts,
                                     given_types));
    CHECK_SAME(given_types[0], MPI_INTEGER16);
    CHECK_OK(MPI_Type_free(&vector));

    CASE("a message of structures");
    unsigned char sent[2][96], received[2][96];
    for (int i = 0; i < (int)sizeof sent; i++)
        (&sent[0][0])[i] = (unsigned char)(i * 11 + 5);
    memset(received, 0, sizeof received);
    MPI_Status status;
    int elements = 0, whole = 0;
    CHECK_OK(MPI_Sendrecv(sent, 1, made, 0, 3, received, 2, made, 0, 3, MPI_COMM_SELF, &status));
    CHECK_BYTES(received[0], sent[0], 36);
    CHECK_BYTES(received[0] + 48, sent[0] + 48, 48);
    CHECK_OK(MPI_Get_elements(&status, made, &elements));
    CHECK_INT(elements, 6);
    CHECK_OK(MPI_Get_count(&status, made, &whole));
    CHECK_INT(whole, 1);
    CHECK_OK(MPI_Sendrecv(sent, 3, MPI_INTEGER16, 0, 3, received, 5, MPI_INTEGER16, 0, 3, MPI_COMM_SELF, &status));
    CHECK_BYTES(received, sent, 48);
    CHECK_OK(MPI_Get_elements(&status, MPI_INTEGER16, &elements));
    CHECK_INT(elements, 3);
    CHECK_OK(MPI_Get_count(&status, MPI_INTEGER16, &whole));
    CHECK_INT(whole, 3);

    CASE("external32");
    unsigned char packed[64];
    MPI_Aint at = 0;
    memset(received, 0, sizeof received);
    CHECK_OK(MPI_Pack_external("external32", sent, 2, MPI_INTEGER16, packed, sizeof packed, &at));
    CHECK_INT(at, 32);
    for (int i = 0; i < 32; i++)
        CHECK_INT(packed[i], sent[0][i / 16 * 16 + 15 - i % 16]);
    at = 0;
    CHECK_OK(MPI_Unpack_external("external32", packed, sizeof packed, &at, received, 2, MPI_INTEGER16));
    CHECK_INT(at, 32);
    CHECK_BYTES(received, sent, 32);
    CHECK_OK(MPI_Type_free(&made));
}

// ---- windows ----

static void windows(void) {
    CASE("windows");
    integer16 *base, value = value_of(check_rank, 1), old = 0;
    MPI_Win win;
    MPI_Datatype pair;
    const int next = (check_rank + 1) % check_ranks;
    CHECK_OK(MPI_Type_contiguous(2, MPI_INTEGER16, &pair));
    CHECK_OK(MPI_Type_commit(&pair));
    CHECK_OK(MPI_Win_allocate(4 * 16, 16, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
    CHECK_OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    memset(base, 0, 64);
    CHECK_OK(MPI_Win_fence(0, win));
    CHECK_OK(MPI_Put(&value, 1, MPI_INTEGER16, next, 1, 1, MPI_INTEGER16, win));
    CHECK_OK(MPI_Win_fence(0, win));
    const integer16 from_before = value_of((check_rank + check_ranks - 1) % check_ranks, 1);
    CHECK_BYTES(&base[1], &from_before, 16);
    CHECK_OK(MPI_Get(&old, 1, MPI_INTEGER16, next, 1, 1, MPI_INTEGER16, win));
    CHECK_OK(MPI_Accumulate(&value, 1, MPI_INTEGER16, next, 2, 1, MPI_INTEGER16, MPI_REPLACE, win));
    CHECK_OK(MPI_Win_fence(0, win));
    CHECK_BYTES(&old, &value, 16);
    CHECK_BYTES(&base[2], &from_before, 16);

    CASE("no arithmetic where the library lacks them, rather than a wrong one");
    int major = check_mpich_major();
    if (major != 5) {
        integer16 pair_of[2] = {1, 1};
        CHECK_CLASS(MPI_Accumulate(&value, 1, MPI_INTEGER16, next, 3, 1, MPI_INTEGER16, MPI_SUM, win), MPI_ERR_OP);
        CHECK_CLASS(MPI_Accumulate(pair_of, 1, pair, next, 2, 1, pair, MPI_SUM, win), MPI_ERR_OP);
        CHECK_CLASS(MPI_Fetch_and_op(&value, &old, MPI_INTEGER16, next, 3, MPI_SUM, win), MPI_ERR_OP, MPI_ERR_TYPE);
    }
    CHECK_OK(MPI_Win_fence(0, win));
    CHECK_BYTES(&base[2], &from_before, 16);
    CHECK_OK(MPI_Type_free(&pair));
    CHECK_OK(MPI_Win_free(&win));
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    questions(MPI_INTEGER16, "MPI_INTEGER16");
    questions(MPI_LOGICAL16, "MPI_LOGICAL16");
    matching();
    attributes();
    contents();
    reductions();
    own_operation();
    windows();
    return check_end();
}
