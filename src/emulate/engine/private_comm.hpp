#pragma once

#include "base/array.hpp"
#include "emulate/engine/error.hpp"

namespace anympi::emulate {

// A private copy of a communicator: the same processes, topology and error handler. Its messages cannot match the
// program's messages, and the program may free its own communicator. Attributes are not copied, since that would call
// functions of the program.
//
// Creating a copy is collective. All functions report the error codes that they return.

template <class Run>
using comm_of = handle_of<Run, object::comm>;

template <class Run>
int copy_cart_comm(word comm, comm_of<Run>* copy) {
    int dimensions = 0;
    if (const int code = library<Run>.Cartdim_get(comm, &dimensions); code != 0)
        return code;
    const auto n = static_cast<std::size_t>(dimensions);
    scratch<int, 48> numbers(3 * n + 1);
    if (numbers.lacks_memory())
        return raise<Run>(comm, Run::mpi_ERR_NO_MEM);
    int* const sizes = numbers.data();
    int* const periods = sizes + n;
    const int code = library<Run>.Cart_get(comm, dimensions, sizes, periods, periods + n);
    return code != 0 ? code : library<Run>.Cart_create(comm, dimensions, sizes, periods, 0, copy);
}

template <class Run>
int copy_graph_comm(word comm, comm_of<Run>* copy) {
    int nodes = 0;
    int edges = 0;
    if (const int code = library<Run>.Graphdims_get(comm, &nodes, &edges); code != 0)
        return code;
    scratch<int, 64> numbers(static_cast<std::size_t>(nodes) + static_cast<std::size_t>(edges) + 1);
    if (numbers.lacks_memory())
        return raise<Run>(comm, Run::mpi_ERR_NO_MEM);
    int* const ends = numbers.data();
    const int code = library<Run>.Graph_get(comm, nodes, edges, ends, ends + nodes);
    return code != 0 ? code : library<Run>.Graph_create(comm, nodes, ends, ends + nodes, 0, copy);
}

template <class Run>
int copy_dist_graph_comm(word comm, comm_of<Run>* copy) {
    int in = 0;
    int out = 0;
    int is_weighted = 0;
    if (const int code = library<Run>.Dist_graph_neighbors_count(comm, &in, &out, &is_weighted); code != 0)
        return code;
    const auto n = static_cast<std::size_t>(in);
    scratch<int, 64> numbers(2 * (n + static_cast<std::size_t>(out)) + 1);
    if (numbers.lacks_memory())
        return raise<Run>(comm, Run::mpi_ERR_NO_MEM);
    int* const from = numbers.data();
    int* const to = from + n;
    int* const from_weights = to + out; // nobody will query the weights
    int* const to_weights = from_weights + n;
    const int code = library<Run>.Dist_graph_neighbors(comm, in, from, from_weights, out, to, to_weights);
    return code != 0 ? code
                     : library<Run>.Dist_graph_create_adjacent(comm, in, from, from_weights, out, to, to_weights,
                                                               library_null<Run, object::info>(), 0, copy);
}

template <class Run>
int copy_plain_comm(word comm, comm_of<Run>* copy) {
    handle_of<Run, object::group> all{};
    if (const int code = library<Run>.Comm_group(comm, &all); code != 0)
        return code;
    const int code = library<Run>.Comm_create(comm, all, copy);
    library<Run>.Group_free(&all);
    return code;
}

template <class Run>
int copy_errhandler(word from, comm_of<Run> to) {
    handle_of<Run, object::errhandler> handler{};
    if (const int code = library<Run>.Comm_get_errhandler(from, &handler); code != 0)
        return code;
    const int code = library<Run>.Comm_set_errhandler(to, handler);
    library<Run>.Errhandler_free(&handler);
    return code;
}

template <class Run>
int make_private_comm(word comm, comm_of<Run>* copy) {
    int topology = 0;
    int code = library<Run>.Topo_test(comm, &topology);
    if (code != 0)
        return code;
    if (topology == Run::mpi_CART)
        code = copy_cart_comm<Run>(comm, copy);
    else if (topology == Run::mpi_GRAPH)
        code = copy_graph_comm<Run>(comm, copy);
    else if (topology == Run::mpi_DIST_GRAPH)
        code = copy_dist_graph_comm<Run>(comm, copy);
    else
        code = copy_plain_comm<Run>(comm, copy);
    return code != 0 ? code : copy_errhandler<Run>(comm, *copy);
}

} // namespace anympi::emulate
