// A reduction whose result does not depend on the number of processes. Not part of anympi.hpp.
//
// The elements of all processes, in the order of ranks, are the leaves of a binary tree. Node i of width w combines the
// elements i to i + w - 1: first the left half, which is again node i, with the right half, node i + w / 2. The tree
// depends only on the number of elements, so the operands of each operation are always the same, and so are the bits of
// the result.
//
// A node belongs to the process that has its first element. Only nodes whose parent belongs to another process are
// sent, which are about as many as the logarithm of the number of the process's elements. They go to lower ranks, so no
// processes wait for each other.
#ifndef ANYMPI_REPRODUCIBLE_REDUCE_HPP
#define ANYMPI_REPRODUCIBLE_REDUCE_HPP

#include <algorithm>
#include <cstdint>
#include <vector>

#include "steps.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {
namespace detail {

/// The distribution of the leaves of the tree.
class ReductionTree {
public:
    explicit ReductionTree(const std::vector<std::uint64_t>& sizes) {
        for (const std::uint64_t size : sizes) {
            begins_.push_back(leaves_);
            leaves_ += size;
        }
    }
    [[nodiscard]] std::uint64_t leaves() const noexcept { return leaves_; }
    [[nodiscard]] std::uint64_t begin(int rank) const noexcept { return begins_[static_cast<std::size_t>(rank)]; }
    [[nodiscard]] int owner(std::uint64_t node) const noexcept {
        return static_cast<int>(std::upper_bound(begins_.begin(), begins_.end(), node) - begins_.begin()) - 1;
    }
    static std::uint64_t parent(std::uint64_t node) noexcept { return node & (node - 1); }
    /// Returns the width of the widest node that begins here.
    [[nodiscard]] std::uint64_t width(std::uint64_t node) const noexcept {
        return node == 0 ? leaves_ : node & (~node + 1);
    }
    /// Returns the first leaf after the node.
    [[nodiscard]] std::uint64_t end(std::uint64_t node) const noexcept {
        return node == 0 ? leaves_ : std::min(leaves_, node + width(node));
    }

private:
    std::vector<std::uint64_t> begins_;
    std::uint64_t leaves_ = 0;
};

/// Computes the nodes of one process.
template <class T, class Op>
class ReductionPart {
public:
    ReductionPart(const ReductionTree& tree, std::uint64_t begin, std::span<const T> values, const Op& op)
        : tree_(tree), begin_(begin), end_(begin + values.size()), values_(values), op_(op) {}
    /// Adds the value of a node of another process. They come in the order of their places.
    void add_remote(T value) { remote_.push_back(std::move(value)); }
    T value(std::uint64_t node) { return value(node, tree_.width(node)); }

private:
    T value(std::uint64_t node, std::uint64_t width) {
        if (node >= end_)
            return std::move(remote_[used_++]);
        T combined = values_[static_cast<std::size_t>(node - begin_)];
        for (std::uint64_t half = 1; half < width && node + half < tree_.leaves(); half *= 2) {
            const T right = value(node + half, half);
            combined = op_(combined, right);
        }
        return combined;
    }

    const ReductionTree& tree_;
    std::uint64_t begin_, end_;
    std::span<const T> values_;
    const Op& op_;
    std::vector<T> remote_;
    std::size_t used_ = 0;
};

} // namespace detail

/// Data for a reproducible reduction: a contiguous range.
template <class S>
concept ReproducibleData = ContiguousRange<const S> && Receivable<element_of<S>> && !std::same_as<element_of<S>, bool>;

/// Reductions with results that are the same for any number of processes. This object has its own communicator, so its
/// messages are separate from all others.
class [[nodiscard]] ReproducibleReduction {
public:
    /// Called by all processes of the communicator.
    static ANYMPI_CALLS result<ReproducibleReduction> create(const Comm& comm) {
        ANYMPI_VALUE(own, detail::with_own_messages(comm, "ReproducibleReduction::create"));
        ANYMPI_VALUE(rank, own.rank());
        return ReproducibleReduction(std::move(own), rank);
    }

    /// Combines the elements of all processes, in the order of ranks, by a function of two elements. Called by all
    /// processes, which may have different numbers of elements. Every process gets the result, whose bits depend only
    /// on the sequence of all elements, not on how they are distributed. Without any elements it is `of_nothing`.
    template <ReproducibleData S, detail::OnElements<element_of<S>> Op>
    [[nodiscard]] ANYMPI_CALLS result<element_of<S>> reduce(const S& values, const Op& op,
                                                            element_of<S> of_nothing = {}) const {
        using T = element_of<S>;
        const std::span<const T> mine(std::data(values), std::size(values));
        ANYMPI_VALUE(sizes, comm_.allgather(static_cast<std::uint64_t>(mine.size())));
        const detail::ReductionTree tree(sizes);
        if (tree.leaves() == 0)
            return of_nothing;
        T whole = std::move(of_nothing);
        if (!mine.empty())
            ANYMPI_STEP(climb(tree, mine, op, whole));
        return comm_.broadcast_value(std::move(whole), tree.owner(0));
    }

private:
    ReproducibleReduction(Comm comm, int rank) noexcept : comm_(std::move(comm)), rank_(rank) {}

    /// Computes the nodes of this process, sends those whose parents belong to others, and sets `whole` at the owner of
    /// the whole tree. Nodes that need no others are sent first; there is at most one other node.
    template <class T, class Op>
    ANYMPI_CALLS result<void> climb(const detail::ReductionTree& tree, std::span<const T> mine, const Op& op,
                                    T& whole) const {
        const std::uint64_t begin = tree.begin(rank_), end = begin + mine.size();
        detail::ReductionPart<T, Op> part(tree, begin, mine, op);
        std::vector<OwningRequest<std::vector<T>>> sends;
        std::uint64_t node = begin;
        while (node < end && tree.end(node) <= end && node > 0) {
            const int receiver = tree.owner(tree.parent(node));
            std::vector<T> values;
            for (; node < end && tree.end(node) <= end && tree.owner(tree.parent(node)) == receiver;
                 node = tree.end(node))
                values.push_back(part.value(node));
            ANYMPI_VALUE(sending, comm_.isend(std::move(values), receiver));
            sends.push_back(std::move(sending));
        }
        if (node < end) {
            ANYMPI_STEP(receive_remote(tree, begin, end, part));
            T value = part.value(node);
            if (node == 0) {
                whole = std::move(value);
            } else {
                ANYMPI_VALUE(sending, comm_.isend(std::vector<T>{std::move(value)}, tree.owner(tree.parent(node))));
                sends.push_back(std::move(sending));
            }
        }
        for (auto& sending : sends)
            ANYMPI_STEP(sending.wait());
        return detail::done();
    }
    /// Receives the nodes of other processes whose parents belong to this process. The nodes after a leaf follow each
    /// other, and their parents are ever closer to the first leaf.
    template <class T, class Op>
    ANYMPI_CALLS result<void> receive_remote(const detail::ReductionTree& tree, std::uint64_t begin, std::uint64_t end,
                                             detail::ReductionPart<T, Op>& part) const {
        for (std::uint64_t node = end; node < tree.leaves() && tree.parent(node) >= begin;) {
            ANYMPI_VALUE(values, comm_.template recv<std::vector<T>>(tree.owner(node)));
            for (T& value : values) {
                part.add_remote(std::move(value));
                node = tree.end(node);
            }
        }
        return detail::done();
    }

    Comm comm_;
    int rank_;
};

/// Does one reduction, as ReproducibleReduction::reduce. It duplicates the communicator: a program with many reductions
/// keeps a ReproducibleReduction.
template <ReproducibleData S, detail::OnElements<element_of<S>> Op>
[[nodiscard]] ANYMPI_CALLS result<element_of<S>> reproducible_reduce(const Comm& comm, const S& values, const Op& op,
                                                                     element_of<S> of_nothing = {}) {
    ANYMPI_VALUE(reduction, ReproducibleReduction::create(comm));
    return reduction.reduce(values, op, std::move(of_nothing));
}

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
