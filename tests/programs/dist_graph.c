// Distributed graphs: with weights, unweighted, and with empty weights; and the queries of the neighbors.
// ranks: 1 2 4
#include "check.h"

static int left, right;

static void check_counts(MPI_Comm comm, int in, int out, int weighted) {
    int got_in = -1, got_out = -1, got_weighted = -1, kind = -1;
    CHECK_OK(MPI_Topo_test(comm, &kind));
    CHECK_INT(kind, MPI_DIST_GRAPH);
    CHECK_OK(MPI_Dist_graph_neighbors_count(comm, &got_in, &got_out, &got_weighted));
    CHECK_INT(got_in, in);
    CHECK_INT(got_out, out);
    CHECK_INT(!!got_weighted, weighted);
}

static void adjacent_weighted(void) {
    MPI_Comm comm;
    int sources[2] = {left, right}, source_weights[2] = {10, 20}, dests[1] = {right}, dest_weights[1] = {11};
    int got_sources[2], got_source_weights[2], got_dests[2] = {-1, -1}, got_dest_weights[2] = {-1, -1};
    // The edge to the left has no counterpart here, so the graph has only edges to the right, given at both ends.
    CASE("adjacent, weighted");
    CHECK_OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, sources, source_weights, 1, dests, dest_weights,
                                            MPI_INFO_NULL, 0, &comm));
    check_counts(comm, 1, 1, 1);
    CHECK_OK(MPI_Dist_graph_neighbors(comm, 1, got_sources, got_source_weights, 1, got_dests, got_dest_weights));
    CHECK_INT(got_sources[0], left);
    CHECK_INT(got_source_weights[0], 10);
    CHECK_INT(got_dests[0], right);
    CHECK_INT(got_dest_weights[0], 11);
    CHECK_OK(MPI_Comm_free(&comm));
}

static void adjacent_unweighted(void) {
    MPI_Comm comm;
    int got_source = -1, got_dest = -1;
    CASE("adjacent, unweighted");
    CHECK_OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED,
                                            MPI_INFO_NULL, 1, &comm));
    check_counts(comm, 1, 1, 0);
    CHECK_OK(MPI_Dist_graph_neighbors(comm, 1, &got_source, MPI_UNWEIGHTED, 1, &got_dest, MPI_UNWEIGHTED));
    int size = -1;
    CHECK_OK(MPI_Comm_size(comm, &size));
    CHECK_INT(size, check_ranks);
    CHECK(got_source >= 0 && got_source < size);
    // Reordering was allowed, but the neighbors must still form a ring.
    int out = 1, in = 0;
    CHECK_OK(MPI_Neighbor_alltoall(&out, 1, MPI_INT, &in, 1, MPI_INT, comm));
    CHECK_INT(in, 1);
    CHECK_OK(MPI_Comm_free(&comm));
}

// Only rank 0 has edges; the other ranks pass MPI_WEIGHTS_EMPTY.
static void nothing_to_weigh(void) {
    MPI_Comm comm;
    int zero = 0, weight = 5, got = -1, got_weight = -1, degree = check_rank == 0;
    const int* weights = degree ? &weight : MPI_WEIGHTS_EMPTY;
    CASE("weights empty");
    CHECK_OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, &zero, weights, degree, &zero, weights,
                                            MPI_INFO_NULL, 0, &comm));
    check_counts(comm, degree, degree, 1);
    int other = -1, other_weight = -1;
    CHECK_OK(MPI_Dist_graph_neighbors(comm, degree, &got, &got_weight, degree, &other, &other_weight));
    CHECK_INT(got, degree ? 0 : -1);
    CHECK_INT(got_weight, degree ? 5 : -1);
    CHECK_OK(MPI_Comm_free(&comm));
}

// Rank 0 describes the whole ring; the others pass no node.
static void general(int weighted) {
    MPI_Comm comm;
    int n = check_rank == 0 ? check_ranks : 0, sources[4], degrees[4], dests[4], weights[4];
    for (int i = 0; i < check_ranks; i++) {
        sources[i] = i;
        degrees[i] = 1;
        dests[i] = (i + 1) % check_ranks;
        weights[i] = 100 + i;
    }
    CHECK_OK(MPI_Dist_graph_create(MPI_COMM_WORLD, n, sources, degrees, dests,
                                   !weighted        ? MPI_UNWEIGHTED
                                   : check_rank > 0 ? MPI_WEIGHTS_EMPTY
                                                    : weights,
                                   MPI_INFO_NULL, 0, &comm));
    check_counts(comm, 1, 1, weighted);
    int source = -1, source_weight = -1, dest = -1, dest_weight = -1;
    CHECK_OK(MPI_Dist_graph_neighbors(comm, 1, &source, weighted ? &source_weight : MPI_UNWEIGHTED, 1, &dest,
                                      weighted ? &dest_weight : MPI_UNWEIGHTED));
    CHECK_INT(source, left);
    CHECK_INT(dest, right);
    CHECK_INT(source_weight, weighted ? 100 + left : -1);
    CHECK_INT(dest_weight, weighted ? 100 + check_rank : -1);
    CHECK_OK(MPI_Comm_free(&comm));
}

static void no_edges(void) {
    MPI_Comm comm;
    CASE("no edges");
    CHECK_OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED,
                                            MPI_INFO_NULL, 0, &comm));
    check_counts(comm, 0, 0, 0);
    CHECK_OK(MPI_Neighbor_alltoall(NULL, 0, MPI_INT, NULL, 0, MPI_INT, comm));
    CHECK_OK(MPI_Comm_free(&comm));
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    left = (check_rank + check_ranks - 1) % check_ranks;
    right = (check_rank + 1) % check_ranks;
    adjacent_weighted();
    adjacent_unweighted();
    nothing_to_weigh();
    CASE("general, weighted"), general(1);
    CASE("general, unweighted"), general(0);
    no_edges();
    return check_end();
}
