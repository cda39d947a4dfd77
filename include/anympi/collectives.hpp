// Collective operations. Part of Comm.
//
// Each comes in three forms: name (to its end), iname (a request), name_init (described once, started many times). The
// last two own what they are given as a temporary or with std::move, and borrow everything else. How much each process
// gets follows from the sizes of the buffers; a buffer that does not fit is an error. `in_place` stands for a buffer
// whose data is in the other one.
#ifndef ANYMPI_COLLECTIVES_HPP
#define ANYMPI_COLLECTIVES_HPP

#include "messages.hpp"
#include "shapes.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// What is sent and what is received must be of one type where elements are combined.
template <class S, class R>
concept SameElements =
    !TypedView<S> && !TypedView<R> && (detail::is_in_place<S> || std::same_as<element_of<S>, element_of<R>>);

class Collectives : public Messages {
public:
    using Messages::Messages;

    result<void> barrier() const {
        ANYMPI_CALL(handle(), MPI_Barrier, handle());
        return detail::done();
    }
    [[nodiscard]] auto ibarrier() const {
        return detail::start(MPI_Ibarrier, "MPI_Ibarrier", handle(), Direction::other, detail::BarrierShape{},
                             detail::None{}, detail::None{});
    }
    [[nodiscard]] auto barrier_init(const Info& info = {}) const {
        return detail::describe(MPI_Barrier_init, "MPI_Barrier_init", handle(), Direction::other,
                                detail::BarrierShape{}, detail::None{}, detail::None{}, info);
    }

    /// Everybody gets what `root` has.
    template <LastingReceiveBuffer R>
    result<void> broadcast(R&& buffer, int root) const {
        return detail::complete(MPI_Bcast_c, "MPI_Bcast", handle(), detail::BroadcastShape{root}, detail::None{},
                                buffer);
    }
    template <ReceiveBuffer R>
    auto ibroadcast(R&& buffer, int root) const {
        return detail::start(MPI_Ibcast_c, "MPI_Ibcast", handle(), Direction::other, detail::BroadcastShape{root},
                             detail::None{}, std::forward<R>(buffer));
    }
    template <ReceiveBuffer R>
    auto broadcast_init(R&& buffer, int root, const Info& info = {}) const {
        return detail::describe(MPI_Bcast_init_c, "MPI_Bcast_init", handle(), Direction::other,
                                detail::BroadcastShape{root}, detail::None{}, std::forward<R>(buffer), info);
    }

    /// The result is at `root`. `in_place` for what is sent: it is in the other buffer, at every process.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R> result<void> reduce(const S& send, R&& receive, const Op& op, int root)
    const {
        return detail::complete(MPI_Reduce_c, "MPI_Reduce", handle(),
                                detail::RootedReductionShape{detail::bind<element_of<R>>(op), root}, send, receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R>
    auto ireduce(S&& send, R&& receive, const Op& op, int root) const {
        return detail::start(MPI_Ireduce_c, "MPI_Ireduce", handle(), Direction::other,
                             detail::RootedReductionShape{detail::bind<element_of<R>>(op), root}, std::forward<S>(send),
                             std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R>
    auto reduce_init(S&& send, R&& receive, const Op& op, int root, const Info& info = {}) const {
        return detail::describe(MPI_Reduce_init_c, "MPI_Reduce_init", handle(), Direction::other,
                                detail::RootedReductionShape{detail::bind<element_of<R>>(op), root},
                                std::forward<S>(send), std::forward<R>(receive), info);
    }

    /// The result is everywhere.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R> result<void> allreduce(const S& send, R&& receive, const Op& op)
    const {
        return detail::complete(MPI_Allreduce_c, "MPI_Allreduce", handle(),
                                detail::ReductionShape{detail::bind<element_of<R>>(op)}, send, receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R>
    auto iallreduce(S&& send, R&& receive, const Op& op) const {
        return detail::start(MPI_Iallreduce_c, "MPI_Iallreduce", handle(), Direction::other,
                             detail::ReductionShape{detail::bind<element_of<R>>(op)}, std::forward<S>(send),
                             std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R>
    auto allreduce_init(S&& send, R&& receive, const Op& op, const Info& info = {}) const {
        return detail::describe(MPI_Allreduce_init_c, "MPI_Allreduce_init", handle(), Direction::other,
                                detail::ReductionShape{detail::bind<element_of<R>>(op)}, std::forward<S>(send),
                                std::forward<R>(receive), info);
    }

    /// Of all processes up to this one.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R> result<void> scan(const S& send, R&& receive, const Op& op)
    const {
        return detail::complete(MPI_Scan_c, "MPI_Scan", handle(),
                                detail::ReductionShape{detail::bind<element_of<R>>(op)}, send, receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R>
    auto iscan(S&& send, R&& receive, const Op& op) const {
        return detail::start(MPI_Iscan_c, "MPI_Iscan", handle(), Direction::other,
                             detail::ReductionShape{detail::bind<element_of<R>>(op)}, std::forward<S>(send),
                             std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R>
    auto scan_init(S&& send, R&& receive, const Op& op, const Info& info = {}) const {
        return detail::describe(MPI_Scan_init_c, "MPI_Scan_init", handle(), Direction::other,
                                detail::ReductionShape{detail::bind<element_of<R>>(op)}, std::forward<S>(send),
                                std::forward<R>(receive), info);
    }

    /// Of all processes before this one; at the first the buffer is left as it is.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R> result<void> exscan(const S& send, R&& receive, const Op& op)
    const {
        return detail::complete(MPI_Exscan_c, "MPI_Exscan", handle(),
                                detail::ReductionShape{detail::bind<element_of<R>>(op)}, send, receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R>
    auto iexscan(S&& send, R&& receive, const Op& op) const {
        return detail::start(MPI_Iexscan_c, "MPI_Iexscan", handle(), Direction::other,
                             detail::ReductionShape{detail::bind<element_of<R>>(op)}, std::forward<S>(send),
                             std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R>
    auto exscan_init(S&& send, R&& receive, const Op& op, const Info& info = {}) const {
        return detail::describe(MPI_Exscan_init_c, "MPI_Exscan_init", handle(), Direction::other,
                                detail::ReductionShape{detail::bind<element_of<R>>(op)}, std::forward<S>(send),
                                std::forward<R>(receive), info);
    }

    /// Every process gets an equal block of the result.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R> result<void> reduce_scatter_block(const S& send, R&& receive, const Op& op)
    const {
        return detail::complete(MPI_Reduce_scatter_block_c, "MPI_Reduce_scatter_block", handle(),
                                detail::ReduceScatterBlockShape{detail::bind<element_of<R>>(op)}, send, receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R>
    auto ireduce_scatter_block(S&& send, R&& receive, const Op& op) const {
        return detail::start(MPI_Ireduce_scatter_block_c, "MPI_Ireduce_scatter_block", handle(), Direction::other,
                             detail::ReduceScatterBlockShape{detail::bind<element_of<R>>(op)}, std::forward<S>(send),
                             std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R>
    auto reduce_scatter_block_init(S&& send, R&& receive, const Op& op, const Info& info = {}) const {
        return detail::describe(MPI_Reduce_scatter_block_init_c, "MPI_Reduce_scatter_block_init", handle(),
                                Direction::other, detail::ReduceScatterBlockShape{detail::bind<element_of<R>>(op)},
                                std::forward<S>(send), std::forward<R>(receive), info);
    }

    /// Every process gets a block of the result, of its own size.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R, class Counts, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R> result<void> reduce_scatter(const S& send, R&& receive, const Counts& counts,
                                                            const Op& op)
    const {
        return detail::complete(MPI_Reduce_scatter_c, "MPI_Reduce_scatter", handle(),
                                detail::ReduceScatterShape{detail::bind<element_of<R>>(op), counts_of(counts)}, send,
                                receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, class Counts, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R>
    auto ireduce_scatter(S&& send, R&& receive, const Counts& counts, const Op& op) const {
        return detail::start(MPI_Ireduce_scatter_c, "MPI_Ireduce_scatter", handle(), Direction::other,
                             detail::ReduceScatterShape{detail::bind<element_of<R>>(op), counts_of(counts)},
                             std::forward<S>(send), std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, class Counts, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R>
    auto reduce_scatter_init(S&& send, R&& receive, const Counts& counts, const Op& op, const Info& info = {}) const {
        return detail::describe(MPI_Reduce_scatter_init_c, "MPI_Reduce_scatter_init", handle(), Direction::other,
                                detail::ReduceScatterShape{detail::bind<element_of<R>>(op), counts_of(counts)},
                                std::forward<S>(send), std::forward<R>(receive), info);
    }

    /// The blocks of all, in the order of ranks, at `root`. Elsewhere the second buffer may be empty.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R>
    result<void> gather(const S& send, R&& receive, int root) const {
        return detail::complete(MPI_Gather_c, "MPI_Gather", handle(), detail::GatherShape{root}, send, receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    auto igather(S&& send, R&& receive, int root) const {
        return detail::start(MPI_Igather_c, "MPI_Igather", handle(), Direction::other, detail::GatherShape{root},
                             std::forward<S>(send), std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    auto gather_init(S&& send, R&& receive, int root, const Info& info = {}) const {
        return detail::describe(MPI_Gather_init_c, "MPI_Gather_init", handle(), Direction::other,
                                detail::GatherShape{root}, std::forward<S>(send), std::forward<R>(receive), info);
    }

    /// The blocks of all, in the order of ranks, everywhere.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R>
    result<void> allgather(const S& send, R&& receive) const {
        return detail::complete(MPI_Allgather_c, "MPI_Allgather", handle(), detail::AllgatherShape{}, send, receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    auto iallgather(S&& send, R&& receive) const {
        return detail::start(MPI_Iallgather_c, "MPI_Iallgather", handle(), Direction::other, detail::AllgatherShape{},
                             std::forward<S>(send), std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    auto allgather_init(S&& send, R&& receive, const Info& info = {}) const {
        return detail::describe(MPI_Allgather_init_c, "MPI_Allgather_init", handle(), Direction::other,
                                detail::AllgatherShape{}, std::forward<S>(send), std::forward<R>(receive), info);
    }

    /// One block of `root` for each process. At the root the second buffer may be `in_place`.
    template <SendBuffer S, class R>
    requires(LastingReceiveBuffer<R> || detail::is_in_place<R>) result<void> scatter(const S& send, R&& receive,
                                                                                     int root)
    const {
        return detail::complete(MPI_Scatter_c, "MPI_Scatter", handle(), detail::ScatterShape{root}, send, receive);
    }
    template <SendBuffer S, ReceiveBufferOrInPlace R>
    auto iscatter(S&& send, R&& receive, int root) const {
        return detail::start(MPI_Iscatter_c, "MPI_Iscatter", handle(), Direction::other, detail::ScatterShape{root},
                             std::forward<S>(send), std::forward<R>(receive));
    }
    template <SendBuffer S, ReceiveBufferOrInPlace R>
    auto scatter_init(S&& send, R&& receive, int root, const Info& info = {}) const {
        return detail::describe(MPI_Scatter_init_c, "MPI_Scatter_init", handle(), Direction::other,
                                detail::ScatterShape{root}, std::forward<S>(send), std::forward<R>(receive), info);
    }

    /// One block from each process for each process.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R>
    result<void> alltoall(const S& send, R&& receive) const {
        return detail::complete(MPI_Alltoall_c, "MPI_Alltoall", handle(), detail::AlltoallShape{}, send, receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    auto ialltoall(S&& send, R&& receive) const {
        return detail::start(MPI_Ialltoall_c, "MPI_Ialltoall", handle(), Direction::other, detail::AlltoallShape{},
                             std::forward<S>(send), std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    auto alltoall_init(S&& send, R&& receive, const Info& info = {}) const {
        return detail::describe(MPI_Alltoall_init_c, "MPI_Alltoall_init", handle(), Direction::other,
                                detail::AlltoallShape{}, std::forward<S>(send), std::forward<R>(receive), info);
    }

    /// Blocks of different sizes. The layout counts at the root only.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R>
    result<void> gatherv(const S& send, R&& receive, Layout layout, int root) const {
        return detail::complete(MPI_Gatherv_c, "MPI_Gatherv", handle(), detail::GathervShape{std::move(layout), root},
                                send, receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    auto igatherv(S&& send, R&& receive, Layout layout, int root) const {
        return detail::start(MPI_Igatherv_c, "MPI_Igatherv", handle(), Direction::other,
                             detail::GathervShape{std::move(layout), root}, std::forward<S>(send),
                             std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    auto gatherv_init(S&& send, R&& receive, Layout layout, int root, const Info& info = {}) const {
        return detail::describe(MPI_Gatherv_init_c, "MPI_Gatherv_init", handle(), Direction::other,
                                detail::GathervShape{std::move(layout), root}, std::forward<S>(send),
                                std::forward<R>(receive), info);
    }

    /// Blocks of different sizes. The layout counts at the root only.
    template <SendBuffer S, class R>
    requires(LastingReceiveBuffer<R> || detail::is_in_place<R>) result<void> scatterv(const S& send, R&& receive,
                                                                                      Layout layout, int root)
    const {
        return detail::complete(MPI_Scatterv_c, "MPI_Scatterv", handle(),
                                detail::ScattervShape{std::move(layout), root}, send, receive);
    }
    template <SendBuffer S, ReceiveBufferOrInPlace R>
    auto iscatterv(S&& send, R&& receive, Layout layout, int root) const {
        return detail::start(MPI_Iscatterv_c, "MPI_Iscatterv", handle(), Direction::other,
                             detail::ScattervShape{std::move(layout), root}, std::forward<S>(send),
                             std::forward<R>(receive));
    }
    template <SendBuffer S, ReceiveBufferOrInPlace R>
    auto scatterv_init(S&& send, R&& receive, Layout layout, int root, const Info& info = {}) const {
        return detail::describe(MPI_Scatterv_init_c, "MPI_Scatterv_init", handle(), Direction::other,
                                detail::ScattervShape{std::move(layout), root}, std::forward<S>(send),
                                std::forward<R>(receive), info);
    }

    /// Blocks of different sizes, everywhere.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R>
    result<void> allgatherv(const S& send, R&& receive, Layout layout) const {
        return detail::complete(MPI_Allgatherv_c, "MPI_Allgatherv", handle(),
                                detail::AllgathervShape{std::move(layout)}, send, receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    auto iallgatherv(S&& send, R&& receive, Layout layout) const {
        return detail::start(MPI_Iallgatherv_c, "MPI_Iallgatherv", handle(), Direction::other,
                             detail::AllgathervShape{std::move(layout)}, std::forward<S>(send),
                             std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    auto allgatherv_init(S&& send, R&& receive, Layout layout, const Info& info = {}) const {
        return detail::describe(MPI_Allgatherv_init_c, "MPI_Allgatherv_init", handle(), Direction::other,
                                detail::AllgathervShape{std::move(layout)}, std::forward<S>(send),
                                std::forward<R>(receive), info);
    }

    /// Blocks of different sizes for each pair of processes.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R>
    result<void> alltoallv(const S& send, R&& receive, Layout sends, Layout receives) const {
        return detail::complete(MPI_Alltoallv_c, "MPI_Alltoallv", handle(),
                                detail::AlltoallvShape{std::move(sends), std::move(receives)}, send, receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    auto ialltoallv(S&& send, R&& receive, Layout sends, Layout receives) const {
        return detail::start(MPI_Ialltoallv_c, "MPI_Ialltoallv", handle(), Direction::other,
                             detail::AlltoallvShape{std::move(sends), std::move(receives)}, std::forward<S>(send),
                             std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    auto alltoallv_init(S&& send, R&& receive, Layout sends, Layout receives, const Info& info = {}) const {
        return detail::describe(MPI_Alltoallv_init_c, "MPI_Alltoallv_init", handle(), Direction::other,
                                detail::AlltoallvShape{std::move(sends), std::move(receives)}, std::forward<S>(send),
                                std::forward<R>(receive), info);
    }

    /// A buffer of any type for each process, and from each.
    result<void> alltoallw(const SendBlocks& sends, const ReceiveBlocks& receives) const {
        detail::None nothing;
        return detail::complete(MPI_Alltoallw_c, "MPI_Alltoallw", handle(), everyones(sends, receives), detail::None{},
                                nothing);
    }
    [[nodiscard]] auto ialltoallw(const SendBlocks& sends, const ReceiveBlocks& receives) const {
        return detail::start(MPI_Ialltoallw_c, "MPI_Ialltoallw", handle(), Direction::other, everyones(sends, receives),
                             detail::None{}, detail::None{});
    }
    [[nodiscard]] auto alltoallw_init(const SendBlocks& sends, const ReceiveBlocks& receives,
                                      const Info& info = {}) const {
        return detail::describe(MPI_Alltoallw_init_c, "MPI_Alltoallw_init", handle(), Direction::other,
                                everyones(sends, receives), detail::None{}, detail::None{}, info);
    }

    // By value

    template <Communicable T>
    result<T> broadcast_value(T value, int root) const {
        ANYMPI_CALL(handle(), MPI_Bcast_c, &value, 1, datatype<T>(), root, handle());
        return value;
    }
    template <Communicable T, ReductionOf<T> Op>
    result<T> allreduce(const T& value, const Op& op) const {
        const auto bound = detail::bind<T>(op);
        T combined{};
        ANYMPI_CALL(handle(), MPI_Allreduce_c, &value, &combined, 1, bound.type, bound.op, handle());
        return combined;
    }
    /// The result at `root`, the value itself elsewhere.
    template <Communicable T, ReductionOf<T> Op>
    result<T> reduce(const T& value, const Op& op, int root) const {
        const auto bound = detail::bind<T>(op);
        T combined = value;
        ANYMPI_CALL(handle(), MPI_Reduce_c, &value, &combined, 1, bound.type, bound.op, root, handle());
        return combined;
    }
    template <Communicable T, ReductionOf<T> Op>
    result<T> scan(const T& value, const Op& op) const {
        const auto bound = detail::bind<T>(op);
        T combined{};
        ANYMPI_CALL(handle(), MPI_Scan_c, &value, &combined, 1, bound.type, bound.op, handle());
        return combined;
    }
    /// `first` is what the first process gets, which has none before it.
    template <Communicable T, ReductionOf<T> Op>
    result<T> exscan(const T& value, const Op& op, T first = {}) const {
        const auto bound = detail::bind<T>(op);
        ANYMPI_CALL(handle(), MPI_Exscan_c, &value, &first, 1, bound.type, bound.op, handle());
        return first;
    }
    /// What every process has, in the order of ranks.
    template <SendBuffer S>
    result<std::vector<element_of<S>>> allgather(const S& send) const {
        const detail::ReadView view = detail::reading(send);
        std::vector<element_of<S>> all(static_cast<std::size_t>(view.count * peers()));
        ANYMPI_CALL(handle(), MPI_Allgather_c, view.data, view.count, view.type, all.data(), view.count,
                    datatype<element_of<S>>(), handle());
        return all;
    }
    /// The same at `root` alone; empty elsewhere.
    template <SendBuffer S>
    result<std::vector<element_of<S>>> gather(const S& send, int root) const {
        const detail::ReadView view = detail::reading(send);
        std::vector<element_of<S>> all(detail::is_root(handle(), root) ? static_cast<std::size_t>(view.count * peers())
                                                                       : 0);
        ANYMPI_CALL(handle(), MPI_Gather_c, view.data, view.count, view.type, all.data(), view.count,
                    datatype<element_of<S>>(), root, handle());
        return all;
    }
    /// Blocks of different sizes; the sizes are exchanged first.
    template <SendBuffer S>
    result<std::vector<element_of<S>>> allgatherv(const S& send) const {
        const detail::ReadView view = detail::reading(send);
        std::vector<MPI_Count> counts(static_cast<std::size_t>(peers()));
        ANYMPI_CALL(handle(), MPI_Allgather_c, &view.count, 1, MPI_COUNT, counts.data(), 1, MPI_COUNT, handle());
        const Layout layout = Layout::packed(counts);
        std::vector<element_of<S>> all(static_cast<std::size_t>(layout.total()));
        ANYMPI_CALL(handle(), MPI_Allgatherv_c, view.data, view.count, view.type, all.data(), layout.counts().data(),
                    layout.displacements().data(), datatype<element_of<S>>(), handle());
        return all;
    }
    template <SendBuffer S>
    result<std::vector<element_of<S>>> gatherv(const S& send, int root) const {
        const detail::ReadView view = detail::reading(send);
        const bool here = detail::is_root(handle(), root);
        std::vector<MPI_Count> counts(here ? static_cast<std::size_t>(peers()) : 0);
        ANYMPI_CALL(handle(), MPI_Gather_c, &view.count, 1, MPI_COUNT, counts.data(), 1, MPI_COUNT, root, handle());
        const Layout layout = Layout::packed(counts);
        std::vector<element_of<S>> all(static_cast<std::size_t>(layout.total()));
        ANYMPI_CALL(handle(), MPI_Gatherv_c, view.data, view.count, view.type, all.data(), layout.counts().data(),
                    layout.displacements().data(), datatype<element_of<S>>(), root, handle());
        return all;
    }
    /// `block` elements of `root` for each process.
    template <SendBuffer S>
    result<std::vector<element_of<S>>> scatter(const S& send, std::size_t block, int root) const {
        const detail::ReadView view = detail::reading(send);
        if (detail::is_root(handle(), root) && view.count != static_cast<MPI_Count>(block) * peers())
            ANYMPI_FAIL((detail::Fault{MPI_ERR_COUNT, detail::uneven}), "MPI_Scatter", handle());
        std::vector<element_of<S>> mine(block);
        const auto count = static_cast<MPI_Count>(block);
        ANYMPI_CALL(handle(), MPI_Scatter_c, view.data, count, view.type, mine.data(), count, datatype<element_of<S>>(),
                    root, handle());
        return mine;
    }
    template <SendBuffer S>
    result<std::vector<element_of<S>>> alltoall(const S& send) const {
        const detail::ReadView view = detail::reading(send);
        if (view.count % peers() != 0)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_COUNT, detail::uneven}), "MPI_Alltoall", handle());
        const MPI_Count block = view.count / peers();
        std::vector<element_of<S>> all(static_cast<std::size_t>(view.count));
        ANYMPI_CALL(handle(), MPI_Alltoall_c, view.data, block, view.type, all.data(), block, datatype<element_of<S>>(),
                    handle());
        return all;
    }
    /// `counts[i]` elements for process i, one part after the other; returns what came, in the order of ranks.
    template <SendBuffer S, class Counts>
    result<std::vector<element_of<S>>> alltoallv(const S& send, const Counts& counts) const {
        const detail::ReadView view = detail::reading(send);
        const Layout sends = Layout::packed(counts);
        ANYMPI_REQUIRE(handle(), "MPI_Alltoallv", detail::check_layout(sends, peers(), view.count));
        std::vector<MPI_Count> theirs(sends.parts());
        ANYMPI_CALL(handle(), MPI_Alltoall_c, sends.counts().data(), 1, MPI_COUNT, theirs.data(), 1, MPI_COUNT,
                    handle());
        const Layout receives = Layout::packed(theirs);
        std::vector<element_of<S>> all(static_cast<std::size_t>(receives.total()));
        ANYMPI_CALL(handle(), MPI_Alltoallv_c, view.data, sends.counts().data(), sends.displacements().data(),
                    view.type, all.data(), receives.counts().data(), receives.displacements().data(),
                    datatype<element_of<S>>(), handle());
        return all;
    }

private:
    // At least one, so that nothing is divided by zero before a null communicator is reported.
    [[nodiscard]] int peers() const { return is_null() ? 1 : std::max(detail::peers(handle()), 1); }
    static detail::AlltoallwShape everyones(const SendBlocks& sends, const ReceiveBlocks& receives) {
        return {detail::AlltoallwShape::Side(sends.views()), detail::AlltoallwShape::Side(receives.views())};
    }
    template <class Counts>
    static std::vector<MPI_Count> counts_of(const Counts& counts) {
        return Layout::packed(counts).counts();
    }
};

/// Combines two local buffers as a reduction would: receive = send (op) receive.
template <SendBuffer S, LastingReceiveBuffer R, ReductionOf<element_of<R>> Op>
requires SameElements<S, R> result<void> reduce_local(const S& send, R&& receive, const Op& op) {
    const detail::ReadView from = detail::reading(send);
    const detail::WriteView into = detail::writing(receive);
    const auto bound = detail::bind<element_of<R>>(op);
    if (from.count != into.count)
        ANYMPI_FAIL((detail::Fault{MPI_ERR_COUNT, detail::not_as_many}), "MPI_Reduce_local", detail::Nowhere{});
    ANYMPI_CALL(detail::Nowhere{}, MPI_Reduce_local_c, from.data, into.data, into.count, bound.type, bound.op);
    return detail::done();
}

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
