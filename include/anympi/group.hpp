#ifndef ANYMPI_GROUP_HPP
#define ANYMPI_GROUP_HPP

#include <optional>
#include <span>
#include <vector>

#include "owned.hpp"
#include "room.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

enum class Comparison : int {
    identical = MPI_IDENT,
    congruent = MPI_CONGRUENT,
    similar = MPI_SIMILAR,
    unequal = MPI_UNEQUAL
};

struct RankRange {
    int first, last, stride = 1;
};

/// An ordered set of processes.
class Group : public Owned<detail::GroupKind> {
public:
    using Owned::Owned;

    /// Returns an error if the group is null. Some libraries do not check this.
    [[nodiscard]] detail::Fault check() const {
        return is_null() ? detail::Fault{MPI_ERR_GROUP, "the group is null"} : detail::Fault{MPI_SUCCESS};
    }

    static Group empty() { return {MPI_GROUP_EMPTY, false}; }

    [[nodiscard]] ANYMPI_CALLS result<int> size() const {
        int size = 0;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Group_size, handle(), &size);
        return size;
    }
    /// Returns the rank of this process, or nothing if it is not in the group.
    [[nodiscard]] ANYMPI_CALLS result<std::optional<int>> rank() const {
        int rank = 0;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Group_rank, handle(), &rank);
        return rank == MPI_UNDEFINED ? std::optional<int>() : std::optional<int>(rank);
    }
    [[nodiscard]] ANYMPI_CALLS result<Group> include(std::span<const int> ranks) const {
        MPI_Group made = MPI_GROUP_NULL;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Group_incl, handle(), static_cast<int>(ranks.size()), ranks.data(), &made);
        return own(made);
    }
    [[nodiscard]] ANYMPI_CALLS result<Group> exclude(std::span<const int> ranks) const {
        MPI_Group made = MPI_GROUP_NULL;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Group_excl, handle(), static_cast<int>(ranks.size()), ranks.data(), &made);
        return own(made);
    }
    [[nodiscard]] ANYMPI_CALLS result<Group> range_include(std::span<const RankRange> ranges) const {
        MPI_Group made = MPI_GROUP_NULL;
        Triples triples(ranges);
        ANYMPI_CALL(detail::Nowhere{}, MPI_Group_range_incl, handle(), static_cast<int>(ranges.size()), triples.data(),
                    &made);
        return own(made);
    }
    [[nodiscard]] ANYMPI_CALLS result<Group> range_exclude(std::span<const RankRange> ranges) const {
        MPI_Group made = MPI_GROUP_NULL;
        Triples triples(ranges);
        ANYMPI_CALL(detail::Nowhere{}, MPI_Group_range_excl, handle(), static_cast<int>(ranges.size()), triples.data(),
                    &made);
        return own(made);
    }
    [[nodiscard]] ANYMPI_CALLS result<Group> united(const Group& other) const {
        MPI_Group made = MPI_GROUP_NULL;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Group_union, handle(), other.handle(), &made);
        return own(made);
    }
    [[nodiscard]] ANYMPI_CALLS result<Group> intersection(const Group& other) const {
        MPI_Group made = MPI_GROUP_NULL;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Group_intersection, handle(), other.handle(), &made);
        return own(made);
    }
    [[nodiscard]] ANYMPI_CALLS result<Group> difference(const Group& other) const {
        MPI_Group made = MPI_GROUP_NULL;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Group_difference, handle(), other.handle(), &made);
        return own(made);
    }
    [[nodiscard]] ANYMPI_CALLS result<Comparison> compare(const Group& other) const {
        int outcome = MPI_UNEQUAL;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Group_compare, handle(), other.handle(), &outcome);
        return static_cast<Comparison>(outcome);
    }
    /// Returns the ranks of these processes in the other group.
    [[nodiscard]] ANYMPI_CALLS result<std::vector<std::optional<int>>> translate_ranks(std::span<const int> ranks,
                                                                                       const Group& other) const {
        shared::Room<int> theirs(ranks.size());
        int size = 0; // some libraries do not check whether the ranks are in the group
        ANYMPI_CALL(detail::Nowhere{}, MPI_Group_size, handle(), &size);
        for (const int rank : ranks)
            if (rank != MPI_PROC_NULL && (rank < 0 || rank >= size))
                ANYMPI_FAIL((detail::Fault{MPI_ERR_RANK, "the group has no such rank"}), "MPI_Group_translate_ranks",
                            detail::Nowhere{});
        ANYMPI_CALL(detail::Nowhere{}, MPI_Group_translate_ranks, handle(), static_cast<int>(ranks.size()),
                    ranks.data(), other.handle(), theirs.data());
        std::vector<std::optional<int>> answer(ranks.size());
        for (std::size_t place = 0; place < answer.size(); ++place)
            if (theirs[place] != MPI_UNDEFINED)
                answer[place] = theirs[place];
        return answer;
    }

private:
    static Group own(MPI_Group made) { return {made, made != MPI_GROUP_EMPTY}; }

    class Triples {
    public:
        explicit Triples(std::span<const RankRange> ranges) : numbers_(ranges.size() * 3) {
            int* next = numbers_.data();
            for (const RankRange& range : ranges)
                for (const int number : {range.first, range.last, range.stride})
                    *next++ = number;
        }
        int (*data())[3] { return reinterpret_cast<int(*)[3]>(numbers_.data()); }

    private:
        shared::Room<int> numbers_;
    };
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
