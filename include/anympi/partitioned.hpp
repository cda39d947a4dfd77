// Messages whose parts become ready, and arrive, one by one.
#ifndef ANYMPI_PARTITIONED_HPP
#define ANYMPI_PARTITIONED_HPP

#include <atomic>

#include "objects.hpp"
#include "room.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

namespace detail {

inline constexpr const char* no_such_part = "the message has no part with this number";
inline constexpr const char* not_yours = "the operation uses this part";

/// Remembers which parts of a message are ready, and in which round they became ready.
class PartMarks {
public:
    static constexpr std::size_t never = 0;
    explicit PartMarks(int parts) : rounds_(static_cast<std::size_t>(parts)) {}
    /// Returns true unless the marks were moved elsewhere.
    [[nodiscard]] bool are_here() const noexcept { return rounds_.data() != nullptr; }
    [[nodiscard]] bool has(int partition) const noexcept {
        return partition >= 0 && static_cast<std::size_t>(partition) < rounds_.size();
    }
    [[nodiscard]] std::atomic<std::size_t>& operator[](int partition) noexcept {
        return rounds_[static_cast<std::size_t>(partition)];
    }

private:
    shared::Room<std::atomic<std::size_t>> rounds_; // atomic, since several threads mark parts
};

} // namespace detail

/// The request of a send in parts. The destructor of an active request sends the missing parts as they are, since the
/// receiver waits for them. If an exception destroys the request, nothing is sent.
class [[nodiscard]] PartitionedSend : public PersistentRequest {
public:
    PartitionedSend(const detail::Operation& operation, int partitions)
        : PersistentRequest(operation), marks_(partitions) {}
    PartitionedSend(PartitionedSend&&) noexcept = default;
    PartitionedSend& operator=(PartitionedSend&& other) noexcept {
        if (this != &other) {
            give_rest();
            PersistentRequest::operator=(std::move(other));
            marks_ = std::move(other.marks_);
        }
        return *this;
    }
    ~PartitionedSend() { give_rest(); }

    /// Marks a part as ready. Several threads may do so, each for its own parts.
    ANYMPI_CALLS result<void> ready(int partition) const {
        const auto part = [=](std::ptrdiff_t) { return partition; };
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Pready", give(1, part, [&] { return MPI_Pready(partition, handle()); }));
        return detail::done();
    }
    ANYMPI_CALLS result<void> ready_range(int first, int last) const {
        const auto part = [=](std::ptrdiff_t place) { return static_cast<int>(first + place); };
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Pready_range", give(std::ptrdiff_t{last} - first + 1, part, [&] {
                           return MPI_Pready_range(first, last, handle());
                       }));
        return detail::done();
    }
    ANYMPI_CALLS result<void> ready_list(std::span<const int> partitions) const {
        const auto part = [=](std::ptrdiff_t place) { return partitions[static_cast<std::size_t>(place)]; };
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Pready_list", give(std::ssize(partitions), part, [&] {
                           // not const in the mpi.h of MPICH 4.0
                           auto* const numbers = const_cast<int*>(partitions.data());
                           return MPI_Pready_list(static_cast<int>(partitions.size()), numbers, handle());
                       }));
        return detail::done();
    }

protected:
    /// Returns true if MPI was told that the part is ready.
    [[nodiscard]] bool is_gone(int partition) const noexcept { return marks_[partition] == rounds(); }

private:
    /// Tells MPI by `call` that parts are ready. The marks are set before: as soon as MPI has all parts, another thread
    /// may begin the next message.
    template <class Part, class Call>
    ANYMPI_CALLS detail::Fault give(std::ptrdiff_t count, Part part, Call call) const {
        if (detail::is_too_late())
            return detail::too_late();
        if (!marks_.are_here())
            return {MPI_ERR_REQUEST, detail::moved_away};
        if (rounds() == detail::PartMarks::never)
            return {MPI_ERR_REQUEST, "the request was never started"};
        for (std::ptrdiff_t place = 0; place < count; ++place) {
            if (!marks_.has(part(place)))
                return {MPI_ERR_ARG, detail::no_such_part};
            if (is_gone(part(place)))
                return {MPI_ERR_ARG, "this part is ready already"};
        }
        const auto mark = [&](std::size_t round) {
            for (std::ptrdiff_t place = 0; place < count; ++place)
                marks_[part(place)] = round;
        };
        mark(rounds());
        const int code = call();
        if (code != MPI_SUCCESS)
            mark(detail::PartMarks::never);
        return code;
    }
    /// Tells MPI that all other parts are ready; otherwise the end would wait forever.
    void give_rest() noexcept {
        if (!is_active() || detail::has_ended() || is_unwinding())
            return;
        for (int partition = 0; marks_.has(partition); ++partition)
            if (!is_gone(partition))
                origin().report(MPI_Pready(partition, handle()), "MPI_Pready");
    }

    mutable detail::PartMarks marks_;
};

class [[nodiscard]] PartitionedReceive : public PersistentRequest {
public:
    using PersistentRequest::PersistentRequest;
    [[nodiscard]] ANYMPI_CALLS result<bool> arrived(int partition) const {
        int flag = 0;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Parrived, handle(), partition, &flag);
        return flag != 0;
    }
};

namespace detail {

/// Divides `count` by the number of parts. An error if the elements cannot be divided into equal parts.
inline Fault divide(MPI_Count& count, int partitions) {
    if (partitions <= 0 || count % partitions != 0)
        return {MPI_ERR_COUNT, "the buffer cannot be divided into that many equal parts"};
    count /= partitions;
    return MPI_SUCCESS;
}
template <bool Receives>
struct PartitionedShape {
    static constexpr bool must_last = !Receives; // the sending side asks the request for the number of parts
    int partitions, peer;
    Tag tag;
    template <class Invoke>
    Fault call(MPI_Comm, ReadView from, WriteView into, Invoke invoke) const {
        if constexpr (Receives)
            return pass(into, invoke);
        else
            return pass(from, invoke);
    }
    template <class View, class Invoke>
    Fault pass(View view, Invoke invoke) const {
        if (const Fault fault = divide(view.count, partitions))
            return fault;
        return invoke(view.data, partitions, view.count, view.type, peer, tag.number());
    }
};

/// A buffer that was given away, and its division into parts.
template <ContiguousRange Container>
class Divided {
public:
    using Buffer = Container;
    using Element = element_of<Container>;
    Divided(Container buffer, int partitions)
        : buffer_(std::move(buffer)), parts_(static_cast<std::size_t>(std::max(partitions, 0))) {}

    [[nodiscard]] ReadView view() const { return reading(buffer_); }
    [[nodiscard]] WriteView view() { return writing(buffer_); }
    [[nodiscard]] Container& buffer() noexcept { return buffer_; }
    [[nodiscard]] std::span<Element> part(std::size_t number) {
        const std::size_t each = std::size(buffer_) / parts_;
        return {std::data(buffer_) + number * each, each};
    }
    [[nodiscard]] bool has(int partition) const noexcept {
        return partition >= 0 && static_cast<std::size_t>(partition) < parts_;
    }

private:
    Container buffer_;
    std::size_t parts_;
};
template <class Container>
inline constexpr bool is_divided<Divided<Container>> = true;

/// Returns an error if the buffer was moved elsewhere.
template <class Divided>
Fault check_there(const Divided& divided) {
    return divided ? Fault(MPI_SUCCESS) : Fault(MPI_ERR_REQUEST, moved_away);
}
template <class Divided>
Fault check_part(const Divided& divided, int partition) {
    if (const Fault fault = check_there(divided))
        return fault;
    return divided->has(partition) ? Fault(MPI_SUCCESS) : Fault(MPI_ERR_ARG, no_such_part);
}

/// A request that owns its buffer. The buffer can be accessed while no operation is under way.
template <class Partitioned, class Container>
class [[nodiscard]] OwningPartitioned : public Partitioned {
public:
    using Element = element_of<Container>;
    OwningPartitioned(Partitioned request, std::shared_ptr<Divided<Container>> divided)
        : Partitioned(std::move(request)), divided_(std::move(divided)) {}

    [[nodiscard]] ANYMPI_CALLS result<std::reference_wrapper<Container>> buffer() {
        ANYMPI_REQUIRE(Nowhere{}, "buffer", check_there(divided_));
        ANYMPI_REQUIRE(Nowhere{}, "buffer", this->check_idle());
        return std::ref(divided_->buffer());
    }

protected:
    std::shared_ptr<Divided<Container>> divided_; // the request keeps it alive too
};

} // namespace detail

/// A send that owns its buffer. A part can be written until it is ready, the whole buffer while no operation is under
/// way.
template <class Container>
class [[nodiscard]] OwningPartitionedSend : public detail::OwningPartitioned<PartitionedSend, Container> {
    using Owning = detail::OwningPartitioned<PartitionedSend, Container>;

public:
    using Owning::Owning;
    using typename Owning::Element;

    [[nodiscard]] ANYMPI_CALLS result<std::span<Element>> part(int partition) {
        ANYMPI_REQUIRE(detail::Nowhere{}, "part", detail::check_part(this->divided_, partition));
        if (this->is_active() && this->is_gone(partition))
            ANYMPI_FAIL((detail::Fault{MPI_ERR_REQUEST, detail::not_yours}), "part", detail::Nowhere{});
        return this->divided_->part(static_cast<std::size_t>(partition));
    }
};

/// A receive that owns its buffer. A part can be read when it has arrived, the whole buffer when the operation is
/// complete.
template <class Container>
class [[nodiscard]] OwningPartitionedReceive : public detail::OwningPartitioned<PartitionedReceive, Container> {
    using Owning = detail::OwningPartitioned<PartitionedReceive, Container>;

public:
    using typename Owning::Element;
    OwningPartitionedReceive(PartitionedReceive request, std::shared_ptr<detail::Divided<Container>> divided, Direction)
        : Owning(std::move(request), std::move(divided)) {}

    [[nodiscard]] ANYMPI_CALLS result<std::span<const Element>> part(int partition) const {
        ANYMPI_REQUIRE(detail::Nowhere{}, "part", detail::check_part(this->divided_, partition));
        int here = 1;
        if (this->is_active())
            ANYMPI_CALL(detail::Nowhere{}, MPI_Parrived, this->handle(), partition, &here);
        if (!here)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_REQUEST, detail::not_yours}), "part", detail::Nowhere{});
        return std::span<const Element>(this->divided_->part(static_cast<std::size_t>(partition)));
    }
};

namespace detail {

template <class Divided>
using OwningSendOf = OwningPartitionedSend<typename Divided::Buffer>;
template <class Divided>
using OwningReceiveOf = OwningPartitionedReceive<typename Divided::Buffer>;

/// The request of a send knows the number of its parts, even if it borrows the buffer.
struct MakingSend : Making<PartitionedSend, OwningSendOf> {
    template <class Shape>
    static PartitionedSend make(const Operation& operation, const Shape& shape) {
        return {operation, shape.partitions};
    }
    template <class Shape, class Divided>
    static OwningSendOf<Divided> make(const Operation& operation, const Shape& shape,
                                      std::shared_ptr<Divided> divided) {
        return {make(operation, shape), std::move(divided)};
    }
};

/// Returns the buffer in the form that the request holds: divided if it was given away.
template <class B>
ANYMPI_CALLS decltype(auto) divided(B&& buffer, int partitions) {
    if constexpr (given_away<B>)
        return Divided<std::remove_cvref_t<B>>(std::forward<B>(buffer), partitions);
    else
        return std::forward<B>(buffer);
}

/// The functions take MPI_Count. Some mpi.h of the standard ABI have one function with int and another function with
/// MPI_Count.
inline constexpr auto begin_psend = [](auto... arguments) {
    if constexpr (requires { MPI_Psend_init_c(arguments...); })
        return MPI_Psend_init_c(arguments...);
    else
        return MPI_Psend_init(arguments...);
};
inline constexpr auto begin_precv = [](auto... arguments) {
    if constexpr (requires { MPI_Precv_init_c(arguments...); })
        return MPI_Precv_init_c(arguments...);
    else
        return MPI_Precv_init(arguments...);
};

} // namespace detail

/// Messages in equal parts of a buffer. The request owns a buffer that is a temporary or given with std::move, and
/// borrows any other. Part of Comm.
class PartitionedMessages : public Objects {
public:
    using Objects::Objects;

    template <SendBuffer B>
    ANYMPI_CALLS auto psend_init(B&& buffer, Partitions partitions, Destination destination, Tag tag = {},
                                 const Info& info = {}) const {
        return detail::describe<detail::MakingSend>(
            detail::begin_psend, "MPI_Psend_init", where(),
            detail::PartitionedShape<false>{partitions.number(), destination.rank(), tag},
            detail::divided(std::forward<B>(buffer), partitions.number()), detail::None{}, info);
    }
    template <ReceiveBuffer B>
    ANYMPI_CALLS auto precv_init(B&& buffer, Partitions partitions, Source source, Tag tag = {},
                                 const Info& info = {}) const {
        using Made = detail::Making<PartitionedReceive, detail::OwningReceiveOf>;
        return detail::describe<Made>(detail::begin_precv, "MPI_Precv_init", where(),
                                      detail::PartitionedShape<true>{partitions.number(), source.rank(), tag},
                                      detail::None{}, detail::divided(std::forward<B>(buffer), partitions.number()),
                                      info);
    }
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
