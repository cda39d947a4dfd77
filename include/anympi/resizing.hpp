// Collective operations that allocate or resize the receive buffer. Part of Comm.
//
// Each operation has two forms: one returns a vector; the other takes a container of the caller, as
// resize_to_fit(container) or grow_only(container), and returns the number of received elements. Sizes that only other
// processes know are exchanged first. With `with_layout` as the last argument, operations whose parts differ in size
// also return the layout of the received data.
#ifndef ANYMPI_RESIZING_HPP
#define ANYMPI_RESIZING_HPP

#include <functional>
#include <iterator>

#include "collectives.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// A container of elements of T that takes the size of the received data.
template <class P, class T>
concept ResizePolicyOf = ResizePolicy<P> && std::same_as<element_of<decltype((std::declval<const P&>().container))>, T>;

/// Buffers that can be divided into blocks of elements.
template <class S>
concept Divisible = SendBuffer<S> && !Scattered<S>;

/// Buffers whose elements can be returned in a vector. std::vector<bool> does not store its elements in memory.
template <class S>
concept Listable = SendBuffer<S> && Receivable<element_of<S>> && !std::same_as<element_of<S>, bool>;

// Printed if the root is missing: an int variable that is meant to receive is then taken for the root.
#define ANYMPI_RETURNED                                                                                                \
    "anympi: the received data is returned, and the number is the root: to receive into a variable, pass it before "   \
    "the root"

class ResizingCollectives : public Collectives {
public:
    using Collectives::allgather;
    using Collectives::allgatherv;
    using Collectives::alltoall;
    using Collectives::alltoallv;
    using Collectives::broadcast;
    using Collectives::Collectives;
    using Collectives::gather;
    using Collectives::gatherv;
    using Collectives::scatter;
    using Collectives::scatterv;

    /// Every process gets the data of `root`, of any size. At the root the container does not change.
    template <ResizePolicy P>
    ANYMPI_CALLS result<std::size_t> broadcast(const P& policy, Root root) const {
        return filled(
            "MPI_Bcast", policy,
            [&](const auto& room, const detail::Company& company, Arrived& came) -> detail::Fault {
                if (const detail::Fault fault = detail::compare_steps(
                        handle(), "MPI_Bcast", datatype<element_of<decltype((room.container))>>(), root.rank()))
                    return fault;
                came.elements = company.at_root ? static_cast<MPI_Count>(std::size(room.container)) : 0;
                if (const int code = MPI_Bcast_c(&came.elements, 1, MPI_COUNT, root.rank(), handle());
                    code != MPI_SUCCESS)
                    return code;
                const detail::WriteView view =
                    company.at_root ? detail::writing(room.container) : make_room(room, came.elements);
                return MPI_Bcast_c(view.data, view.count, view.type, root.rank(), handle());
            },
            root.rank());
    }

    /// Returns the data of every process, in the order of ranks. With two groups, allgather() and gather() expect that
    /// the processes of both send as many elements; allgatherv() and gatherv() do not.
    template <Listable S>
    [[nodiscard]] ANYMPI_CALLS result<std::vector<element_of<S>>> allgather(const S& send) const {
        return returned<element_of<S>>("MPI_Allgather", gathers_everywhere(send));
    }
    template <SendBuffer S, ResizePolicyOf<element_of<S>> P>
    ANYMPI_CALLS result<std::size_t> allgather(const S& send, const P& policy) const {
        return filled("MPI_Allgather", policy, gathers_everywhere(send));
    }
    /// Returns the data of every process at `root`, and nothing at other processes.
    template <Listable S>
    [[nodiscard(ANYMPI_RETURNED)]] ANYMPI_CALLS result<std::vector<element_of<S>>> gather(const S& send,
                                                                                          Root root) const {
        return returned<element_of<S>>("MPI_Gather", gathers(send, root.rank()), root.rank());
    }
    template <SendBuffer S, ResizePolicyOf<element_of<S>> P>
    ANYMPI_CALLS result<std::size_t> gather(const S& send, const P& policy, Root root) const {
        return filled("MPI_Gather", policy, gathers(send, root.rank()), root.rank());
    }
    /// Blocks may differ in size.
    template <Listable S>
    [[nodiscard]] ANYMPI_CALLS result<std::vector<element_of<S>>> allgatherv(const S& send) const {
        return returned<element_of<S>>("MPI_Allgatherv", gathers_parts_everywhere(send));
    }
    template <SendBuffer S, ResizePolicyOf<element_of<S>> P>
    ANYMPI_CALLS result<std::size_t> allgatherv(const S& send, const P& policy) const {
        return filled("MPI_Allgatherv", policy, gathers_parts_everywhere(send));
    }
    template <Listable S>
    [[nodiscard]] ANYMPI_CALLS result<AndLayout<std::vector<element_of<S>>>> allgatherv(const S& send,
                                                                                        WithLayout) const {
        return returned_with_layout<element_of<S>>("MPI_Allgatherv", gathers_parts_everywhere(send));
    }
    template <SendBuffer S, ResizePolicyOf<element_of<S>> P>
    ANYMPI_CALLS result<Layout> allgatherv(const S& send, const P& policy, WithLayout) const {
        return filled_with_layout("MPI_Allgatherv", policy, gathers_parts_everywhere(send));
    }
    template <Listable S>
    [[nodiscard(ANYMPI_RETURNED)]] ANYMPI_CALLS result<std::vector<element_of<S>>> gatherv(const S& send,
                                                                                           Root root) const {
        return returned<element_of<S>>("MPI_Gatherv", gathers_parts(send, root.rank()), root.rank());
    }
    template <SendBuffer S, ResizePolicyOf<element_of<S>> P>
    ANYMPI_CALLS result<std::size_t> gatherv(const S& send, const P& policy, Root root) const {
        return filled("MPI_Gatherv", policy, gathers_parts(send, root.rank()), root.rank());
    }
    /// The layout has no parts at processes that are not the root.
    template <Listable S>
    [[nodiscard(ANYMPI_RETURNED)]] ANYMPI_CALLS result<AndLayout<std::vector<element_of<S>>>>
    gatherv(const S& send, Root root, WithLayout) const {
        return returned_with_layout<element_of<S>>("MPI_Gatherv", gathers_parts(send, root.rank()), root.rank());
    }
    template <SendBuffer S, ResizePolicyOf<element_of<S>> P>
    ANYMPI_CALLS result<Layout> gatherv(const S& send, const P& policy, Root root, WithLayout) const {
        return filled_with_layout("MPI_Gatherv", policy, gathers_parts(send, root.rank()), root.rank());
    }
    /// Returns an equal block of the data of `root` to each process. If the data cannot be divided, every process gets
    /// the error.
    template <Divisible S>
    requires Listable<S>
    [[nodiscard(ANYMPI_RETURNED)]] ANYMPI_CALLS result<std::vector<element_of<S>>> scatter(const S& send,
                                                                                           Root root) const {
        return returned<element_of<S>>("MPI_Scatter", scatters(send, root.rank()), root.rank());
    }
    template <Divisible S, ResizePolicyOf<element_of<S>> P>
    ANYMPI_CALLS result<std::size_t> scatter(const S& send, const P& policy, Root root) const {
        return filled("MPI_Scatter", policy, scatters(send, root.rank()), root.rank());
    }
    /// Process i gets `counts[i]` elements of `root`; the parts follow each other. Only the root's counts are used. If
    /// they do not fit, every process gets the error.
    template <Divisible S, PartSizes Counts>
    requires Listable<S>
    [[nodiscard(ANYMPI_RETURNED)]] ANYMPI_CALLS result<std::vector<element_of<S>>>
    scatterv(const S& send, const Counts& counts, Root root) const {
        return returned<element_of<S>>("MPI_Scatterv", scatters_parts(send, Layout::packed(counts), root.rank()),
                                       root.rank());
    }
    template <Divisible S, PartSizes Counts, ResizePolicyOf<element_of<S>> P>
    ANYMPI_CALLS result<std::size_t> scatterv(const S& send, const Counts& counts, const P& policy, Root root) const {
        return filled("MPI_Scatterv", policy, scatters_parts(send, Layout::packed(counts), root.rank()), root.rank());
    }
    /// Every process sends an equal block to each process.
    template <Divisible S>
    requires Listable<S>
    [[nodiscard]] ANYMPI_CALLS result<std::vector<element_of<S>>> alltoall(const S& send) const {
        return returned<element_of<S>>("MPI_Alltoall", exchanges(send));
    }
    template <Divisible S, ResizePolicyOf<element_of<S>> P>
    ANYMPI_CALLS result<std::size_t> alltoall(const S& send, const P& policy) const {
        return filled("MPI_Alltoall", policy, exchanges(send));
    }
    /// Sends `counts[i]` elements to process i; the parts follow each other. Returns the received elements in the order
    /// of ranks.
    template <Divisible S, PartSizes Counts>
    requires Listable<S>
    [[nodiscard]] ANYMPI_CALLS result<std::vector<element_of<S>>> alltoallv(const S& send, const Counts& counts) const {
        return returned<element_of<S>>("MPI_Alltoallv", exchanges_parts(send, Layout::packed(counts)));
    }
    template <Divisible S, PartSizes Counts, ResizePolicyOf<element_of<S>> P>
    ANYMPI_CALLS result<std::size_t> alltoallv(const S& send, const Counts& counts, const P& policy) const {
        return filled("MPI_Alltoallv", policy, exchanges_parts(send, Layout::packed(counts)));
    }
    template <Divisible S, PartSizes Counts>
    requires Listable<S>
    [[nodiscard]] ANYMPI_CALLS result<AndLayout<std::vector<element_of<S>>>>
    alltoallv(const S& send, const Counts& counts, WithLayout) const {
        return returned_with_layout<element_of<S>>("MPI_Alltoallv", exchanges_parts(send, Layout::packed(counts)));
    }
    template <Divisible S, PartSizes Counts, ResizePolicyOf<element_of<S>> P>
    ANYMPI_CALLS result<Layout> alltoallv(const S& send, const Counts& counts, const P& policy, WithLayout) const {
        return filled_with_layout("MPI_Alltoallv", policy, exchanges_parts(send, Layout::packed(counts)));
    }

protected:
    /// Finds the processes with which this process exchanges data.
    ANYMPI_CALLS detail::Fault look_around(detail::Company& company, int root = MPI_PROC_NULL) const {
        if (const detail::Fault fault = detail::check_usable(*this)) [[unlikely]]
            return fault;
        return detail::find_company(where(), company, root);
    }

    // Sizes that only other processes know. `name` is the operation that needs them, for the comparison of calls.

    /// Returns the layout of what every process contributes. `mistake` is an error that this process has found.
    ANYMPI_CALLS detail::Fault learn_parts(const char* name, MPI_Datatype type, MPI_Count mine,
                                           const detail::Company& company, const detail::Fault& mistake,
                                           Layout& parts) const {
        if (const detail::Fault fault = detail::compare_steps(handle(), name, type, shared::Call::no_root, mistake))
            return fault;
        std::vector<MPI_Count> counts(static_cast<std::size_t>(company.peers));
        const int code = MPI_Allgather_c(&mine, 1, MPI_COUNT, counts.data(), 1, MPI_COUNT, handle());
        if (code == MPI_SUCCESS)
            parts = Layout::packed(counts);
        return code;
    }
    /// Does the same at the root. The layout of other processes has no parts.
    ANYMPI_CALLS detail::Fault learn_parts(const char* name, MPI_Datatype type, MPI_Count mine,
                                           const detail::Company& company, const detail::Fault& mistake, Layout& parts,
                                           int root) const {
        if (const detail::Fault fault = detail::compare_steps(handle(), name, type, root, mistake))
            return fault;
        std::vector<MPI_Count> counts(company.at_root ? static_cast<std::size_t>(company.peers) : 0);
        const int code = MPI_Gather_c(&mine, 1, MPI_COUNT, counts.data(), 1, MPI_COUNT, root, handle());
        if (code == MPI_SUCCESS)
            parts = Layout::packed(counts);
        return code;
    }
    /// Returns the size of the equal blocks of the root's buffer, which holds `held` elements. `mistake` is an error
    /// that the root has found. Every process gets the error of the root.
    ANYMPI_CALLS detail::Fault learn_block(const char* name, MPI_Datatype type, MPI_Count held,
                                           const detail::Company& company, int root, detail::Fault mistake,
                                           MPI_Count& each) const {
        if (const detail::Fault fault = detail::compare_steps(handle(), name, type, root))
            return fault;
        each = held;
        if (company.at_root && !mistake)
            mistake = detail::Blocks::check(each, company.peers);
        if (mistake)
            each = unusable;
        if (const int code = MPI_Bcast_c(&each, 1, MPI_COUNT, root, handle()); code != MPI_SUCCESS)
            return code;
        if (mistake)
            return mistake;
        if (each == unusable)
            return {MPI_ERR_COUNT, "the buffer of the root cannot be divided into equal blocks"};
        return MPI_SUCCESS;
    }
    /// Returns how much of a block this process receives: with two groups, the group of the root gets nothing.
    static MPI_Count received_of(MPI_Count each, const detail::Company& company, int root) {
        return company.is_inter && root < 0 ? 0 : each;
    }
    /// Returns the size of the part that this process gets of the root's buffer.
    ANYMPI_CALLS detail::Fault learn_part(const char* name, MPI_Datatype type, const Layout& parts, MPI_Count held,
                                          const detail::Company& company, int root, detail::Fault mistake,
                                          MPI_Count& mine) const {
        if (const detail::Fault fault = detail::compare_steps(handle(), name, type, root))
            return fault;
        std::vector<MPI_Count> told;
        if (company.at_root) {
            if (!mistake)
                mistake = parts.check(company.peers, held);
            told = mistake ? std::vector<MPI_Count>(static_cast<std::size_t>(company.peers), unusable) : parts.counts();
        }
        if (const int code = MPI_Scatter_c(told.data(), 1, MPI_COUNT, &mine, 1, MPI_COUNT, root, handle());
            code != MPI_SUCCESS)
            return code;
        if (mistake)
            return mistake;
        return mine == unusable ? detail::Fault{MPI_ERR_COUNT, "the counts at the root do not fit its buffer"}
                                : detail::Fault{MPI_SUCCESS};
    }
    /// Returns the layout of what every process sends to this one. `mistake` is an error that this process has found.
    ANYMPI_CALLS detail::Fault learn_exchanged(const char* name, MPI_Datatype type, const Layout& sends,
                                               const detail::Fault& mistake, Layout& receives) const {
        if (const detail::Fault fault = detail::compare_steps(handle(), name, type, shared::Call::no_root, mistake))
            return fault;
        std::vector<MPI_Count> theirs(sends.parts());
        const int code = MPI_Alltoall_c(sends.counts().data(), 1, MPI_COUNT, theirs.data(), 1, MPI_COUNT, handle());
        if (code == MPI_SUCCESS)
            receives = Layout::packed(theirs);
        return code;
    }

private:
    // Shared by all forms of an operation: fill(policy, company, came) resizes the container, calls the operation, and
    // says what came.

    struct Arrived {
        MPI_Count elements = 0;
        Layout layout{}; // of parts that differ in size
    };
    template <class T, class Fill>
    ANYMPI_CALLS result<std::vector<T>> returned(const char* name, const Fill& fill, int root = MPI_PROC_NULL) const {
        std::vector<T> values;
        Arrived came;
        ANYMPI_REQUIRE(where(), name, checked(fill, resize_to_fit(values), came, root));
        return values;
    }
    template <class T, class Fill>
    ANYMPI_CALLS result<AndLayout<std::vector<T>>> returned_with_layout(const char* name, const Fill& fill,
                                                                        int root = MPI_PROC_NULL) const {
        std::vector<T> values;
        Arrived came;
        ANYMPI_REQUIRE(where(), name, checked(fill, resize_to_fit(values), came, root));
        return AndLayout<std::vector<T>>{std::move(values), std::move(came.layout)};
    }
    template <class P, class Fill>
    ANYMPI_CALLS result<std::size_t> filled(const char* name, const P& policy, const Fill& fill,
                                            int root = MPI_PROC_NULL) const {
        Arrived came;
        ANYMPI_REQUIRE(where(), name, checked(fill, policy, came, root));
        return static_cast<std::size_t>(came.elements);
    }
    template <class P, class Fill>
    ANYMPI_CALLS result<Layout> filled_with_layout(const char* name, const P& policy, const Fill& fill,
                                                   int root = MPI_PROC_NULL) const {
        Arrived came;
        ANYMPI_REQUIRE(where(), name, checked(fill, policy, came, root));
        return std::move(came.layout);
    }
    template <class P, class Fill>
    ANYMPI_CALLS detail::Fault checked(const Fill& fill, const P& policy, Arrived& came, int root) const {
        detail::Company company;
        const detail::Fault fault = look_around(company, root);
        return fault ? fault : fill(policy, company, came);
    }
    /// Returns an error if the sent data is in the container, since the container is resized before the data is sent.
    template <class P>
    static detail::Fault apart(const detail::ReadView& from, const P& policy) {
        const auto* const begin = std::data(policy.container);
        const std::less<const void*> before;
        if (from.count == 0 || before(from.data, begin) || !before(from.data, begin + std::size(policy.container)))
            return MPI_SUCCESS;
        return {MPI_ERR_BUFFER, "the data to send is in the container that will be resized"};
    }
    /// Returns the data that this process contributes, and its number of elements.
    template <class S, class P>
    static detail::Fault look_at(const S& send, const P& policy, detail::ReadView& from, MPI_Count& elements) {
        from = detail::reading(send);
        const detail::Fault fault = apart(from, policy);
        return fault ? fault : detail::count_elements<element_of<S>>(from, elements);
    }
    template <class P>
    static detail::WriteView make_room(const P& policy, MPI_Count count) {
        policy.adapt(static_cast<std::size_t>(count));
        detail::WriteView view = detail::writing(policy.container);
        view.count = count;
        return view;
    }
    template <class P>
    static detail::WriteView make_room_for_parts(const P& policy, Arrived& came) {
        came.elements = came.layout.total();
        return make_room(policy, came.elements);
    }

    template <class S>
    ANYMPI_CALLS auto gathers_everywhere(const S& send) const {
        return [this, &send](const auto& policy, const detail::Company& company, Arrived& came) -> detail::Fault {
            detail::ReadView from{};
            MPI_Count each = 0;
            if (const detail::Fault mistake = look_at(send, policy, from, each))
                return detail::refuse_call("MPI_Allgather", handle(), mistake);
            came.elements = detail::product(each, company.peers);
            const detail::WriteView into = make_room(policy, came.elements);
            return detail::compared_call(MPI_Allgather_c, "MPI_Allgather", *this, from.data, from.count, from.type,
                                         into.data, each, into.type);
        };
    }
    template <class S>
    ANYMPI_CALLS auto gathers(const S& send, int root) const {
        return [this, &send, root](const auto& policy, const detail::Company& company, Arrived& came) -> detail::Fault {
            detail::ReadView from{};
            MPI_Count each = 0;
            if (const detail::Fault mistake = look_at(send, policy, from, each))
                return detail::refuse_call("MPI_Gather", handle(), mistake);
            came.elements = company.at_root ? detail::product(each, company.peers) : 0;
            const detail::WriteView into = make_room(policy, came.elements);
            return detail::compared_call(MPI_Gather_c, "MPI_Gather", *this, from.data, from.count, from.type, into.data,
                                         each, into.type, root);
        };
    }
    template <class S>
    ANYMPI_CALLS auto gathers_parts_everywhere(const S& send) const {
        return [this, &send](const auto& policy, const detail::Company& company, Arrived& came) -> detail::Fault {
            detail::ReadView from{};
            MPI_Count mine = 0;
            const detail::Fault mistake = look_at(send, policy, from, mine);
            if (const detail::Fault fault =
                    learn_parts("MPI_Allgatherv", datatype<element_of<S>>(), mine, company, mistake, came.layout))
                return fault;
            const detail::WriteView into = make_room_for_parts(policy, came);
            return MPI_Allgatherv_c(from.data, from.count, from.type, into.data, came.layout.passed_counts(),
                                    came.layout.passed_displacements(), into.type, handle());
        };
    }
    template <class S>
    ANYMPI_CALLS auto gathers_parts(const S& send, int root) const {
        return [this, &send, root](const auto& policy, const detail::Company& company, Arrived& came) -> detail::Fault {
            detail::ReadView from{};
            MPI_Count mine = 0;
            const detail::Fault mistake = look_at(send, policy, from, mine);
            if (const detail::Fault fault =
                    learn_parts("MPI_Gatherv", datatype<element_of<S>>(), mine, company, mistake, came.layout, root))
                return fault;
            const detail::WriteView into = make_room_for_parts(policy, came);
            return MPI_Gatherv_c(from.data, from.count, from.type, into.data, came.layout.passed_counts(),
                                 came.layout.passed_displacements(), into.type, root, handle());
        };
    }
    template <class S>
    ANYMPI_CALLS auto scatters(const S& send, int root) const {
        return [this, &send, root](const auto& policy, const detail::Company& company, Arrived& came) -> detail::Fault {
            const detail::ReadView from = detail::reading(send);
            const detail::Fault mistake = company.at_root ? apart(from, policy) : MPI_SUCCESS;
            MPI_Count each = 0;
            if (const detail::Fault fault =
                    learn_block("MPI_Scatter", datatype<element_of<S>>(), from.count, company, root, mistake, each))
                return fault;
            came.elements = received_of(each, company, root);
            const detail::WriteView into = make_room(policy, came.elements);
            return MPI_Scatter_c(from.data, each, from.type, into.data, came.elements, into.type, root, handle());
        };
    }
    template <class S>
    ANYMPI_CALLS auto scatters_parts(const S& send, Layout parts, int root) const {
        return [this, &send, parts = std::move(parts), root](const auto& policy, const detail::Company& company,
                                                             Arrived& came) -> detail::Fault {
            const detail::ReadView from = detail::reading(send);
            const detail::Fault mistake = company.at_root ? apart(from, policy) : MPI_SUCCESS;
            if (const detail::Fault fault = learn_part("MPI_Scatterv", datatype<element_of<S>>(), parts, from.count,
                                                       company, root, mistake, came.elements))
                return fault;
            const detail::WriteView into = make_room(policy, came.elements);
            return MPI_Scatterv_c(from.data, parts.passed_counts(), parts.passed_displacements(), from.type, into.data,
                                  came.elements, into.type, root, handle());
        };
    }
    template <class S>
    ANYMPI_CALLS auto exchanges(const S& send) const {
        return [this, &send](const auto& policy, const detail::Company& company, Arrived& came) -> detail::Fault {
            detail::ReadView from = detail::reading(send);
            came.elements = from.count;
            detail::Fault mistake = apart(from, policy);
            if (!mistake)
                mistake = detail::Blocks::check(from.count, company.peers);
            if (mistake)
                return detail::refuse_call("MPI_Alltoall", handle(), mistake);
            const detail::WriteView into = make_room(policy, came.elements);
            return detail::compared_call(MPI_Alltoall_c, "MPI_Alltoall", *this, from.data, from.count, from.type,
                                         into.data, from.count, into.type);
        };
    }
    template <class S>
    ANYMPI_CALLS auto exchanges_parts(const S& send, Layout sends) const {
        return [this, &send, sends = std::move(sends)](const auto& policy, const detail::Company& company,
                                                       Arrived& came) -> detail::Fault {
            const detail::ReadView from = detail::reading(send);
            detail::Fault mistake = apart(from, policy);
            if (!mistake)
                mistake = sends.check(company.peers, from.count);
            if (const detail::Fault fault =
                    learn_exchanged("MPI_Alltoallv", datatype<element_of<S>>(), sends, mistake, came.layout))
                return fault;
            const detail::WriteView into = make_room_for_parts(policy, came);
            return MPI_Alltoallv_c(from.data, sends.passed_counts(), sends.passed_displacements(), from.type, into.data,
                                   came.layout.passed_counts(), came.layout.passed_displacements(), into.type,
                                   handle());
        };
    }

    static constexpr MPI_Count unusable = -1; // used in place of a count
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
