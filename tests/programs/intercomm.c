// Intercommunicators: two groups, remote ranks, collectives with MPI_ROOT and MPI_PROC_NULL, merging.
// ranks: 2 3 4
#include "check.h"

static MPI_Comm half;  // the ranks of one side
static MPI_Comm inter; // both sides
static int side;       // 0: the even ranks, 1: the odd ones
static int mine, mine_count, theirs_count;

static int world_rank_of(int of_side, int rank) {
    return 2 * rank + of_side;
}

static void create(void) {
    int flag = -1, count = -1, same = -1;
    MPI_Group group;
    MPI_Comm copy;
    CASE("Intercomm_create");
    side = check_rank % 2;
    CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half));
    CHECK_OK(MPI_Comm_rank(half, &mine));
    CHECK_OK(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, !side, 9, &inter));
    CHECK_OK(MPI_Comm_test_inter(inter, &flag));
    CHECK_INT(flag, 1);
    CHECK_OK(MPI_Comm_test_inter(half, &flag));
    CHECK_INT(flag, 0);
    mine_count = (check_ranks + 1 - side) / 2;
    theirs_count = check_ranks - mine_count;
    CHECK_OK(MPI_Comm_size(inter, &count));
    CHECK_INT(count, mine_count);
    CHECK_OK(MPI_Comm_remote_size(inter, &count));
    CHECK_INT(count, theirs_count);
    CHECK_OK(MPI_Comm_remote_group(inter, &group));
    CHECK_OK(MPI_Group_size(group, &count));
    CHECK_INT(count, theirs_count);
    CHECK_OK(MPI_Group_rank(group, &count));
    CHECK_INT(count, MPI_UNDEFINED);
    CHECK_OK(MPI_Group_free(&group));
    CHECK_OK(MPI_Comm_dup(inter, &copy));
    CHECK_OK(MPI_Comm_compare(inter, copy, &same));
    CHECK_INT(same, MPI_CONGRUENT);
    CHECK_OK(MPI_Comm_free(&copy));
}

static void messages(void) {
    MPI_Status status;
    int value = 10 * check_rank, found = -1, partner = mine % theirs_count;
    CASE("messages to the other side");
    if (mine < theirs_count) { // pairs of equal ranks; the larger side has ranks without a partner
        CHECK_OK(MPI_Sendrecv(&value, 1, MPI_INT, partner, 4, &found, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, inter,
                              &status));
        CHECK_INT(found, 10 * world_rank_of(!side, partner));
        CHECK_STATUS(status, partner, 4, MPI_INT, 1);
    }
}

// The root passes MPI_ROOT, other ranks of its side pass MPI_PROC_NULL, the other side passes the root's rank.
static int root_argument(int root_side, int root) {
    if (side != root_side)
        return root;
    return mine == root ? MPI_ROOT : MPI_PROC_NULL;
}

static void rooted(int root_side) {
    int root = root_argument(root_side, 0), is_root = root == MPI_ROOT, receives = side != root_side;
    int value = is_root ? 77 + root_side : -1, sum = -1, expected = 0;
    int all[8];
    CASE("broadcast, reduce");
    CHECK_OK(MPI_Bcast(&value, 1, MPI_INT, root, inter));
    CHECK_INT(value, receives || is_root ? 77 + root_side : -1);
    value = check_rank + 1;
    CHECK_OK(MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, root, inter));
    for (int rank = 0; rank < theirs_count; rank++)
        expected += world_rank_of(!side, rank) + 1;
    CHECK_INT(sum, is_root ? expected : -1);

    CASE("gather, scatter");
    memset(all, -1, sizeof all);
    CHECK_OK(MPI_Gather(&value, 1, MPI_INT, all, 1, MPI_INT, root, inter));
    for (int rank = 0; is_root && rank < theirs_count; rank++) {
        CHECK_INT(all[rank], world_rank_of(!side, rank) + 1);
        all[rank] = 100 + rank;
    }
    value = -1;
    CHECK_OK(MPI_Scatter(all, 1, MPI_INT, &value, 1, MPI_INT, root, inter));
    CHECK_INT(value, receives ? 100 + mine : -1);
}

static void symmetric(void) {
    MPI_Request request = MPI_REQUEST_NULL;
    int value = check_rank + 1, sum = -1, expected = 0, all[8], out[8];
    CASE("allreduce, allgather, alltoall, barrier");
    for (int rank = 0; rank < theirs_count; rank++)
        expected += world_rank_of(!side, rank) + 1;
    CHECK_OK(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, inter));
    CHECK_INT(sum, expected);
    CHECK_OK(MPI_Allgather(&value, 1, MPI_INT, all, 1, MPI_INT, inter));
    for (int rank = 0; rank < theirs_count; rank++) {
        CHECK_INT(all[rank], world_rank_of(!side, rank) + 1);
        out[rank] = 100 * check_rank + rank;
    }
    CHECK_OK(MPI_Alltoall(out, 1, MPI_INT, all, 1, MPI_INT, inter));
    for (int rank = 0; rank < theirs_count; rank++)
        CHECK_INT(all[rank], 100 * world_rank_of(!side, rank) + mine);
    CHECK_OK(MPI_Barrier(inter));

    CASE("nonblocking");
    sum = -1;
    CHECK_OK(MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, inter, &request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(sum, expected);
}

// The array's length is the size of the remote group, which a converter of datatype arrays must query.
static void typed_exchange(void) {
    MPI_Datatype types[8];
    int counts[8], places[8], out[8], in[8];
    MPI_Request request = MPI_REQUEST_NULL;
    CASE("alltoallw");
    for (int rank = 0; rank < theirs_count; rank++) {
        types[rank] = rank % 2 ? MPI_INT : MPI_INT32_T;
        counts[rank] = 1;
        places[rank] = rank * (int)sizeof(int);
        out[rank] = 1000 * check_rank + rank;
        in[rank] = -1;
    }
    CHECK_OK(MPI_Alltoallw(out, counts, places, types, in, counts, places, types, inter));
    for (int rank = 0; rank < theirs_count; rank++)
        CHECK_INT(in[rank], 1000 * world_rank_of(!side, rank) + mine);
    memset(in, -1, sizeof in);
    CHECK_OK(MPI_Ialltoallw(out, counts, places, types, in, counts, places, types, inter, &request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int rank = 0; rank < theirs_count; rank++)
        CHECK_INT(in[rank], 1000 * world_rank_of(!side, rank) + mine);
}

static void merge(void) {
    MPI_Comm merged = MPI_COMM_NULL;
    int rank = -1, count = -1, flag = -1;
    CASE("Intercomm_merge");
    CHECK_OK(MPI_Intercomm_merge(inter, side == 0, &merged)); // the odd side comes first
    CHECK_OK(MPI_Comm_size(merged, &count));
    CHECK_INT(count, check_ranks);
    CHECK_OK(MPI_Comm_rank(merged, &rank));
    CHECK_INT(rank, side ? mine : theirs_count + mine);
    CHECK_OK(MPI_Comm_test_inter(merged, &flag));
    CHECK_INT(flag, 0);
    CHECK_OK(MPI_Comm_free(&merged));
}

// Splits an intercommunicator so that one side may have no partner.
static void split(void) {
    MPI_Comm part = MPI_COMM_NULL;
    int count = -1, alone = check_ranks < 4; // with four ranks both sides have two ranks, which form two pairs
    CASE("split of an intercommunicator");
    CHECK_OK(MPI_Comm_split(inter, alone ? 0 : mine, 0, &part));
    CHECK(part != MPI_COMM_NULL);
    CHECK_OK(MPI_Comm_remote_size(part, &count));
    CHECK_INT(count, alone ? theirs_count : 1);
    CHECK_OK(MPI_Comm_free(&part));
    CHECK_OK(MPI_Comm_split(inter, side ? MPI_UNDEFINED : 0, 0, &part));
    CHECK_SAME(part, MPI_COMM_NULL); // the other side has no rank left
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    create();
    messages();
    rooted(0);
    rooted(1);
    symmetric();
    typed_exchange();
    merge();
    split();
    CHECK_OK(MPI_Comm_free(&inter));
    CHECK_SAME(inter, MPI_COMM_NULL);
    CHECK_OK(MPI_Comm_free(&half));
    return check_end();
}
