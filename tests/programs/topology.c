// Cartesian and graph topologies: coordinates, shifts over the edge, neighbors, and the kinds by name.
// ranks: 1 2 4
#include "check.h"

static void kinds(MPI_Comm comm, int expected) {
    int status = -1;
    CHECK_OK(MPI_Topo_test(comm, &status));
    CHECK_INT(status, expected);
}

static void line(void) {
    MPI_Comm comm;
    int n = check_ranks, periodic = 0, rank = -1, coordinate = -1, source = -9, dest = -9;
    CASE("open line");
    CHECK_OK(MPI_Cart_create(MPI_COMM_WORLD, 1, &n, &periodic, 0, &comm));
    kinds(comm, MPI_CART);
    CHECK_OK(MPI_Comm_rank(comm, &rank));
    CHECK_OK(MPI_Cart_coords(comm, rank, 1, &coordinate));
    CHECK_INT(coordinate, rank);
    CHECK_OK(MPI_Cart_shift(comm, 0, 1, &source, &dest));
    CHECK_INT(source, rank == 0 ? MPI_PROC_NULL : rank - 1);
    CHECK_INT(dest, rank == n - 1 ? MPI_PROC_NULL : rank + 1);
    CHECK_OK(MPI_Cart_shift(comm, 0, -n, &source, &dest));
    CHECK_INT(source, MPI_PROC_NULL);
    CHECK_INT(dest, MPI_PROC_NULL);
    // The result of the shift is a valid peer: data moves one step, and nothing arrives over the edge.
    int out = 10 + rank, in = -1;
    CHECK_OK(MPI_Cart_shift(comm, 0, 1, &source, &dest));
    CHECK_OK(MPI_Sendrecv(&out, 1, MPI_INT, dest, 0, &in, 1, MPI_INT, source, 0, comm, MPI_STATUS_IGNORE));
    CHECK_INT(in, rank == 0 ? -1 : 9 + rank);
    CHECK_OK(MPI_Comm_free(&comm));
}

static void torus(void) {
    MPI_Comm comm, row;
    int dims[2] = {0, 0}, periods[2] = {1, 0}, got_dims[2], got_periods[2], coords[2], n = -1, rank, found = -1;
    CASE("dims_create");
    CHECK_OK(MPI_Dims_create(check_ranks, 2, dims));
    CHECK_INT(dims[0] * dims[1], check_ranks);
    int fixed[3] = {0, 1, 0};
    CHECK_OK(MPI_Dims_create(check_ranks, 3, fixed));
    CHECK_INT(fixed[1], 1);

    CASE("grid");
    CHECK_OK(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm));
    CHECK_OK(MPI_Cartdim_get(comm, &n));
    CHECK_INT(n, 2);
    CHECK_OK(MPI_Cart_get(comm, 2, got_dims, got_periods, coords));
    CHECK_BYTES(got_dims, dims, sizeof dims);
    CHECK_INT(got_periods[0], 1);
    CHECK_INT(got_periods[1], 0);
    CHECK_OK(MPI_Comm_rank(comm, &rank));
    CHECK_OK(MPI_Cart_rank(comm, coords, &found));
    CHECK_INT(found, rank);
    coords[0] += dims[0]; // once around the periodic dimension
    CHECK_OK(MPI_Cart_rank(comm, coords, &found));
    CHECK_INT(found, rank);

    CASE("cart_sub");
    CHECK_OK(MPI_Cart_sub(comm, (const int[]){0, 1}, &row));
    kinds(row, MPI_CART);
    CHECK_OK(MPI_Comm_size(row, &n));
    CHECK_INT(n, dims[1]);
    CHECK_OK(MPI_Comm_free(&row));
    CHECK_OK(MPI_Comm_free(&comm));

    CASE("cart_map");
    int small = 1, none = 0, new_rank = -9;
    CHECK_OK(MPI_Cart_map(MPI_COMM_WORLD, 1, &small, &none, &new_rank));
    CHECK(new_rank == MPI_UNDEFINED || (new_rank >= 0 && new_rank < check_ranks)); // Open MPI returns the old rank
    int all_ranks[4], members = 0;
    CHECK_OK(MPI_Allgather(&new_rank, 1, MPI_INT, all_ranks, 1, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < check_ranks; i++)
        members += all_ranks[i] == 0;
    CHECK_INT(members, 1);
}

static void smaller_grid(void) {
    MPI_Comm comm;
    int one = 1, no = 0;
    CASE("grid smaller than the world");
    CHECK_OK(MPI_Cart_create(MPI_COMM_WORLD, 1, &one, &no, 0, &comm));
    if (comm == MPI_COMM_NULL)
        CHECK(check_ranks > 1);
    else
        CHECK_OK(MPI_Comm_free(&comm));
    CASE("grid without dimensions");
    comm = MPI_COMM_WORLD;
    CHECK_OK(MPI_Cart_create(MPI_COMM_SELF, 0, &one, &no, 0, &comm));
    if (comm != MPI_COMM_NULL) {
        int n = -1;
        CHECK_OK(MPI_Cartdim_get(comm, &n));
        CHECK_INT(n, 0);
        CHECK_OK(MPI_Comm_free(&comm));
    }
}

// A ring as a graph: node i has edges to both sides.
static void graph(void) {
    MPI_Comm comm;
    int index[4], edges[8], n = check_ranks, nodes = -1, edge_count = -1, count = -1, got_index[4], got_edges[8];
    for (int i = 0; i < n; i++) {
        index[i] = 2 * (i + 1);
        edges[2 * i] = (i + n - 1) % n;
        edges[2 * i + 1] = (i + 1) % n;
    }
    CASE("graph");
    CHECK_OK(MPI_Graph_create(MPI_COMM_WORLD, n, index, edges, 0, &comm));
    kinds(comm, MPI_GRAPH);
    CHECK_OK(MPI_Graphdims_get(comm, &nodes, &edge_count));
    CHECK_INT(nodes, n);
    CHECK_INT(edge_count, 2 * n);
    CHECK_OK(MPI_Graph_get(comm, n, 2 * n, got_index, got_edges));
    CHECK_BYTES(got_index, index, (size_t)n * sizeof(int));
    CHECK_BYTES(got_edges, edges, (size_t)(2 * n) * sizeof(int));
    CHECK_OK(MPI_Graph_neighbors_count(comm, check_rank, &count));
    CHECK_INT(count, 2);
    CHECK_OK(MPI_Graph_neighbors(comm, check_rank, 2, got_edges));
    CHECK_INT(got_edges[0], edges[2 * check_rank]);
    CHECK_INT(got_edges[1], edges[2 * check_rank + 1]);
    CHECK_OK(MPI_Comm_free(&comm));
    int new_rank = -9, one_index = 0;
    CASE("graph_map");
    CHECK_OK(MPI_Graph_map(MPI_COMM_WORLD, 1, &one_index, edges, &new_rank));
    CHECK(new_rank == MPI_UNDEFINED || (new_rank >= 0 && new_rank < check_ranks));
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    CASE("no topology"), kinds(MPI_COMM_WORLD, MPI_UNDEFINED);
    line();
    torus();
    smaller_grid();
    graph();
    return check_end();
}
