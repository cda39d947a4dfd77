// Neighborhood collectives with missing neighbors: the ends of an open line, and a graph with one-way edges.
// (collectives.h tests the usual forms.)
#include "complete.h"

// An open line: the neighbor beyond the end is MPI_PROC_NULL, and its block of the receive buffer stays unchanged.
static void open_line(void) {
    MPI_Comm line;
    int n = check_ranks, open = 0, rank;
    CHECK_OK(MPI_Cart_create(MPI_COMM_WORLD, 1, &n, &open, 0, &line));
    CHECK_OK(MPI_Comm_rank(line, &rank));
    int out[2] = {10 * rank, 10 * rank + 1}, in[2] = {-1, -1};
    // Each rank sends 10 r to the left and 10 r + 1 to the right, so it receives from the left what that rank sent to
    // the right.
    int from_left = rank == 0 ? -1 : 10 * (rank - 1) + 1, from_right = rank == n - 1 ? -1 : 10 * (rank + 1);
    int counts[2] = {1, 1}, displacements[2] = {0, 1};
    MPI_Aint bytes[2] = {0, sizeof(int)};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MPI_Request request;

    CASE("alltoall on an open line");
    CHECK_OK(MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, line));
    CHECK_INT(in[0], from_left);
    CHECK_INT(in[1], from_right);
    CASE("alltoallv on an open line");
    in[0] = in[1] = -1;
    CHECK_OK(MPI_Neighbor_alltoallv(out, counts, displacements, MPI_INT, in, counts, displacements, MPI_INT, line));
    CHECK_INT(in[0], from_left);
    CHECK_INT(in[1], from_right);
    CASE("alltoallw on an open line");
    in[0] = in[1] = -1;
    CHECK_OK(MPI_Neighbor_alltoallw(out, counts, bytes, types, in, counts, bytes, types, line));
    CHECK_INT(in[0], from_left);
    CHECK_INT(in[1], from_right);
    CASE("ialltoall on an open line");
    in[0] = in[1] = -1;
    CHECK_OK(MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, line, &request));
    complete(&request);
    CHECK_INT(in[0], from_left);
    CHECK_INT(in[1], from_right);
    CASE("allgather on an open line");
    in[0] = in[1] = -1;
    CHECK_OK(MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, line));
    CHECK_INT(in[0], rank == 0 ? -1 : 10 * (rank - 1));
    CHECK_INT(in[1], rank == n - 1 ? -1 : 10 * (rank + 1));
    CHECK_OK(MPI_Comm_free(&line));
}

// All ranks send to rank 0 and receive nothing; rank 0 receives from all.
static void star(void) {
    MPI_Comm comm;
    int sources[4] = {0, 1, 2, 3}, zero = 0, in[4] = {-1, -1, -1, -1}, counts[4] = {1, 1, 1, 1},
        displacements[4] = {3, 2, 1, 0};
    int degree = check_rank == 0 ? check_ranks : 0, out = 7 * (check_rank + 1);
    CASE("star");
    CHECK_OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, sources, MPI_UNWEIGHTED, 1, &zero, MPI_UNWEIGHTED,
                                            MPI_INFO_NULL, 0, &comm));
    CHECK_OK(MPI_Neighbor_allgatherv(&out, 1, MPI_INT, in, counts, displacements, MPI_INT, comm));
    for (int i = 0; i < 4; i++)
        CHECK_INT(in[3 - i], i < degree ? 7 * (i + 1) : -1);
    CHECK_OK(MPI_Comm_free(&comm));
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    open_line();
    star();
    return check_end();
}
