// One-sided communication with active targets: fences with every assertion, post-start-complete-wait, each call that
// moves data, each predefined operation.
// ranks: 1 2 4
#include "rma.h"

enum { length = 16 };

static int* memory;
static MPI_Win window;
static int left, right;

static void fill(int first) {
    for (int i = 0; i < length; i++)
        memory[i] = first + i;
}

static void put_and_get(void) {
    int out[length], in[length];
    CASE("fence, put, get");
    fill(0);
    for (int i = 0; i < length; i++) {
        out[i] = 1000 * (check_rank + 1) + i;
        in[i] = -1;
    }
    CHECK_OK(MPI_Win_fence(MPI_MODE_NOPRECEDE, window));
    CHECK_OK(MPI_Put(out, 4, MPI_INT, right, 8, 4, MPI_INT, window));
    CHECK_OK(MPI_Put(out, 4, MPI_INT, MPI_PROC_NULL, 0, 4, MPI_INT, window));
    CHECK_OK(MPI_Win_fence(MPI_MODE_NOSTORE, window));
    for (int i = 0; i < length; i++)
        CHECK_INT(memory[i], i >= 8 && i < 12 ? 1000 * (left + 1) + i - 8 : i);
    CHECK_OK(MPI_Win_fence(MPI_MODE_NOPUT, window));
    CHECK_OK(MPI_Get(in, length, MPI_INT, right, 0, length, MPI_INT, window));
    CHECK_OK(MPI_Get(out, 4, MPI_INT, MPI_PROC_NULL, 0, 4, MPI_INT, window));
    CHECK_OK(MPI_Win_fence(MPI_MODE_NOSUCCEED | MPI_MODE_NOSTORE | MPI_MODE_NOPUT, window));
    for (int i = 0; i < length; i++)
        CHECK_INT(in[i], i >= 8 && i < 12 ? 1000 * (check_rank + 1) + i - 8 : i);
    CHECK_INT(out[0], 1000 * (check_rank + 1)); // MPI_PROC_NULL sends nothing
}

// The datatypes of both sides are converted separately: every second int of the target, a reversed origin by absolute
// address.
static void derived_types(void) {
    MPI_Datatype every_second, reversed;
    MPI_Aint addresses[4];
    int out[4] = {1, 2, 3, 4}, in[4] = {0};
    CASE("derived types");
    fill(100);
    CHECK_OK(MPI_Type_vector(4, 1, 2, MPI_INT, &every_second));
    CHECK_OK(MPI_Type_commit(&every_second));
    for (int i = 0; i < 4; i++)
        CHECK_OK(MPI_Get_address(&out[3 - i], &addresses[i]));
    CHECK_OK(MPI_Type_create_hindexed_block(4, 1, addresses, MPI_INT, &reversed));
    CHECK_OK(MPI_Type_commit(&reversed));
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_OK(MPI_Put(MPI_BOTTOM, 1, reversed, right, 1, 1, every_second, window));
    CHECK_OK(MPI_Win_fence(0, window));
    for (int i = 0; i < length; i++)
        CHECK_INT(memory[i], i % 2 == 1 && i < 8 ? 4 - i / 2 : 100 + i);
    CHECK_OK(MPI_Get(in, 4, MPI_INT, right, 1, 1, every_second, window));
    CHECK_OK(MPI_Win_fence(0, window));
    for (int i = 0; i < 4; i++)
        CHECK_INT(in[i], 4 - i);
    CHECK_OK(MPI_Type_free(&every_second));
    CHECK_OK(MPI_Type_free(&reversed));
}

// All ranks accumulate their value into rank 0's first element.
static void one_operation(MPI_Op op, int start, int mine, int expected) {
    memory[0] = start;
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_OK(MPI_Accumulate(&mine, 1, MPI_INT, 0, 0, 1, MPI_INT, op, window));
    CHECK_OK(MPI_Accumulate(&mine, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, op, window));
    CHECK_OK(MPI_Win_fence(0, window));
    if (check_rank == 0)
        CHECK_INT(memory[0], expected);
}

static void operations(void) {
    int sum = 5, product = 5, and_bits = 5, or_bits = 5, xor_bits = 5;
    int mine = check_rank + 1;
    for (int n = 1; n <= check_ranks; n++) {
        sum += n;
        product *= n;
        and_bits &= n;
        or_bits |= n;
        xor_bits ^= n;
    }
    CASE("accumulate: arithmetic");
    one_operation(MPI_SUM, 5, mine, sum);
    one_operation(MPI_PROD, 5, mine, product);
    one_operation(MPI_MAX, 3, mine, check_ranks > 3 ? check_ranks : 3);
    one_operation(MPI_MIN, 5, mine, 1);
    CASE("accumulate: bits");
    one_operation(MPI_BAND, 5, mine, and_bits);
    one_operation(MPI_BOR, 5, mine, or_bits);
    one_operation(MPI_BXOR, 5, mine, xor_bits);
    CASE("accumulate: MPI_REPLACE");
    mine = 70 + check_rank;
    memory[3] = 5;
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_OK(MPI_Accumulate(&mine, 1, MPI_INT, right, 3, 1, MPI_INT, MPI_REPLACE, window));
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_INT(memory[3], 70 + left);
}

static void logic(void) {
    int last = check_rank == check_ranks - 1;
    CASE("accumulate: logic");
    if (check_runtime_is("Open MPI")) {
        check_skip("MPI_Accumulate with MPI_LAND, MPI_LOR, MPI_LXOR", "Open MPI's osc/rdma computes them wrong");
        return;
    }
    one_operation(MPI_LAND, 5, 2, 1);
    one_operation(MPI_LAND, 5, !last, 0);
    one_operation(MPI_LOR, 0, 0, 0);
    one_operation(MPI_LOR, 0, 4 * last, 1);
    one_operation(MPI_LXOR, 5, 2, (1 + check_ranks) % 2);
}

// The mixed pair types are predefined, but MPICH's values look like the values of derived types.
static void mixed_pairs(void) {
    struct {
        double value;
        int place;
    } mine, *target = (void*)memory;
    int best = check_ranks > 1 ? 1 : 0;
    CASE("accumulate: MPI_DOUBLE_INT");
    if (check_runtime_is("Open MPI")) {
        check_skip("MPI_Accumulate of MPI_DOUBLE_INT", "Open MPI ends the job: \"currently unsupported\"");
        return;
    }
    target->value = -1;
    target->place = -1;
    mine.value = (check_rank * 7) % 4;
    mine.place = check_rank;
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_OK(MPI_Accumulate(&mine, 1, MPI_DOUBLE_INT, 0, 0, 1, MPI_DOUBLE_INT, MPI_MAXLOC, window));
    CHECK_OK(MPI_Win_fence(0, window));
    if (check_rank == 0) {
        CHECK_INT(target->value, (best * 7) % 4);
        CHECK_INT(target->place, best);
    }
}

static void pairs_of_ints(void) {
    int mine[2] = {10 + check_rank, 20 + check_rank};
    CASE("accumulate: MPI_2INT");
    memory[4] = 99;
    memory[5] = 99;
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_OK(MPI_Accumulate(mine, 1, MPI_2INT, 0, 4, 1, MPI_2INT, MPI_MINLOC, window));
    CHECK_OK(MPI_Win_fence(0, window));
    if (check_rank == 0) {
        CHECK_INT(memory[4], 10);
        CHECK_INT(memory[5], 20);
    }
}

static void fetching(void) {
    int mine = check_rank + 1, before[2] = {-1, -1}, out[2] = {1, 2}, swap = 500, compare, found = -1;
    CASE("get_accumulate, fetch_and_op, compare_and_swap");
    fill(10);
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_OK(MPI_Get_accumulate(out, 2, MPI_INT, before, 2, MPI_INT, right, 2, 2, MPI_INT, MPI_SUM, window));
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_INT(before[0], 12);
    CHECK_INT(before[1], 13);
    CHECK_INT(memory[2], 13);
    CHECK_INT(memory[3], 15);

    CASE("get_accumulate with MPI_NO_OP");
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_OK(MPI_Get_accumulate(NULL, 0, MPI_INT, before, 2, MPI_INT, right, 2, 2, MPI_INT, MPI_NO_OP, window));
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_INT(before[0], 13);
    CHECK_INT(before[1], 15);
    CHECK_INT(memory[2], 13);

    CASE("fetch_and_op");
    CHECK_OK(MPI_Fetch_and_op(&mine, before, MPI_INT, right, 5, MPI_REPLACE, window));
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_INT(before[0], 15);
    CHECK_INT(memory[5], left + 1);
    CHECK_OK(MPI_Fetch_and_op(NULL, before, MPI_INT, right, 5, MPI_NO_OP, window));
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_INT(before[0], check_rank + 1);
    CHECK_INT(memory[5], left + 1);

    CASE("compare_and_swap");
    compare = 16;
    CHECK_OK(MPI_Compare_and_swap(&swap, &compare, &found, MPI_INT, right, 6, window));
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_INT(found, 16);
    CHECK_INT(memory[6], 500);
    compare = 1;
    swap = 1;
    CHECK_OK(MPI_Compare_and_swap(&swap, &compare, &found, MPI_INT, right, 6, window));
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_INT(found, 500);
    CHECK_INT(memory[6], 500);
}

static void post_start_complete_wait(void) {
    MPI_Group world, to, from;
    int mine = 300 + check_rank, flag = 0;
    CASE("post, start, complete, wait");
    fill(0);
    CHECK_OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CHECK_OK(MPI_Group_incl(world, 1, &right, &to));
    CHECK_OK(MPI_Group_incl(world, 1, &left, &from));
    CHECK_OK(MPI_Win_post(from, 0, window));
    CHECK_OK(MPI_Win_start(to, 0, window));
    CHECK_OK(MPI_Put(&mine, 1, MPI_INT, right, 7, 1, MPI_INT, window));
    CHECK_OK(MPI_Win_complete(window));
    CHECK_OK(MPI_Win_wait(window));
    CHECK_INT(memory[7], 300 + left);

    CASE("post with assertions, test");
    CHECK_OK(MPI_Win_post(from, MPI_MODE_NOSTORE | MPI_MODE_NOCHECK, window));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD)); // MPI_MODE_NOCHECK promises that the post came before the start
    CHECK_OK(MPI_Win_start(to, MPI_MODE_NOCHECK, window));
    CHECK_OK(MPI_Accumulate(&mine, 1, MPI_INT, right, 7, 1, MPI_INT, MPI_SUM, window));
    CHECK_OK(MPI_Win_complete(window));
    int code = MPI_SUCCESS;
    while (!flag && code == MPI_SUCCESS)
        code = MPI_Win_test(window, &flag);
    CHECK_OK(code);
    CHECK_INT(memory[7], 2 * (300 + left));

    CASE("empty groups");
    CHECK_OK(MPI_Win_post(MPI_GROUP_EMPTY, 0, window));
    CHECK_OK(MPI_Win_start(MPI_GROUP_EMPTY, 0, window));
    CHECK_OK(MPI_Win_complete(window));
    CHECK_OK(MPI_Win_wait(window));
    CHECK_OK(MPI_Group_free(&to));
    CHECK_OK(MPI_Group_free(&from));
    CHECK_OK(MPI_Group_free(&world));
}

static void large_count(void) {
    int out[4] = {1, 2, 3, 4}, in[4] = {0};
    CASE("large-count forms");
    fill(0);
    CHECK_OK(MPI_Win_fence(0, window));
    if (OFFERED(MPI_Put_c, (out, 4, MPI_INT, right, 2, 4, MPI_INT, window))) {
        CHECK_OK(MPI_Win_fence(0, window));
        CHECK_BYTES(memory + 2, out, sizeof out);
        CHECK_OK(MPI_Win_fence(0, window));
        CHECK_OK(MPI_Accumulate_c(out, 4, MPI_INT, right, 2, 4, MPI_INT, MPI_PROD, window));
        CHECK_OK(MPI_Win_fence(0, window));
        CHECK_INT(memory[5], 16);
        CHECK_OK(MPI_Win_fence(0, window));
        CHECK_OK(MPI_Get_c(in, 4, MPI_INT, right, 2, 4, MPI_INT, window));
        CHECK_OK(MPI_Win_fence(0, window));
        CHECK_INT(in[3], 16);
        CHECK_OK(MPI_Get_accumulate_c(out, 4, MPI_INT, in, 4, MPI_INT, right, 2, 4, MPI_INT, MPI_REPLACE, window));
    }
    CHECK_OK(MPI_Win_fence(0, window));
}

// Every rank has a different displacement unit and size, one of them zero.
static void uneven_windows(void) {
    MPI_Win uneven;
    long cells[4] = {0}, mine = 7000 + check_rank;
    int last = check_ranks - 1;
    CASE("uneven windows");
    CHECK_OK(MPI_Win_create(cells, check_rank == last ? (MPI_Aint)sizeof cells : 0,
                            check_rank == last ? (int)sizeof(long) : 1, MPI_INFO_NULL, MPI_COMM_WORLD, &uneven));
    CHECK(uneven != MPI_WIN_NULL);
    CHECK_OK(MPI_Win_fence(0, uneven));
    if (check_rank == 0)
        CHECK_OK(MPI_Put(&mine, 1, MPI_LONG, last, 2, 1, MPI_LONG, uneven));
    CHECK_OK(MPI_Win_fence(0, uneven));
    if (check_rank == last)
        CHECK_INT(cells[2], 7000);
    CHECK_OK(MPI_Win_free(&uneven));
    CHECK_SAME(uneven, MPI_WIN_NULL);
}

static void user_sum(void* in, void* inout, int* count, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int*)inout)[i] += ((int*)in)[i];
}

static void errors(void) {
    MPI_Op op;
    int value = 1;
    CASE("errors");
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_CLASS(MPI_Put(&value, 1, MPI_INT, check_ranks, 0, 1, MPI_INT, window), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Put(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, 1, MPI_INT, window), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Put(&value, -1, MPI_INT, 0, 0, 1, MPI_INT, window), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Put(&value, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, window), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_DATATYPE_NULL, window), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_WIN_NULL), MPI_ERR_WIN);
    CHECK_CLASS(MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, window), MPI_ERR_OP);
    CHECK_OK(MPI_Op_create(user_sum, 1, &op));
    CHECK_CLASS(MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, op, window), MPI_ERR_OP);
    CHECK_OK(MPI_Op_free(&op));
    CHECK_OK(MPI_Win_fence(0, window));
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    left = (check_rank + check_ranks - 1) % check_ranks;
    right = (check_rank + 1) % check_ranks;
    CHECK_OK(MPI_Alloc_mem(length * sizeof(int), MPI_INFO_NULL, &memory));
    if (window_made("MPI_Win_create", MPI_Win_create(memory, length * sizeof(int), sizeof(int), MPI_INFO_NULL,
                                                     MPI_COMM_WORLD, &window))) {
        CHECK_OK(MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN));
        put_and_get();
        derived_types();
        if (accumulate_offered()) {
            operations();
            logic();
            mixed_pairs();
            pairs_of_ints();
            fetching();
            post_start_complete_wait();
            large_count();
        }
        uneven_windows();
        errors();
        CHECK_OK(MPI_Win_free(&window));
        CHECK_SAME(window, MPI_WIN_NULL);
    }
    CHECK_OK(MPI_Free_mem(memory));
    return check_end();
}
