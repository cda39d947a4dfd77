// Processes in a grid or a graph, and collective operations with neighbours.
#ifndef ANYMPI_TOPOLOGY_HPP
#define ANYMPI_TOPOLOGY_HPP

#include "comm.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// A communicator with neighbours. Buffers hold one block for each of them, in MPI's order.
class [[nodiscard]] NeighbourComm : public Comm {
public:
    using Comm::Comm;

    struct Degrees {
        int in, out;
    };
    [[nodiscard]] result<Degrees> degrees() const {
        Degrees found{0, 0};
        ANYMPI_REQUIRE(handle(), "MPI_Topo_test", find_degrees(found));
        return found;
    }

    template <SendBuffer S, LastingReceiveBuffer R>
    result<void> neighbor_allgather(const S& send, R&& receive) const {
        return detail::complete(MPI_Neighbor_allgather_c, "MPI_Neighbor_allgather", handle(),
                                blocks<detail::AllgatherShape>(), send, receive);
    }
    template <SendBuffer S, ReceiveBuffer R>
    auto ineighbor_allgather(S&& send, R&& receive) const {
        return detail::start(MPI_Ineighbor_allgather_c, "MPI_Ineighbor_allgather", handle(), Direction::other,
                             blocks<detail::AllgatherShape>(), std::forward<S>(send), std::forward<R>(receive));
    }
    template <SendBuffer S, ReceiveBuffer R>
    auto neighbor_allgather_init(S&& send, R&& receive, const Info& info = {}) const {
        return detail::describe(MPI_Neighbor_allgather_init_c, "MPI_Neighbor_allgather_init", handle(),
                                Direction::other, blocks<detail::AllgatherShape>(), std::forward<S>(send),
                                std::forward<R>(receive), info);
    }
    template <SendBuffer S, LastingReceiveBuffer R>
    result<void> neighbor_alltoall(const S& send, R&& receive) const {
        return detail::complete(MPI_Neighbor_alltoall_c, "MPI_Neighbor_alltoall", handle(),
                                blocks<detail::AlltoallShape>(), send, receive);
    }
    template <SendBuffer S, ReceiveBuffer R>
    auto ineighbor_alltoall(S&& send, R&& receive) const {
        return detail::start(MPI_Ineighbor_alltoall_c, "MPI_Ineighbor_alltoall", handle(), Direction::other,
                             blocks<detail::AlltoallShape>(), std::forward<S>(send), std::forward<R>(receive));
    }
    template <SendBuffer S, ReceiveBuffer R>
    auto neighbor_alltoall_init(S&& send, R&& receive, const Info& info = {}) const {
        return detail::describe(MPI_Neighbor_alltoall_init_c, "MPI_Neighbor_alltoall_init", handle(), Direction::other,
                                blocks<detail::AlltoallShape>(), std::forward<S>(send), std::forward<R>(receive), info);
    }
    template <SendBuffer S, LastingReceiveBuffer R>
    result<void> neighbor_allgatherv(const S& send, R&& receive, Layout layout) const {
        return detail::complete(MPI_Neighbor_allgatherv_c, "MPI_Neighbor_allgatherv", handle(),
                                detail::AllgathervShape{std::move(layout), known().in}, send, receive);
    }
    template <SendBuffer S, ReceiveBuffer R>
    auto ineighbor_allgatherv(S&& send, R&& receive, Layout layout) const {
        return detail::start(MPI_Ineighbor_allgatherv_c, "MPI_Ineighbor_allgatherv", handle(), Direction::other,
                             detail::AllgathervShape{std::move(layout), known().in}, std::forward<S>(send),
                             std::forward<R>(receive));
    }
    template <SendBuffer S, ReceiveBuffer R>
    auto neighbor_allgatherv_init(S&& send, R&& receive, Layout layout, const Info& info = {}) const {
        return detail::describe(MPI_Neighbor_allgatherv_init_c, "MPI_Neighbor_allgatherv_init", handle(),
                                Direction::other, detail::AllgathervShape{std::move(layout), known().in},
                                std::forward<S>(send), std::forward<R>(receive), info);
    }
    template <SendBuffer S, LastingReceiveBuffer R>
    result<void> neighbor_alltoallv(const S& send, R&& receive, Layout sends, Layout receives) const {
        return detail::complete(MPI_Neighbor_alltoallv_c, "MPI_Neighbor_alltoallv", handle(),
                                detail::AlltoallvShape{std::move(sends), std::move(receives), known().in, known().out},
                                send, receive);
    }
    template <SendBuffer S, ReceiveBuffer R>
    auto ineighbor_alltoallv(S&& send, R&& receive, Layout sends, Layout receives) const {
        return detail::start(MPI_Ineighbor_alltoallv_c, "MPI_Ineighbor_alltoallv", handle(), Direction::other,
                             detail::AlltoallvShape{std::move(sends), std::move(receives), known().in, known().out},
                             std::forward<S>(send), std::forward<R>(receive));
    }
    template <SendBuffer S, ReceiveBuffer R>
    auto neighbor_alltoallv_init(S&& send, R&& receive, Layout sends, Layout receives, const Info& info = {}) const {
        return detail::describe(MPI_Neighbor_alltoallv_init_c, "MPI_Neighbor_alltoallv_init", handle(),
                                Direction::other,
                                detail::AlltoallvShape{std::move(sends), std::move(receives), known().in, known().out},
                                std::forward<S>(send), std::forward<R>(receive), info);
    }
    /// A buffer of any type for each neighbour: what a halo exchange needs.
    result<void> neighbor_alltoallw(const SendBlocks& sends, const ReceiveBlocks& receives) const {
        detail::None nothing;
        return detail::complete(MPI_Neighbor_alltoallw_c, "MPI_Neighbor_alltoallw", handle(),
                                neighbours(sends, receives), detail::None{}, nothing);
    }
    [[nodiscard]] auto ineighbor_alltoallw(const SendBlocks& sends, const ReceiveBlocks& receives) const {
        return detail::start(MPI_Ineighbor_alltoallw_c, "MPI_Ineighbor_alltoallw", handle(), Direction::other,
                             neighbours(sends, receives), detail::None{}, detail::None{});
    }
    [[nodiscard]] auto neighbor_alltoallw_init(const SendBlocks& sends, const ReceiveBlocks& receives,
                                               const Info& info = {}) const {
        return detail::describe(MPI_Neighbor_alltoallw_init_c, "MPI_Neighbor_alltoallw_init", handle(),
                                Direction::other, neighbours(sends, receives), detail::None{}, detail::None{}, info);
    }

private:
    [[nodiscard]] detail::Fault find_degrees(Degrees& found) const {
        int kind = MPI_UNDEFINED, dimensions = 0, rank = 0, weighted = 0;
        if (const int code = MPI_Topo_test(handle(), &kind); code != MPI_SUCCESS)
            return code;
        if (kind == MPI_CART) {
            const int code = MPI_Cartdim_get(handle(), &dimensions);
            found = {2 * dimensions, 2 * dimensions};
            return code;
        }
        if (kind == MPI_DIST_GRAPH)
            return MPI_Dist_graph_neighbors_count(handle(), &found.in, &found.out, &weighted);
        if (kind != MPI_GRAPH)
            return {MPI_ERR_TOPOLOGY, "the communicator has no topology"};
        MPI_Comm_rank(handle(), &rank);
        const int code = MPI_Graph_neighbors_count(handle(), rank, &found.in);
        found.out = found.in;
        return code;
    }
    /// Zero where there are none: the call itself then reports the missing topology.
    [[nodiscard]] Degrees known() const {
        Degrees found{0, 0};
        if (!is_null())
            static_cast<void>(find_degrees(found));
        return found;
    }
    template <class Shape>
    [[nodiscard]] Shape blocks() const {
        const Degrees found = known();
        return {found.in, found.out};
    }
    [[nodiscard]] detail::AlltoallwShape neighbours(const SendBlocks& sends, const ReceiveBlocks& receives) const {
        using Side = detail::AlltoallwShape::Side;
        const Degrees found = known();
        return {Side(sends.views()), Side(receives.views()), found.in, found.out};
    }
};

/// A grid.
class [[nodiscard]] CartComm : public NeighbourComm {
public:
    using NeighbourComm::NeighbourComm;

    /// None for processes that do not fit into the grid.
    static result<std::optional<CartComm>> create(const Comm& comm, std::span<const int> sizes,
                                                  std::span<const int> periodic, bool reorder = false) {
        if (sizes.size() != periodic.size())
            ANYMPI_FAIL((detail::Fault{MPI_ERR_DIMS, "one flag for each dimension is needed"}), "MPI_Cart_create",
                        comm.handle());
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_CALL(comm.handle(), MPI_Cart_create, comm.handle(), static_cast<int>(sizes.size()), sizes.data(),
                    periodic.data(), reorder, &made);
        return adopt_optional<CartComm>(made);
    }
    /// Sizes that fit this many processes; those that are not zero are kept.
    static result<std::vector<int>> dims(int processes, std::vector<int> sizes) {
        ANYMPI_CALL(detail::Nowhere{}, MPI_Dims_create, processes, static_cast<int>(sizes.size()), sizes.data());
        return sizes;
    }
    [[nodiscard]] result<int> dimensions() const {
        int count = 0;
        ANYMPI_CALL(handle(), MPI_Cartdim_get, handle(), &count);
        return count;
    }
    struct Grid {
        std::vector<int> sizes, periodic, coordinates;
    };
    [[nodiscard]] result<Grid> grid() const {
        int count = 0;
        ANYMPI_CALL(handle(), MPI_Cartdim_get, handle(), &count);
        const auto many = static_cast<std::size_t>(count);
        Grid grid{std::vector<int>(many), std::vector<int>(many), std::vector<int>(many)};
        ANYMPI_CALL(handle(), MPI_Cart_get, handle(), count, grid.sizes.data(), grid.periodic.data(),
                    grid.coordinates.data());
        return grid;
    }
    [[nodiscard]] result<std::vector<int>> coordinates(int rank) const {
        int count = 0, size = 0;
        ANYMPI_CALL(handle(), MPI_Cartdim_get, handle(), &count);
        ANYMPI_CALL(handle(), MPI_Comm_size, handle(), &size);
        if (rank < 0 || rank >= size)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_RANK, "the grid has no such rank"}), "MPI_Cart_coords", handle());
        std::vector<int> place(static_cast<std::size_t>(count));
        ANYMPI_CALL(handle(), MPI_Cart_coords, handle(), rank, count, place.data());
        return place;
    }
    [[nodiscard]] result<int> rank_at(std::span<const int> coordinates) const {
        int rank = 0;
        ANYMPI_REQUIRE(handle(), "MPI_Cart_rank", one_for_each_dimension(coordinates));
        ANYMPI_CALL(handle(), MPI_Cart_rank, handle(), coordinates.data(), &rank);
        return rank;
    }
    using Comm::rank;
    struct Shift {
        int source, destination; // proc_null beyond the edge
    };
    [[nodiscard]] result<Shift> shift(int dimension, int displacement) const {
        Shift found{proc_null, proc_null};
        int count = 0; // some libraries do not look whether there is such a dimension
        ANYMPI_CALL(handle(), MPI_Cartdim_get, handle(), &count);
        if (dimension < 0 || dimension >= count)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_DIMS, "there is no such dimension"}), "MPI_Cart_shift", handle());
        ANYMPI_CALL(handle(), MPI_Cart_shift, handle(), dimension, displacement, &found.source, &found.destination);
        return found;
    }
    /// The parts of the grid that keep these dimensions.
    [[nodiscard]] result<CartComm> sub(std::span<const int> keep) const {
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_REQUIRE(handle(), "MPI_Cart_sub", one_for_each_dimension(keep));
        ANYMPI_CALL(handle(), MPI_Cart_sub, handle(), keep.data(), &made);
        return adopt_as<CartComm>(made);
    }

private:
    [[nodiscard]] detail::Fault one_for_each_dimension(std::span<const int> numbers) const {
        int count = 0;
        if (detail::is_too_late())
            return detail::too_late();
        if (const int code = MPI_Cartdim_get(handle(), &count); code != MPI_SUCCESS)
            return code;
        if (numbers.size() != static_cast<std::size_t>(count))
            return {MPI_ERR_DIMS, "one number for each dimension is needed"};
        return MPI_SUCCESS;
    }
};

/// A graph that every process knows as a whole.
class [[nodiscard]] GraphComm : public NeighbourComm {
public:
    using NeighbourComm::NeighbourComm;

    /// neighbours[i] are those of process i.
    static result<std::optional<GraphComm>> create(const Comm& comm, const std::vector<std::vector<int>>& neighbours,
                                                   bool reorder = false) {
        std::vector<int> ends, edges;
        edges.reserve(1); // a null pointer is refused by some, even if there are no edges
        for (const auto& of_one : neighbours) {
            edges.insert(edges.end(), of_one.begin(), of_one.end());
            ends.push_back(static_cast<int>(edges.size()));
        }
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_CALL(comm.handle(), MPI_Graph_create, comm.handle(), static_cast<int>(ends.size()), ends.data(),
                    edges.data(), reorder, &made);
        return adopt_optional<GraphComm>(made);
    }
    [[nodiscard]] result<std::vector<int>> neighbours(int rank) const {
        int count = 0;
        ANYMPI_CALL(handle(), MPI_Graph_neighbors_count, handle(), rank, &count);
        std::vector<int> ranks(static_cast<std::size_t>(count));
        ANYMPI_CALL(handle(), MPI_Graph_neighbors, handle(), rank, count, ranks.data());
        return ranks;
    }
};

/// A graph of which every process knows its own neighbours.
class [[nodiscard]] DistGraphComm : public NeighbourComm {
public:
    using NeighbourComm::NeighbourComm;

    static result<DistGraphComm> create(const Comm& comm, std::span<const int> sources,
                                        std::span<const int> destinations, const Info& info = {},
                                        bool reorder = false) {
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_CALL(comm.handle(), MPI_Dist_graph_create_adjacent, comm.handle(), static_cast<int>(sources.size()),
                    sources.data(), MPI_UNWEIGHTED, static_cast<int>(destinations.size()), destinations.data(),
                    MPI_UNWEIGHTED, info.handle(), reorder, &made);
        return adopt_as<DistGraphComm>(made);
    }
    struct Neighbours {
        std::vector<int> sources, destinations;
    };
    [[nodiscard]] result<Neighbours> neighbours() const {
        int in = 0, out = 0, weighted = 0;
        ANYMPI_CALL(handle(), MPI_Dist_graph_neighbors_count, handle(), &in, &out, &weighted);
        // Room for weights in any case: nobody asked whether there are some.
        Neighbours found{std::vector<int>(static_cast<std::size_t>(in)),
                         std::vector<int>(static_cast<std::size_t>(out))};
        std::vector<int> weights(static_cast<std::size_t>(std::max(in, out)) + 1), others(weights);
        ANYMPI_CALL(handle(), MPI_Dist_graph_neighbors, handle(), in, found.sources.data(), weights.data(), out,
                    found.destinations.data(), others.data());
        return found;
    }
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
