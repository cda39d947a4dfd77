// An exchange in which each process sends to few others, and nobody knows who will send to it. Not part of anympi.hpp.
//
// The algorithm is NBX (Hoefler, Siebert and Lumsdaine, 2010): a synchronous send completes only when its message is
// being received, so when every process has completed its sends, nothing is under way any more. A process that has
// completed its sends enters an immediate reduction, and continues to receive until the reduction is complete. The
// cost depends on the number of messages and on the logarithm of the number of processes.
//
// A process may begin the next exchange while others still receive in this one. It cannot begin a third one, because
// the reduction of the second one waits for them. So two tags that alternate separate the exchanges.
#ifndef ANYMPI_SPARSE_ALLTOALL_HPP
#define ANYMPI_SPARSE_ALLTOALL_HPP

#include <algorithm>
#include <ranges>
#include <thread>
#include <utility>
#include <vector>

#include "steps.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {
namespace detail {

template <class M>
using SparseData = decltype(std::get<1>(std::declval<std::ranges::range_reference_t<const M&>>()));

/// Returns the destination of a message. The number may be wider than int: as an int it could be another process.
template <class Message>
long long destination_of(const Message& message) noexcept {
    return static_cast<long long>(std::get<0>(message));
}

/// The type that arrives for data of type D: the same container, a vector for other contiguous ranges, or the same
/// value.
template <class D>
struct Arriving {
    using type = D;
};
template <class D>
requires(ContiguousRange<D> && !Resizable<D>) struct Arriving<D> {
    using type = std::vector<element_of<D>>;
};

template <class D>
ANYMPI_CALLS result<D> receive_arriving(Message message) {
    D data{};
    if constexpr (Resizable<D>)
        ANYMPI_STEP(std::move(message).recv(resize_to_fit(data)));
    else
        ANYMPI_STEP(std::move(message).recv(data));
    return data;
}

} // namespace detail

/// A range of pairs of a destination and data: std::map<int, std::vector<T>>, std::vector<std::pair<int, T>> and so on.
/// The range must hold the data, because messages are sent from there.
template <class M>
concept SparseMessages =
    std::ranges::forward_range<const M&> && std::is_lvalue_reference_v<detail::SparseData<M>> &&
    SendBuffer<detail::SparseData<M>> && !TypedView<detail::SparseData<M>> &&
    Receivable<element_of<detail::SparseData<M>>> && requires(std::ranges::range_reference_t<const M&> message) {
    { std::get<0>(message) } -> std::convertible_to<int>;
};

/// The messages that a process gets, each with its source and its data, in the order of the sources. Messages of one
/// source are in the order in which the source sent them.
template <SparseMessages M>
using SparseArrivals =
    std::vector<std::pair<int, typename detail::Arriving<std::remove_cvref_t<detail::SparseData<M>>>::type>>;

/// Sparse exchanges between the processes of a communicator. This object has its own communicator, so its messages are
/// separate from all others.
class [[nodiscard]] SparseAlltoall {
public:
    /// Called by all processes of the communicator.
    static ANYMPI_CALLS result<SparseAlltoall> create(const Comm& comm) {
        ANYMPI_VALUE(own, detail::with_own_messages(comm, "SparseAlltoall::create"));
        ANYMPI_VALUE(size, own.size());
        return SparseAlltoall(std::move(own), size);
    }

    /// Sends each message to its destination and returns what arrives. Called by all processes, which may have any
    /// number of messages, also several for one destination, for themselves, and without elements. If a process names a
    /// destination that does not exist, all processes get an error, and this process sends nothing.
    template <SparseMessages M>
    [[nodiscard]] ANYMPI_CALLS result<SparseArrivals<M>> exchange(const M& messages) {
        using Data = typename SparseArrivals<M>::value_type::second_type;
        const Tag round = tag(std::exchange(round_, 1 - round_));
        const int is_wrong = !std::ranges::all_of(messages, [&](const auto& message) { return exists(message); });
        int any_is_wrong = 0;
        std::vector<Request> sends;
        if (!is_wrong)
            for (auto&& message : messages) {
                const auto destination = static_cast<int>(detail::destination_of(message));
                ANYMPI_VALUE(sending, comm_.issend(std::get<1>(message), destination, round));
                sends.push_back(std::move(sending));
            }
        SparseArrivals<M> arrivals;
        std::optional<Request> others; // waits until all processes have completed their sends
        for (auto sending = sends.begin();;) {
            ANYMPI_VALUE(message, comm_.improbe(any_source, round));
            if (message) {
                const int source = message->status().source();
                ANYMPI_VALUE(data, detail::receive_arriving<Data>(*std::move(message)));
                arrivals.emplace_back(source, std::move(data));
                continue;
            }
            if (others) {
                ANYMPI_VALUE(is_complete, others->test());
                if (is_complete)
                    break;
            }
            for (; sending != sends.end(); ++sending) {
                ANYMPI_VALUE(is_complete, sending->test());
                if (!is_complete)
                    break;
            }
            if (!others && sending == sends.end()) {
                ANYMPI_VALUE(begun, comm_.iallreduce(is_wrong, any_is_wrong, op::max));
                others.emplace(std::move(begun));
            }
            std::this_thread::yield(); // another process of this processor may have to send
        }
        if (any_is_wrong)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_RANK, "a process sends to a process that does not exist"}),
                        "SparseAlltoall::exchange", comm_.where());
        std::ranges::stable_sort(arrivals, {}, [](const auto& arrival) { return arrival.first; });
        return arrivals;
    }

private:
    SparseAlltoall(Comm comm, int size) noexcept : comm_(std::move(comm)), size_(size) {}
    template <class Message>
    [[nodiscard]] bool exists(const Message& message) const noexcept {
        const long long destination = detail::destination_of(message);
        return destination >= 0 && destination < size_;
    }

    Comm comm_;
    int size_;
    int round_ = 0;
};

/// Does one exchange, as SparseAlltoall::exchange. It duplicates the communicator: a program with many exchanges keeps
/// a SparseAlltoall.
template <SparseMessages M>
[[nodiscard]] ANYMPI_CALLS result<SparseArrivals<M>> sparse_alltoall(const Comm& comm, const M& messages) {
    ANYMPI_VALUE(exchange, SparseAlltoall::create(comm));
    return exchange.exchange(messages);
}

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
