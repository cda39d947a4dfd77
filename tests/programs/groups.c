// Groups: sets of ranks, their comparison, and ranks translated between them.
// ranks: 1 2 3 4
#include "check.h"

static MPI_Group world;

static void check_members(MPI_Group group, const int* expected, int n) {
    int size = -1, all[4] = {0, 1, 2, 3}, ranks[4];
    CHECK_OK(MPI_Group_size(group, &size));
    if (!CHECK_INT(size, n) || n == 0)
        return;
    CHECK_OK(MPI_Group_translate_ranks(group, n, all, world, ranks));
    for (int i = 0; i < n; i++)
        CHECK_INT(ranks[i], expected[i]);
}

static void size_and_rank(void) {
    int size = -1, rank = -1;
    MPI_Group self, empty = MPI_GROUP_EMPTY;
    CASE("size and rank");
    CHECK_OK(MPI_Group_size(world, &size));
    CHECK_INT(size, check_ranks);
    CHECK_OK(MPI_Group_rank(world, &rank));
    CHECK_INT(rank, check_rank);
    CHECK_OK(MPI_Comm_group(MPI_COMM_SELF, &self));
    check_members(self, &check_rank, 1);
    CHECK_OK(MPI_Group_free(&self));
    CHECK_SAME(self, MPI_GROUP_NULL);
    CHECK_OK(MPI_Group_size(empty, &size));
    CHECK_INT(size, 0);
    CHECK_OK(MPI_Group_rank(empty, &rank));
    CHECK_INT(rank, MPI_UNDEFINED);
}

static void include_and_exclude(void) {
    MPI_Group group, other;
    int last = check_ranks - 1, rank = -1, zero = 0;
    CASE("incl and excl");
    CHECK_OK(MPI_Group_incl(world, 1, &last, &group));
    check_members(group, &last, 1);
    CHECK_OK(MPI_Group_rank(group, &rank));
    CHECK_INT(rank, check_rank == last ? 0 : MPI_UNDEFINED);
    CHECK_OK(MPI_Group_free(&group));

    CHECK_OK(MPI_Group_excl(world, 1, &zero, &group));
    check_members(group, (const int[]){1, 2, 3}, check_ranks - 1);
    if (check_ranks == 1)
        CHECK_SAME(group, MPI_GROUP_EMPTY); // the empty group has only one handle
    else
        CHECK_OK(MPI_Group_free(&group));
    CHECK_OK(MPI_Group_incl(world, 0, NULL, &group));
    CHECK_SAME(group, MPI_GROUP_EMPTY);

    CASE("ranges");
    int down[1][3] = {{last, 0, -1}}, odd[1][3] = {{0, last, 2}};
    // the third number is a stride and may be equal to a special rank
    CHECK_OK(MPI_Group_range_incl(world, 1, down, &group));
    for (int i = 0; i < check_ranks; i++) {
        int in_world = -1;
        CHECK_OK(MPI_Group_translate_ranks(group, 1, &i, world, &in_world));
        CHECK_INT(in_world, last - i);
    }
    CHECK_OK(MPI_Group_range_excl(world, 1, odd, &other));
    check_members(other, (const int[]){1, 3}, check_ranks / 2);
    CHECK_OK(MPI_Group_free(&group));
    if (check_ranks > 1)
        CHECK_OK(MPI_Group_free(&other));
}

static void set_operations(void) {
    MPI_Group first, rest, result;
    int zero = 0;
    CASE("union, intersection, difference");
    CHECK_OK(MPI_Group_incl(world, 1, &zero, &first));
    CHECK_OK(MPI_Group_excl(world, 1, &zero, &rest));
    CHECK_OK(MPI_Group_union(rest, first, &result));
    int expected[4] = {1, 2, 3, 0};
    expected[check_ranks - 1] = 0;
    check_members(result, expected, check_ranks);
    CHECK_OK(MPI_Group_free(&result));
    CHECK_OK(MPI_Group_intersection(world, first, &result));
    check_members(result, &zero, 1);
    CHECK_OK(MPI_Group_free(&result));
    CHECK_OK(MPI_Group_intersection(rest, first, &result));
    CHECK_SAME(result, MPI_GROUP_EMPTY);
    CHECK_OK(MPI_Group_difference(world, first, &result));
    check_members(result, (const int[]){1, 2, 3}, check_ranks - 1);
    if (check_ranks > 1)
        CHECK_OK(MPI_Group_free(&result));
    CHECK_OK(MPI_Group_difference(world, world, &result));
    CHECK_SAME(result, MPI_GROUP_EMPTY);
    CHECK_OK(MPI_Group_free(&first));
    if (check_ranks > 1)
        CHECK_OK(MPI_Group_free(&rest));
}

static void translate(void) {
    MPI_Group last;
    int rank = check_ranks - 1, ranks[4] = {0, MPI_PROC_NULL, rank, MPI_PROC_NULL}, result[4];
    CASE("translate_ranks");
    CHECK_OK(MPI_Group_incl(world, 1, &rank, &last));
    CHECK_OK(MPI_Group_translate_ranks(world, 4, ranks, last, result));
    CHECK_INT(result[0], check_ranks == 1 ? 0 : MPI_UNDEFINED);
    CHECK_INT(result[1], MPI_PROC_NULL);
    CHECK_INT(result[2], 0);
    CHECK_INT(result[3], MPI_PROC_NULL);
    CHECK_INT(ranks[1], MPI_PROC_NULL); // the program's own argument is unchanged
    CHECK_OK(MPI_Group_translate_ranks(world, 0, ranks, last, result));
    CHECK_OK(MPI_Group_free(&last));
}

static void compare(void) {
    MPI_Group reversed, copy;
    int range[1][3] = {{check_ranks - 1, 0, -1}}, result = -1;
    CASE("compare");
    CHECK_OK(MPI_Group_compare(world, world, &result));
    CHECK_INT(result, MPI_IDENT);
    CHECK_OK(MPI_Comm_group(MPI_COMM_WORLD, &copy));
    CHECK_OK(MPI_Group_compare(world, copy, &result));
    CHECK_INT(result, MPI_IDENT);
    CHECK_OK(MPI_Group_range_incl(world, 1, range, &reversed));
    CHECK_OK(MPI_Group_compare(world, reversed, &result));
    CHECK_INT(result, check_ranks == 1 ? MPI_IDENT : MPI_SIMILAR);
    CHECK_OK(MPI_Group_compare(world, MPI_GROUP_EMPTY, &result));
    CHECK_INT(result, MPI_UNEQUAL);
    CHECK_OK(MPI_Group_compare(MPI_GROUP_EMPTY, MPI_GROUP_EMPTY, &result));
    CHECK_INT(result, MPI_IDENT);
    CHECK_OK(MPI_Group_free(&reversed));
    CHECK_OK(MPI_Group_free(&copy));
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    CHECK_OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    size_and_rank();
    include_and_exclude();
    set_operations();
    translate();
    compare();
    CHECK_OK(MPI_Group_free(&world));
    return check_end();
}
