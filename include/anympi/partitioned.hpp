// Messages whose parts are made ready, and arrive, one by one.
#ifndef ANYMPI_PARTITIONED_HPP
#define ANYMPI_PARTITIONED_HPP

#include "comm.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

class [[nodiscard]] PartitionedSend : public PersistentRequest {
public:
    using PersistentRequest::PersistentRequest;
    /// Several threads may say so, each for its own parts.
    result<void> ready(int partition) const {
        ANYMPI_CALL(detail::Nowhere{}, MPI_Pready, partition, handle());
        return detail::done();
    }
    result<void> ready_range(int first, int last) const {
        ANYMPI_CALL(detail::Nowhere{}, MPI_Pready_range, first, last, handle());
        return detail::done();
    }
    result<void> ready_list(std::span<const int> partitions) const {
        ANYMPI_CALL(detail::Nowhere{}, MPI_Pready_list, static_cast<int>(partitions.size()), partitions.data(),
                    handle());
        return detail::done();
    }
};

class [[nodiscard]] PartitionedReceive : public PersistentRequest {
public:
    using PersistentRequest::PersistentRequest;
    [[nodiscard]] result<bool> arrived(int partition) const {
        int flag = 0;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Parrived, handle(), partition, &flag);
        return flag != 0;
    }
};

namespace detail {
/// An error if the elements cannot be divided.
inline Fault divide(MPI_Count& count, int partitions) {
    if (partitions <= 0 || count % partitions != 0)
        return {MPI_ERR_COUNT, "the buffer cannot be divided into that many equal parts"};
    count /= partitions;
    return MPI_SUCCESS;
}
} // namespace detail

/// The buffer is borrowed, and divided into equal parts.
template <SendBuffer B>
requires(!detail::given_away<B>) result<PartitionedSend> psend_init(const Comm& comm, B&& buffer, int partitions,
                                                                    int destination, int tag = 0,
                                                                    const Info& info = {}) {
    detail::ReadView view = detail::reading(buffer);
    ANYMPI_REQUIRE(comm.handle(), "MPI_Psend_init", detail::divide(view.count, partitions));
    MPI_Request request = MPI_REQUEST_NULL;
    ANYMPI_CALL(comm.handle(), MPI_Psend_init_c, view.data, partitions, view.count, view.type, destination, tag,
                comm.handle(), info.handle(), &request);
    return PartitionedSend(request, Direction::other);
}
template <LastingReceiveBuffer B>
result<PartitionedReceive> precv_init(const Comm& comm, B&& buffer, int partitions, int source, int tag = 0,
                                      const Info& info = {}) {
    detail::WriteView view = detail::writing(buffer);
    ANYMPI_REQUIRE(comm.handle(), "MPI_Precv_init", detail::divide(view.count, partitions));
    MPI_Request request = MPI_REQUEST_NULL;
    ANYMPI_CALL(comm.handle(), MPI_Precv_init_c, view.data, partitions, view.count, view.type, source, tag,
                comm.handle(), info.handle(), &request);
    return PartitionedReceive(request, Direction::other);
}

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
