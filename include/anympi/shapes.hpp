// The arguments of collective operations, and the checks of their buffers. See launch.hpp.
#ifndef ANYMPI_SHAPES_HPP
#define ANYMPI_SHAPES_HPP

#include "launch.hpp"
#include "layout.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {
namespace detail {

inline constexpr const char* uneven = "the buffer does not hold the same number of elements for each process";
inline constexpr const char* not_as_many = "both buffers must hold the same number of elements";
inline constexpr const char* not_as_many_each = "the blocks to send and the blocks to receive differ in size";

/// The processes with which this process exchanges data.
struct Company {
    int peers = 0;         // processes of the communicator, or of the other group
    bool is_inter = false; // there is another group
    bool at_root = false;  // this process is the root
};
inline Fault find_company(MPI_Comm comm, Company& company, int root = MPI_PROC_NULL) {
    int inter = 0, rank = MPI_PROC_NULL;
    int code = MPI_Comm_test_inter(comm, &inter);
    if (code == MPI_SUCCESS)
        code = inter ? MPI_Comm_remote_size(comm, &company.peers) : MPI_Comm_size(comm, &company.peers);
    if (code == MPI_SUCCESS && root >= 0 && !inter)
        code = MPI_Comm_rank(comm, &rank);
    company.is_inter = inter != 0;
    company.at_root = root == MPI_ROOT || (root >= 0 && rank == root);
    return code;
}

struct BarrierShape {
    static constexpr bool is_collective = true;
    template <class Invoke>
    Fault call(MPI_Comm, ReadView, WriteView, Invoke invoke) const {
        return invoke();
    }
};

struct BroadcastShape {
    static constexpr bool is_collective = true;
    Root root;
    template <class Invoke>
    Fault call(MPI_Comm, ReadView, WriteView buffer, Invoke invoke) const {
        return invoke(buffer.data, buffer.count, buffer.type, root.rank());
    }
};

// Operations that combine elements.

/// Each element of the result combines one element of every process: allreduce, scan, exscan.
template <class Op>
struct ReductionShape {
    static constexpr bool is_collective = true;
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

/// Does the same with a root: reduce.
template <class Op>
struct RootedReductionShape {
    static constexpr bool is_collective = true;
    static constexpr bool must_last = std::is_same_v<Op, BoundOp>;
    Op bound;
    Root root;
    template <class Invoke>
    Fault call(MPI_Comm comm, ReadView from, WriteView into, Invoke invoke) const {
        Company company;
        if (const Fault fault = find_company(comm, company, root.rank()))
            return fault;
        if (from.is_in_place()) {
            // In place, the root has its data in the receive buffer; the other processes have no other buffer.
            const void* data = company.at_root ? from.data : into.data;
            return invoke(data, company.at_root ? into.data : nullptr, into.count, bound.type, bound.op, root.rank());
        }
        if (company.at_root && root.rank() != MPI_ROOT && into.count != from.count)
            return {MPI_ERR_COUNT, not_as_many};
        return invoke(from.data, into.data, root.rank() == MPI_ROOT ? into.count : from.count, bound.type, bound.op,
                      root.rank());
    }
};
template <class Op>
RootedReductionShape(Op, Root) -> RootedReductionShape<Op>;

template <class Op>
struct ReduceScatterBlockShape {
    static constexpr bool is_collective = true;
    static constexpr bool must_last = std::is_same_v<Op, BoundOp>;
    Op bound;
    template <class Invoke>
    Fault call(MPI_Comm comm, ReadView from, WriteView into, Invoke invoke) const {
        int size = 0;
        if (const int code = MPI_Comm_size(comm, &size); code != MPI_SUCCESS)
            return code;
        // In place, the receive buffer has all blocks.
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
    static constexpr bool is_collective = true;
    static constexpr bool must_last = true;
    Op bound;
    Layout parts;
    template <class Invoke>
    Fault call(MPI_Comm comm, ReadView from, WriteView into, Invoke invoke) const {
        int size = 0, rank = 0;
        if (const int code = MPI_Comm_size(comm, &size); code != MPI_SUCCESS)
            return code;
        if (const int code = MPI_Comm_rank(comm, &rank); code != MPI_SUCCESS)
            return code;
        if (const Fault fault = parts.check(size, from.is_in_place() ? into.count : from.count))
            return fault;
        if (into.count < parts.counts()[static_cast<std::size_t>(rank)])
            return {MPI_ERR_COUNT, too_small};
        return invoke(from.data, into.data, parts.passed_counts(), bound.type, bound.op);
    }
};
template <class Op>
ReduceScatterShape(Op, Layout) -> ReduceScatterShape<Op>;

// Operations that move elements. Each *side* of such an operation is a whole buffer, or equal blocks, or parts of a
// layout (one for each process). A side checks that the buffer fits, and passes on the arguments that MPI takes for it.

struct Whole {
    static constexpr bool must_last = false, equal = true;
    static Fault check(MPI_Count&, int) { return MPI_SUCCESS; }
    template <class View, class Next>
    Fault pass(const View& view, Next next) const {
        return next(view.data, view.count, view.type);
    }
};
struct Blocks : Whole {
    /// Divides `count` by the number of blocks.
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
        return next(view.data, layout.passed_counts(), layout.passed_displacements(), view.type);
    }
};

/// Returns an error if the blocks of both buffers differ in size. Only sizes of the same datatype can be compared.
template <class Sends, class Receives>
Fault compare_blocks(const ReadView& from, const WriteView& into) {
    const bool differ = Sends::equal && Receives::equal && !from.is_in_place() && !into.is_in_place() &&
                        from.type == into.type && from.count != into.count;
    return differ ? Fault{MPI_ERR_COUNT, not_as_many_each} : Fault{MPI_SUCCESS};
}
/// If a process has no peers on one side, its block there gets the size of the block on the other side: Open MPI does
/// nothing at all if the block has no elements.
inline void fill_empty_side(ReadView& from, int out, WriteView& into, int in) {
    static char nothing; // never accessed; some libraries refuse a null pointer
    if (out == 0)
        from = {&nothing, into.count, into.type};
    else if (in == 0)
        into = {&nothing, from.count, from.type};
}
template <class Sends, class Receives, class Invoke, class... Root>
Fault pass_both(const Sends& sends, const ReadView& from, const Receives& receives, const WriteView& into,
                Invoke invoke, Root... root) {
    return sends.pass(from, [&](auto... sent) {
        return receives.pass(into, [&](auto... received) -> Fault { return invoke(sent..., received..., root...); });
    });
}

/// The numbers of neighbors of a process in a topology.
struct Neighborhood {
    int in = -1, out = -1; // -1: as many as processes in the communicator
    Fault fault = MPI_SUCCESS;
};

/// Every process sends and receives.
template <class Sends, class Receives>
struct ExchangeShape {
    static constexpr bool is_collective = true;
    static constexpr bool must_last = Sends::must_last || Receives::must_last;
    Sends sends;
    Receives receives;
    Neighborhood neighbors{};
    template <class Invoke>
    Fault call(MPI_Comm comm, ReadView from, WriteView into, Invoke invoke) const {
        Company company;
        if (const Fault fault = neighbors.fault ? neighbors.fault : find_company(comm, company))
            return fault;
        const int out = neighbors.out < 0 ? company.peers : neighbors.out;
        const int in = neighbors.in < 0 ? company.peers : neighbors.in;
        if (!from.is_in_place())
            if (const Fault fault = sends.check(from.count, out))
                return fault;
        if (const Fault fault = receives.check(into.count, in))
            return fault;
        if constexpr (Sends::equal && Receives::equal)
            fill_empty_side(from, out, into, in);
        if (const Fault fault = compare_blocks<Sends, Receives>(from, into); fault && !company.is_inter)
            return fault;
        return pass_both(sends, from, receives, into, invoke);
    }
};
using AllgatherShape = ExchangeShape<Whole, Blocks>;
using AlltoallShape = ExchangeShape<Blocks, Blocks>;
using AllgathervShape = ExchangeShape<Whole, Parts>;
using AlltoallvShape = ExchangeShape<Parts, Parts>;

/// Only the root uses one side.
template <class Sends, class Receives>
struct RootedShape {
    static constexpr bool is_collective = true;
    static constexpr bool must_last = Sends::must_last || Receives::must_last;
    Sends sends;
    Receives receives;
    Root root;
    template <class Invoke>
    Fault call(MPI_Comm comm, ReadView from, WriteView into, Invoke invoke) const {
        Company company;
        if (const Fault fault = find_company(comm, company, root.rank()))
            return fault;
        if (company.at_root) {
            if (const Fault fault = sends.check(from.count, company.peers))
                return fault;
            if (const Fault fault = receives.check(into.count, company.peers))
                return fault;
            if (const Fault fault = compare_blocks<Sends, Receives>(from, into); fault && root.rank() != MPI_ROOT)
                return fault;
        } else if (from.is_in_place() || into.is_in_place()) { // libraries differ: some wait forever
            return {MPI_ERR_BUFFER, "only the root may use in_place"};
        }
        return pass_both(sends, from, receives, into, invoke, root.rank());
    }
};
using GatherShape = RootedShape<Whole, Blocks>;
using ScatterShape = RootedShape<Blocks, Whole>;
using GathervShape = RootedShape<Whole, Parts>;
using ScattervShape = RootedShape<Parts, Whole>;

#if ANYMPI_SMALL_COUNTS
/// Puts the address and the count of a buffer into its datatype, since displacements are int without large counts.
inline Fault put_into_type(MPI_Count& count, MPI_Aint& place, MPI_Datatype& type, std::vector<Keep>& keeps) {
    if (!fits_int(count))
        return shared::too_large;
    const int length = static_cast<int>(count);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    int code = MPI_Type_create_hindexed(1, &length, &place, type, &made);
    if (code == MPI_SUCCESS)
        code = MPI_Type_commit(&made);
    if (code != MPI_SUCCESS)
        return code;
    keeps.push_back(std::make_shared<Datatype>(made, true));
    count = 1;
    place = 0;
    type = made;
    return MPI_SUCCESS;
}
#else
inline Fault put_into_type(const MPI_Count&, const MPI_Aint&, const MPI_Datatype&, const std::vector<Keep>&) {
    return MPI_SUCCESS;
}
#endif

/// Each process has its own buffer; displacements are addresses.
struct AlltoallwShape {
    static constexpr bool is_collective = true;
    static constexpr bool must_last = true;
    struct Side {
        std::vector<MPI_Count> counts;
        std::vector<MPI_Aint> places;
        std::vector<MPI_Datatype> types;
        std::vector<Keep> keeps; // buffers that were given away
        bool borrows;            // some buffers are borrowed
        Fault fault = MPI_SUCCESS;
        [[no_unique_address]] shared::SmallNumbers small_counts, small_places;
        template <class Blocks>
        explicit Side(const Blocks& blocks) : keeps(blocks.keeps()), borrows(blocks.borrows()) {
            for (const auto& view : blocks.views()) {
                MPI_Aint place = 0;
                if (const int code = MPI_Get_address(view.data, &place); code != MPI_SUCCESS)
                    fault = code;
                MPI_Count count = view.count;
                MPI_Datatype type = view.type;
                if (const Fault no_type = put_into_type(count, place, type, keeps))
                    fault = no_type;
                counts.push_back(count);
                places.push_back(place);
                types.push_back(type);
            }
            small_counts = shared::SmallNumbers(counts);
            small_places = shared::SmallNumbers(places);
        }
        [[nodiscard]] auto passed_counts() const noexcept { return shared::passed(counts, small_counts); }
        [[nodiscard]] auto passed_places() const noexcept { return shared::passed(places, small_places); }
    };
    Side sends, receives;
    bool exposed = false; // the program could access a received container before the request is complete
    Neighborhood neighbors{};
    [[nodiscard]] bool borrows() const noexcept { return sends.borrows || receives.borrows; }
    template <class Invoke>
    Fault call(MPI_Comm comm, ReadView, WriteView, Invoke invoke) const {
        for (const Fault& fault : {sends.fault, receives.fault, neighbors.fault})
            if (fault)
                return fault;
        if (exposed)
            return {MPI_ERR_BUFFER, "blocks that own buffers must be moved into the request"};
        Company company;
        if (const Fault fault = find_company(comm, company))
            return fault;
        const auto wanted = [&](int known) { return static_cast<std::size_t>(known < 0 ? company.peers : known); };
        if (sends.counts.size() != wanted(neighbors.out) || receives.counts.size() != wanted(neighbors.in))
            return {MPI_ERR_COUNT, "one buffer for each process is needed"};
        return invoke(static_cast<const void*>(MPI_BOTTOM), sends.passed_counts(), sends.passed_places(),
                      sends.types.data(), static_cast<void*>(MPI_BOTTOM), receives.passed_counts(),
                      receives.passed_places(), receives.types.data());
    }
};

} // namespace detail
} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
