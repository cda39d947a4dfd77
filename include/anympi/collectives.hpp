// Collective operations. Part of Comm.
//
// Each operation has three forms: name (blocking), iname (returns a request), name_init (persistent: described once,
// started many times). The last two own arguments that are temporaries or given with std::move, and borrow all others.
// The sizes of the buffers determine how much each process gets; a buffer that does not fit is an error. `in_place` is
// used for a buffer whose data is in the other buffer. resizing.hpp has forms that allocate the receive buffer.
#ifndef ANYMPI_COLLECTIVES_HPP
#define ANYMPI_COLLECTIVES_HPP

#include "messages.hpp"
#include "shapes.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

namespace detail::forms {
inline constexpr auto barrier_init = [](auto... arguments) { return MPI_Barrier_init(arguments...); };
struct barrier_forms {
    static constexpr auto complete = MPI_Barrier;
    static constexpr auto start = MPI_Ibarrier;
    static constexpr auto describe = barrier_init;
    static constexpr const char* complete_name = "MPI_Barrier";
    static constexpr const char* start_name = "MPI_Ibarrier";
    static constexpr const char* describe_name = "MPI_Barrier_init";
};
inline constexpr barrier_forms barrier;
ANYMPI_FORMS(Bcast, bcast, _c)
ANYMPI_FORMS(Reduce, reduce, _c)
ANYMPI_FORMS(Allreduce, allreduce, _c)
ANYMPI_FORMS(Scan, scan, _c)
ANYMPI_FORMS(Exscan, exscan, _c)
ANYMPI_FORMS(Reduce_scatter_block, reduce_scatter_block, _c)
ANYMPI_FORMS(Reduce_scatter, reduce_scatter, _c)
ANYMPI_FORMS(Gather, gather, _c)
ANYMPI_FORMS(Allgather, allgather, _c)
ANYMPI_FORMS(Scatter, scatter, _c)
ANYMPI_FORMS(Alltoall, alltoall, _c)
ANYMPI_FORMS(Gatherv, gatherv, _c)
ANYMPI_FORMS(Scatterv, scatterv, _c)
ANYMPI_FORMS(Allgatherv, allgatherv, _c)
ANYMPI_FORMS(Alltoallv, alltoallv, _c)
ANYMPI_FORMS(Alltoallw, alltoallw, _c)
} // namespace detail::forms

namespace detail {

/// The number of elements of a buffer if its type fixes the number. 0 means unknown or empty.
template <class B>
struct FixedCount : std::integral_constant<std::size_t, 0> {};
template <class T, std::size_t N>
struct FixedCount<T[N]> : std::integral_constant<std::size_t, N> {};
template <class T, std::size_t N>
struct FixedCount<std::array<T, N>> : std::integral_constant<std::size_t, N> {};
template <class T, std::size_t N>
requires(N != std::dynamic_extent) struct FixedCount<std::span<T, N>> : std::integral_constant<std::size_t, N> {
};

/// Returns false if the types of both buffers fix different numbers of elements.
template <class S, class R>
constexpr bool may_be_as_many() {
    constexpr std::size_t sent = FixedCount<std::remove_cvref_t<S>>::value;
    constexpr std::size_t received = FixedCount<std::remove_cvref_t<R>>::value;
    return sent == 0 || received == 0 || sent == received;
}

} // namespace detail

/// If elements are combined, the sent and the received elements must have the same type.
template <class S, class R>
concept SameElements =
    !Scattered<S> && !Scattered<R> && (detail::is_in_place<S> || std::same_as<element_of<S>, element_of<R>>);
/// Also requires the same number of elements: each element of the result combines one element of every process.
template <class S, class R>
concept OneForOne = SameElements<S, R> && detail::may_be_as_many<S, R>();

class Collectives : public Messages {
public:
    using Messages::Messages;

    ANYMPI_CALLS result<void> barrier() const {
        ANYMPI_COMPARED_CALL(*this, MPI_Barrier);
        return detail::done();
    }
    [[nodiscard]] ANYMPI_CALLS auto ibarrier() const {
        return start(detail::forms::barrier, detail::BarrierShape{}, detail::None{}, detail::None{});
    }
    [[nodiscard]] ANYMPI_CALLS auto barrier_init(const Info& info = {}) const {
        return describe(detail::forms::barrier, detail::BarrierShape{}, detail::None{}, detail::None{}, info);
    }

    /// Every process gets the data of `root`.
    template <LastingReceiveBuffer R>
    ANYMPI_CALLS result<void> broadcast(R&& buffer, Root root) const {
        return complete(detail::forms::bcast, detail::BroadcastShape{root}, detail::None{}, buffer);
    }
    template <ReceiveBuffer R>
    ANYMPI_CALLS auto ibroadcast(R&& buffer, Root root) const {
        return start(detail::forms::bcast, detail::BroadcastShape{root}, detail::None{}, std::forward<R>(buffer));
    }
    template <ReceiveBuffer R>
    ANYMPI_CALLS auto broadcast_init(R&& buffer, Root root, const Info& info = {}) const {
        return describe(detail::forms::bcast, detail::BroadcastShape{root}, detail::None{}, std::forward<R>(buffer),
                        info);
    }

    /// Puts the result into `receive` at `root`. If `send` is `in_place`, every process has its data in `receive`.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R> ANYMPI_CALLS result<void> reduce(const S& send, R&& receive, const Op& op, Root root)
    const {
        return complete(detail::forms::reduce, detail::RootedReductionShape{detail::bind<element_of<R>>(op), root},
                        send, receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R> ANYMPI_CALLS auto ireduce(S&& send, R&& receive, const Op& op, Root root) const {
        return start(detail::forms::reduce, detail::RootedReductionShape{detail::bind<element_of<R>>(op), root},
                     std::forward<S>(send), std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R> ANYMPI_CALLS auto reduce_init(S&& send, R&& receive, const Op& op, Root root,
                                                              const Info& info = {}) const {
        return describe(detail::forms::reduce, detail::RootedReductionShape{detail::bind<element_of<R>>(op), root},
                        std::forward<S>(send), std::forward<R>(receive), info);
    }

    /// Every process gets the result.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires OneForOne<S, R> ANYMPI_CALLS result<void> allreduce(const S& send, R&& receive, const Op& op)
    const {
        return complete(detail::forms::allreduce, detail::ReductionShape{detail::bind<element_of<R>>(op)}, send,
                        receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires OneForOne<S, R> ANYMPI_CALLS auto iallreduce(S&& send, R&& receive, const Op& op) const {
        return start(detail::forms::allreduce, detail::ReductionShape{detail::bind<element_of<R>>(op)},
                     std::forward<S>(send), std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires OneForOne<S, R> ANYMPI_CALLS auto allreduce_init(S&& send, R&& receive, const Op& op,
                                                              const Info& info = {}) const {
        return describe(detail::forms::allreduce, detail::ReductionShape{detail::bind<element_of<R>>(op)},
                        std::forward<S>(send), std::forward<R>(receive), info);
    }

    /// Every process gets the result of all processes up to this one.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires OneForOne<S, R> ANYMPI_CALLS result<void> scan(const S& send, R&& receive, const Op& op)
    const {
        return complete(detail::forms::scan, detail::ReductionShape{detail::bind<element_of<R>>(op)}, send, receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires OneForOne<S, R> ANYMPI_CALLS auto iscan(S&& send, R&& receive, const Op& op) const {
        return start(detail::forms::scan, detail::ReductionShape{detail::bind<element_of<R>>(op)},
                     std::forward<S>(send), std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires OneForOne<S, R> ANYMPI_CALLS auto scan_init(S&& send, R&& receive, const Op& op,
                                                         const Info& info = {}) const {
        return describe(detail::forms::scan, detail::ReductionShape{detail::bind<element_of<R>>(op)},
                        std::forward<S>(send), std::forward<R>(receive), info);
    }

    /// Every process gets the result of all processes before this one. At the first process the buffer does not change.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires OneForOne<S, R> ANYMPI_CALLS result<void> exscan(const S& send, R&& receive, const Op& op)
    const {
        return complete(detail::forms::exscan, detail::ReductionShape{detail::bind<element_of<R>>(op)}, send, receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires OneForOne<S, R> ANYMPI_CALLS auto iexscan(S&& send, R&& receive, const Op& op) const {
        return start(detail::forms::exscan, detail::ReductionShape{detail::bind<element_of<R>>(op)},
                     std::forward<S>(send), std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires OneForOne<S, R> ANYMPI_CALLS auto exscan_init(S&& send, R&& receive, const Op& op,
                                                           const Info& info = {}) const {
        return describe(detail::forms::exscan, detail::ReductionShape{detail::bind<element_of<R>>(op)},
                        std::forward<S>(send), std::forward<R>(receive), info);
    }

    /// Every process gets an equal block of the result.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R> ANYMPI_CALLS result<void> reduce_scatter_block(const S& send, R&& receive, const Op& op)
    const {
        return complete(detail::forms::reduce_scatter_block,
                        detail::ReduceScatterBlockShape{detail::bind<element_of<R>>(op)}, send, receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R> ANYMPI_CALLS auto ireduce_scatter_block(S&& send, R&& receive, const Op& op) const {
        return start(detail::forms::reduce_scatter_block,
                     detail::ReduceScatterBlockShape{detail::bind<element_of<R>>(op)}, std::forward<S>(send),
                     std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R> ANYMPI_CALLS auto reduce_scatter_block_init(S&& send, R&& receive, const Op& op,
                                                                            const Info& info = {}) const {
        return describe(detail::forms::reduce_scatter_block,
                        detail::ReduceScatterBlockShape{detail::bind<element_of<R>>(op)}, std::forward<S>(send),
                        std::forward<R>(receive), info);
    }

    /// Every process gets a block of the result. The sizes of the blocks may differ.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R, PartSizes Counts, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R> ANYMPI_CALLS result<void> reduce_scatter(const S& send, R&& receive,
                                                                         const Counts& counts, const Op& op)
    const {
        return complete(detail::forms::reduce_scatter,
                        detail::ReduceScatterShape{detail::bind<element_of<R>>(op), Layout::packed(counts)}, send,
                        receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, PartSizes Counts, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R> ANYMPI_CALLS auto ireduce_scatter(S&& send, R&& receive, const Counts& counts,
                                                                  const Op& op) const {
        return start(detail::forms::reduce_scatter,
                     detail::ReduceScatterShape{detail::bind<element_of<R>>(op), Layout::packed(counts)},
                     std::forward<S>(send), std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R, PartSizes Counts, ReductionOf<element_of<R>> Op>
    requires SameElements<S, R> ANYMPI_CALLS auto reduce_scatter_init(S&& send, R&& receive, const Counts& counts,
                                                                      const Op& op, const Info& info = {}) const {
        return describe(detail::forms::reduce_scatter,
                        detail::ReduceScatterShape{detail::bind<element_of<R>>(op), Layout::packed(counts)},
                        std::forward<S>(send), std::forward<R>(receive), info);
    }

    /// `root` gets the blocks of all processes, in the order of ranks. At other processes the second buffer may be
    /// empty.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R>
    ANYMPI_CALLS result<void> gather(const S& send, R&& receive, Root root) const {
        return complete(detail::forms::gather, detail::GatherShape{{}, {}, root}, send, receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    ANYMPI_CALLS auto igather(S&& send, R&& receive, Root root) const {
        return start(detail::forms::gather, detail::GatherShape{{}, {}, root}, std::forward<S>(send),
                     std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    ANYMPI_CALLS auto gather_init(S&& send, R&& receive, Root root, const Info& info = {}) const {
        return describe(detail::forms::gather, detail::GatherShape{{}, {}, root}, std::forward<S>(send),
                        std::forward<R>(receive), info);
    }

    /// Every process gets the blocks of all processes, in the order of ranks.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R>
    ANYMPI_CALLS result<void> allgather(const S& send, R&& receive) const {
        return complete(detail::forms::allgather, detail::AllgatherShape{}, send, receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    ANYMPI_CALLS auto iallgather(S&& send, R&& receive) const {
        return start(detail::forms::allgather, detail::AllgatherShape{}, std::forward<S>(send),
                     std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    ANYMPI_CALLS auto allgather_init(S&& send, R&& receive, const Info& info = {}) const {
        return describe(detail::forms::allgather, detail::AllgatherShape{}, std::forward<S>(send),
                        std::forward<R>(receive), info);
    }

    /// Every process gets one block of the data of `root`. At the root the second buffer may be `in_place`.
    template <SendBuffer S, class R>
    requires(LastingReceiveBuffer<R> || detail::is_in_place<R>)
        ANYMPI_CALLS result<void> scatter(const S& send, R&& receive, Root root)
    const { return complete(detail::forms::scatter, detail::ScatterShape{{}, {}, root}, send, receive); }
    template <SendBuffer S, ReceiveBufferOrInPlace R>
    ANYMPI_CALLS auto iscatter(S&& send, R&& receive, Root root) const {
        return start(detail::forms::scatter, detail::ScatterShape{{}, {}, root}, std::forward<S>(send),
                     std::forward<R>(receive));
    }
    template <SendBuffer S, ReceiveBufferOrInPlace R>
    ANYMPI_CALLS auto scatter_init(S&& send, R&& receive, Root root, const Info& info = {}) const {
        return describe(detail::forms::scatter, detail::ScatterShape{{}, {}, root}, std::forward<S>(send),
                        std::forward<R>(receive), info);
    }

    /// Every process sends one block to each process.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R>
    ANYMPI_CALLS result<void> alltoall(const S& send, R&& receive) const {
        return complete(detail::forms::alltoall, detail::AlltoallShape{}, send, receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    ANYMPI_CALLS auto ialltoall(S&& send, R&& receive) const {
        return start(detail::forms::alltoall, detail::AlltoallShape{}, std::forward<S>(send), std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    ANYMPI_CALLS auto alltoall_init(S&& send, R&& receive, const Info& info = {}) const {
        return describe(detail::forms::alltoall, detail::AlltoallShape{}, std::forward<S>(send),
                        std::forward<R>(receive), info);
    }

    /// Blocks may differ in size. Only the root's layout is used.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R>
    ANYMPI_CALLS result<void> gatherv(const S& send, R&& receive, Layout layout, Root root) const {
        return complete(detail::forms::gatherv, detail::GathervShape{{}, {std::move(layout)}, root}, send, receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    ANYMPI_CALLS auto igatherv(S&& send, R&& receive, Layout layout, Root root) const {
        return start(detail::forms::gatherv, detail::GathervShape{{}, {std::move(layout)}, root}, std::forward<S>(send),
                     std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    ANYMPI_CALLS auto gatherv_init(S&& send, R&& receive, Layout layout, Root root, const Info& info = {}) const {
        return describe(detail::forms::gatherv, detail::GathervShape{{}, {std::move(layout)}, root},
                        std::forward<S>(send), std::forward<R>(receive), info);
    }

    /// Blocks may differ in size. Only the root's layout is used.
    template <SendBuffer S, class R>
    requires(LastingReceiveBuffer<R> || detail::is_in_place<R>)
        ANYMPI_CALLS result<void> scatterv(const S& send, R&& receive, Layout layout, Root root)
    const {
        return complete(detail::forms::scatterv, detail::ScattervShape{{std::move(layout)}, {}, root}, send, receive);
    }
    template <SendBuffer S, ReceiveBufferOrInPlace R>
    ANYMPI_CALLS auto iscatterv(S&& send, R&& receive, Layout layout, Root root) const {
        return start(detail::forms::scatterv, detail::ScattervShape{{std::move(layout)}, {}, root},
                     std::forward<S>(send), std::forward<R>(receive));
    }
    template <SendBuffer S, ReceiveBufferOrInPlace R>
    ANYMPI_CALLS auto scatterv_init(S&& send, R&& receive, Layout layout, Root root, const Info& info = {}) const {
        return describe(detail::forms::scatterv, detail::ScattervShape{{std::move(layout)}, {}, root},
                        std::forward<S>(send), std::forward<R>(receive), info);
    }

    /// Every process gets the blocks of all processes. Blocks may differ in size.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R>
    ANYMPI_CALLS result<void> allgatherv(const S& send, R&& receive, Layout layout) const {
        return complete(detail::forms::allgatherv, detail::AllgathervShape{{}, {std::move(layout)}}, send, receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    ANYMPI_CALLS auto iallgatherv(S&& send, R&& receive, Layout layout) const {
        return start(detail::forms::allgatherv, detail::AllgathervShape{{}, {std::move(layout)}}, std::forward<S>(send),
                     std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    ANYMPI_CALLS auto allgatherv_init(S&& send, R&& receive, Layout layout, const Info& info = {}) const {
        return describe(detail::forms::allgatherv, detail::AllgathervShape{{}, {std::move(layout)}},
                        std::forward<S>(send), std::forward<R>(receive), info);
    }

    /// Every process sends a block to each process. Blocks may differ in size.
    template <SendBufferOrInPlace S, LastingReceiveBuffer R>
    ANYMPI_CALLS result<void> alltoallv(const S& send, R&& receive, Layout sends, Layout receives) const {
        return complete(detail::forms::alltoallv, detail::AlltoallvShape{{std::move(sends)}, {std::move(receives)}},
                        send, receive);
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    ANYMPI_CALLS auto ialltoallv(S&& send, R&& receive, Layout sends, Layout receives) const {
        return start(detail::forms::alltoallv, detail::AlltoallvShape{{std::move(sends)}, {std::move(receives)}},
                     std::forward<S>(send), std::forward<R>(receive));
    }
    template <SendBufferOrInPlace S, ReceiveBuffer R>
    ANYMPI_CALLS auto alltoallv_init(S&& send, R&& receive, Layout sends, Layout receives,
                                     const Info& info = {}) const {
        return describe(detail::forms::alltoallv, detail::AlltoallvShape{{std::move(sends)}, {std::move(receives)}},
                        std::forward<S>(send), std::forward<R>(receive), info);
    }

    /// Every process sends to and receives from each process a buffer of any type.
    template <std::same_as<ReceiveBlocks> R = ReceiveBlocks>
    ANYMPI_CALLS result<void> alltoallw(const SendBlocks& sends, const R& receives) const {
        return complete(detail::forms::alltoallw, everyones(sends, receives), detail::None{}, detail::None{});
    }
    template <ReceiveBlocksOf R>
    ANYMPI_CALLS auto ialltoallw(const SendBlocks& sends, R&& receives) const {
        auto shape = everyones(sends, receives, std::is_lvalue_reference_v<R>);
        return start(detail::forms::alltoallw, std::move(shape), detail::None{}, std::forward<R>(receives));
    }
    template <ReceiveBlocksOf R>
    ANYMPI_CALLS auto alltoallw_init(const SendBlocks& sends, R&& receives, const Info& info = {}) const {
        auto shape = everyones(sends, receives, std::is_lvalue_reference_v<R>);
        if constexpr (!std::is_lvalue_reference_v<R>)
            receives.keep();
        return describe(detail::forms::alltoallw, std::move(shape), detail::None{}, std::forward<R>(receives), info);
    }

    // Operations on one value

    template <Receivable T>
    ANYMPI_CALLS result<T> broadcast_value(T value, Root root) const {
        ANYMPI_COMPARED_CALL(*this, MPI_Bcast_c, &value, 1, datatype<T>(), root.rank());
        return value;
    }
    template <Receivable T, ReductionOf<T> Op>
    ANYMPI_CALLS result<T> allreduce(const T& value, const Op& op) const {
        const auto bound = detail::bind<T>(op);
        T combined; // written by MPI
        ANYMPI_COMPARED_CALL(*this, MPI_Allreduce_c, &value, &combined, 1, bound.type(), bound.op);
        return combined;
    }
    /// Returns the result at `root`, and `value` at other processes.
    template <Receivable T, ReductionOf<T> Op>
    ANYMPI_CALLS result<T> reduce(const T& value, const Op& op, Root root) const {
        const auto bound = detail::bind<T>(op);
        T combined = value;
        ANYMPI_COMPARED_CALL(*this, MPI_Reduce_c, &value, &combined, 1, bound.type(), bound.op, root.rank());
        return combined;
    }
    template <Receivable T, ReductionOf<T> Op>
    ANYMPI_CALLS result<T> scan(const T& value, const Op& op) const {
        const auto bound = detail::bind<T>(op);
        T combined; // written by MPI
        ANYMPI_COMPARED_CALL(*this, MPI_Scan_c, &value, &combined, 1, bound.type(), bound.op);
        return combined;
    }
    /// Returns the result of all processes before this one. The first process gets `first`.
    template <Receivable T, ReductionOf<T> Op>
    ANYMPI_CALLS result<T> exscan(const T& value, const Op& op, std::type_identity_t<T> first = {}) const {
        const auto bound = detail::bind<T>(op);
        ANYMPI_COMPARED_CALL(*this, MPI_Exscan_c, &value, &first, 1, bound.type(), bound.op);
        return first;
    }

private:
    template <class R>
    static detail::AlltoallwShape everyones(const SendBlocks& sends, const R& receives, bool stay_reachable = false) {
        using Side = detail::AlltoallwShape::Side;
        return {Side(sends), Side(receives), stay_reachable && receives.has_given()};
    }
};

/// Combines two local buffers in the same way as a reduction: receive = send (op) receive.
template <SendBuffer S, LastingReceiveBuffer R, ReductionOf<element_of<R>> Op>
requires SameElements<S, R> ANYMPI_CALLS result<void> reduce_local(const S& send, R&& receive, const Op& op) {
    const detail::ReadView from = detail::reading(send);
    const detail::WriteView into = detail::writing(receive);
    const auto bound = detail::bind<element_of<R>>(op);
    if (from.count != into.count)
        ANYMPI_FAIL((detail::Fault{MPI_ERR_COUNT, detail::not_as_many}), "MPI_Reduce_local", detail::Nowhere{});
    ANYMPI_CALL(detail::Nowhere{}, MPI_Reduce_local_c, from.data, into.data, into.count, bound.type(), bound.op);
    return detail::done();
}

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
