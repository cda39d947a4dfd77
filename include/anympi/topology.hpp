// Processes in a grid or a graph, and collective operations with neighbors.
#ifndef ANYMPI_TOPOLOGY_HPP
#define ANYMPI_TOPOLOGY_HPP

#include "room.hpp"
#include "steps.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

namespace detail::forms {
ANYMPI_FORMS(Neighbor_allgather, neighbor_allgather, _c)
ANYMPI_FORMS(Neighbor_alltoall, neighbor_alltoall, _c)
ANYMPI_FORMS(Neighbor_allgatherv, neighbor_allgatherv, _c)
ANYMPI_FORMS(Neighbor_alltoallv, neighbor_alltoallv, _c)
ANYMPI_FORMS(Neighbor_alltoallw, neighbor_alltoallw, _c)
} // namespace detail::forms

/// A communicator with neighbors. Buffers hold one block for each neighbor, in MPI's order.
class [[nodiscard]] NeighborComm : public Comm {
public:
    using Comm::Comm;

    struct Degrees {
        int in, out;
    };
    [[nodiscard]] ANYMPI_CALLS result<Degrees> degrees() const {
        Degrees found{0, 0};
        if (is_null())
            ANYMPI_FAIL(detail::null_object(where()), "MPI_Topo_test", where());
        ANYMPI_REQUIRE(where(), "MPI_Topo_test", detail::check_time());
        ANYMPI_REQUIRE(where(), "MPI_Topo_test", find_degrees(found));
        return found;
    }

    template <SendBuffer S, LastingReceiveBuffer R>
    ANYMPI_CALLS result<void> neighbor_allgather(const S& send, R&& receive) const {
        return complete(detail::forms::neighbor_allgather, blocks<detail::AllgatherShape::OfNeighbors>(), send,
                        receive);
    }
    template <SendBuffer S, ReceiveBuffer R>
    ANYMPI_CALLS auto ineighbor_allgather(S&& send, R&& receive) const {
        return start(detail::forms::neighbor_allgather, blocks<detail::AllgatherShape::OfNeighbors>(),
                     std::forward<S>(send), std::forward<R>(receive));
    }
    template <SendBuffer S, ReceiveBuffer R>
    ANYMPI_CALLS auto neighbor_allgather_init(S&& send, R&& receive, const Info& info = {}) const {
        return describe(detail::forms::neighbor_allgather, blocks<detail::AllgatherShape::OfNeighbors>(),
                        std::forward<S>(send), std::forward<R>(receive), info);
    }
    template <SendBuffer S, LastingReceiveBuffer R>
    ANYMPI_CALLS result<void> neighbor_alltoall(const S& send, R&& receive) const {
        return complete(detail::forms::neighbor_alltoall, blocks<detail::AlltoallShape::OfNeighbors>(), send, receive);
    }
    template <SendBuffer S, ReceiveBuffer R>
    ANYMPI_CALLS auto ineighbor_alltoall(S&& send, R&& receive) const {
        return start(detail::forms::neighbor_alltoall, blocks<detail::AlltoallShape::OfNeighbors>(),
                     std::forward<S>(send), std::forward<R>(receive));
    }
    template <SendBuffer S, ReceiveBuffer R>
    ANYMPI_CALLS auto neighbor_alltoall_init(S&& send, R&& receive, const Info& info = {}) const {
        return describe(detail::forms::neighbor_alltoall, blocks<detail::AlltoallShape::OfNeighbors>(),
                        std::forward<S>(send), std::forward<R>(receive), info);
    }
    template <SendBuffer S, LastingReceiveBuffer R>
    ANYMPI_CALLS result<void> neighbor_allgatherv(const S& send, R&& receive, Layout layout) const {
        return complete(detail::forms::neighbor_allgatherv,
                        detail::AllgathervShape::OfNeighbors{{}, {std::move(layout)}, known()}, send, receive);
    }
    template <SendBuffer S, ReceiveBuffer R>
    ANYMPI_CALLS auto ineighbor_allgatherv(S&& send, R&& receive, Layout layout) const {
        return start(detail::forms::neighbor_allgatherv,
                     detail::AllgathervShape::OfNeighbors{{}, {std::move(layout)}, known()}, std::forward<S>(send),
                     std::forward<R>(receive));
    }
    template <SendBuffer S, ReceiveBuffer R>
    ANYMPI_CALLS auto neighbor_allgatherv_init(S&& send, R&& receive, Layout layout, const Info& info = {}) const {
        return describe(detail::forms::neighbor_allgatherv,
                        detail::AllgathervShape::OfNeighbors{{}, {std::move(layout)}, known()}, std::forward<S>(send),
                        std::forward<R>(receive), info);
    }
    template <SendBuffer S, LastingReceiveBuffer R>
    ANYMPI_CALLS result<void> neighbor_alltoallv(const S& send, R&& receive, Layout sends, Layout receives) const {
        return complete(detail::forms::neighbor_alltoallv, layouts(std::move(sends), std::move(receives)), send,
                        receive);
    }
    template <SendBuffer S, ReceiveBuffer R>
    ANYMPI_CALLS auto ineighbor_alltoallv(S&& send, R&& receive, Layout sends, Layout receives) const {
        return start(detail::forms::neighbor_alltoallv, layouts(std::move(sends), std::move(receives)),
                     std::forward<S>(send), std::forward<R>(receive));
    }
    template <SendBuffer S, ReceiveBuffer R>
    ANYMPI_CALLS auto neighbor_alltoallv_init(S&& send, R&& receive, Layout sends, Layout receives,
                                              const Info& info = {}) const {
        return describe(detail::forms::neighbor_alltoallv, layouts(std::move(sends), std::move(receives)),
                        std::forward<S>(send), std::forward<R>(receive), info);
    }
    /// Sends to and receives from each neighbor a buffer of any type, as a halo exchange needs.
    template <std::same_as<ReceiveBlocks> R = ReceiveBlocks>
    ANYMPI_CALLS result<void> neighbor_alltoallw(const SendBlocks& sends, const R& receives) const {
        return complete(detail::forms::neighbor_alltoallw, neighbors(sends, receives), detail::None{}, detail::None{});
    }
    template <ReceiveBlocksOf R>
    ANYMPI_CALLS auto ineighbor_alltoallw(const SendBlocks& sends, R&& receives) const {
        auto shape = neighbors(sends, receives, std::is_lvalue_reference_v<R>);
        return start(detail::forms::neighbor_alltoallw, std::move(shape), detail::None{}, std::forward<R>(receives));
    }
    template <ReceiveBlocksOf R>
    ANYMPI_CALLS auto neighbor_alltoallw_init(const SendBlocks& sends, R&& receives, const Info& info = {}) const {
        auto shape = neighbors(sends, receives, std::is_lvalue_reference_v<R>);
        if constexpr (!std::is_lvalue_reference_v<R>)
            receives.keep();
        return describe(detail::forms::neighbor_alltoallw, std::move(shape), detail::None{}, std::forward<R>(receives),
                        info);
    }

    // Without a receive buffer, the data of all neighbors is returned, or a request owns it.

    template <Listable S>
    [[nodiscard]] ANYMPI_CALLS result<std::vector<element_of<S>>> neighbor_allgather(const S& send) const {
        ANYMPI_VALUE(room, gathering_room(send));
        ANYMPI_STEP(neighbor_allgather(send, room));
        return std::move(room);
    }
    template <Listable S>
    [[nodiscard]] ANYMPI_CALLS result<OwningRequest<std::vector<element_of<S>>>> ineighbor_allgather(S&& send) const {
        ANYMPI_VALUE(room, gathering_room(send));
        return ineighbor_allgather(std::forward<S>(send), std::move(room));
    }
    template <Listable S>
    [[nodiscard]] ANYMPI_CALLS result<OwningPersistent<std::vector<element_of<S>>>>
    neighbor_allgather_init(S&& send, const Info& info = {}) const {
        ANYMPI_VALUE(room, gathering_room(send));
        return neighbor_allgather_init(std::forward<S>(send), std::move(room), info);
    }
    /// The buffer has an equal block for each neighbor. A process that sends to nobody cannot know the size of a block:
    /// use neighbor_alltoallv.
    template <Divisible S>
    requires Listable<S>
    [[nodiscard]] ANYMPI_CALLS result<std::vector<element_of<S>>> neighbor_alltoall(const S& send) const {
        ANYMPI_VALUE(room, exchanging_room(send));
        ANYMPI_STEP(neighbor_alltoall(send, room));
        return std::move(room);
    }
    template <Divisible S>
    requires Listable<S>
    [[nodiscard]] ANYMPI_CALLS result<OwningRequest<std::vector<element_of<S>>>> ineighbor_alltoall(S&& send) const {
        ANYMPI_VALUE(room, exchanging_room(send));
        return ineighbor_alltoall(std::forward<S>(send), std::move(room));
    }
    template <Divisible S>
    requires Listable<S>
    [[nodiscard]] ANYMPI_CALLS result<OwningPersistent<std::vector<element_of<S>>>>
    neighbor_alltoall_init(S&& send, const Info& info = {}) const {
        ANYMPI_VALUE(room, exchanging_room(send));
        return neighbor_alltoall_init(std::forward<S>(send), std::move(room), info);
    }
    /// Blocks may differ in size. The sizes are exchanged first.
    template <Listable S>
    [[nodiscard]] ANYMPI_CALLS result<AndLayout<std::vector<element_of<S>>>> neighbor_allgatherv(const S& send,
                                                                                                 WithLayout) const {
        ANYMPI_VALUE(parts, learn_gathered<element_of<S>>(detail::reading(send)));
        auto room = make_vector<element_of<S>>(parts.total());
        ANYMPI_STEP(neighbor_allgatherv(send, room, parts));
        return AndLayout<std::vector<element_of<S>>>{std::move(room), std::move(parts)};
    }
    template <Listable S>
    [[nodiscard]] ANYMPI_CALLS result<std::vector<element_of<S>>> neighbor_allgatherv(const S& send) const {
        return without_layout(neighbor_allgatherv(send, with_layout));
    }
    template <Listable S>
    [[nodiscard]] ANYMPI_CALLS result<AndLayout<OwningPersistent<std::vector<element_of<S>>>>>
    neighbor_allgatherv_init(S&& send, const Info& info, WithLayout) const {
        ANYMPI_VALUE(parts, learn_gathered<element_of<S>>(detail::reading(send)));
        auto room = make_vector<element_of<S>>(parts.total());
        return and_layout(neighbor_allgatherv_init(std::forward<S>(send), std::move(room), parts, info), parts);
    }
    template <Listable S>
    [[nodiscard]] ANYMPI_CALLS result<AndLayout<OwningPersistent<std::vector<element_of<S>>>>>
    neighbor_allgatherv_init(S&& send, WithLayout) const {
        return neighbor_allgatherv_init(std::forward<S>(send), Info(), with_layout);
    }
    template <Listable S>
    [[nodiscard]] ANYMPI_CALLS result<OwningPersistent<std::vector<element_of<S>>>>
    neighbor_allgatherv_init(S&& send, const Info& info = {}) const {
        return without_layout(neighbor_allgatherv_init(std::forward<S>(send), info, with_layout));
    }
    /// Sends `counts[i]` elements to neighbor i; the parts follow each other.
    template <Divisible S, PartSizes Counts>
    requires Listable<S>
    [[nodiscard]] ANYMPI_CALLS result<AndLayout<std::vector<element_of<S>>>>
    neighbor_alltoallv(const S& send, const Counts& counts, WithLayout) const {
        const Layout sends = Layout::packed(counts);
        ANYMPI_VALUE(parts, learn_from_neighbors(sends, detail::reading(send).count));
        auto room = make_vector<element_of<S>>(parts.total());
        ANYMPI_STEP(neighbor_alltoallv(send, room, sends, parts));
        return AndLayout<std::vector<element_of<S>>>{std::move(room), std::move(parts)};
    }
    template <Divisible S, PartSizes Counts>
    requires Listable<S>
    [[nodiscard]] ANYMPI_CALLS result<std::vector<element_of<S>>> neighbor_alltoallv(const S& send,
                                                                                     const Counts& counts) const {
        return without_layout(neighbor_alltoallv(send, counts, with_layout));
    }
    template <Divisible S, PartSizes Counts>
    requires Listable<S>
    [[nodiscard]] ANYMPI_CALLS result<AndLayout<OwningPersistent<std::vector<element_of<S>>>>>
    neighbor_alltoallv_init(S&& send, const Counts& counts, const Info& info, WithLayout) const {
        const Layout sends = Layout::packed(counts);
        ANYMPI_VALUE(parts, learn_from_neighbors(sends, detail::reading(send).count));
        auto room = make_vector<element_of<S>>(parts.total());
        return and_layout(neighbor_alltoallv_init(std::forward<S>(send), std::move(room), sends, parts, info), parts);
    }
    template <Divisible S, PartSizes Counts>
    requires Listable<S>
    [[nodiscard]] ANYMPI_CALLS result<AndLayout<OwningPersistent<std::vector<element_of<S>>>>>
    neighbor_alltoallv_init(S&& send, const Counts& counts, WithLayout) const {
        return neighbor_alltoallv_init(std::forward<S>(send), counts, Info(), with_layout);
    }
    template <Divisible S, PartSizes Counts>
    requires Listable<S>
    [[nodiscard]] ANYMPI_CALLS result<OwningPersistent<std::vector<element_of<S>>>>
    neighbor_alltoallv_init(S&& send, const Counts& counts, const Info& info = {}) const {
        return without_layout(neighbor_alltoallv_init(std::forward<S>(send), counts, info, with_layout));
    }

protected:
    /// Returns nothing if the rank is not in a topology of this size. Some libraries return this process's rank then.
    static std::optional<int> in_topology(int rank, int size) {
        return rank >= 0 && rank < size ? std::optional<int>(rank) : std::optional<int>();
    }

private:
    template <class S>
    ANYMPI_CALLS result<std::vector<element_of<S>>> gathering_room(const S& send) const {
        ANYMPI_VALUE(known, degrees());
        MPI_Count each = 0;
        ANYMPI_REQUIRE(where(), "MPI_Neighbor_allgather",
                       detail::count_elements<element_of<S>>(detail::reading(send), each));
        return make_vector<element_of<S>>(detail::product(each, known.in));
    }
    template <class S>
    ANYMPI_CALLS result<std::vector<element_of<S>>> exchanging_room(const S& send) const {
        ANYMPI_VALUE(known, degrees());
        MPI_Count each = detail::reading(send).count;
        ANYMPI_REQUIRE(where(), "MPI_Neighbor_alltoall", detail::Blocks::check(each, known.out));
        if (known.out == 0 && known.in > 0)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_COUNT, "a process that sends to nobody cannot know the size of the "
                                                      "blocks that it gets: use neighbor_alltoallv"}),
                        "MPI_Neighbor_alltoall", where());
        return make_vector<element_of<S>>(detail::product(each, known.in));
    }
    /// Returns the layout of what each neighbor contributes.
    template <class T>
    ANYMPI_CALLS result<Layout> learn_gathered(const detail::ReadView& from) const {
        ANYMPI_VALUE(known, degrees());
        MPI_Count mine = 0;
        ANYMPI_REQUIRE(where(), "MPI_Neighbor_allgatherv", detail::count_elements<T>(from, mine));
        auto counts = make_vector<MPI_Count>(known.in);
        ANYMPI_STEP(neighbor_allgather(mine, counts));
        return Layout::packed(counts);
    }
    /// Returns the layout of what each neighbor sends to this process.
    template <std::same_as<Layout> Sends>
    ANYMPI_CALLS result<Layout> learn_from_neighbors(const Sends& sends, MPI_Count held) const {
        ANYMPI_VALUE(known, degrees());
        ANYMPI_REQUIRE(where(), "MPI_Neighbor_alltoallv", sends.check(known.out, held));
        auto counts = make_vector<MPI_Count>(known.in);
        ANYMPI_STEP(neighbor_alltoall(sends.counts(), counts));
        return Layout::packed(counts);
    }
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
        int code = MPI_Comm_rank(handle(), &rank);
        if (code == MPI_SUCCESS)
            code = MPI_Graph_neighbors_count(handle(), rank, &found.in);
        found.out = found.in;
        return code;
    }
    [[nodiscard]] ANYMPI_CALLS detail::Neighborhood known() const {
        Degrees found{0, 0};
        if (is_null() || detail::is_too_late()) // the operation reports the error
            return {};
        const detail::Fault fault = find_degrees(found);
        return {found.in, found.out, fault};
    }
    template <class Shape>
    [[nodiscard]] ANYMPI_CALLS Shape blocks() const {
        return {{}, {}, known()};
    }
    [[nodiscard]] ANYMPI_CALLS detail::AlltoallvShape::OfNeighbors layouts(Layout sends, Layout receives) const {
        return {{std::move(sends)}, {std::move(receives)}, known()};
    }
    template <class R>
    [[nodiscard]] ANYMPI_CALLS detail::AlltoallwShape neighbors(const SendBlocks& sends, const R& receives,
                                                                bool stay_reachable = false) const {
        using Side = detail::AlltoallwShape::Side;
        return {Side(sends), Side(receives), stay_reachable && receives.has_given(), known()};
    }
};

/// A grid.
class [[nodiscard]] CartComm : public NeighborComm {
public:
    using NeighborComm::NeighborComm;

    /// Makes a grid of these sizes. In a periodic dimension, the last process is a neighbor of the first. Processes
    /// that do not fit into the grid get none.
    static ANYMPI_CALLS result<std::optional<CartComm>> create(const Comm& comm, std::span<const int> sizes,
                                                               std::span<const bool> periodic, bool reorder = false) {
        if (sizes.size() != periodic.size())
            ANYMPI_FAIL((detail::Fault{MPI_ERR_DIMS, "one flag for each dimension is needed"}), "MPI_Cart_create",
                        comm.where());
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_CALL(comm.where(), MPI_Cart_create, comm.handle(), static_cast<int>(sizes.size()), sizes.data(),
                    flags_of(periodic).data(), reorder, &made);
        return adopt_optional<CartComm>(made);
    }
    /// Returns sizes for this many processes. Sizes that are not zero are kept.
    static ANYMPI_CALLS result<std::vector<int>> dims(int processes, std::vector<int> sizes) {
        ANYMPI_CALL(detail::Nowhere{}, MPI_Dims_create, processes, static_cast<int>(sizes.size()), sizes.data());
        return sizes;
    }
    /// Returns the rank that this process would get in such a grid, or nothing if the process would not be in the grid.
    static ANYMPI_CALLS result<std::optional<int>> map(const Comm& comm, std::span<const int> sizes,
                                                       std::span<const bool> periodic) {
        if (sizes.size() != periodic.size())
            ANYMPI_FAIL((detail::Fault{MPI_ERR_DIMS, "one flag for each dimension is needed"}), "MPI_Cart_map",
                        comm.where());
        int rank = MPI_UNDEFINED, places = 1;
        for (const int one : sizes)
            places *= one;
        ANYMPI_CALL(comm.where(), MPI_Cart_map, comm.handle(), static_cast<int>(sizes.size()), sizes.data(),
                    flags_of(periodic).data(), &rank);
        return in_topology(rank, places);
    }
    [[nodiscard]] ANYMPI_CALLS result<int> dimensions() const {
        int count = 0;
        ANYMPI_CALL(where(), MPI_Cartdim_get, handle(), &count);
        return count;
    }
    struct Grid {
        std::vector<int> sizes;
        std::vector<bool> periodic;
        std::vector<int> coordinates;
    };
    [[nodiscard]] ANYMPI_CALLS result<Grid> grid() const {
        int count = 0;
        ANYMPI_CALL(where(), MPI_Cartdim_get, handle(), &count);
        const auto many = static_cast<std::size_t>(count);
        Grid grid{std::vector<int>(many), std::vector<bool>(many), std::vector<int>(many)};
        shared::Room<int> flags(many);
        ANYMPI_CALL(where(), MPI_Cart_get, handle(), count, grid.sizes.data(), flags.data(), grid.coordinates.data());
        for (std::size_t place = 0; place < many; ++place)
            grid.periodic[place] = flags[place] != 0;
        return grid;
    }
    [[nodiscard]] ANYMPI_CALLS result<std::vector<int>> coordinates(int rank) const {
        int count = 0, size = 0;
        ANYMPI_CALL(where(), MPI_Cartdim_get, handle(), &count);
        ANYMPI_CALL(where(), MPI_Comm_size, handle(), &size);
        if (rank < 0 || rank >= size)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_RANK, "the grid has no such rank"}), "MPI_Cart_coords", where());
        std::vector<int> place(static_cast<std::size_t>(count));
        ANYMPI_CALL(where(), MPI_Cart_coords, handle(), rank, count, place.data());
        return place;
    }
    [[nodiscard]] ANYMPI_CALLS result<int> rank_at(std::span<const int> coordinates) const {
        int rank = 0;
        ANYMPI_REQUIRE(where(), "MPI_Cart_rank", one_for_each_dimension(coordinates.size()));
        ANYMPI_CALL(where(), MPI_Cart_rank, handle(), coordinates.data(), &rank);
        return rank;
    }
    using Comm::rank;
    struct Shift {
        int source, destination; // proc_null beyond the edge
    };
    /// Returns the processes that are this many steps before and after this process.
    [[nodiscard]] ANYMPI_CALLS result<Shift> shift(int dimension, Displacement steps = by(1)) const {
        Shift found{proc_null, proc_null};
        int count = 0; // some libraries do not check whether the dimension exists
        ANYMPI_CALL(where(), MPI_Cartdim_get, handle(), &count);
        if (dimension < 0 || dimension >= count)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_DIMS, "there is no such dimension"}), "MPI_Cart_shift", where());
        ANYMPI_CALL(where(), MPI_Cart_shift, handle(), dimension, static_cast<int>(steps.number()), &found.source,
                    &found.destination);
        return found;
    }
    /// Returns the part of the grid that keeps these dimensions and contains this process.
    [[nodiscard]] ANYMPI_CALLS result<CartComm> sub(std::span<const bool> keep) const {
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_REQUIRE(where(), "MPI_Cart_sub", one_for_each_dimension(keep.size()));
        ANYMPI_CALL(where(), MPI_Cart_sub, handle(), flags_of(keep).data(), &made);
        return adopt_as<CartComm>(made);
    }

private:
    static shared::Room<int> flags_of(std::span<const bool> values) {
        shared::Room<int> flags(values.size());
        for (std::size_t place = 0; place < flags.size(); ++place)
            flags[place] = values[place];
        return flags;
    }
    [[nodiscard]] ANYMPI_CALLS detail::Fault one_for_each_dimension(std::size_t values) const {
        int count = 0;
        if (detail::is_too_late())
            return detail::too_late();
        if (const int code = MPI_Cartdim_get(handle(), &count); code != MPI_SUCCESS)
            return code;
        if (values != static_cast<std::size_t>(count))
            return {MPI_ERR_DIMS, "one value for each dimension is needed"};
        return MPI_SUCCESS;
    }
};

/// A graph whose edges every process knows.
class [[nodiscard]] GraphComm : public NeighborComm {
public:
    using NeighborComm::NeighborComm;

    /// Makes a graph. neighbors[i] lists the neighbors of process i.
    static ANYMPI_CALLS result<std::optional<GraphComm>>
    create(const Comm& comm, const std::vector<std::vector<int>>& neighbors, bool reorder = false) {
        Edges all(neighbors);
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_CALL(comm.where(), MPI_Graph_create, comm.handle(), all.nodes(), all.ends.data(), all.edges.data(),
                    reorder, &made);
        return adopt_optional<GraphComm>(made);
    }
    /// Returns the rank that this process would get in such a graph, or nothing if the process would not be in the
    /// graph.
    static ANYMPI_CALLS result<std::optional<int>> map(const Comm& comm,
                                                       const std::vector<std::vector<int>>& neighbors) {
        Edges all(neighbors);
        int rank = MPI_UNDEFINED;
        ANYMPI_CALL(comm.where(), MPI_Graph_map, comm.handle(), all.nodes(), all.ends.data(), all.edges.data(), &rank);
        return in_topology(rank, all.nodes());
    }
    /// Returns the neighbors of every process, as create() takes them.
    [[nodiscard]] ANYMPI_CALLS result<std::vector<std::vector<int>>> graph() const {
        int nodes = 0, many = 0;
        ANYMPI_CALL(where(), MPI_Graphdims_get, handle(), &nodes, &many);
        shared::Room<int> ends(static_cast<std::size_t>(nodes) + 1), edges(static_cast<std::size_t>(many) + 1);
        ANYMPI_CALL(where(), MPI_Graph_get, handle(), nodes, many, ends.data(), edges.data());
        std::vector<std::vector<int>> neighbors(static_cast<std::size_t>(nodes));
        std::size_t edge = 0;
        for (std::size_t node = 0; node < neighbors.size(); ++node)
            while (edge < static_cast<std::size_t>(ends[node]))
                neighbors[node].push_back(edges[edge++]);
        return neighbors;
    }
    [[nodiscard]] ANYMPI_CALLS result<std::vector<int>> neighbors(int rank) const {
        int count = 0;
        ANYMPI_CALL(where(), MPI_Graph_neighbors_count, handle(), rank, &count);
        std::vector<int> ranks(static_cast<std::size_t>(count));
        if (count > 0) // some libraries refuse a null pointer
            ANYMPI_CALL(where(), MPI_Graph_neighbors, handle(), rank, count, ranks.data());
        return ranks;
    }

private:
    /// The edges in the form of MPI.
    struct Edges {
        explicit Edges(const std::vector<std::vector<int>>& neighbors) : ends(neighbors.size()) {
            for (std::size_t node = 0; node < ends.size(); ++node) {
                for (const int neighbor : neighbors[node])
                    edges.push_back(neighbor);
                ends[node] = static_cast<int>(edges.size());
            }
            edges.push_back(0); // some libraries refuse a null pointer, even if there are no edges
        }
        [[nodiscard]] int nodes() const { return static_cast<int>(ends.size()); }
        std::vector<int> ends, edges;
    };
};

/// A graph in which every process knows only its own neighbors.
class [[nodiscard]] DistGraphComm : public NeighborComm {
public:
    using NeighborComm::NeighborComm;

    static ANYMPI_CALLS result<DistGraphComm> create(const Comm& comm, std::span<const int> sources,
                                                     std::span<const int> destinations, const Info& info = {},
                                                     bool reorder = false) {
        return make(comm, sources, MPI_UNWEIGHTED, destinations, MPI_UNWEIGHTED, info, reorder);
    }
    /// Makes a graph with a weight for each edge: the amount of data.
    static ANYMPI_CALLS result<DistGraphComm> create(const Comm& comm, std::span<const int> sources,
                                                     std::span<const int> source_weights,
                                                     std::span<const int> destinations,
                                                     std::span<const int> destination_weights, const Info& info = {},
                                                     bool reorder = false) {
        if (sources.size() != source_weights.size() || destinations.size() != destination_weights.size())
            ANYMPI_FAIL((detail::Fault{MPI_ERR_ARG, too_few_weights}), "MPI_Dist_graph_create_adjacent", comm.where());
        return make(comm, sources, known_weights(source_weights), destinations, known_weights(destination_weights),
                    info, reorder);
    }

    struct Edge {
        int source, destination, weight = 1;
    };
    /// Makes a graph from edges. Each process may pass any edges, and learns its own neighbors.
    static ANYMPI_CALLS result<DistGraphComm> create(const Comm& comm, std::span<const Edge> edges,
                                                     const Info& info = {}, bool reorder = false) {
        const std::size_t many = edges.size();
        shared::Room<int> sources(many), destinations(many), weights(many), ones(many);
        for (std::size_t place = 0; place < many; ++place) {
            sources[place] = edges[place].source;
            destinations[place] = edges[place].destination;
            weights[place] = edges[place].weight;
            ones[place] = 1;
        }
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_CALL(comm.where(), MPI_Dist_graph_create, comm.handle(), static_cast<int>(edges.size()), sources.data(),
                    ones.data(), destinations.data(), known_weights({weights.data(), many}), info.handle(), reorder,
                    &made);
        return adopt_as<DistGraphComm>(made);
    }

    /// The neighbors of a process. The weights are empty if the graph has no weights.
    struct Neighbors {
        std::vector<int> sources, destinations, source_weights, destination_weights;
    };
    [[nodiscard]] ANYMPI_CALLS result<Neighbors> neighbors() const {
        int in = 0, out = 0, weighted = 0;
        ANYMPI_CALL(where(), MPI_Dist_graph_neighbors_count, handle(), &in, &out, &weighted);
        const auto many_in = static_cast<std::size_t>(in), many_out = static_cast<std::size_t>(out);
        // The arrays of weights always have room, since libraries check the pointers.
        Neighbors found{std::vector<int>(many_in), std::vector<int>(many_out), std::vector<int>(many_in + 1),
                        std::vector<int>(many_out + 1)};
        ANYMPI_CALL(where(), MPI_Dist_graph_neighbors, handle(), in, found.sources.data(), found.source_weights.data(),
                    out, found.destinations.data(), found.destination_weights.data());
        found.source_weights.resize(weighted ? many_in : 0);
        found.destination_weights.resize(weighted ? many_out : 0);
        return found;
    }

private:
    static constexpr const char* too_few_weights = "one weight for each neighbor is needed";
    /// MPI has a constant for a graph without weights, which differs from a process without neighbors.
    static const int* known_weights(std::span<const int> weights) {
        return weights.empty() ? MPI_WEIGHTS_EMPTY : weights.data();
    }
    static ANYMPI_CALLS result<DistGraphComm> make(const Comm& comm, std::span<const int> sources,
                                                   const int* source_weights, std::span<const int> destinations,
                                                   const int* destination_weights, const Info& info, bool reorder) {
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_CALL(comm.where(), MPI_Dist_graph_create_adjacent, comm.handle(), static_cast<int>(sources.size()),
                    sources.data(), source_weights, static_cast<int>(destinations.size()), destinations.data(),
                    destination_weights, info.handle(), reorder, &made);
        return adopt_as<DistGraphComm>(made);
    }
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
