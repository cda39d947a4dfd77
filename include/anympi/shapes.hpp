// The arguments of collective operations, and the checks of their buffers. See launch.hpp.
#ifndef ANYMPI_SHAPES_HPP
#define ANYMPI_SHAPES_HPP

#include <optional>

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
/// Calls a function that asks a number of a communicator, unless the number is known.
inline int learn(shared::CommObject comm, shared::Known<int> shared::Facts<shared::kinds::Comm>::*fact,
                 int (*ask)(MPI_Comm, int*), int& number) {
    const shared::Known<int>* const known = comm.facts() ? &(comm.facts()->*fact) : nullptr;
    if (known && known->get() != shared::Known<int>::unknown) {
        number = known->get();
        return MPI_SUCCESS;
    }
    const int code = ask(comm, &number);
    if (known && code == MPI_SUCCESS)
        known->set(number);
    return code;
}
inline Fault find_company(shared::CommObject comm, Company& company, int root = MPI_PROC_NULL) {
    using Facts = shared::Facts<shared::kinds::Comm>;
    int inter = 0, rank = MPI_PROC_NULL;
    int code = learn(comm, &Facts::is_inter, MPI_Comm_test_inter, inter);
    if (code == MPI_SUCCESS)
        code = inter ? learn(comm, &Facts::remote_size, MPI_Comm_remote_size, company.peers)
                     : learn(comm, &Facts::size, MPI_Comm_size, company.peers);
    if (code == MPI_SUCCESS && root >= 0 && !inter)
        code = learn(comm, &Facts::rank, MPI_Comm_rank, rank);
    if (code == MPI_SUCCESS && !inter && comm.facts()) {
        comm.facts()->members.set(company.peers);
        if (rank >= 0)
            comm.facts()->member.set(rank);
    }
    company.is_inter = inter != 0;
    company.at_root = root == MPI_ROOT || (root >= 0 && rank == root);
    return code;
}

// A call is quick if the communicator's facts are known and fit the call. No call is quick if nothing is known, as of a
// null communicator, or if calls are compared.

/// Returns a known number. It is negative if the number is unknown or if calls are compared.
template <class T>
ANYMPI_INLINE T ungated(const shared::Known<T>& fact) {
    return fact.get() | static_cast<T>(shared::gated_bits);
}
/// Returns true if `all` elements are known to be one block of `each` elements for every process. Nothing is divided,
/// since divisions are slow.
ANYMPI_INLINE bool are_blocks(shared::CommObject comm, MPI_Count each, MPI_Count all) {
    if (!comm.facts())
        return false;
    const MPI_Count members = ungated(comm.facts()->members);
    return members >= 0 && each * members == all;
}
/// Returns true if this process is known not to be the root, in the only group. A wrong root is left to the library.
ANYMPI_INLINE bool is_elsewhere(shared::CommObject comm, Root root) {
    if (!comm.facts())
        return false;
    const int member = ungated(comm.facts()->member);
    return member >= 0 && member != root.rank();
}

struct BarrierShape {
    static constexpr bool is_collective = true;
    ANYMPI_ALWAYS_INLINE static bool is_quick(shared::CommObject comm, const ReadView&, const WriteView&) {
        return !shared::is_gated(comm);
    }
    template <class Invoke>
    ANYMPI_INLINE auto pass(const ReadView&, const WriteView&, Invoke invoke) const {
        return invoke();
    }
    template <class Invoke>
    Fault call(shared::CommObject, const ReadView&, const WriteView&, Invoke invoke) const {
        return invoke();
    }
};

struct BroadcastShape {
    static constexpr bool is_collective = true;
    Root root;
    ANYMPI_ALWAYS_INLINE static bool is_quick(shared::CommObject comm, const ReadView&, const WriteView&) {
        return !shared::is_gated(comm);
    }
    template <class Invoke>
    ANYMPI_INLINE auto pass(const ReadView&, const WriteView& buffer, Invoke invoke) const {
        return invoke(buffer.data, buffer.count, buffer.type, root.rank());
    }
    template <class Invoke>
    Fault call(shared::CommObject, const ReadView& from, const WriteView& buffer, Invoke invoke) const {
        return pass(from, buffer, invoke);
    }
};

// Operations that combine elements.

/// Each element of the result combines one element of every process: allreduce, scan, exscan.
template <class Op>
struct ReductionShape {
    static constexpr bool is_collective = true;
    static constexpr bool must_last = std::is_same_v<Op, BoundOp>;
    Op bound;
    ANYMPI_ALWAYS_INLINE static bool is_quick(shared::CommObject comm, const ReadView& from, const WriteView& into) {
        return !shared::is_gated(comm) && from.count == into.count;
    }
    ANYMPI_ALWAYS_INLINE static bool is_quick_in_place(shared::CommObject comm) { return !shared::is_gated(comm); }
    template <class Invoke>
    ANYMPI_INLINE auto pass(const ReadView& from, const WriteView& into, Invoke invoke) const {
        return invoke(from.data, into.data, into.count, bound.type(), bound.op);
    }
    template <class Invoke>
    Fault call(shared::CommObject, const ReadView& from, const WriteView& into, Invoke invoke) const {
        if (!from.is_in_place() && from.count != into.count)
            return {MPI_ERR_COUNT, not_as_many};
        return pass(from, into, invoke);
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
    ANYMPI_INLINE bool is_quick(shared::CommObject comm, const ReadView& from, const WriteView& into) const {
        return from.count == into.count ? !shared::is_gated(comm) : is_elsewhere(comm, root);
    }
    template <class Invoke>
    ANYMPI_INLINE auto pass(const ReadView& from, const WriteView& into, Invoke invoke) const {
        return invoke(from.data, into.data, from.count, bound.type(), bound.op, root.rank());
    }
    template <class Invoke>
    Fault call(shared::CommObject comm, const ReadView& from, const WriteView& into, Invoke invoke) const {
        Company company;
        if (const Fault fault = find_company(comm, company, root.rank()))
            return fault;
        if (from.is_in_place()) {
            // In place, the root has its data in the receive buffer; the other processes have no other buffer.
            const void* data = company.at_root ? from.data : into.data;
            return invoke(data, company.at_root ? into.data : nullptr, into.count, bound.type(), bound.op, root.rank());
        }
        if (company.at_root && root.rank() != MPI_ROOT && into.count != from.count)
            return {MPI_ERR_COUNT, not_as_many};
        return invoke(from.data, into.data, root.rank() == MPI_ROOT ? into.count : from.count, bound.type(), bound.op,
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
    ANYMPI_ALWAYS_INLINE static bool is_quick(shared::CommObject comm, const ReadView& from, const WriteView& into) {
        return are_blocks(comm, into.count, from.count);
    }
    template <class Invoke>
    ANYMPI_INLINE auto pass(const ReadView& from, const WriteView& into, Invoke invoke) const {
        return invoke(from.data, into.data, into.count, bound.type(), bound.op);
    }
    template <class Invoke>
    Fault call(shared::CommObject comm, const ReadView& from, const WriteView& into, Invoke invoke) const {
        int size = 0;
        if (const int code = learn(comm, &shared::Facts<shared::kinds::Comm>::size, MPI_Comm_size, size);
            code != MPI_SUCCESS)
            return code;
        // In place, the receive buffer has all blocks.
        const MPI_Count all = from.is_in_place() ? into.count : from.count;
        const MPI_Count block = all / size;
        if (all % size != 0)
            return {MPI_ERR_COUNT, uneven};
        if (into.count < block)
            return {MPI_ERR_COUNT, too_small};
        return invoke(from.data, into.data, block, bound.type(), bound.op);
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
    ANYMPI_INLINE auto pass(const ReadView& from, const WriteView& into, Invoke invoke) const {
        return invoke(from.data, into.data, parts.passed_counts(), bound.type(), bound.op);
    }
    template <class Invoke>
    Fault call(shared::CommObject comm, const ReadView& from, const WriteView& into, Invoke invoke) const {
        using Facts = shared::Facts<shared::kinds::Comm>;
        int size = 0, rank = 0;
        if (const int code = learn(comm, &Facts::size, MPI_Comm_size, size); code != MPI_SUCCESS)
            return code;
        if (const int code = learn(comm, &Facts::rank, MPI_Comm_rank, rank); code != MPI_SUCCESS)
            return code;
        if (const Fault fault = parts.check(size, from.is_in_place() ? into.count : from.count))
            return fault;
        if (into.count < parts.counts()[static_cast<std::size_t>(rank)])
            return {MPI_ERR_COUNT, too_small};
        return pass(from, into, invoke);
    }
};
template <class Op>
ReduceScatterShape(Op, Layout) -> ReduceScatterShape<Op>;

// Operations that move elements. Each *side* of such an operation is a whole buffer, or equal blocks, or parts of a
// layout (one for each process). A side checks that the buffer fits, and passes on the arguments that MPI takes for it.

/// A side without arrays. `Side` only makes the bases of two sides different, so that they take no room.
template <class Side>
struct PlainSide {
    static constexpr bool must_last = false, equal = true;
    template <class View, class Next>
    ANYMPI_INLINE auto pass(const View& view, Next next) const {
        return next(view.data, view.count, view.type);
    }
};
struct Whole : PlainSide<Whole> {
    static Fault check(MPI_Count&, int) { return MPI_SUCCESS; }
};
struct Blocks : PlainSide<Blocks> {
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
    ANYMPI_INLINE auto pass(const View& view, Next next) const {
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
ANYMPI_INLINE auto pass_both(const Sends& sends, const ReadView& from, const Receives& receives, const WriteView& into,
                             Invoke invoke, Root... root) {
    return sends.pass(from, [&](auto... sent) ANYMPI_ALWAYS_INLINE {
        return receives.pass(into, [&](auto... received)
                                       ANYMPI_ALWAYS_INLINE { return invoke(sent..., received..., root...); });
    });
}
/// Returns true if both buffers are known to fit, and sets the counts that MPI gets. All elements have one type then.
template <class Sends, class Receives>
ANYMPI_INLINE bool fit(shared::CommObject comm, ReadView& from, WriteView& into) {
    if (from.type != into.type || !comm.facts())
        return false;
    if constexpr (std::is_same_v<Sends, Whole> && std::is_same_v<Receives, Blocks>) {
        if (!are_blocks(comm, from.count, into.count))
            return false;
        into.count = from.count;
        return true;
    } else if constexpr (std::is_same_v<Sends, Blocks> && std::is_same_v<Receives, Blocks>) {
        const MPI_Count divided = comm.facts()->divided() | shared::gated_bits; // negative if unknown, as above
        if (from.count != divided || into.count != divided)
            return false;
        from.count = into.count = comm.facts()->block();
        return true;
    } else {
        return false; // each part of a layout must be checked
    }
}

/// The processes with which an exchange takes place: all processes of the communicator, or neighbors in a topology.
struct Everyone {
    static Fault check() { return MPI_SUCCESS; }
    static int to(const Company& company) { return company.peers; }
    static int from(const Company& company) { return company.peers; }
};
struct Neighborhood {
    int in = 0, out = 0; // numbers of neighbors
    Fault fault = MPI_SUCCESS;
    [[nodiscard]] Fault check() const { return fault; }
    [[nodiscard]] int to(const Company&) const { return out; }
    [[nodiscard]] int from(const Company&) const { return in; }
};

/// Every process sends and receives.
template <class Sends, class Receives, class Partners = Everyone>
struct ExchangeShape {
    using OfNeighbors = ExchangeShape<Sends, Receives, Neighborhood>;
    static constexpr bool is_collective = true;
    static constexpr bool must_last = Sends::must_last || Receives::must_last;
    [[no_unique_address]] Sends sends;
    [[no_unique_address]] Receives receives;
    [[no_unique_address]] Partners partners{};
    ANYMPI_ALWAYS_INLINE static bool is_quick(shared::CommObject comm, ReadView& from, WriteView& into) {
        return std::is_same_v<Partners, Everyone> && fit<Sends, Receives>(comm, from, into);
    }
    template <class Invoke>
    ANYMPI_INLINE auto pass(const ReadView& from, const WriteView& into, Invoke invoke) const {
        return pass_both(sends, from, receives, into, invoke);
    }
    template <class Invoke>
    Fault call(shared::CommObject comm, ReadView from, WriteView into, Invoke invoke) const {
        Company company;
        if (const Fault fault = partners.check())
            return fault;
        if (const Fault fault = find_company(comm, company))
            return fault;
        const MPI_Count whole = into.count;
        const int out = partners.to(company), in = partners.from(company);
        if (!from.is_in_place())
            if (const Fault fault = sends.check(from.count, out))
                return fault;
        if (const Fault fault = receives.check(into.count, in))
            return fault;
        if constexpr (Sends::equal && Receives::equal)
            fill_empty_side(from, out, into, in);
        if (const Fault fault = compare_blocks<Sends, Receives>(from, into); fault && !company.is_inter)
            return fault;
        if constexpr (std::is_same_v<ExchangeShape, ExchangeShape<Blocks, Blocks>>)
            if (comm.facts() && !company.is_inter)
                comm.facts()->divide(whole, into.count);
        return pass(from, into, invoke);
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
    [[no_unique_address]] Sends sends;
    [[no_unique_address]] Receives receives;
    Root root;
    ANYMPI_INLINE bool is_quick(shared::CommObject comm, ReadView& from, WriteView& into) const
        requires(Sends::equal&& Receives::equal) {
        constexpr bool gathers = std::is_same_v<Sends, Whole>;
        MPI_Count &each = gathers ? from.count : into.count, &all = gathers ? into.count : from.count;
        if (from.type != into.type || (!are_blocks(comm, each, all) && !is_elsewhere(comm, root)))
            return false;
        all = each; // MPI ignores this count if the process is not the root
        return true;
    }
    template <class Invoke>
    ANYMPI_INLINE auto pass(const ReadView& from, const WriteView& into, Invoke invoke) const {
        return pass_both(sends, from, receives, into, invoke, root.rank());
    }
    template <class Invoke>
    Fault call(shared::CommObject comm, ReadView from, WriteView into, Invoke invoke) const {
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
        return pass(from, into, invoke);
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
    std::optional<Neighborhood> neighbors{};
    [[nodiscard]] bool borrows() const noexcept { return sends.borrows || receives.borrows; }
    template <class Invoke>
    ANYMPI_INLINE auto pass(const ReadView&, const WriteView&, Invoke invoke) const {
        return invoke(static_cast<const void*>(MPI_BOTTOM), sends.passed_counts(), sends.passed_places(),
                      sends.types.data(), static_cast<void*>(MPI_BOTTOM), receives.passed_counts(),
                      receives.passed_places(), receives.types.data());
    }
    template <class Invoke>
    Fault call(shared::CommObject comm, const ReadView& from, const WriteView& into, Invoke invoke) const {
        for (const Fault& fault : {sends.fault, receives.fault, neighbors ? neighbors->fault : Fault(MPI_SUCCESS)})
            if (fault)
                return fault;
        if (exposed)
            return {MPI_ERR_BUFFER, "blocks that own buffers must be moved into the request"};
        Company company;
        if (const Fault fault = find_company(comm, company))
            return fault;
        const int out = neighbors ? neighbors->out : company.peers, in = neighbors ? neighbors->in : company.peers;
        if (sends.counts.size() != static_cast<std::size_t>(out) ||
            receives.counts.size() != static_cast<std::size_t>(in))
            return {MPI_ERR_COUNT, "one buffer for each process is needed"};
        return pass(from, into, invoke);
    }
};

} // namespace detail
} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
