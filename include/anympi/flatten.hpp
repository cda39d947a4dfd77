// Data by destination, put into one buffer for alltoallv. Not part of anympi.hpp.
#ifndef ANYMPI_FLATTEN_HPP
#define ANYMPI_FLATTEN_HPP

#include "sparse_alltoall.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// The arguments of alltoallv: the data for all processes, and the number of elements for each.
template <class T>
struct Flattened {
    std::vector<T> data;
    std::vector<std::size_t> counts;
};

/// Ranges of buffers: the first one is for process 0, and so on.
template <class B>
concept Buckets = std::ranges::forward_range<const B&> && ContiguousRange<std::ranges::range_reference_t<const B&>> &&
    Receivable<element_of<std::ranges::range_reference_t<const B&>>>;

template <Buckets B>
[[nodiscard]] auto flattened(const B& buckets) {
    Flattened<element_of<std::ranges::range_reference_t<const B&>>> flat;
    for (const auto& bucket : buckets) {
        flat.data.insert(flat.data.end(), std::begin(bucket), std::end(bucket));
        flat.counts.push_back(std::size(bucket));
    }
    return flat;
}
/// Does the same for pairs of a destination and data, such as a map, in a communicator with this many processes.
template <SparseMessages M>
[[nodiscard]] ANYMPI_CALLS result<Flattened<element_of<detail::SparseData<M>>>> flattened(const M& messages,
                                                                                          int processes) {
    using T = element_of<detail::SparseData<M>>;
    std::vector<std::vector<T>> buckets(static_cast<std::size_t>(std::max(processes, 0)));
    for (auto&& message : messages) {
        const long long destination = detail::destination_of(message);
        if (destination < 0 || destination >= processes)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_RANK, "there is no such process"}), "flattened", detail::Nowhere{});
        const detail::ReadView view = detail::reading(std::get<1>(message));
        const T* const begin = static_cast<const T*>(view.data);
        auto& bucket = buckets[static_cast<std::size_t>(destination)];
        bucket.insert(bucket.end(), begin, begin + view.count);
    }
    return flattened(buckets);
}

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
