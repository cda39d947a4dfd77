// The collective operations with arguments of every form and their results, written once for all ways to carry them
//   out. The including program selects the way by defining:
//       CALL(Bcast, bcast, buffer, count, type, root, comm)    the operation by its two spellings, with the arguments
//       of
//                                                              MPI_Bcast; nonzero when done, 0 if the MPI lacks it
//       count_t, displacement_t                                the elements of arrays of counts and displacements
//       blocking                                               true if the operations block
#include "check.h"

enum { length = 5 }; // elements that each pair of ranks exchanges

typedef struct group_pair { // the two groups of an intercommunicator, or the one group of an intracommunicator twice
    MPI_Comm comm;
    int rank, size;  // in the process's own group
    int remote_size; // of the group with which data is exchanged
    int side;        // 0 or 1 in an intercommunicator
    int inter;
} group_pair;

/// The value of an element that rank `from` of a side sends to rank `to`. All values differ.
static int message(int side, int from, int to, int element) {
    return 1000000 * (side + 1) + 10000 * from + 100 * to + element;
}

static void fill(int* data, int n, int value) {
    for (int i = 0; i < n; i++)
        data[i] = value;
}

/// Checks a block that rank `from` of the other side sent to `to`.
static void check_block(const int* data, const group_pair* g, int from, int to) {
    int expected[length];
    int side = g->inter ? !g->side : g->side;
    for (int i = 0; i < length; i++)
        expected[i] = message(side, from, to, i);
    CHECK_BYTES(data, expected, sizeof expected);
}

static void fill_block(int* data, const group_pair* g, int to) {
    for (int i = 0; i < length; i++)
        data[i] = message(g->side, g->rank, to, i);
}

/// For arguments that are significant at the root only. Other ranks may pass anything, but MPICH 3.4 checks some of
/// them.
static MPI_Datatype no_type(void) {
    return check_mpich_major() == 3 ? MPI_INT : MPI_DATATYPE_NULL;
}
static int* no_buffer(int* instead) {
    return check_mpich_major() == 3 ? instead : NULL;
}

// ---- on an intracommunicator, rooted ----------------------------------------------------------------------------

static void bcast(const group_pair* g) {
    for (int root = 0; root < g->size; root++) {
        double values[5] = {-1, -1, -1, -1, -1};
        for (int i = 0; i < 5 && g->rank == root; i++)
            values[i] = root + i * 0.25;
        if (!CALL(Bcast, bcast, values, 5, MPI_DOUBLE, root, g->comm))
            return;
        for (int i = 0; i < 5; i++)
            CHECK(values[i] == root + i * 0.25);
    }
}

static void gather(const group_pair* g) {
    int mine[length], all[4 * length];
    for (int root = 0; root < g->size; root++) {
        int at_root = g->rank == root;
        fill_block(mine, g, root);
        fill(all, 4 * length, -1);
        if (!CALL(Gather, gather, mine, length, MPI_INT, at_root ? all : NULL, at_root ? length : -1,
                  at_root ? MPI_INT : MPI_DATATYPE_NULL, root, g->comm))
            return;
        for (int from = 0; from < g->size && at_root; from++)
            check_block(all + from * length, g, from, root);
    }
}

static void gather_in_place(const group_pair* g) {
    int mine[length], all[4 * length], root = g->size - 1;
    int at_root = g->rank == root;
    fill_block(mine, g, root);
    fill(all, 4 * length, -1);
    if (at_root)
        fill_block(all + root * length, g, root);
    if (!CALL(Gather, gather, at_root ? MPI_IN_PLACE : mine, at_root ? 0 : length,
              at_root ? MPI_DATATYPE_NULL : MPI_INT, all, length, MPI_INT, root, g->comm))
        return;
    for (int from = 0; from < g->size && at_root; from++)
        check_block(all + from * length, g, from, root);
}

/// Blocks in reverse order with a gap of one element between them: a plain gather would give other displacements.
static void reverse_layout(int size, count_t* counts, displacement_t* displacements) {
    for (int i = 0; i < size; i++) {
        counts[i] = length;
        displacements[i] = (size - 1 - i) * (length + 1);
    }
}

static void gatherv(const group_pair* g) {
    int mine[length], all[4 * (length + 1)];
    count_t counts[4];
    displacement_t displacements[4];
    reverse_layout(g->size, counts, displacements);
    for (int root = 0; root < g->size; root++) {
        int at_root = g->rank == root;
        fill_block(mine, g, root);
        fill(all, 4 * (length + 1), -1);
        if (!CALL(Gatherv, gatherv, mine, length, MPI_INT, at_root ? all : NULL, at_root ? counts : NULL,
                  at_root ? displacements : NULL, at_root ? MPI_INT : MPI_DATATYPE_NULL, root, g->comm))
            return;
        for (int from = 0; from < g->size && at_root; from++) {
            check_block(all + displacements[from], g, from, root);
            CHECK_INT(all[displacements[from] + length], -1);
        }
    }
}

static void gatherv_in_place(const group_pair* g) {
    int mine[length], all[4 * (length + 1)];
    int at_root = g->rank == 0;
    count_t counts[4];
    displacement_t displacements[4];
    reverse_layout(g->size, counts, displacements);
    fill_block(mine, g, 0);
    fill(all, 4 * (length + 1), -1);
    if (at_root)
        fill_block(all + displacements[0], g, 0);
    if (!CALL(Gatherv, gatherv, at_root ? MPI_IN_PLACE : mine, at_root ? 0 : length,
              at_root ? MPI_DATATYPE_NULL : MPI_INT, all, counts, displacements, MPI_INT, 0, g->comm))
        return;
    for (int from = 0; from < g->size && at_root; from++)
        check_block(all + displacements[from], g, from, 0);
}

static void scatter(const group_pair* g) {
    int mine[length], all[4 * length];
    for (int root = 0; root < g->size; root++) {
        int at_root = g->rank == root;
        for (int to = 0; to < g->size; to++)
            fill_block(all + to * length, g, to);
        fill(mine, length, -1);
        if (!CALL(Scatter, scatter, at_root ? all : NULL, at_root ? length : -1, at_root ? MPI_INT : MPI_DATATYPE_NULL,
                  mine, length, MPI_INT, root, g->comm))
            return;
        check_block(mine, g, root, g->rank);
    }
}

static void scatter_in_place(const group_pair* g) {
    int mine[length], all[4 * length];
    int at_root = g->rank == 0;
    for (int to = 0; to < g->size; to++)
        fill_block(all + to * length, g, to);
    fill(mine, length, -1);
    if (!CALL(Scatter, scatter, all, length, MPI_INT, at_root ? MPI_IN_PLACE : mine, at_root ? 0 : length,
              at_root ? MPI_DATATYPE_NULL : MPI_INT, 0, g->comm))
        return;
    check_block(at_root ? all : mine, g, 0, g->rank);
}

static void scatterv(const group_pair* g) {
    int mine[length], all[4 * (length + 1)];
    count_t counts[4];
    displacement_t displacements[4];
    reverse_layout(g->size, counts, displacements);
    for (int root = 0; root < g->size; root++) {
        int at_root = g->rank == root;
        fill(all, 4 * (length + 1), -1);
        for (int to = 0; to < g->size; to++)
            fill_block(all + displacements[to], g, to);
        fill(mine, length, -1);
        if (!CALL(Scatterv, scatterv, at_root ? all : NULL, at_root ? counts : NULL, at_root ? displacements : NULL,
                  at_root ? MPI_INT : no_type(), mine, length, MPI_INT, root, g->comm))
            return;
        check_block(mine, g, root, g->rank);
    }
}

static void scatterv_in_place(const group_pair* g) {
    int mine[length], all[4 * (length + 1)];
    int at_root = g->rank == 0;
    count_t counts[4];
    displacement_t displacements[4];
    reverse_layout(g->size, counts, displacements);
    for (int to = 0; to < g->size; to++)
        fill_block(all + displacements[to], g, to);
    fill(mine, length, -1);
    if (!CALL(Scatterv, scatterv, all, counts, displacements, MPI_INT, at_root ? MPI_IN_PLACE : mine,
              at_root ? 0 : length, at_root ? MPI_DATATYPE_NULL : MPI_INT, 0, g->comm))
        return;
    check_block(at_root ? all + displacements[0] : mine, g, 0, g->rank);
}

static void reduce(const group_pair* g) {
    for (int root = 0; root < g->size; root++) {
        int at_root = g->rank == root, mine[2] = {g->rank + 1, -g->rank}, result[2] = {-1, -1};
        if (!CALL(Reduce, reduce, mine, at_root ? result : no_buffer(result), 2, MPI_INT, root % 2 ? MPI_MIN : MPI_SUM,
                  root, g->comm))
            return;
        if (at_root) {
            CHECK_INT(result[0], root % 2 ? 1 : g->size * (g->size + 1) / 2);
            CHECK_INT(result[1], root % 2 ? 1 - g->size : -g->size * (g->size - 1) / 2);
        }
    }
}

static void reduce_in_place(const group_pair* g) {
    int at_root = g->rank == 0;
    long long mine = g->rank + 1, result = g->rank + 1;
    if (CALL(Reduce, reduce, at_root ? MPI_IN_PLACE : (const void*)&mine, &result, 1, MPI_LONG_LONG, MPI_PROD, 0,
             g->comm))
        CHECK_INT(result, !at_root ? g->rank + 1 : g->size == 1 ? 1 : g->size == 2 ? 2 : g->size == 3 ? 6 : 24);
}

// ---- on both kinds of communicator, not rooted ------------------------------------------------------------------

static void barrier(const group_pair* g) {
    (void)CALL(Barrier, barrier, g->comm);
}

static void allgather(const group_pair* g) {
    int mine[length], all[4 * length];
    fill_block(mine, g, 99);
    fill(all, 4 * length, -1);
    if (!CALL(Allgather, allgather, mine, length, MPI_INT, all, length, MPI_INT, g->comm))
        return;
    for (int from = 0; from < g->remote_size; from++)
        check_block(all + from * length, g, from, 99);
}

static void allgatherv(const group_pair* g) {
    int mine[length], all[4 * (length + 1)];
    count_t counts[4];
    displacement_t displacements[4];
    reverse_layout(g->remote_size, counts, displacements);
    fill_block(mine, g, 99);
    fill(all, 4 * (length + 1), -1);
    if (!CALL(Allgatherv, allgatherv, mine, length, MPI_INT, all, counts, displacements, MPI_INT, g->comm))
        return;
    for (int from = 0; from < g->remote_size; from++) {
        check_block(all + displacements[from], g, from, 99);
        CHECK_INT(all[displacements[from] + length], -1);
    }
}

static void alltoall(const group_pair* g) {
    int out[4 * length], in[4 * length];
    for (int to = 0; to < g->remote_size; to++)
        fill_block(out + to * length, g, to);
    fill(in, 4 * length, -1);
    if (!CALL(Alltoall, alltoall, out, length, MPI_INT, in, length, MPI_INT, g->comm))
        return;
    for (int from = 0; from < g->remote_size; from++)
        check_block(in + from * length, g, from, g->rank);
}

static void alltoallv(const group_pair* g) {
    int out[4 * (length + 1)], in[4 * (length + 1)];
    count_t counts[4];
    displacement_t displacements[4];
    reverse_layout(g->remote_size, counts, displacements);
    fill(in, 4 * (length + 1), -1);
    for (int to = 0; to < g->remote_size; to++)
        fill_block(out + displacements[to], g, to);
    if (!CALL(Alltoallv, alltoallv, out, counts, displacements, MPI_INT, in, counts, displacements, MPI_INT, g->comm))
        return;
    for (int from = 0; from < g->remote_size; from++)
        check_block(in + displacements[from], g, from, g->rank);
}

/// Each pair of ranks uses its own datatype: ints, bytes, or one derived datatype for the block. Both sides agree.
static void alltoallw(const group_pair* g) {
    int out[4 * (length + 1)], in[4 * (length + 1)];
    count_t counts[4];
    displacement_t displacements[4];
    MPI_Datatype types[4], block;
    CHECK_OK(MPI_Type_contiguous(length, MPI_INT, &block));
    CHECK_OK(MPI_Type_commit(&block));
    reverse_layout(g->remote_size, counts, displacements);
    fill(in, 4 * (length + 1), -1);
    for (int peer = 0; peer < g->remote_size; peer++) {
        fill_block(out + displacements[peer], g, peer);
        displacements[peer] *= (displacement_t)sizeof(int); // in bytes
        int way = (peer + g->rank) % 3;
        types[peer] = way == 0 ? MPI_INT : way == 1 ? MPI_BYTE : block;
        counts[peer] = way == 0 ? length : way == 1 ? length * (int)sizeof(int) : 1;
    }
    if (CALL(Alltoallw, alltoallw, out, counts, displacements, types, in, counts, displacements, types, g->comm))
        for (int from = 0; from < g->remote_size; from++)
            check_block(in + displacements[from] / (int)sizeof(int), g, from, g->rank);
    CHECK_OK(MPI_Type_free(&block));
}

static void allreduce(const group_pair* g) {
    double mine = g->rank + 0.5, result = -1;
    int bits = 1 << g->rank, all_bits = 0;
    if (!CALL(Allreduce, allreduce, &mine, &result, 1, MPI_DOUBLE, MPI_MAX, g->comm))
        return;
    CHECK(result == g->remote_size - 0.5);
    CHECK(CALL(Allreduce, allreduce, &bits, &all_bits, 1, MPI_INT, MPI_BOR, g->comm));
    CHECK_INT(all_bits, (1 << g->remote_size) - 1);
}

// ---- on an intracommunicator, not rooted ------------------------------------------------------------------------

static void in_place_without_arrays(const group_pair* g) {
    int data[4 * (length + 1)], n = g->size;
    count_t counts[4];
    displacement_t displacements[4], bytes[4];
    MPI_Datatype types[4];
    reverse_layout(n, counts, displacements);
    for (int i = 0; i < n; i++) {
        bytes[i] = displacements[i] * (displacement_t)sizeof(int);
        types[i] = MPI_INT;
    }

    fill_block(data + g->rank * length, g, 99);
    if (CALL(Allgather, allgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, length, MPI_INT, g->comm))
        for (int from = 0; from < n; from++)
            check_block(data + from * length, g, from, 99);

    fill_block(data + displacements[g->rank], g, 99);
    if (CALL(Allgatherv, allgatherv, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, counts, displacements, MPI_INT, g->comm))
        for (int from = 0; from < n; from++)
            check_block(data + displacements[from], g, from, 99);

    for (int to = 0; to < n; to++)
        fill_block(data + to * length, g, to);
    if (CALL(Alltoall, alltoall, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, length, MPI_INT, g->comm))
        for (int from = 0; from < n; from++)
            check_block(data + from * length, g, from, g->rank);

    for (int to = 0; to < n; to++)
        fill_block(data + displacements[to], g, to);
    if (CALL(Alltoallv, alltoallv, MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, data, counts, displacements, MPI_INT,
             g->comm))
        for (int from = 0; from < n; from++)
            check_block(data + displacements[from], g, from, g->rank);

    for (int to = 0; to < n; to++)
        fill_block(data + displacements[to], g, to);
    if (CALL(Alltoallw, alltoallw, MPI_IN_PLACE, NULL, NULL, NULL, data, counts, bytes, types, g->comm))
        for (int from = 0; from < n; from++)
            check_block(data + displacements[from], g, from, g->rank);

    float value = (float)g->rank;
    if (CALL(Allreduce, allreduce, MPI_IN_PLACE, &value, 1, MPI_FLOAT, MPI_SUM, g->comm))
        CHECK(value == n * (n - 1) / 2);
}

static void reduce_scatter(const group_pair* g) {
    int data[4 * 2], result[4] = {-1, -1, -1, -1}, n = g->size;
    count_t counts[4];
    for (int i = 0; i < n; i++)
        counts[i] = i % 2 ? 2 : 1; // 1 2 1 2: the blocks begin at 0 1 3 4
    int begin = 3 * (g->rank / 2) + g->rank % 2;
    for (int i = 0; i < 8; i++)
        data[i] = 10 * i + g->rank;
    if (!CALL(Reduce_scatter, reduce_scatter, data, result, counts, MPI_INT, MPI_SUM, g->comm))
        return;
    for (int i = 0; i < 2; i++)
        CHECK_INT(result[i], i < counts[g->rank] ? 10 * (begin + i) * n + n * (n - 1) / 2 : -1);

    if (CALL(Reduce_scatter, reduce_scatter, MPI_IN_PLACE, data, counts, MPI_INT, MPI_MAX, g->comm))
        for (int i = 0; i < counts[g->rank]; i++)
            CHECK_INT(data[i], 10 * (begin + i) + n - 1);
}

static void reduce_scatter_block(const group_pair* g) {
    int data[4 * 2], result[2] = {-1, -1}, n = g->size;
    for (int i = 0; i < 8; i++)
        data[i] = 10 * i + g->rank;
    if (!CALL(Reduce_scatter_block, reduce_scatter_block, data, result, 2, MPI_INT, MPI_SUM, g->comm))
        return;
    for (int i = 0; i < 2; i++)
        CHECK_INT(result[i], 10 * (2 * g->rank + i) * n + n * (n - 1) / 2);
    if (CALL(Reduce_scatter_block, reduce_scatter_block, MPI_IN_PLACE, data, 2, MPI_INT, MPI_MIN, g->comm))
        for (int i = 0; i < 2; i++)
            CHECK_INT(data[i], 10 * (2 * g->rank + i));
}

static void scan_and_exscan(const group_pair* g) {
    int mine = g->rank + 1, result = -1, r = g->rank;
    if (CALL(Scan, scan, &mine, &result, 1, MPI_INT, MPI_SUM, g->comm))
        CHECK_INT(result, (r + 1) * (r + 2) / 2);
    result = r + 1;
    if (CALL(Scan, scan, MPI_IN_PLACE, &result, 1, MPI_INT, MPI_SUM, g->comm))
        CHECK_INT(result, (r + 1) * (r + 2) / 2);
    result = -1;
    if (CALL(Exscan, exscan, &mine, &result, 1, MPI_INT, MPI_SUM, g->comm) && r > 0)
        CHECK_INT(result, r * (r + 1) / 2); // undefined on rank 0
    result = r + 1;
    if (CALL(Exscan, exscan, MPI_IN_PLACE, &result, 1, MPI_INT, MPI_SUM, g->comm) && r > 0)
        CHECK_INT(result, r * (r + 1) / 2);
}

// ---- on an intercommunicator: the root passes MPI_ROOT, other ranks of its group pass MPI_PROC_NULL --------------

/// The root argument of this rank if rank `root` of side `side` is the root.
static int inter_root(const group_pair* g, int side, int root) {
    return g->side != side ? root : g->rank == root ? MPI_ROOT : MPI_PROC_NULL;
}

static void inter_bcast_and_reduce(const group_pair* g, int side) {
    int root_size = g->side == side ? g->size : g->remote_size;
    // MPICH's MPI_Ibcast between groups gives wrong data if the root is not rank 0 (4.0.2 to 5.0.2).
    if (!blocking && !check_runtime_is("Open MPI"))
        root_size = 1;
    for (int root = 0; root < root_size; root++) {
        int argument = inter_root(g, side, root);
        int receives = g->side != side, at_root = argument == MPI_ROOT;
        int value = at_root ? 4711 + root : -1;
        if (!CALL(Bcast, bcast, &value, 1, MPI_INT, argument, g->comm))
            return;
        CHECK_INT(value, receives || at_root ? 4711 + root : -1);

        int mine = g->rank + 1, sum = -1;
        if (!CALL(Reduce, reduce, &mine, &sum, 1, MPI_INT, MPI_SUM, argument, g->comm))
            return;
        CHECK_INT(sum, at_root ? g->remote_size * (g->remote_size + 1) / 2 : -1);
    }
}

static void inter_gather_and_scatter(const group_pair* g, int side) {
    int mine[length], all[4 * (length + 1)], root = 0;
    int argument = inter_root(g, side, root), at_root = argument == MPI_ROOT, other = g->side != side;
    count_t counts[4];
    displacement_t displacements[4];
    reverse_layout(g->remote_size, counts, displacements);

    fill_block(mine, g, root);
    if (!CALL(Gather, gather, mine, other ? length : 0, MPI_INT, all, length, MPI_INT, argument, g->comm))
        return;
    for (int from = 0; from < g->remote_size && at_root; from++)
        check_block(all + from * length, g, from, root);
    if (!CALL(Gatherv, gatherv, mine, other ? length : 0, MPI_INT, all, at_root ? counts : NULL,
              at_root ? displacements : NULL, MPI_INT, argument, g->comm))
        return;
    for (int from = 0; from < g->remote_size && at_root; from++)
        check_block(all + displacements[from], g, from, root);

    for (int to = 0; to < g->remote_size; to++)
        fill_block(all + to * length, g, to);
    fill(mine, length, -1);
    if (!CALL(Scatter, scatter, all, length, MPI_INT, mine, other ? length : 0, MPI_INT, argument, g->comm))
        return;
    if (other)
        check_block(mine, g, root, g->rank);
    for (int to = 0; to < g->remote_size; to++)
        fill_block(all + displacements[to], g, to);
    fill(mine, length, -1);
    if (!CALL(Scatterv, scatterv, all, at_root ? counts : NULL, at_root ? displacements : NULL, MPI_INT, mine,
              other ? length : 0, MPI_INT, argument, g->comm))
        return;
    if (other)
        check_block(mine, g, root, g->rank);
}

// ---- on topologies: a ring of all ranks, each with a left and a right neighbor ------------------------------------

static MPI_Comm make_ring(MPI_Comm comm, int rank, int size) {
    int sources[2] = {(rank + size - 1) % size, (rank + 1) % size};
    MPI_Comm ring = MPI_COMM_NULL;
    CHECK_OK(MPI_Dist_graph_create_adjacent(comm, 2, sources, MPI_UNWEIGHTED, 2, sources, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                            0, &ring));
    return ring;
}

/// With one or two ranks both neighbors are the same rank, and the runtime's matching order decides which of its two
/// messages arrives first. So a rank sends the same message to both neighbors.
static void neighbors(const group_pair* g) {
    MPI_Comm ring = make_ring(g->comm, g->rank, g->size);
    int peers[2] = {(g->rank + g->size - 1) % g->size, (g->rank + 1) % g->size};
    int mine[2 * length], all[2 * (length + 1)];
    count_t counts[2];
    displacement_t displacements[2];
    MPI_Aint bytes[2];
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    reverse_layout(2, counts, displacements);
    for (int i = 0; i < 2; i++) {
        fill_block(mine + i * length, g, 99);
        bytes[i] = (MPI_Aint)displacements[i] * (MPI_Aint)sizeof(int);
    }

    if (CALL(Neighbor_allgather, neighbor_allgather, mine, length, MPI_INT, all, length, MPI_INT, ring))
        for (int i = 0; i < 2; i++)
            check_block(all + i * length, g, peers[i], 99);
    if (CALL(Neighbor_allgatherv, neighbor_allgatherv, mine, length, MPI_INT, all, counts, displacements, MPI_INT,
             ring))
        for (int i = 0; i < 2; i++)
            check_block(all + displacements[i], g, peers[i], 99);
    fill(all, 2 * (length + 1), -1);
    if (CALL(Neighbor_alltoall, neighbor_alltoall, mine, length, MPI_INT, all, length, MPI_INT, ring))
        for (int i = 0; i < 2; i++)
            check_block(all + i * length, g, peers[i], 99);

    int out[2 * (length + 1)];
    for (int i = 0; i < 2; i++)
        fill_block(out + displacements[i], g, 99);
    fill(all, 2 * (length + 1), -1);
    if (CALL(Neighbor_alltoallv, neighbor_alltoallv, out, counts, displacements, MPI_INT, all, counts, displacements,
             MPI_INT, ring))
        for (int i = 0; i < 2; i++)
            check_block(all + displacements[i], g, peers[i], 99);
    fill(all, 2 * (length + 1), -1);
    if (CALL(Neighbor_alltoallw, neighbor_alltoallw, out, counts, bytes, types, all, counts, bytes, types, ring))
        for (int i = 0; i < 2; i++)
            check_block(all + displacements[i], g, peers[i], 99);
    CHECK_OK(MPI_Comm_free(&ring));
}

// ---- all of them ------------------------------------------------------------------------------------------------

static void on_intracommunicator(MPI_Comm comm) {
    group_pair g = {comm, 0, 0, 0, 0, 0};
    CHECK_OK(MPI_Comm_rank(comm, &g.rank));
    CHECK_OK(MPI_Comm_size(comm, &g.size));
    g.remote_size = g.size;
    CASE("bcast"), bcast(&g);
    CASE("gather"), gather(&g);
    CASE("gather in place"), gather_in_place(&g);
    CASE("gatherv"), gatherv(&g);
    CASE("gatherv in place"), gatherv_in_place(&g);
    CASE("scatter"), scatter(&g);
    CASE("scatter in place"), scatter_in_place(&g);
    CASE("scatterv"), scatterv(&g);
    CASE("scatterv in place"), scatterv_in_place(&g);
    CASE("reduce"), reduce(&g);
    CASE("reduce in place"), reduce_in_place(&g);
    CASE("barrier"), barrier(&g);
    CASE("allgather"), allgather(&g);
    CASE("allgatherv"), allgatherv(&g);
    CASE("alltoall"), alltoall(&g);
    CASE("alltoallv"), alltoallv(&g);
    CASE("alltoallw"), alltoallw(&g);
    CASE("allreduce"), allreduce(&g);
    CASE("in place, nothing beside it"), in_place_without_arrays(&g);
    CASE("reduce_scatter"), reduce_scatter(&g);
    CASE("reduce_scatter_block"), reduce_scatter_block(&g);
    CASE("scan and exscan"), scan_and_exscan(&g);
    CASE("neighbours"), neighbors(&g);
}

static void on_intercommunicator(MPI_Comm comm) {
    group_pair g = {comm, 0, 0, 0, 0, 1};
    int world_rank;
    CHECK_OK(MPI_Comm_rank(comm, &g.rank));
    CHECK_OK(MPI_Comm_size(comm, &g.size));
    CHECK_OK(MPI_Comm_remote_size(comm, &g.remote_size));
    CHECK_OK(MPI_Comm_rank(MPI_COMM_WORLD, &world_rank));
    g.side = world_rank % 2;
    for (int side = 0; side < 2; side++) {
        CASE("between groups: bcast and reduce"), inter_bcast_and_reduce(&g, side);
        CASE("between groups: gather and scatter"), inter_gather_and_scatter(&g, side);
    }
    CASE("between groups: barrier"), barrier(&g);
    CASE("between groups: allgather"), allgather(&g);
    CASE("between groups: allgatherv"), allgatherv(&g);
    CASE("between groups: alltoall"), alltoall(&g);
    CASE("between groups: alltoallv"), alltoallv(&g);
    CASE("between groups: alltoallw"), alltoallw(&g);
    CASE("between groups: allreduce"), allreduce(&g);
}

/// Even ranks on one side, odd ranks on the other.
static void all_collectives(void) {
    on_intracommunicator(MPI_COMM_WORLD);
    on_intracommunicator(MPI_COMM_SELF);
    if (check_ranks < 2)
        return;
    MPI_Comm half, inter;
    CASE("making the two groups");
    CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, check_rank % 2, 0, &half));
    if (CHECK_OK(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, !(check_rank % 2), 5, &inter))) {
        on_intercommunicator(inter);
        CHECK_OK(MPI_Comm_free(&inter));
    }
    CHECK_OK(MPI_Comm_free(&half));
}
