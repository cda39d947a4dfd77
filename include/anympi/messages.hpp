// Point-to-point communication. Part of Comm.
#ifndef ANYMPI_MESSAGES_HPP
#define ANYMPI_MESSAGES_HPP

#include "launch.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

namespace detail {

struct SendShape {
    static constexpr bool must_last = false;
    int destination, tag;
    template <class S, class Invoke>
    Fault call(MPI_Comm, const S& send, None&, Invoke invoke) const {
        const ReadView view = reading(send);
        return invoke(view.data, view.count, view.type, destination, tag);
    }
};
struct ReceiveShape {
    static constexpr bool must_last = false;
    int source, tag;
    template <class R, class Invoke>
    Fault call(MPI_Comm, const None&, R& receive, Invoke invoke) const {
        const WriteView view = writing(receive);
        return invoke(view.data, view.count, view.type, source, tag);
    }
};
struct ExchangeShape {
    static constexpr bool must_last = false;
    int destination, send_tag, source, receive_tag;
    template <class S, class R, class Invoke>
    Fault call(MPI_Comm, const S& send, R& receive, Invoke invoke) const {
        const ReadView from = reading(send);
        const WriteView into = writing(receive);
        return invoke(from.data, from.count, from.type, destination, send_tag, into.data, into.count, into.type, source,
                      receive_tag);
    }
};

} // namespace detail

namespace detail {
/// Received into nothing, which the library takes for an error that nobody need be told.
inline void discard(MPI_Message& message) noexcept {
    MPI_Mrecv_c(nullptr, 0, MPI_BYTE, &message, MPI_STATUS_IGNORE);
}
[[gnu::cold, gnu::noinline]] inline Fault not_whole(MPI_Message& message) noexcept {
    discard(message);
    return {MPI_ERR_TYPE, "the message does not hold whole elements of this type"};
}
} // namespace detail

/// A message that was found by a matched probe: nobody else can receive it.
class [[nodiscard]] Message {
public:
    Message(MPI_Message handle, const Status& status) noexcept : handle_(handle), status_(status) {}
    Message(Message&& other) noexcept
        : handle_(std::exchange(other.handle_, MPI_MESSAGE_NULL)), status_(other.status_) {}
    Message& operator=(Message&& other) noexcept {
        std::swap(handle_, other.handle_);
        std::swap(status_, other.status_);
        return *this;
    }
    /// A message that nobody received is received into nothing.
    ~Message() {
        if (handle_ != MPI_MESSAGE_NULL && !is_finalized())
            detail::discard(handle_);
    }
    [[nodiscard]] const Status& status() const noexcept { return status_; }

    template <LastingReceiveBuffer B>
    result<Status> recv(B&& buffer) && {
        const detail::WriteView view = detail::writing(buffer);
        MPI_Status status;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Mrecv_c, view.data, view.count, view.type, &handle_, &status);
        return Status(status);
    }
    template <LastingReceiveBuffer B>
    result<Request> irecv(B&& buffer) && {
        const detail::WriteView view = detail::writing(buffer);
        MPI_Request request = MPI_REQUEST_NULL;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Imrecv_c, view.data, view.count, view.type, &handle_, &request);
        return Request(request, Direction::receives);
    }
    /// Everything that it holds.
    template <Communicable T>
    result<std::vector<T>> recv_all() && {
        const auto count = status_.count<T>();
        if (!count)
            ANYMPI_FAIL(detail::not_whole(handle_), "MPI_Mrecv", detail::Nowhere{});
        std::vector<T> values(*count);
        ANYMPI_CALL(detail::Nowhere{}, MPI_Mrecv_c, values.data(), static_cast<MPI_Count>(*count), datatype<T>(),
                    &handle_, MPI_STATUS_IGNORE);
        return values;
    }

private:
    MPI_Message handle_;
    Status status_;
};

namespace detail {
template <class T>
struct VectorElement {
    using type = void;
};
template <class T>
struct VectorElement<std::vector<T>> {
    using type = T;
};
template <class T>
concept VectorOfCommunicable = Communicable<typename VectorElement<T>::type>;
} // namespace detail

/// Sends and receives. Tags are optional, and zero then. Functions whose name begins with i are immediate, those with
/// _init describe an operation that is started later; both own what they are given as a temporary or with std::move,
/// and borrow everything else.
class Messages : public Owned<detail::CommKind> {
public:
    using Owned::Owned;

    template <SendBuffer B>
    result<void> send(const B& buffer, int destination, int tag = 0) const {
        const detail::ReadView view = detail::reading(buffer);
        ANYMPI_PLAIN_CALL(handle(), MPI_Send_c, view.data, view.count, view.type, destination, tag, handle());
        return detail::done();
    }
    /// Complete when the receive has begun.
    template <SendBuffer B>
    result<void> ssend(const B& buffer, int destination, int tag = 0) const {
        const detail::ReadView view = detail::reading(buffer);
        ANYMPI_PLAIN_CALL(handle(), MPI_Ssend_c, view.data, view.count, view.type, destination, tag, handle());
        return detail::done();
    }
    /// Complete at once: the message waits in the attached buffer (see Environment::attach_buffer).
    template <SendBuffer B>
    result<void> bsend(const B& buffer, int destination, int tag = 0) const {
        const detail::ReadView view = detail::reading(buffer);
        ANYMPI_PLAIN_CALL(handle(), MPI_Bsend_c, view.data, view.count, view.type, destination, tag, handle());
        return detail::done();
    }
    /// The receive must have been posted.
    template <SendBuffer B>
    result<void> rsend(const B& buffer, int destination, int tag = 0) const {
        const detail::ReadView view = detail::reading(buffer);
        ANYMPI_PLAIN_CALL(handle(), MPI_Rsend_c, view.data, view.count, view.type, destination, tag, handle());
        return detail::done();
    }

    /// Into memory that is there already, of at least that size.
    template <LastingReceiveBuffer B>
    result<Status> recv(B&& buffer, int source = any_source, int tag = any_tag) const {
        const detail::WriteView view = detail::writing(buffer);
        MPI_Status status;
        ANYMPI_PLAIN_CALL(handle(), MPI_Recv_c, view.data, view.count, view.type, source, tag, handle(), &status);
        return Status(status);
    }
    /// Into a container whose size follows the message: resize_to_fit(container), grow_only(container).
    template <ResizePolicy P>
    result<Status> recv(const P& policy, int source = any_source, int tag = any_tag) const {
        using T = element_of<decltype((policy.container))>;
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        ANYMPI_CALL(handle(), MPI_Mprobe, source, tag, handle(), &message, &status);
        const auto count = Status(status).count<T>();
        if (!count)
            ANYMPI_FAIL(detail::not_whole(message), "MPI_Mprobe", handle());
        policy.adapt(*count);
        ANYMPI_CALL(handle(), MPI_Mrecv_c, std::data(policy.container), static_cast<MPI_Count>(*count), datatype<T>(),
                    &message, &status);
        return Status(status);
    }
    /// One element, by value.
    template <Communicable T>
    requires(!detail::VectorOfCommunicable<T>) result<T> recv(int source = any_source, int tag = any_tag)
    const {
        T value{};
        ANYMPI_PLAIN_CALL(handle(), MPI_Recv_c, &value, 1, datatype<T>(), source, tag, handle(), MPI_STATUS_IGNORE);
        return value;
    }
    /// A whole message, by value: recv<std::vector<double>>(source).
    template <detail::VectorOfCommunicable V>
    result<V> recv(int source = any_source, int tag = any_tag) const {
        V values;
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        using T = typename V::value_type;
        ANYMPI_CALL(handle(), MPI_Mprobe, source, tag, handle(), &message, &status);
        const auto count = Status(status).count<T>();
        if (!count)
            ANYMPI_FAIL(detail::not_whole(message), "MPI_Mprobe", handle());
        values.resize(*count);
        ANYMPI_CALL(handle(), MPI_Mrecv_c, values.data(), static_cast<MPI_Count>(*count), datatype<T>(), &message,
                    MPI_STATUS_IGNORE);
        return values;
    }

    template <SendBuffer S, LastingReceiveBuffer R>
    result<Status> sendrecv(const S& send, int destination, int send_tag, R&& receive, int source,
                            int receive_tag) const {
        const detail::ReadView from = detail::reading(send);
        const detail::WriteView into = detail::writing(receive);
        MPI_Status status;
        ANYMPI_CALL(handle(), MPI_Sendrecv_c, from.data, from.count, from.type, destination, send_tag, into.data,
                    into.count, into.type, source, receive_tag, handle(), &status);
        return Status(status);
    }
    template <LastingReceiveBuffer B>
    result<Status> sendrecv_replace(B&& buffer, int destination, int send_tag, int source, int receive_tag) const {
        const detail::WriteView view = detail::writing(buffer);
        MPI_Status status;
        ANYMPI_CALL(handle(), MPI_Sendrecv_replace_c, view.data, view.count, view.type, destination, send_tag, source,
                    receive_tag, handle(), &status);
        return Status(status);
    }

    // Immediate

    template <SendBuffer B>
    auto isend(B&& buffer, int destination, int tag = 0) const {
        return start_send(MPI_Isend_c, "MPI_Isend", std::forward<B>(buffer), destination, tag);
    }
    template <SendBuffer B>
    auto issend(B&& buffer, int destination, int tag = 0) const {
        return start_send(MPI_Issend_c, "MPI_Issend", std::forward<B>(buffer), destination, tag);
    }
    template <SendBuffer B>
    auto ibsend(B&& buffer, int destination, int tag = 0) const {
        return start_send(MPI_Ibsend_c, "MPI_Ibsend", std::forward<B>(buffer), destination, tag);
    }
    template <SendBuffer B>
    auto irsend(B&& buffer, int destination, int tag = 0) const {
        return start_send(MPI_Irsend_c, "MPI_Irsend", std::forward<B>(buffer), destination, tag);
    }
    template <ReceiveBuffer B>
    auto irecv(B&& buffer, int source = any_source, int tag = any_tag) const {
        return detail::start(MPI_Irecv_c, "MPI_Irecv", handle(), Direction::receives, detail::ReceiveShape{source, tag},
                             detail::None{}, std::forward<B>(buffer));
    }
    /// At most `count` elements: irecv<std::vector<double>>(count, source). The vector is to be had from the completed
    /// request.
    template <detail::VectorOfCommunicable V>
    auto irecv(std::size_t count, int source = any_source, int tag = any_tag) const {
        return irecv(V(count), source, tag);
    }
    template <SendBuffer S, ReceiveBuffer R>
    auto isendrecv(S&& send, int destination, int send_tag, R&& receive, int source, int receive_tag) const {
        return detail::start(MPI_Isendrecv_c, "MPI_Isendrecv", handle(), Direction::other,
                             detail::ExchangeShape{destination, send_tag, source, receive_tag}, std::forward<S>(send),
                             std::forward<R>(receive));
    }

    // Persistent

    template <SendBuffer B>
    auto send_init(B&& buffer, int destination, int tag = 0) const {
        return describe_send(MPI_Send_init_c, "MPI_Send_init", std::forward<B>(buffer), destination, tag);
    }
    template <SendBuffer B>
    auto ssend_init(B&& buffer, int destination, int tag = 0) const {
        return describe_send(MPI_Ssend_init_c, "MPI_Ssend_init", std::forward<B>(buffer), destination, tag);
    }
    template <SendBuffer B>
    auto bsend_init(B&& buffer, int destination, int tag = 0) const {
        return describe_send(MPI_Bsend_init_c, "MPI_Bsend_init", std::forward<B>(buffer), destination, tag);
    }
    template <SendBuffer B>
    auto rsend_init(B&& buffer, int destination, int tag = 0) const {
        return describe_send(MPI_Rsend_init_c, "MPI_Rsend_init", std::forward<B>(buffer), destination, tag);
    }
    template <ReceiveBuffer B>
    auto recv_init(B&& buffer, int source = any_source, int tag = any_tag) const {
        return detail::describe(MPI_Recv_init_c, "MPI_Recv_init", handle(), Direction::receives,
                                detail::ReceiveShape{source, tag}, detail::None{}, std::forward<B>(buffer));
    }

    // Probes

    result<Status> probe(int source = any_source, int tag = any_tag) const {
        MPI_Status status;
        ANYMPI_CALL(handle(), MPI_Probe, source, tag, handle(), &status);
        return Status(status);
    }
    result<std::optional<Status>> iprobe(int source = any_source, int tag = any_tag) const {
        int found = 0;
        MPI_Status status;
        ANYMPI_CALL(handle(), MPI_Iprobe, source, tag, handle(), &found, &status);
        return found ? std::optional<Status>(status) : std::optional<Status>();
    }
    result<Message> mprobe(int source = any_source, int tag = any_tag) const {
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        ANYMPI_CALL(handle(), MPI_Mprobe, source, tag, handle(), &message, &status);
        return Message(message, Status(status));
    }
    result<std::optional<Message>> improbe(int source = any_source, int tag = any_tag) const {
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        int found = 0;
        ANYMPI_CALL(handle(), MPI_Improbe, source, tag, handle(), &found, &message, &status);
        return found ? std::optional<Message>(std::in_place, message, Status(status)) : std::optional<Message>();
    }

private:
    template <class Function, class B>
    auto start_send(Function function, const char* name, B&& buffer, int destination, int tag) const {
        return detail::start(function, name, handle(), Direction::other, detail::SendShape{destination, tag},
                             std::forward<B>(buffer), detail::None{});
    }
    template <class Function, class B>
    auto describe_send(Function function, const char* name, B&& buffer, int destination, int tag) const {
        return detail::describe(function, name, handle(), Direction::other, detail::SendShape{destination, tag},
                                std::forward<B>(buffer), detail::None{});
    }
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
