// Reductions that return their results. Part of Comm.
//
// The result of a vector, a span or a string is a vector, the result of an array a std::array, both with one element
// for each element of the buffer. (collectives.hpp has the reductions of one value.)
#ifndef ANYMPI_COMBINING_HPP
#define ANYMPI_COMBINING_HPP

#include <array>

#include "resizing.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

namespace detail {

/// The type of the result of a reduction of S.
template <class S, bool = ContiguousRange<S>>
struct Combined {
    using type = S; // one value
};
template <class S>
struct Combined<S, true> {
    using type = std::vector<element_of<S>>;
};
template <class T, std::size_t N>
struct Combined<T[N], true> {
    using type = std::array<T, N>;
};
template <class T, std::size_t N>
struct Combined<std::array<T, N>, true> {
    using type = std::array<T, N>;
};
template <class S>
using combined_of = typename Combined<std::remove_cvref_t<S>>::type;

template <class V>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;

/// Returns room for the result, whose elements are `first`.
template <class S>
combined_of<S> room_like(const S& send, const element_of<S>& first = {}) {
    if constexpr (is_vector<combined_of<S>>) {
        return combined_of<S>(std::size(send), first);
    } else if constexpr (ContiguousRange<S>) {
        combined_of<S> room;
        room.fill(first);
        return room;
    } else {
        return first;
    }
}
/// Returns room for the result of reduce(). A process that is not the root keeps its own value, and a vector gets no
/// elements there.
template <class S>
combined_of<S> room_at(bool is_root, const S& send) {
    combined_of<S> room{};
    if constexpr (is_vector<combined_of<S>>)
        room.resize(is_root ? std::size(send) : 0);
    else if constexpr (ContiguousRange<S>)
        std::copy(std::begin(send), std::end(send), std::begin(room));
    else
        room = send;
    return room;
}

} // namespace detail

/// A buffer whose elements a reduction combines, one for one. An operation for the whole buffer, as one value, has
/// priority.
template <class S, class Op>
concept Combinable =
    ContiguousRange<std::remove_reference_t<S>> && Receivable<element_of<S>> && ReductionOf<Op, element_of<S>> &&
    !(std::same_as<element_of<S>, bool> && detail::is_vector<detail::combined_of<S>>)&&!(
        Receivable<std::remove_cvref_t<S>> && ReductionOf<Op, std::remove_cvref_t<S>>);
/// Also includes one value.
template <class S, class Op>
concept CombinableOrValue = Combinable<S, Op> ||
    (!ContiguousRange<std::remove_reference_t<S>> && !TypedView<S> && Receivable<std::remove_cvref_t<S>> &&
     ReductionOf<Op, std::remove_cvref_t<S>>);

// Printed if the result is ignored: the buffer for it may have been forgotten.
#define ANYMPI_COMBINED                                                                                                \
    [[nodiscard("anympi: the result of the reduction is returned: use it, or pass a buffer for it before the "         \
                "operation")]]

/// The buffer to send is a forwarding reference: otherwise clang++ 14 would take these functions for the reductions of
/// one value, and hide those.
class CombiningCollectives : public ResizingCollectives {
public:
    using ResizingCollectives::allreduce;
    using ResizingCollectives::allreduce_init;
    using ResizingCollectives::exscan;
    using ResizingCollectives::exscan_init;
    using ResizingCollectives::iallreduce;
    using ResizingCollectives::iexscan;
    using ResizingCollectives::ireduce;
    using ResizingCollectives::ireduce_scatter;
    using ResizingCollectives::ireduce_scatter_block;
    using ResizingCollectives::iscan;
    using ResizingCollectives::reduce;
    using ResizingCollectives::reduce_init;
    using ResizingCollectives::reduce_scatter;
    using ResizingCollectives::reduce_scatter_block;
    using ResizingCollectives::reduce_scatter_block_init;
    using ResizingCollectives::reduce_scatter_init;
    using ResizingCollectives::ResizingCollectives;
    using ResizingCollectives::scan;
    using ResizingCollectives::scan_init;

    /// Every process gets the result.
    template <class S, class Op>
    requires Combinable<S, Op> ANYMPI_COMBINED ANYMPI_CALLS result<detail::combined_of<S>> allreduce(S&& send,
                                                                                                     const Op& op)
    const {
        auto room = detail::room_like(send);
        ANYMPI_STEP(allreduce(send, room, op));
        return room;
    }
    template <class S, class Op>
    requires CombinableOrValue<S, Op> ANYMPI_CALLS auto iallreduce(S&& send, const Op& op) const {
        return iallreduce(std::forward<S>(send), detail::room_like(send), op);
    }
    template <class S, class Op>
    requires CombinableOrValue<S, Op> ANYMPI_CALLS auto allreduce_init(S&& send, const Op& op,
                                                                       const Info& info = {}) const {
        return allreduce_init(std::forward<S>(send), detail::room_like(send), op, info);
    }

    /// Returns the result at `root`. At other processes a vector has no elements, and an array has the elements of this
    /// process.
    template <class S, class Op>
    requires Combinable<S, Op> ANYMPI_COMBINED ANYMPI_CALLS result<detail::combined_of<S>>
    reduce(S&& send, const Op& op, Root root)
    const {
        detail::Company company;
        ANYMPI_REQUIRE(where(), "MPI_Reduce", look_around(company, root.rank()));
        auto room = detail::room_at(company.at_root, send);
        ANYMPI_STEP(reduce(send, room, op, root));
        return room;
    }
    template <class S, class Op>
    requires CombinableOrValue<S, Op> ANYMPI_CALLS result<OwningRequest<detail::combined_of<S>>>
    ireduce(S&& send, const Op& op, Root root)
    const {
        detail::Company company;
        ANYMPI_REQUIRE(where(), "MPI_Ireduce", look_around(company, root.rank()));
        return ireduce(std::forward<S>(send), detail::room_at(company.at_root, send), op, root);
    }
    template <class S, class Op>
    requires CombinableOrValue<S, Op> ANYMPI_CALLS result<OwningPersistent<detail::combined_of<S>>>
    reduce_init(S&& send, const Op& op, Root root, const Info& info = {})
    const {
        detail::Company company;
        ANYMPI_REQUIRE(where(), "MPI_Reduce_init", look_around(company, root.rank()));
        return reduce_init(std::forward<S>(send), detail::room_at(company.at_root, send), op, root, info);
    }

    /// Every process gets the result of all processes up to this one.
    template <class S, class Op>
    requires Combinable<S, Op> ANYMPI_COMBINED ANYMPI_CALLS result<detail::combined_of<S>> scan(S&& send, const Op& op)
    const {
        auto room = detail::room_like(send);
        ANYMPI_STEP(scan(send, room, op));
        return room;
    }
    template <class S, class Op>
    requires CombinableOrValue<S, Op> ANYMPI_CALLS auto iscan(S&& send, const Op& op) const {
        return iscan(std::forward<S>(send), detail::room_like(send), op);
    }
    template <class S, class Op>
    requires CombinableOrValue<S, Op> ANYMPI_CALLS auto scan_init(S&& send, const Op& op, const Info& info = {}) const {
        return scan_init(std::forward<S>(send), detail::room_like(send), op, info);
    }

    /// Every process gets the result of all processes before this one. Each element of the first process
    /// is `first`.
    template <class S, class Op>
    requires Combinable<S, Op> ANYMPI_COMBINED ANYMPI_CALLS result<detail::combined_of<S>>
    exscan(S&& send, const Op& op, const element_of<S>& first = {})
    const {
        auto room = detail::room_like(send, first);
        ANYMPI_STEP(exscan(send, room, op));
        return room;
    }
    template <class S, class Op>
    requires CombinableOrValue<S, Op> ANYMPI_CALLS auto iexscan(S&& send, const Op& op,
                                                                const element_of<S>& first = {}) const {
        return iexscan(std::forward<S>(send), detail::room_like(send, first), op);
    }
    template <class S, class Op>
    requires CombinableOrValue<S, Op> ANYMPI_CALLS auto exscan_init(S&& send, const Op& op,
                                                                    const Info& info = {}) const {
        return exscan_init(std::forward<S>(send), detail::room_like(send), op, info);
    }

    /// Every process gets an equal block of the result.
    template <class S, class Op>
    requires Combinable<S, Op> ANYMPI_COMBINED ANYMPI_CALLS result<std::vector<element_of<S>>>
    reduce_scatter_block(S&& send, const Op& op)
    const {
        std::vector<element_of<S>> room;
        ANYMPI_REQUIRE(where(), "MPI_Reduce_scatter_block", make_block(room, std::size(send)));
        ANYMPI_STEP(reduce_scatter_block(send, room, op));
        return room;
    }
    template <class S, class Op>
    requires Combinable<S, Op> ANYMPI_CALLS result<OwningRequest<std::vector<element_of<S>>>>
    ireduce_scatter_block(S&& send, const Op& op)
    const {
        std::vector<element_of<S>> room;
        ANYMPI_REQUIRE(where(), "MPI_Ireduce_scatter_block", make_block(room, std::size(send)));
        return ireduce_scatter_block(std::forward<S>(send), std::move(room), op);
    }
    template <class S, class Op>
    requires Combinable<S, Op> ANYMPI_CALLS result<OwningPersistent<std::vector<element_of<S>>>>
    reduce_scatter_block_init(S&& send, const Op& op, const Info& info = {})
    const {
        std::vector<element_of<S>> room;
        ANYMPI_REQUIRE(where(), "MPI_Reduce_scatter_block_init", make_block(room, std::size(send)));
        return reduce_scatter_block_init(std::forward<S>(send), std::move(room), op, info);
    }

    /// Every process gets a block of the result. Process i gets `counts[i]` elements.
    template <class S, PartSizes Counts, class Op>
    requires Combinable<S, Op> ANYMPI_COMBINED ANYMPI_CALLS result<std::vector<element_of<S>>>
    reduce_scatter(S&& send, const Counts& counts, const Op& op)
    const {
        std::vector<element_of<S>> room;
        ANYMPI_REQUIRE(where(), "MPI_Reduce_scatter", make_part(room, counts, std::size(send)));
        ANYMPI_STEP(reduce_scatter(send, room, counts, op));
        return room;
    }
    template <class S, PartSizes Counts, class Op>
    requires Combinable<S, Op> ANYMPI_CALLS result<OwningRequest<std::vector<element_of<S>>>>
    ireduce_scatter(S&& send, const Counts& counts, const Op& op)
    const {
        std::vector<element_of<S>> room;
        ANYMPI_REQUIRE(where(), "MPI_Ireduce_scatter", make_part(room, counts, std::size(send)));
        return ireduce_scatter(std::forward<S>(send), std::move(room), counts, op);
    }
    template <class S, PartSizes Counts, class Op>
    requires Combinable<S, Op> ANYMPI_CALLS result<OwningPersistent<std::vector<element_of<S>>>>
    reduce_scatter_init(S&& send, const Counts& counts, const Op& op, const Info& info = {})
    const {
        std::vector<element_of<S>> room;
        ANYMPI_REQUIRE(where(), "MPI_Reduce_scatter_init", make_part(room, counts, std::size(send)));
        return reduce_scatter_init(std::forward<S>(send), std::move(room), counts, op, info);
    }

private:
    /// Makes room for an equal block of `all` elements. If they cannot be divided, the operation reports it.
    template <class T>
    ANYMPI_CALLS detail::Fault make_block(std::vector<T>& room, std::size_t all) const {
        int size = 0;
        detail::Fault fault = detail::check_usable(*this);
        if (!fault)
            fault = MPI_Comm_size(handle(), &size);
        if (!fault)
            room.resize(all / static_cast<std::size_t>(size));
        return fault;
    }
    /// Makes room for the part of this process, of `all` elements. If the counts are wrong, the operation reports it.
    template <class T, class Counts>
    ANYMPI_CALLS detail::Fault make_part(std::vector<T>& room, const Counts& counts, std::size_t all) const {
        int rank = 0;
        detail::Fault fault = detail::check_usable(*this);
        if (!fault)
            fault = MPI_Comm_rank(handle(), &rank);
        if (fault)
            return fault;
        const Layout parts = Layout::packed(counts);
        const auto place = static_cast<std::size_t>(rank);
        if (!parts.check(static_cast<int>(parts.parts()), static_cast<MPI_Count>(all)) && place < parts.parts())
            room.resize(static_cast<std::size_t>(parts.counts()[place]));
        return MPI_SUCCESS;
    }
};

#undef ANYMPI_COMBINED

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
