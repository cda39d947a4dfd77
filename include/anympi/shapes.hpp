// The arguments of collective operations, and what buffers must be like for each. See launch.hpp.
#ifndef ANYMPI_SHAPES_HPP
#define ANYMPI_SHAPES_HPP

#include "launch.hpp"
#include "layout.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {
namespace detail {

inline constexpr const char* uneven = "the buffer does not hold the same number of elements for each process";
inline constexpr const char* too_small = "the buffer is too small for what the processes send";
inline constexpr const char* not_as_many = "both buffers must hold the same number of elements";
inline constexpr const char* not_as_many_each =
    "what is sent to a process is not as much as the buffer has room for from each";
inline constexpr const char* wrong_parts = "one count for each process is needed";

inline bool is_inter(MPI_Comm comm) {
    int inter = 0;
    MPI_Comm_test_inter(comm, &inter);
    return inter != 0;
}
/// With how many processes each one exchanges data.
inline int peers(MPI_Comm comm) {
    int size = 0;
    if (is_inter(comm))
        MPI_Comm_remote_size(comm, &size);
    else
        MPI_Comm_size(comm, &size);
    return size;
}
inline bool is_root(MPI_Comm comm, int root) {
    if (root == MPI_ROOT || root == MPI_PROC_NULL)
        return root == MPI_ROOT;
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank == root && !is_inter(comm);
}
/// A null communicator, or one of a finalized library: the call itself reports it, so there is nothing to look at
/// before.
inline bool unusable(MPI_Comm comm) {
    return comm == MPI_COMM_NULL;
}

struct BarrierShape {
    static constexpr bool must_last = false;
    template <class Invoke>
    Fault call(MPI_Comm, const None&, None&, Invoke invoke) const {
        return invoke();
    }
};

struct BroadcastShape {
    static constexpr bool must_last = false;
    int root;
    template <class B, class Invoke>
    Fault call(MPI_Comm, const None&, B& buffer, Invoke invoke) const {
        const WriteView view = writing(buffer);
        return invoke(view.data, view.count, view.type, root);
    }
};

/// One element of every process for one of the result: allreduce, scan, exscan; with a root reduce.
template <class Op>
struct ReductionShape {
    static constexpr bool must_last = std::is_same_v<Op, BoundOp>;
    Op bound;
    template <class S, class R, class Invoke>
    Fault call(MPI_Comm, const S& send, R& receive, Invoke invoke) const {
        const ReadView from = reading(send);
        const WriteView into = writing(receive);
        if (!is_in_place<S> && from.count != into.count)
            return {MPI_ERR_COUNT, not_as_many};
        return invoke(from.data, into.data, into.count, bound.type, bound.op);
    }
};
template <class Op>
ReductionShape(Op) -> ReductionShape<Op>;
template <class Op>
struct RootedReductionShape {
    static constexpr bool must_last = std::is_same_v<Op, BoundOp>;
    Op bound;
    int root;
    template <class S, class R, class Invoke>
    Fault call(MPI_Comm comm, const S& send, R& receive, Invoke invoke) const {
        const ReadView from = reading(send);
        const WriteView into = writing(receive);
        if (unusable(comm))
            return MPI_ERR_COMM;
        if constexpr (is_in_place<S>) {
            // Only the root has its data in the result; the others have it nowhere else.
            if (!is_root(comm, root))
                return invoke(into.data, nullptr, into.count, bound.type, bound.op, root);
            return invoke(from.data, into.data, into.count, bound.type, bound.op, root);
        } else {
            const bool at_root = is_root(comm, root);
            if (at_root && root != MPI_ROOT && into.count != from.count)
                return {MPI_ERR_COUNT, not_as_many};
            return invoke(from.data, into.data, root == MPI_ROOT ? into.count : from.count, bound.type, bound.op, root);
        }
    }
};
template <class Op>
RootedReductionShape(Op, int) -> RootedReductionShape<Op>;
template <class Op>
struct ReduceScatterBlockShape {
    static constexpr bool must_last = std::is_same_v<Op, BoundOp>;
    Op bound;
    template <class S, class R, class Invoke>
    Fault call(MPI_Comm comm, const S& send, R& receive, Invoke invoke) const {
        const ReadView from = reading(send);
        const WriteView into = writing(receive);
        if (unusable(comm))
            return MPI_ERR_COMM;
        int size = 0;
        MPI_Comm_size(comm, &size);
        // In place, all blocks are where the result goes.
        const MPI_Count all = is_in_place<S> ? into.count : from.count;
        const MPI_Count block = all / size;
        if (all % size != 0)
            return {MPI_ERR_COUNT, uneven};
        if (into.count < block)
            return {MPI_ERR_COUNT, too_small};
        return invoke(from.data, into.data, block, bound.type, bound.op);
    }
};
template <class Op>
ReduceScatterBlockShape(Op) -> ReduceScatterBlockShape<Op>;
template <class Op>
struct ReduceScatterShape {
    static constexpr bool must_last = true;
    Op bound;
    std::vector<MPI_Count> counts;
    template <class S, class R, class Invoke>
    Fault call(MPI_Comm comm, const S& send, R& receive, Invoke invoke) const {
        const ReadView from = reading(send);
        const WriteView into = writing(receive);
        if (unusable(comm))
            return MPI_ERR_COMM;
        int size = 0, rank = 0;
        MPI_Comm_size(comm, &size);
        MPI_Comm_rank(comm, &rank);
        if (counts.size() != static_cast<std::size_t>(size))
            return {MPI_ERR_COUNT, wrong_parts};
        MPI_Count total = 0;
        for (const MPI_Count count : counts)
            total += count;
        if ((is_in_place<S> ? into.count : from.count) < total || into.count < counts[static_cast<std::size_t>(rank)])
            return {MPI_ERR_COUNT, too_small};
        return invoke(from.data, into.data, counts.data(), bound.type, bound.op);
    }
};
template <class Op>
ReduceScatterShape(Op, std::vector<MPI_Count>) -> ReduceScatterShape<Op>;

/// Equal blocks. `Peers` says with how many processes: all of a communicator, or the neighbours.
enum class Blocks { whole, per_process };
template <Blocks Sends, Blocks Receives>
struct BlockShape {
    static constexpr bool must_last = false;
    int senders = -1, receivers = -1; // neighbours; else the processes of the communicator
    template <class S, class R, class Invoke>
    Fault call(MPI_Comm comm, const S& send, R& receive, Invoke invoke) const {
        ReadView from = reading(send);
        WriteView into = writing(receive);
        if (unusable(comm))
            return MPI_ERR_COMM;
        const int from_them = senders < 0 ? peers(comm) : senders, to_them = receivers < 0 ? peers(comm) : receivers;
        if (!divide<Sends>(from.count, to_them) || !divide<Receives>(into.count, from_them))
            return {MPI_ERR_COUNT, uneven};
        if (!is_in_place<S> && from.count != into.count && from.type == into.type && !is_inter(comm))
            return {MPI_ERR_COUNT, not_as_many_each};
        return invoke(from.data, from.count, from.type, into.data, into.count, into.type);
    }
    template <Blocks How>
    static bool divide(MPI_Count& count, int parts) {
        if (How == Blocks::whole || parts == 0)
            return true;
        const bool even = count % parts == 0;
        count /= parts;
        return even;
    }
};
using AllgatherShape = BlockShape<Blocks::whole, Blocks::per_process>;
using AlltoallShape = BlockShape<Blocks::per_process, Blocks::per_process>;

struct GatherShape {
    static constexpr bool must_last = false;
    int root;
    template <class S, class R, class Invoke>
    Fault call(MPI_Comm comm, const S& send, R& receive, Invoke invoke) const {
        const ReadView from = reading(send);
        WriteView into = writing(receive);
        if (unusable(comm))
            return MPI_ERR_COMM;
        if (is_root(comm, root)) {
            const int parts = peers(comm);
            if (into.count % parts != 0)
                return {MPI_ERR_COUNT, uneven};
            into.count /= parts;
            if (!is_in_place<S> && root != MPI_ROOT && into.count < from.count && into.type == from.type)
                return {MPI_ERR_COUNT, too_small};
        }
        return invoke(from.data, from.count, from.type, into.data, into.count, into.type, root);
    }
};
struct ScatterShape {
    static constexpr bool must_last = false;
    int root;
    template <class S, class R, class Invoke>
    Fault call(MPI_Comm comm, const S& send, R& receive, Invoke invoke) const {
        ReadView from = reading(send);
        const WriteView into = writing(receive);
        if (unusable(comm))
            return MPI_ERR_COMM;
        if (is_root(comm, root)) {
            const int parts = peers(comm);
            if (from.count % parts != 0)
                return {MPI_ERR_COUNT, uneven};
            from.count /= parts;
            if (!is_in_place<R> && root != MPI_ROOT && into.count < from.count && into.type == from.type)
                return {MPI_ERR_COUNT, too_small};
        }
        return invoke(from.data, from.count, from.type, into.data, into.count, into.type, root);
    }
};

inline Fault check_layout(const Layout& layout, int parts, MPI_Count held) {
    if (layout.parts() != static_cast<std::size_t>(parts))
        return {MPI_ERR_COUNT, wrong_parts};
    return layout.reach() > held ? Fault{MPI_ERR_COUNT, too_small} : Fault{MPI_SUCCESS};
}

// Blocks of different sizes.
struct GathervShape {
    static constexpr bool must_last = true;
    Layout layout;
    int root;
    template <class S, class R, class Invoke>
    Fault call(MPI_Comm comm, const S& send, R& receive, Invoke invoke) const {
        const ReadView from = reading(send);
        const WriteView into = writing(receive);
        if (unusable(comm))
            return MPI_ERR_COMM;
        if (is_root(comm, root))
            if (const Fault fault = check_layout(layout, peers(comm), into.count))
                return fault;
        return invoke(from.data, from.count, from.type, into.data, layout.counts().data(),
                      layout.displacements().data(), into.type, root);
    }
};
struct ScattervShape {
    static constexpr bool must_last = true;
    Layout layout;
    int root;
    template <class S, class R, class Invoke>
    Fault call(MPI_Comm comm, const S& send, R& receive, Invoke invoke) const {
        const ReadView from = reading(send);
        const WriteView into = writing(receive);
        if (unusable(comm))
            return MPI_ERR_COMM;
        if (is_root(comm, root))
            if (const Fault fault = check_layout(layout, peers(comm), from.count))
                return fault;
        return invoke(from.data, layout.counts().data(), layout.displacements().data(), from.type, into.data,
                      into.count, into.type, root);
    }
};
struct AllgathervShape {
    static constexpr bool must_last = true;
    Layout layout;
    int senders = -1;
    template <class S, class R, class Invoke>
    Fault call(MPI_Comm comm, const S& send, R& receive, Invoke invoke) const {
        const ReadView from = reading(send);
        const WriteView into = writing(receive);
        if (unusable(comm))
            return MPI_ERR_COMM;
        if (const Fault fault = check_layout(layout, senders < 0 ? peers(comm) : senders, into.count))
            return fault;
        return invoke(from.data, from.count, from.type, into.data, layout.counts().data(),
                      layout.displacements().data(), into.type);
    }
};
struct AlltoallvShape {
    static constexpr bool must_last = true;
    Layout sends, receives;
    int senders = -1, receivers = -1;
    template <class S, class R, class Invoke>
    Fault call(MPI_Comm comm, const S& send, R& receive, Invoke invoke) const {
        const ReadView from = reading(send);
        const WriteView into = writing(receive);
        if (unusable(comm))
            return MPI_ERR_COMM;
        if constexpr (!is_in_place<S>)
            if (const Fault fault = check_layout(sends, receivers < 0 ? peers(comm) : receivers, from.count))
                return fault;
        if (const Fault fault = check_layout(receives, senders < 0 ? peers(comm) : senders, into.count))
            return fault;
        return invoke(from.data, sends.counts().data(), sends.displacements().data(), from.type, into.data,
                      receives.counts().data(), receives.displacements().data(), into.type);
    }
};

/// A buffer of its own for each process: displacements are addresses.
struct AlltoallwShape {
    static constexpr bool must_last = true;
    struct Side {
        std::vector<MPI_Count> counts;
        std::vector<MPI_Aint> places;
        std::vector<MPI_Datatype> types;
        template <class Views>
        explicit Side(const Views& views) {
            for (const auto& view : views) {
                MPI_Aint place = 0;
                MPI_Get_address(view.data, &place);
                counts.push_back(view.count);
                places.push_back(place);
                types.push_back(view.type);
            }
        }
    };
    Side sends, receives;
    int senders = -1, receivers = -1;
    template <class Invoke>
    Fault call(MPI_Comm comm, const None&, None&, Invoke invoke) const {
        if (unusable(comm))
            return MPI_ERR_COMM;
        const auto wanted = [&](int neighbours) {
            return static_cast<std::size_t>(neighbours < 0 ? peers(comm) : neighbours);
        };
        if (sends.counts.size() != wanted(receivers) || receives.counts.size() != wanted(senders))
            return {MPI_ERR_COUNT, "one buffer for each process is needed"};
        return invoke(static_cast<const void*>(MPI_BOTTOM), sends.counts.data(), sends.places.data(),
                      sends.types.data(), static_cast<void*>(MPI_BOTTOM), receives.counts.data(),
                      receives.places.data(), receives.types.data());
    }
};

} // namespace detail
} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
