#pragma once

#include "convert/pair.hpp"

namespace anympi {

/// How many blocks a collective call with arrays sends and receives.
struct block_counts {
    int send = 0;
    int receive = 0;
};

/// One block per process, of the remote group on an intercommunicator. The result is the runtime's code.
template <class Run>
int count_peers(word comm, block_counts& blocks) {
    int is_inter = 0;
    int code = library<Run>.Comm_test_inter(comm, &is_inter);
    if (code == 0)
        code = is_inter != 0 ? library<Run>.Comm_remote_size(comm, &blocks.send)
                             : library<Run>.Comm_size(comm, &blocks.send);
    blocks.receive = blocks.send;
    return code;
}

template <class Run>
int count_graph_neighbors(word comm, block_counts& blocks) {
    int rank = 0;
    int code = library<Run>.Comm_rank(comm, &rank);
    if (code == 0)
        code = library<Run>.Graph_neighbors_count(comm, rank, &blocks.send);
    blocks.receive = blocks.send;
    return code;
}

/// One block per neighbour. A communicator without topology has none: the runtime says so itself.
template <class Run>
int count_neighbors(word comm, block_counts& blocks) {
    int topology = 0;
    int code = library<Run>.Topo_test(comm, &topology);
    if (code != 0)
        return code;
    if (topology == Run::mpi_DIST_GRAPH) {
        int weighted = 0;
        return library<Run>.Dist_graph_neighbors_count(comm, &blocks.receive, &blocks.send, &weighted);
    }
    if (topology == Run::mpi_GRAPH)
        return count_graph_neighbors<Run>(comm, blocks);
    if (topology == Run::mpi_CART) {
        int dimensions = 0;
        code = library<Run>.Cartdim_get(comm, &dimensions);
        blocks.send = blocks.receive = 2 * dimensions;
    }
    return code;
}

} // namespace anympi
