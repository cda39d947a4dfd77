// The arguments of collective operations, and what buffers must be like for each. See launch.hpp.
#ifndef ANYMPI_SHAPES_HPP
#define ANYMPI_SHAPES_HPP

#include "launch.hpp"
#include "layout.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {
namespace detail {

inline constexpr const char* uneven = "the buffer does not hold the same number of elements for each process";
inline constexpr const char* not_as_many = "both buffers must hold the same number of elements";
inline constexpr const char* not_as_many_each =
    "what is sent to a process is not as much as the buffer has room for from each";

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

struct BarrierShape {
    template <class Invoke>
    Fault call(MPI_Comm, ReadView, WriteView, Invoke invoke) const {
        return invoke();
    }
};

struct BroadcastShape {
    int root;
    template <class Invoke>
    Fault call(MPI_Comm, ReadView, WriteView buffer, Invoke invoke) const {
        return invoke(buffer.data, buffer.count, buffer.type, root);
    }
};

// Elements are combined.

/// One element of every process for one of the result: allreduce, scan, exscan.
template <class Op>
struct ReductionShape {
    static constexpr bool must_last = std::is_same_v<Op, BoundOp>;
    Op bound;
    template <class Invoke>
    Fault call(MPI_Comm, ReadView from, WriteView into, Invoke invoke) const {
        if (!from.is_in_place() && from.count != into.count)
            return {MPI_ERR_COUNT, not_as_many};
        return invoke(from.data, into.data, into.count, bound.type, bound.op);
    }
};
template <class Op>
ReductionShape(Op) -> ReductionShape<Op>;

/// The same with a root: reduce.
template <class Op>
struct RootedReductionShape {
    static constexpr bool must_last = std::is_same_v<Op, BoundOp>;
    Op bound;
    int root;
    template <class Invoke>
    Fault call(MPI_Comm comm, ReadView from, WriteView into, Invoke invoke) const {
        const bool at_root = is_root(comm, root);
        if (from.is_in_place()) {
            // Only the root has its data in the result; the others have it nowhere else.
            const void* data = at_root ? from.data : into.data;
            return invoke(data, at_root ? into.data : nullptr, into.count, bound.type, bound.op, root);
        }
        if (at_root && root != MPI_ROOT && into.count != from.count)
            return {MPI_ERR_COUNT, not_as_many};
        return invoke(from.data, into.data, root == MPI_ROOT ? into.count : from.count, bound.type, bound.op, root);
    }
};
template <class Op>
RootedReductionShape(Op, int) -> RootedReductionShape<Op>;

template <class Op>
struct ReduceScatterBlockShape {
    static constexpr bool must_last = std::is_same_v<Op, BoundOp>;
    Op bound;
    template <class Invoke>
    Fault call(MPI_Comm comm, ReadView from, WriteView into, Invoke invoke) const {
        int size = 0;
        MPI_Comm_size(comm, &size);
        // In place, all blocks are where the result goes.
        const MPI_Count all = from.is_in_place() ? into.count : from.count;
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
    Layout parts;
    template <class Invoke>
    Fault call(MPI_Comm comm, ReadView from, WriteView into, Invoke invoke) const {
        int size = 0, rank = 0;
        MPI_Comm_size(comm, &size);
        MPI_Comm_rank(comm, &rank);
        if (const Fault fault = parts.check(size, from.is_in_place() ? into.count : from.count))
            return fault;
        if (into.count < parts.counts()[static_cast<std::size_t>(rank)])
            return {MPI_ERR_COUNT, too_small};
        return invoke(from.data, into.data, parts.counts().data(), bound.type, bound.op);
    }
};
template <class Op>
ReduceScatterShape(Op, Layout) -> ReduceScatterShape<Op>;

// Elements are moved. Each *side* of such an operation is a whole buffer, or equal blocks, or parts of a layout, one
// for each process: it checks that the buffer fits, and passes the arguments on that MPI takes for it.

struct Whole {
    static constexpr bool must_last = false, equal = true;
    static Fault check(MPI_Count&, int) { return MPI_SUCCESS; }
    template <class View, class Next>
    Fault pass(const View& view, Next next) const {
        return next(view.data, view.count, view.type);
    }
};
struct Blocks : Whole {
    /// `count` is then that of one block.
    static Fault check(MPI_Count& count, int parts) {
        if (parts == 0)
            return MPI_SUCCESS;
        const bool even = count % parts == 0;
        count /= parts;
        return even ? Fault{MPI_SUCCESS} : Fault{MPI_ERR_COUNT, uneven};
    }
};
struct Parts {
    static constexpr bool must_last = true, equal = false;
    Layout layout;
    Fault check(MPI_Count count, int parts) const { return layout.check(parts, count); }
    template <class View, class Next>
    Fault pass(const View& view, Next next) const {
        return next(view.data, layout.counts().data(), layout.displacements().data(), view.type);
    }
};

/// Whether blocks of both buffers are of one size. Only sizes of one datatype can be compared.
template <class Sends, class Receives>
Fault compare_blocks(const ReadView& from, const WriteView& into) {
    const bool differ = Sends::equal && Receives::equal && !from.is_in_place() && !into.is_in_place() &&
                        from.type == into.type && from.count != into.count;
    return differ ? Fault{MPI_ERR_COUNT, not_as_many_each} : Fault{MPI_SUCCESS};
}
template <class Sends, class Receives, class Invoke, class... Root>
Fault pass_both(const Sends& sends, const ReadView& from, const Receives& receives, const WriteView& into,
                Invoke invoke, Root... root) {
    return sends.pass(from, [&](auto... sent) {
        return receives.pass(into, [&](auto... received) -> Fault { return invoke(sent..., received..., root...); });
    });
}

/// Everybody sends, everybody receives.
template <class Sends, class Receives>
struct ExchangeShape {
    static constexpr bool must_last = Sends::must_last || Receives::must_last;
    Sends sends;
    Receives receives;
    int senders = -1, receivers = -1; // neighbours; else the processes of the communicator
    template <class Invoke>
    Fault call(MPI_Comm comm, ReadView from, WriteView into, Invoke invoke) const {
        if (!from.is_in_place())
            if (const Fault fault = sends.check(from.count, receivers < 0 ? peers(comm) : receivers))
                return fault;
        if (const Fault fault = receives.check(into.count, senders < 0 ? peers(comm) : senders))
            return fault;
        if (const Fault fault = compare_blocks<Sends, Receives>(from, into); fault && !is_inter(comm))
            return fault;
        return pass_both(sends, from, receives, into, invoke);
    }
};
using AllgatherShape = ExchangeShape<Whole, Blocks>;
using AlltoallShape = ExchangeShape<Blocks, Blocks>;
using AllgathervShape = ExchangeShape<Whole, Parts>;
using AlltoallvShape = ExchangeShape<Parts, Parts>;

/// One side is at the root alone.
template <class Sends, class Receives>
struct RootedShape {
    static constexpr bool must_last = Sends::must_last || Receives::must_last;
    Sends sends;
    Receives receives;
    int root;
    template <class Invoke>
    Fault call(MPI_Comm comm, ReadView from, WriteView into, Invoke invoke) const {
        if (is_root(comm, root)) {
            const int parts = peers(comm);
            if (const Fault fault = sends.check(from.count, parts))
                return fault;
            if (const Fault fault = receives.check(into.count, parts))
                return fault;
            if (const Fault fault = compare_blocks<Sends, Receives>(from, into); fault && root != MPI_ROOT)
                return fault;
        }
        return pass_both(sends, from, receives, into, invoke, root);
    }
};
using GatherShape = RootedShape<Whole, Blocks>;
using ScatterShape = RootedShape<Blocks, Whole>;
using GathervShape = RootedShape<Whole, Parts>;
using ScattervShape = RootedShape<Parts, Whole>;

/// A buffer of its own for each process: displacements are addresses.
struct AlltoallwShape {
    static constexpr bool must_last = true;
    struct Side {
        std::vector<MPI_Count> counts;
        std::vector<MPI_Aint> places;
        std::vector<MPI_Datatype> types;
        std::vector<Keep> keeps; // buffers that were given away
        template <class Blocks>
        explicit Side(const Blocks& blocks) : keeps(blocks.keeps()) {
            for (const auto& view : blocks.views()) {
                MPI_Aint place = 0;
                MPI_Get_address(view.data, &place);
                counts.push_back(view.count);
                places.push_back(place);
                types.push_back(view.type);
            }
        }
    };
    Side sends, receives;
    bool exposed = false; // a received container would be within reach before the request is complete
    int senders = -1, receivers = -1;
    template <class Invoke>
    Fault call(MPI_Comm comm, ReadView, WriteView, Invoke invoke) const {
        if (exposed)
            return {MPI_ERR_BUFFER, "blocks that own buffers must be moved into the request"};
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
