#pragma once

#include "convert/pair.hpp"

namespace anympi {

// The role of a process in a collective call, which depends on the communicator. `Calls` has MPI functions as members:
// the runtime's functions, or the functions that Fortran calls. `Abi` is the ABI of their constants.

/// The numbers of blocks that a process sends and receives in a collective call with arrays.
struct block_counts {
    int send = 0;
    int receive = 0;
};

/// Counts one block per process; on an intercommunicator, per process of the remote group. Returns MPI's error code.
template <class Calls, class Comm>
int query_peers(const Calls& calls, Comm comm, block_counts& blocks) {
    int is_inter = 0;
    int code = calls.Comm_test_inter(comm, &is_inter);
    if (code == 0)
        code = is_inter != 0 ? calls.Comm_remote_size(comm, &blocks.send) : calls.Comm_size(comm, &blocks.send);
    blocks.receive = blocks.send;
    return code;
}

template <class Calls, class Comm>
int query_graph_neighbors(const Calls& calls, Comm comm, block_counts& blocks) {
    int rank = 0;
    int code = calls.Comm_rank(comm, &rank);
    if (code == 0)
        code = calls.Graph_neighbors_count(comm, rank, &blocks.send);
    blocks.receive = blocks.send;
    return code;
}

/// Counts one block per neighbour. A communicator without topology has no neighbours, and the collective call itself
/// reports the error. Returns MPI's error code.
template <class Abi, class Calls, class Comm>
int query_neighbors(const Calls& calls, Comm comm, block_counts& blocks) {
    int topology = 0;
    int code = calls.Topo_test(comm, &topology);
    if (code != 0)
        return code;
    if (topology == Abi::mpi_DIST_GRAPH) {
        int weighted = 0;
        return calls.Dist_graph_neighbors_count(comm, &blocks.receive, &blocks.send, &weighted);
    }
    if (topology == Abi::mpi_GRAPH)
        return query_graph_neighbors(calls, comm, blocks);
    if (topology == Abi::mpi_CART) {
        int dimensions = 0;
        code = calls.Cartdim_get(comm, &dimensions);
        blocks.send = blocks.receive = 2 * dimensions;
    }
    return code;
}

/// Returns true if this process is the root. On an intercommunicator the root passes MPI_ROOT, and a rank as root is
/// one of the remote group.
template <class Abi>
constexpr bool is_root(bool is_inter, int rank, int root) {
    return is_inter ? root == Abi::mpi_ROOT : root == rank;
}

/// Returns true if this process is the root; only the root has significant arguments. Returns false if a query fails.
template <class Abi, class Calls, class Comm>
bool is_root(const Calls& calls, Comm comm, int root) {
    int is_inter = 0;
    int rank = -1;
    return calls.Comm_test_inter(comm, &is_inter) == 0 && calls.Comm_rank(comm, &rank) == 0 &&
           is_root<Abi>(is_inter != 0, rank, root);
}

// ---- the same, for the runtime's functions ----

template <class Run>
int count_peers(word comm, block_counts& blocks) {
    return query_peers(library<Run>, comm, blocks);
}
template <class Run>
int count_neighbors(word comm, block_counts& blocks) {
    return query_neighbors<Run>(library<Run>, comm, blocks);
}

} // namespace anympi
