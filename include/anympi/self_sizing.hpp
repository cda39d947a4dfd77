// Immediate and persistent collective operations whose request owns a vector of the right size. Part of Comm.
//
// The sizes of immediate operations follow from the buffer of this process. (A process cannot know the size of a block
// of the root's buffer, so iscatter takes it.) The persistent ones exchange sizes as the blocking ones do, when they
// are described; later rounds use the same sizes. wait() of a request returns the vector, buffer() of a persistent one
// refers to it.
#ifndef ANYMPI_SELF_SIZING_HPP
#define ANYMPI_SELF_SIZING_HPP

#include "combining.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

class SelfSizingCollectives : public CombiningCollectives {
public:
    using CombiningCollectives::allgather_init;
    using CombiningCollectives::allgatherv_init;
    using CombiningCollectives::alltoall_init;
    using CombiningCollectives::alltoallv_init;
    using CombiningCollectives::CombiningCollectives;
    using CombiningCollectives::gather_init;
    using CombiningCollectives::gatherv_init;
    using CombiningCollectives::iallgather;
    using CombiningCollectives::ialltoall;
    using CombiningCollectives::igather;
    using CombiningCollectives::iscatter;
    using CombiningCollectives::scatter_init;
    using CombiningCollectives::scatterv_init;

    // Equal parts

    /// The completed request has the data of every process, in the order of ranks.
    template <Listable S>
    [[nodiscard]] ANYMPI_CALLS result<OwningRequest<std::vector<element_of<S>>>> iallgather(S&& send) const {
        std::vector<element_of<S>> room;
        ANYMPI_REQUIRE(where(), "MPI_Iallgather", make_room_for_all(room, send));
        return iallgather(std::forward<S>(send), std::move(room));
    }
    template <Listable S>
    [[nodiscard]] ANYMPI_CALLS result<OwningPersistent<std::vector<element_of<S>>>>
    allgather_init(S&& send, const Info& info = {}) const {
        std::vector<element_of<S>> room;
        ANYMPI_REQUIRE(where(), "MPI_Allgather_init", make_room_for_all(room, send));
        return allgather_init(std::forward<S>(send), std::move(room), info);
    }
    /// The completed request has the data of every process at `root`, and nothing at other processes.
    template <Listable S>
    [[nodiscard(ANYMPI_RETURNED)]] ANYMPI_CALLS result<OwningRequest<std::vector<element_of<S>>>>
    igather(S&& send, Root root) const {
        std::vector<element_of<S>> room;
        ANYMPI_REQUIRE(where(), "MPI_Igather", make_room_at_root(room, send, root.rank()));
        return igather(std::forward<S>(send), std::move(room), root);
    }
    template <Listable S>
    [[nodiscard(ANYMPI_RETURNED)]] ANYMPI_CALLS result<OwningPersistent<std::vector<element_of<S>>>>
    gather_init(S&& send, Root root, const Info& info = {}) const {
        std::vector<element_of<S>> room;
        ANYMPI_REQUIRE(where(), "MPI_Gather_init", make_room_at_root(room, send, root.rank()));
        return gather_init(std::forward<S>(send), std::move(room), root, info);
    }
    /// The completed request has the block of this process, of `each` elements. Only the root's buffer is used.
    template <Divisible S>
    requires Listable<S>
    [[nodiscard]] ANYMPI_CALLS result<OwningRequest<std::vector<element_of<S>>>> iscatter(S&& send, Count each,
                                                                                          Root root) const {
        detail::Company company;
        ANYMPI_REQUIRE(where(), "MPI_Iscatter", look_around(company, root.rank()));
        const auto mine = received_of(static_cast<MPI_Count>(each.number()), company, root.rank());
        return iscatter(std::forward<S>(send), make_vector<element_of<S>>(mine), root);
    }
    template <Divisible S>
    requires Listable<S>
    [[nodiscard(ANYMPI_RETURNED)]] ANYMPI_CALLS result<OwningPersistent<std::vector<element_of<S>>>>
    scatter_init(S&& send, Root root, const Info& info = {}) const {
        const char* const name = "MPI_Scatter_init";
        detail::Company company;
        MPI_Count each = 0;
        ANYMPI_REQUIRE(where(), name, look_around(company, root.rank()));
        ANYMPI_REQUIRE(where(), name,
                       learn_block(name, datatype<element_of<S>>(), detail::reading(send).count, company, root.rank(),
                                   MPI_SUCCESS, each));
        const MPI_Count mine = received_of(each, company, root.rank());
        return scatter_init(std::forward<S>(send), make_vector<element_of<S>>(mine), root, info);
    }
    /// The completed request has a block of every process. Every process sends an equal block to each process.
    template <Divisible S>
    requires Listable<S>
    [[nodiscard]] ANYMPI_CALLS auto ialltoall(S&& send) const {
        return ialltoall(std::forward<S>(send), make_vector<element_of<S>>(detail::reading(send).count));
    }
    template <Divisible S>
    requires Listable<S>
    [[nodiscard]] ANYMPI_CALLS auto alltoall_init(S&& send, const Info& info = {}) const {
        return alltoall_init(std::forward<S>(send), make_vector<element_of<S>>(detail::reading(send).count), info);
    }

    // Parts that differ in size. With `with_layout` as the last argument, the layout of the received data is returned
    // too.

    template <Listable S>
    [[nodiscard]] ANYMPI_CALLS result<AndLayout<OwningPersistent<std::vector<element_of<S>>>>>
    allgatherv_init(S&& send, const Info& info, WithLayout) const {
        const char* const name = "MPI_Allgatherv_init";
        detail::Company company;
        MPI_Count mine = 0;
        Layout parts;
        ANYMPI_REQUIRE(where(), name, look_around(company));
        const detail::Fault mistake = detail::count_elements<element_of<S>>(detail::reading(send), mine);
        ANYMPI_REQUIRE(where(), name, learn_parts(name, datatype<element_of<S>>(), mine, company, mistake, parts));
        return and_layout(
            allgatherv_init(std::forward<S>(send), make_vector<element_of<S>>(parts.total()), parts, info), parts);
    }
    template <Listable S>
    [[nodiscard]] ANYMPI_CALLS result<AndLayout<OwningPersistent<std::vector<element_of<S>>>>>
    allgatherv_init(S&& send, WithLayout) const {
        return allgatherv_init(std::forward<S>(send), Info(), with_layout);
    }
    template <Listable S>
    [[nodiscard]] ANYMPI_CALLS result<OwningPersistent<std::vector<element_of<S>>>>
    allgatherv_init(S&& send, const Info& info = {}) const {
        return without_layout(allgatherv_init(std::forward<S>(send), info, with_layout));
    }
    /// Only the root receives.
    template <Listable S>
    [[nodiscard(ANYMPI_RETURNED)]] ANYMPI_CALLS result<AndLayout<OwningPersistent<std::vector<element_of<S>>>>>
    gatherv_init(S&& send, Root root, const Info& info, WithLayout) const {
        const char* const name = "MPI_Gatherv_init";
        detail::Company company;
        MPI_Count mine = 0;
        Layout parts;
        ANYMPI_REQUIRE(where(), name, look_around(company, root.rank()));
        const detail::Fault mistake = detail::count_elements<element_of<S>>(detail::reading(send), mine);
        ANYMPI_REQUIRE(where(), name,
                       learn_parts(name, datatype<element_of<S>>(), mine, company, mistake, parts, root.rank()));
        return and_layout(
            gatherv_init(std::forward<S>(send), make_vector<element_of<S>>(parts.total()), parts, root, info), parts);
    }
    template <Listable S>
    [[nodiscard(ANYMPI_RETURNED)]] ANYMPI_CALLS result<AndLayout<OwningPersistent<std::vector<element_of<S>>>>>
    gatherv_init(S&& send, Root root, WithLayout) const {
        return gatherv_init(std::forward<S>(send), root, Info(), with_layout);
    }
    template <Listable S>
    [[nodiscard(ANYMPI_RETURNED)]] ANYMPI_CALLS result<OwningPersistent<std::vector<element_of<S>>>>
    gatherv_init(S&& send, Root root, const Info& info = {}) const {
        return without_layout(gatherv_init(std::forward<S>(send), root, info, with_layout));
    }
    /// Process i gets `counts[i]` elements of `root`; the parts follow each other. Only the root's counts are used.
    template <Divisible S, PartSizes Counts>
    requires Listable<S>
    [[nodiscard(ANYMPI_RETURNED)]] ANYMPI_CALLS result<OwningPersistent<std::vector<element_of<S>>>>
    scatterv_init(S&& send, const Counts& counts, Root root, const Info& info = {}) const {
        const char* const name = "MPI_Scatterv_init";
        detail::Company company;
        MPI_Count mine = 0;
        const Layout parts = Layout::packed(counts);
        ANYMPI_REQUIRE(where(), name, look_around(company, root.rank()));
        ANYMPI_REQUIRE(where(), name,
                       learn_part(name, datatype<element_of<S>>(), parts, detail::reading(send).count, company,
                                  root.rank(), MPI_SUCCESS, mine));
        return scatterv_init(std::forward<S>(send), make_vector<element_of<S>>(mine), parts, root, info);
    }
    /// Sends `counts[i]` elements to process i; the parts follow each other.
    template <Divisible S, PartSizes Counts>
    requires Listable<S>
    [[nodiscard]] ANYMPI_CALLS result<AndLayout<OwningPersistent<std::vector<element_of<S>>>>>
    alltoallv_init(S&& send, const Counts& counts, const Info& info, WithLayout) const {
        const char* const name = "MPI_Alltoallv_init";
        detail::Company company;
        const Layout sends = Layout::packed(counts);
        Layout parts;
        ANYMPI_REQUIRE(where(), name, look_around(company));
        const detail::Fault mistake = sends.check(company.peers, detail::reading(send).count);
        ANYMPI_REQUIRE(where(), name, learn_exchanged(name, datatype<element_of<S>>(), sends, mistake, parts));
        return and_layout(
            alltoallv_init(std::forward<S>(send), make_vector<element_of<S>>(parts.total()), sends, parts, info),
            parts);
    }
    template <Divisible S, PartSizes Counts>
    requires Listable<S>
    [[nodiscard]] ANYMPI_CALLS result<AndLayout<OwningPersistent<std::vector<element_of<S>>>>>
    alltoallv_init(S&& send, const Counts& counts, WithLayout) const {
        return alltoallv_init(std::forward<S>(send), counts, Info(), with_layout);
    }
    template <Divisible S, PartSizes Counts>
    requires Listable<S>
    [[nodiscard]] ANYMPI_CALLS result<OwningPersistent<std::vector<element_of<S>>>>
    alltoallv_init(S&& send, const Counts& counts, const Info& info = {}) const {
        return without_layout(alltoallv_init(std::forward<S>(send), counts, info, with_layout));
    }

protected:
    template <class T>
    static std::vector<T> make_vector(MPI_Count count) {
        return std::vector<T>(static_cast<std::size_t>(count));
    }
    template <class T>
    static ANYMPI_CALLS result<AndLayout<T>> and_layout(result<T> request, Layout layout) {
        return detail::then<AndLayout<T>>(std::move(request), [&](T made) {
            return AndLayout<T>{std::move(made), std::move(layout)};
        });
    }
    template <class T>
    static ANYMPI_CALLS result<T> without_layout(result<AndLayout<T>> both) {
        return detail::then<T>(std::move(both), [](AndLayout<T> made) { return std::move(made.value); });
    }

private:
    /// Makes room for as much as this process sends, of every process.
    template <class T, class S>
    ANYMPI_CALLS detail::Fault make_room_for_all(std::vector<T>& room, const S& send) const {
        detail::Company company;
        MPI_Count each = 0;
        detail::Fault fault = look_around(company);
        if (!fault)
            fault = detail::count_elements<T>(detail::reading(send), each);
        if (!fault)
            room = make_vector<T>(detail::product(each, company.peers));
        return fault;
    }
    template <class T, class S>
    ANYMPI_CALLS detail::Fault make_room_at_root(std::vector<T>& room, const S& send, int root) const {
        detail::Company company;
        MPI_Count each = 0;
        detail::Fault fault = look_around(company, root);
        if (!fault)
            fault = detail::count_elements<T>(detail::reading(send), each);
        if (!fault && company.at_root)
            room = make_vector<T>(detail::product(each, company.peers));
        return fault;
    }
};

#undef ANYMPI_RETURNED

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
