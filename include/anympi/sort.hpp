// Sorts the elements of all processes. Not part of anympi.hpp.
//
// The algorithm is sample sort. Each process sorts its elements. Samples at regular places give the limits between the
// parts, one exchange brings each element to its part, where sorted runs are merged, and a second exchange moves the
// surplus to the neighbors. Equal elements are compared by their places, so that many of them do not end in one part.
#ifndef ANYMPI_SORT_HPP
#define ANYMPI_SORT_HPP

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "steps.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// Containers that sort() can sort.
template <class C>
concept SortableContainer =
    ContiguousRange<C> && ReceiveBuffer<C&> && detail::Resizable<C> && Receivable<element_of<C>>;

namespace detail {

/// The regular places of the samples. The first place differs from process to process: processes with the same elements
/// would otherwise take the same samples.
class SamplePlaces {
public:
    SamplePlaces(std::uint64_t elements, std::size_t processes)
        : processes_(processes), gap_(std::max<std::uint64_t>(1, elements / (processes * wanted(processes)))) {}
    [[nodiscard]] std::uint64_t place(std::size_t rank, std::uint64_t number) const noexcept {
        return gap_ * (2 * rank + 1) / (2 * processes_) + number * gap_;
    }
    /// Returns how many samples a process with this many elements takes.
    [[nodiscard]] std::uint64_t count(std::size_t rank, std::uint64_t elements) const noexcept {
        const std::uint64_t first = place(rank, 0);
        return elements <= first ? 0 : (elements - first - 1) / gap_ + 1;
    }

private:
    /// The number of samples of each process: more processes need finer limits.
    static std::uint64_t wanted(std::size_t processes) noexcept { return 16 * std::bit_width(processes); }
    std::uint64_t processes_, gap_;
};

/// A place in the sorted order of all elements: an element with its process and its place there.
template <class T>
struct SortLimit {
    const T* element;
    std::size_t rank;
    std::uint64_t place;
};

template <class T, class Less>
class SampleSort {
public:
    SampleSort(const Comm& comm, std::size_t rank, std::size_t size, Less less)
        : comm_(comm), rank_(rank), size_(size), less_(std::move(less)) {}

    template <class C>
    ANYMPI_CALLS result<void> sort(C& data) const {
        std::stable_sort(std::begin(data), std::end(data), less_);
        ANYMPI_VALUE(sizes, comm_.allgather(static_cast<std::uint64_t>(std::size(data))));
        const std::uint64_t all = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t(0));
        if (all == 0 || size_ == 1)
            return done();
        ANYMPI_VALUE(sends, find_parts(std::span<const T>(data), sizes, SamplePlaces(all, size_)));
        std::vector<std::uint64_t> receives(size_);
        ANYMPI_STEP(comm_.alltoall(sends, receives));
        std::vector<T> part(std::accumulate(receives.begin(), receives.end(), std::size_t(0)));
        ANYMPI_STEP(comm_.alltoallv(data, part, Layout::packed(sends), Layout::packed(receives)));
        merge(part, receives);
        return balance(part, data, all);
    }

private:
    /// Returns how many elements go to each process.
    ANYMPI_CALLS result<std::vector<std::uint64_t>>
    find_parts(std::span<const T> sorted, const std::vector<std::uint64_t>& sizes, const SamplePlaces& places) const {
        std::vector<std::uint64_t> counts;
        for (std::size_t rank = 0; rank < size_; ++rank)
            counts.push_back(places.count(rank, sizes[rank]));
        std::vector<T> mine, samples(std::accumulate(counts.begin(), counts.end(), std::size_t(0)));
        for (std::uint64_t number = 0; number < counts[rank_]; ++number)
            mine.push_back(sorted[places.place(rank_, number)]);
        ANYMPI_STEP(comm_.allgatherv(mine, samples, Layout::packed(counts)));

        std::vector<SortLimit<T>> limits;
        auto sample = samples.cbegin();
        for (std::size_t rank = 0; rank < size_; ++rank)
            for (std::uint64_t number = 0; number < counts[rank]; ++number)
                limits.push_back({&*sample++, rank, places.place(rank, number)});
        std::stable_sort(limits.begin(), limits.end(),
                         [&](const SortLimit<T>& a, const SortLimit<T>& b) { return less_(*a.element, *b.element); });
        std::vector<std::uint64_t> parts(size_, 0);
        std::uint64_t begin = 0;
        for (std::size_t part = 0; part < size_; ++part) {
            const bool is_last = part + 1 == size_;
            const std::uint64_t end =
                is_last ? sorted.size() : find(sorted, limits[(part + 1) * limits.size() / size_]);
            parts[part] = end - begin;
            begin = end;
        }
        return parts;
    }
    /// Returns how many elements of this process are before the limit. Equal elements are in the order of their ranks.
    std::uint64_t find(std::span<const T> sorted, const SortLimit<T>& limit) const {
        if (rank_ == limit.rank)
            return limit.place;
        const auto found = rank_ < limit.rank ? std::upper_bound(sorted.begin(), sorted.end(), *limit.element, less_)
                                              : std::lower_bound(sorted.begin(), sorted.end(), *limit.element, less_);
        return static_cast<std::uint64_t>(found - sorted.begin());
    }
    /// Merges sorted runs that follow each other.
    void merge(std::vector<T>& runs, const std::vector<std::uint64_t>& sizes) const {
        std::vector<std::ptrdiff_t> ends{0};
        for (const std::uint64_t size : sizes)
            ends.push_back(ends.back() + static_cast<std::ptrdiff_t>(size));
        const std::size_t count = sizes.size();
        for (std::size_t width = 1; width < count; width *= 2)
            for (std::size_t first = 0; first + width < count; first += 2 * width)
                std::inplace_merge(runs.begin() + ends[first], runs.begin() + ends[first + width],
                                   runs.begin() + ends[std::min(first + 2 * width, count)], less_);
    }
    /// Gives every process its share of all elements: `size` processes differ by at most one element.
    template <class C>
    ANYMPI_CALLS result<void> balance(const std::vector<T>& part, C& data, std::uint64_t all) const {
        ANYMPI_VALUE(sizes, comm_.allgather(static_cast<std::uint64_t>(part.size())));
        std::vector<std::uint64_t> sends, receives;
        const std::uint64_t before =
            std::accumulate(sizes.begin(), sizes.begin() + std::ptrdiff_t(rank_), std::uint64_t(0));
        std::uint64_t begin = 0;
        for (std::size_t rank = 0; rank < size_; ++rank) {
            sends.push_back(common(before, before + part.size(), share(all, rank), share(all, rank + 1)));
            receives.push_back(common(begin, begin + sizes[rank], share(all, rank_), share(all, rank_ + 1)));
            begin += sizes[rank];
        }
        data.resize(static_cast<std::size_t>(share(all, rank_ + 1) - share(all, rank_)));
        ANYMPI_STEP(comm_.alltoallv(part, data, Layout::packed(sends), Layout::packed(receives)));
        return done();
    }
    /// Returns the number of elements of all processes before this one.
    [[nodiscard]] std::uint64_t share(std::uint64_t all, std::size_t rank) const noexcept {
        return all / size_ * rank + std::min<std::uint64_t>(all % size_, rank);
    }
    static std::uint64_t common(std::uint64_t begin, std::uint64_t end, std::uint64_t other_begin,
                                std::uint64_t other_end) noexcept {
        const std::uint64_t first = std::max(begin, other_begin), last = std::min(end, other_end);
        return first < last ? last - first : 0;
    }

    const Comm& comm_;
    std::size_t rank_, size_;
    Less less_;
};

} // namespace detail

/// Sorts the elements of all processes: afterwards they are in order within each process, and from each rank to the
/// next one. The sort is stable: equal elements keep their order, by rank and then by place. Called by all processes,
/// which may have different numbers of elements. Afterwards each process has the same number; if that is not possible,
/// the first processes have one more. `less` and `projection` have the same meaning as in std::ranges::sort.
template <SortableContainer C, class Less = std::ranges::less, class Projection = std::identity>
requires std::indirect_strict_weak_order < Less, std::projected < const element_of<C>
*, Projection >> ANYMPI_CALLS result<void> sort(const Comm& comm, C& data, Less less = {}, Projection projection = {}) {
    using T = element_of<C>;
    ANYMPI_STEP(detail::require_one_group(comm, "sort"));
    ANYMPI_VALUE(rank, comm.rank());
    ANYMPI_VALUE(size, comm.size());
    const auto projected = [&](const T& a, const T& b) -> bool {
        return std::invoke(less, std::invoke(projection, a), std::invoke(projection, b));
    };
    return detail::SampleSort<T, decltype(projected)>(comm, static_cast<std::size_t>(rank),
                                                      static_cast<std::size_t>(size), projected)
        .sort(data);
}

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
