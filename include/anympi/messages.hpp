// Point-to-point communication. Part of Comm.
#ifndef ANYMPI_MESSAGES_HPP
#define ANYMPI_MESSAGES_HPP

#include <cstddef>
#include <memory>
#include <new>

#include "launch.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

namespace detail {

struct SendShape {
    static constexpr bool library_checks = true;
    Destination destination;
    Tag tag;
    template <class Invoke>
    Fault call(MPI_Comm, ReadView from, WriteView, Invoke invoke) const {
        return invoke(from.data, from.count, from.type, destination.rank(), tag.number());
    }
};
struct ReceiveShape {
    static constexpr bool library_checks = true;
    static constexpr Direction direction = Direction::receives;
    Source source;
    Tag tag;
    template <class Invoke>
    Fault call(MPI_Comm, ReadView, WriteView into, Invoke invoke) const {
        return invoke(into.data, into.count, into.type, source.rank(), tag.number());
    }
};
/// Receives exactly one element. A receive from proc_null gets no element, but MPICH's status does not show this. So
/// such a receive has a separate direction.
struct ReceiveOneShape : ReceiveShape {
    [[nodiscard]] Direction find_direction() const {
        return source == proc_null ? Direction::receives : Direction::receives_one;
    }
};
struct SendrecvShape {
    static constexpr bool library_checks = true;
    Destination destination;
    Tag send_tag;
    Source source;
    Tag receive_tag;
    template <class Invoke>
    Fault call(MPI_Comm, ReadView from, WriteView into, Invoke invoke) const {
        return invoke(from.data, from.count, from.type, destination.rank(), send_tag.number(), into.data, into.count,
                      into.type, source.rank(), receive_tag.number());
    }
};
struct ReplaceShape {
    static constexpr bool library_checks = true;
    Destination destination;
    Tag send_tag;
    Source source;
    Tag receive_tag;
    template <class Invoke>
    Fault call(MPI_Comm, ReadView, WriteView into, Invoke invoke) const {
        return invoke(into.data, into.count, into.type, destination.rank(), send_tag.number(), source.rank(),
                      receive_tag.number());
    }
};
/// Reports a null message as an error. Some libraries end the job instead if a message is received twice.
inline Fault check_message(MPI_Message message) {
    return message == MPI_MESSAGE_NULL ? Fault{MPI_ERR_REQUEST, "the message has been received already"}
                                       : Fault{MPI_SUCCESS};
}
/// Stands for the object of the call that receives a matched message: the library sets the handle to null.
struct MatchedHandle : Nowhere {
    MPI_Message* handle;
    operator MPI_Message*() const noexcept { return handle; }
};
/// Receives a message that a probe has matched.
struct MatchedShape {
    static constexpr Direction direction = Direction::receives_matched;
    Origin origin;
    template <class Invoke>
    Fault call(MatchedHandle message, ReadView, WriteView into, Invoke invoke) const {
        if (const Fault fault = check_message(*message.handle))
            return fault;
        return invoke(into.data, into.count, into.type);
    }
};

namespace forms {
ANYMPI_FORMS(Send, send, _c)
ANYMPI_FORMS(Ssend, ssend, _c)
ANYMPI_FORMS(Bsend, bsend, _c)
ANYMPI_FORMS(Rsend, rsend, _c)
ANYMPI_FORMS(Recv, recv, _c)
} // namespace forms

template <class T>
struct VectorElement {
    using type = void;
};
template <class T, class Memory>
struct VectorElement<std::vector<T, Memory>> {
    using type = T;
};
template <class T>
concept VectorOfCommunicable =
    Receivable<typename VectorElement<T>::type> && !std::same_as<typename VectorElement<T>::type, bool>;
/// Types that a receive can return: one value, or a vector of any size.
template <class V>
concept Returnable = VectorOfCommunicable<V> || Receivable<V>;

} // namespace detail

/// A message that a matched probe has found. No other receive can get it.
class [[nodiscard]] Message {
public:
    Message(MPI_Message handle, const Status& status, detail::Origin origin = {}) noexcept
        : handle_(handle), status_(status), origin_(origin) {}
    Message(Message&& other) noexcept
        : handle_(std::exchange(other.handle_, MPI_MESSAGE_NULL)), status_(other.status_), origin_(other.origin_),
          watch_(other.watch_) {}
    Message& operator=(Message&& other) noexcept {
        std::swap(handle_, other.handle_);
        std::swap(status_, other.status_);
        std::swap(origin_, other.origin_);
        std::swap(watch_, other.watch_);
        return *this;
    }
    /// Receives the message and discards it, if it was not received before. If an exception destroys this object, it
    /// does not wait for the message.
    ~Message() {
        if (handle_ != MPI_MESSAGE_NULL && !detail::has_ended())
            throw_away();
    }
    [[nodiscard]] const Status& status() const noexcept { return status_; }

    template <LastingReceiveBuffer B>
    ANYMPI_CALLS result<Status> recv(B&& buffer) && {
        const detail::WriteView view = detail::writing(buffer);
        MPI_Status status;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Mrecv", detail::check_message(handle_));
        ANYMPI_CALL(detail::Nowhere{}, MPI_Mrecv_c, view.data, view.count, view.type, &handle_, &status);
        return Status(status);
    }
    /// Receives into a container that takes the size of the message: resize_to_fit(container), grow_only(container).
    template <ResizePolicy P>
    ANYMPI_CALLS result<Status> recv(const P& policy) && {
        MPI_Status status;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Mrecv", receive_all(policy, status));
        return Status(status);
    }
    /// The request owns an argument that is a temporary or given with std::move, and borrows all others.
    template <ReceiveBuffer B>
    ANYMPI_CALLS ANYMPI_INLINE auto irecv(B&& buffer) && {
        return detail::start(MPI_Imrecv_c, "MPI_Imrecv", detail::MatchedHandle{{}, &handle_},
                             detail::MatchedShape{origin_}, detail::None{}, std::forward<B>(buffer));
    }
    /// Receives all elements of the message.
    template <Receivable T>
    requires(!std::same_as<T, bool>) ANYMPI_CALLS result<std::vector<T>> recv_all() && {
        std::vector<T> values;
        MPI_Status status;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Mrecv", receive_all(resize_to_fit(values), status));
        return values;
    }
    template <Receivable T>
    requires(!std::same_as<T, bool>) ANYMPI_CALLS result<AndStatus<std::vector<T>>> recv_all(WithStatus) && {
        AndStatus<std::vector<T>> came{};
        MPI_Status status;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Mrecv", receive_all(resize_to_fit(came.value), status));
        came.status = Status(status);
        return came;
    }
    /// Receives an object that send_object has sent (see objects.hpp).
    template <class T>
    ANYMPI_CALLS result<T> recv_object() &&;
    template <Receivable T>
    requires(!std::same_as<T, bool>) ANYMPI_CALLS result<OwningRequest<std::vector<T>>> irecv_all() && {
        std::vector<T> values;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Imrecv", make_room(resize_to_fit(values)));
        return std::move(*this).irecv(std::move(values));
    }

private:
    friend class Messages;
    /// Receives the whole message and discards it, if there is memory. A truncated message is an error, which may end
    /// the job.
    [[gnu::cold, gnu::noinline]] void throw_away() noexcept {
        MPI_Count bytes = 0;
        if (MPI_Get_count_c(&status_.raw(), MPI_BYTE, &bytes) != MPI_SUCCESS || bytes < 0)
            bytes = 0;
        void* const room = ::operator new(static_cast<std::size_t>(bytes), std::nothrow);
        const std::shared_ptr<void> memory(room, [](void* begin) { ::operator delete(begin); });
        detail::Operation receiving{.borrows = false, .origin = origin_};
        origin_.report(MPI_Imrecv_c(room, room ? bytes : 0, MPI_BYTE, &handle_, &receiving.handle), "MPI_Imrecv");
        if (receiving.handle != MPI_REQUEST_NULL) // a failed receive has no request that would end the memory
            receiving.keep = detail::lasting(memory);
        const Request request(receiving, watch_.older()); // waits for the message
    }
    /// Resizes the container for all elements of the message.
    template <ResizePolicy P>
    ANYMPI_CALLS detail::Fault make_room(const P& policy) const {
        if (const detail::Fault fault = detail::check_time())
            return fault;
        if (const detail::Fault fault = detail::check_message(handle_))
            return fault;
        const auto count = status_.count<element_of<decltype((policy.container))>>();
        if (!count)
            return {MPI_ERR_TYPE, "the message does not hold whole elements of this type"};
        policy.adapt(*count);
        return MPI_SUCCESS;
    }
    template <ResizePolicy P>
    ANYMPI_CALLS detail::Fault receive_all(const P& policy, MPI_Status& status) {
        if (const detail::Fault fault = make_room(policy))
            return fault;
        // The container may have more room than the message needs. Its whole size is passed, which is never too small.
        const detail::WriteView view = detail::writing(policy.container);
        return MPI_Mrecv_c(view.data, view.count, view.type, &handle_, &status);
    }

    MPI_Message handle_;
    Status status_;
    detail::Origin origin_; // reports errors of discarding the message
    detail::ExceptionWatch watch_;
};

/// Sends and receives. Tags are optional; the default is 0. Functions whose name begins with i are immediate, functions
/// with _init describe an operation that is started later. Both own arguments that are temporaries or given with
/// std::move, and borrow all others.
class Messages : public Owned<detail::CommKind> {
public:
    using Owned::Owned;

    template <SendBuffer B>
    ANYMPI_CALLS result<void> send(const B& buffer, Destination destination, Tag tag = {}) const {
        return send_with(detail::forms::send, buffer, destination, tag);
    }
    /// Returns when the receive has begun.
    template <SendBuffer B>
    ANYMPI_CALLS result<void> ssend(const B& buffer, Destination destination, Tag tag = {}) const {
        return send_with(detail::forms::ssend, buffer, destination, tag);
    }
    /// Returns at once: the message waits in an attached buffer (see attach_buffer).
    template <SendBuffer B>
    ANYMPI_CALLS result<void> bsend(const B& buffer, Destination destination, Tag tag = {}) const {
        return send_with(detail::forms::bsend, buffer, destination, tag);
    }
    /// The matching receive must have been posted.
    template <SendBuffer B>
    ANYMPI_CALLS result<void> rsend(const B& buffer, Destination destination, Tag tag = {}) const {
        return send_with(detail::forms::rsend, buffer, destination, tag);
    }

    /// Receives into existing memory that is large enough.
    template <LastingReceiveBuffer B>
    ANYMPI_CALLS result<Status> recv(B&& buffer, Source source = any_source, Tag tag = any_tag) const {
        const detail::WriteView view = detail::writing(buffer);
        MPI_Status status;
        ANYMPI_PLAIN_CALL(where(), MPI_Recv_c, view.data, view.count, view.type, source.rank(), tag.number(), handle(),
                          &status);
        return Status(status);
    }
    /// Receives into a container that takes the size of the message: resize_to_fit(container), grow_only(container).
    template <ResizePolicy P>
    ANYMPI_CALLS result<Status> recv(const P& policy, Source source = any_source, Tag tag = any_tag) const {
        MPI_Status status;
        const char* step = "MPI_Mprobe";
        ANYMPI_REQUIRE(where(), step, receive_whole(policy, source.rank(), tag.number(), status, step));
        return Status(status);
    }
    /// Receives exactly one element and returns it. From proc_null the result is T{}.
    template <Receivable T>
    requires(!detail::VectorOfCommunicable<T>)
        ANYMPI_CALLS result<T> recv(Source source = any_source, Tag tag = any_tag)
    const {
        T value{};
        MPI_Status status;
        ANYMPI_PLAIN_CALL(where(), MPI_Recv_c, &value, 1, datatype<T>(), source.rank(), tag.number(), handle(),
                          &status);
        if (Status(status).count<T>() != 1U && source.rank() != proc_null) [[unlikely]]
            ANYMPI_FAIL((detail::Fault{MPI_ERR_COUNT, detail::not_one_element}), "MPI_Recv", where());
        return value;
    }
    /// Receives a whole message and returns it: recv<std::vector<double>>(source).
    template <detail::VectorOfCommunicable V>
    ANYMPI_CALLS result<V> recv(Source source = any_source, Tag tag = any_tag) const {
        V values;
        MPI_Status status;
        const char* step = "MPI_Mprobe";
        ANYMPI_REQUIRE(where(), step, receive_whole(resize_to_fit(values), source.rank(), tag.number(), status, step));
        return values;
    }
    /// Does the same, and also returns the status: auto [value, status] = recv<double>(source, with_status).
    template <detail::Returnable V>
    ANYMPI_CALLS result<AndStatus<V>> recv(Source source, Tag tag, WithStatus) const {
        AndStatus<V> came{};
        MPI_Status status;
        const char* step = "";
        ANYMPI_REQUIRE(where(), step, receive(came.value, source, tag, status, step));
        came.status = Status(status);
        return came;
    }
    template <detail::Returnable V>
    ANYMPI_CALLS result<AndStatus<V>> recv(Source source, WithStatus) const {
        return recv<V>(source, any_tag, with_status);
    }
    template <detail::Returnable V>
    ANYMPI_CALLS result<AndStatus<V>> recv(WithStatus) const {
        return recv<V>(any_source, any_tag, with_status);
    }

    template <SendBuffer S, LastingReceiveBuffer R>
    ANYMPI_CALLS result<Status> sendrecv(const S& send, Destination destination, Tag send_tag, R&& receive,
                                         Source source, Tag receive_tag) const {
        const detail::ReadView from = detail::reading(send);
        const detail::WriteView into = detail::writing(receive);
        MPI_Status status;
        ANYMPI_CALL(where(), MPI_Sendrecv_c, from.data, from.count, from.type, destination.rank(), send_tag.number(),
                    into.data, into.count, into.type, source.rank(), receive_tag.number(), handle(), &status);
        return Status(status);
    }
    /// Sends, and returns what came: sendrecv<double>(mine, next, before) returns one value, and
    /// sendrecv<std::vector<double>>(mine, next, before) a message of any size. Both messages have the tag 0, unless
    /// the tags follow the ranks.
    template <detail::Returnable V, SendBuffer S>
    ANYMPI_CALLS result<V> sendrecv(const S& send, Destination destination, Tag send_tag, Source source,
                                    Tag receive_tag) const {
        V value{};
        MPI_Status status;
        ANYMPI_REQUIRE(where(), "MPI_Sendrecv",
                       exchange(send, destination, send_tag, value, source, receive_tag, status));
        return value;
    }
    template <detail::Returnable V, SendBuffer S>
    ANYMPI_CALLS result<V> sendrecv(const S& send, Destination destination, Source source) const {
        return sendrecv<V>(send, destination, Tag(), source, Tag());
    }
    /// Does the same, and also returns the status.
    template <detail::Returnable V, SendBuffer S>
    ANYMPI_CALLS result<AndStatus<V>> sendrecv(const S& send, Destination destination, Tag send_tag, Source source,
                                               Tag receive_tag, WithStatus) const {
        AndStatus<V> came{};
        MPI_Status status;
        ANYMPI_REQUIRE(where(), "MPI_Sendrecv",
                       exchange(send, destination, send_tag, came.value, source, receive_tag, status));
        came.status = Status(status);
        return came;
    }
    template <detail::Returnable V, SendBuffer S>
    ANYMPI_CALLS result<AndStatus<V>> sendrecv(const S& send, Destination destination, Source source,
                                               WithStatus) const {
        return sendrecv<V>(send, destination, Tag(), source, Tag(), with_status);
    }
    template <LastingReceiveBuffer B>
    ANYMPI_CALLS result<Status> sendrecv_replace(B&& buffer, Destination destination, Tag send_tag, Source source,
                                                 Tag receive_tag) const {
        const detail::WriteView view = detail::writing(buffer);
        MPI_Status status;
        ANYMPI_CALL(where(), MPI_Sendrecv_replace_c, view.data, view.count, view.type, destination.rank(),
                    send_tag.number(), source.rank(), receive_tag.number(), handle(), &status);
        return Status(status);
    }

    // Immediate

    template <SendBuffer B>
    ANYMPI_CALLS ANYMPI_INLINE auto isend(B&& buffer, Destination destination, Tag tag = {}) const {
        return start(detail::forms::send, detail::SendShape{destination, tag}, std::forward<B>(buffer), detail::None{});
    }
    template <SendBuffer B>
    ANYMPI_CALLS ANYMPI_INLINE auto issend(B&& buffer, Destination destination, Tag tag = {}) const {
        return start(detail::forms::ssend, detail::SendShape{destination, tag}, std::forward<B>(buffer),
                     detail::None{});
    }
    template <SendBuffer B>
    ANYMPI_CALLS ANYMPI_INLINE auto ibsend(B&& buffer, Destination destination, Tag tag = {}) const {
        return start(detail::forms::bsend, detail::SendShape{destination, tag}, std::forward<B>(buffer),
                     detail::None{});
    }
    template <SendBuffer B>
    ANYMPI_CALLS ANYMPI_INLINE auto irsend(B&& buffer, Destination destination, Tag tag = {}) const {
        return start(detail::forms::rsend, detail::SendShape{destination, tag}, std::forward<B>(buffer),
                     detail::None{});
    }
    /// The empty pack of values before the type keeps irecv<T>(0) from meaning a receive into 0.
    template <auto..., ReceiveBuffer B>
    ANYMPI_CALLS ANYMPI_INLINE auto irecv(B&& buffer, Source source = any_source, Tag tag = any_tag) const {
        return start(detail::forms::recv, detail::ReceiveShape{source, tag}, detail::None{}, std::forward<B>(buffer));
    }
    /// Receives one element, as recv<T>(source) does: exactly one must arrive. The completed request has the element.
    /// From proc_null, or if the receive was cancelled, it is T{}.
    template <Receivable T>
    requires(!detail::VectorOfCommunicable<T>) ANYMPI_CALLS ANYMPI_INLINE
        auto irecv(Source source = any_source, Tag tag = any_tag) const {
        return start(detail::forms::recv, detail::ReceiveOneShape{{source, tag}}, detail::None{}, T{});
    }
    /// Receives at most `room` elements: irecv<std::vector<double>>(source, count(100)). The completed request has the
    /// vector in the size of the message.
    template <detail::VectorOfCommunicable V>
    ANYMPI_CALLS ANYMPI_INLINE auto irecv(Source source, Count room) const {
        return irecv(V(room.number()), source);
    }
    template <detail::VectorOfCommunicable V>
    ANYMPI_CALLS ANYMPI_INLINE auto irecv(Source source, Tag tag, Count room) const {
        return irecv(V(room.number()), source, tag);
    }
    template <detail::VectorOfCommunicable V>
    ANYMPI_CALLS ANYMPI_INLINE auto irecv(Count room) const {
        return irecv(V(room.number()));
    }
    /// @cond only for a message of the compiler
    template <detail::VectorOfCommunicable V, class... Numbers>
    requires(!(std::same_as<Numbers, Count> || ...)) void irecv(Numbers...) const {
        static_assert(shared::never<V>, "anympi: irecv of a vector needs the largest number of elements: "
                                        "irecv<V>(source, count(100)); recv<V>(source) takes any number");
    }
    /// @endcond
    /// A container that is received into keeps its size: MPICH up to 5.0 and Intel MPI report a wrong size in the
    /// status.
    template <SendBuffer S, ReceiveBuffer R>
    ANYMPI_CALLS auto isendrecv(S&& send, Destination destination, Tag send_tag, R&& receive, Source source,
                                Tag receive_tag) const {
        return detail::start(MPI_Isendrecv_c, "MPI_Isendrecv", where(),
                             detail::SendrecvShape{destination, send_tag, source, receive_tag}, std::forward<S>(send),
                             std::forward<R>(receive));
    }

    /// Does the same with one buffer, whose data is sent and then replaced.
    template <ReceiveBuffer B>
    ANYMPI_CALLS auto isendrecv_replace(B&& buffer, Destination destination, Tag send_tag, Source source,
                                        Tag receive_tag) const {
        return detail::start(MPI_Isendrecv_replace_c, "MPI_Isendrecv_replace", where(),
                             detail::ReplaceShape{destination, send_tag, source, receive_tag}, detail::None{},
                             std::forward<B>(buffer));
    }

    // Persistent

    template <SendBuffer B>
    ANYMPI_CALLS auto send_init(B&& buffer, Destination destination, Tag tag = {}) const {
        return describe(detail::forms::send, detail::SendShape{destination, tag}, std::forward<B>(buffer),
                        detail::None{});
    }
    template <SendBuffer B>
    ANYMPI_CALLS auto ssend_init(B&& buffer, Destination destination, Tag tag = {}) const {
        return describe(detail::forms::ssend, detail::SendShape{destination, tag}, std::forward<B>(buffer),
                        detail::None{});
    }
    template <SendBuffer B>
    ANYMPI_CALLS auto bsend_init(B&& buffer, Destination destination, Tag tag = {}) const {
        return describe(detail::forms::bsend, detail::SendShape{destination, tag}, std::forward<B>(buffer),
                        detail::None{});
    }
    template <SendBuffer B>
    ANYMPI_CALLS auto rsend_init(B&& buffer, Destination destination, Tag tag = {}) const {
        return describe(detail::forms::rsend, detail::SendShape{destination, tag}, std::forward<B>(buffer),
                        detail::None{});
    }
    template <ReceiveBuffer B>
    ANYMPI_CALLS auto recv_init(B&& buffer, Source source = any_source, Tag tag = any_tag) const {
        return describe(detail::forms::recv, detail::ReceiveShape{source, tag}, detail::None{},
                        std::forward<B>(buffer));
    }

    // Probes

    ANYMPI_CALLS result<Status> probe(Source source = any_source, Tag tag = any_tag) const {
        MPI_Status status;
        ANYMPI_CALL(where(), MPI_Probe, source.rank(), tag.number(), handle(), &status);
        return Status(status);
    }
    ANYMPI_CALLS result<std::optional<Status>> iprobe(Source source = any_source, Tag tag = any_tag) const {
        int found = 0;
        MPI_Status status;
        ANYMPI_CALL(where(), MPI_Iprobe, source.rank(), tag.number(), handle(), &found, &status);
        return found ? std::optional<Status>(status) : std::optional<Status>();
    }
    ANYMPI_CALLS result<Message> mprobe(Source source = any_source, Tag tag = any_tag) const {
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        ANYMPI_CALL(where(), MPI_Mprobe, source.rank(), tag.number(), handle(), &message, &status);
        return Message(message, Status(status), where());
    }
    ANYMPI_CALLS result<std::optional<Message>> improbe(Source source = any_source, Tag tag = any_tag) const {
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        int found = 0;
        ANYMPI_CALL(where(), MPI_Improbe, source.rank(), tag.number(), handle(), &found, &message, &status);
        return found ? std::optional<Message>(std::in_place, message, Status(status), where())
                     : std::optional<Message>();
    }

protected:
    /// The forms of an operation on this communicator.
    template <class Forms, class Shape, class S, class R>
    ANYMPI_CALLS result<void> complete(const Forms& forms, const Shape& shape, const S& send, R&& receive) const {
        return detail::complete(forms.complete, forms.complete_name, *this, shape, send, receive);
    }
    template <class Forms, class Shape, class S, class R>
    ANYMPI_CALLS ANYMPI_INLINE auto start(const Forms& forms, Shape shape, S&& send, R&& receive) const {
        return detail::start(forms.start, forms.start_name, where(), std::move(shape), std::forward<S>(send),
                             std::forward<R>(receive));
    }
    template <class Forms, class Shape, class S, class R, class... Hints>
    ANYMPI_CALLS auto describe(const Forms& forms, Shape shape, S&& send, R&& receive, const Hints&... info) const {
        return detail::describe(forms.describe, forms.describe_name, where(), std::move(shape), std::forward<S>(send),
                                std::forward<R>(receive), info...);
    }

private:
    /// Sends without a shape, whose text for errors would cost an instruction.
    template <class Forms, class B>
    ANYMPI_CALLS result<void> send_with(const Forms& forms, const B& buffer, Destination destination, Tag tag) const {
        const detail::ReadView view = detail::reading(buffer);
        if (detail::is_too_late()) [[unlikely]]
            ANYMPI_FAIL(detail::too_late(), forms.complete_name, where());
        if (detail::is_null_if_checked(where())) [[unlikely]]
            ANYMPI_FAIL(detail::null_object(where()), forms.complete_name, where());
        if (const auto code =
                forms.complete(view.data, view.count, view.type, destination.rank(), tag.number(), handle());
            code != MPI_SUCCESS) [[unlikely]]
            ANYMPI_FAIL(code, forms.complete_name, where());
        return detail::done();
    }
    /// Receives one message of any size. Sets `step` to the last function that was called.
    template <ResizePolicy P>
    ANYMPI_CALLS detail::Fault receive_whole(const P& policy, int source, int tag, MPI_Status& status,
                                             const char*& step) const {
        if (const detail::Fault fault = detail::check_usable(*this)) [[unlikely]]
            return fault;
        MPI_Message found = MPI_MESSAGE_NULL;
        if (const int code = MPI_Mprobe(source, tag, handle(), &found, &status); code != MPI_SUCCESS)
            return code;
        step = "MPI_Mrecv";
        return Message(found, Status(status), where()).receive_all(policy, status);
    }
    /// Returns an error if the call failed, or if not exactly one value has come. From proc_null no value comes.
    /// (recv<T> checks this itself, because a call of this function would cost an instruction.)
    template <class T>
    ANYMPI_CALLS static detail::Fault check_one(int code, const MPI_Status& status, Source source) {
        if (code == MPI_SUCCESS && Status(status).count<T>() != 1U && source.rank() != proc_null)
            return {MPI_ERR_COUNT, detail::not_one_element};
        return code;
    }
    /// Receives one value, or a vector of any size.
    template <class V>
    ANYMPI_CALLS detail::Fault receive(V& value, Source source, Tag tag, MPI_Status& status, const char*& step) const {
        if constexpr (detail::VectorOfCommunicable<V>) {
            step = "MPI_Mprobe";
            return receive_whole(resize_to_fit(value), source.rank(), tag.number(), status, step);
        } else {
            step = "MPI_Recv";
            if (const detail::Fault fault = detail::check_usable(*this))
                return fault;
            const int code = MPI_Recv_c(&value, 1, datatype<V>(), source.rank(), tag.number(), handle(), &status);
            return check_one<V>(code, status, source);
        }
    }
    /// Sends, and receives one value, or a vector of any size.
    template <class S, class V>
    ANYMPI_CALLS detail::Fault exchange(const S& send, Destination destination, Tag send_tag, V& value, Source source,
                                        Tag receive_tag, MPI_Status& status) const {
        const detail::ReadView from = detail::reading(send);
        if (const detail::Fault fault = detail::check_usable(*this))
            return fault;
        if constexpr (detail::VectorOfCommunicable<V>) {
            // The library checks the source before the send begins, which a wrong source would leave behind.
            int there = 0;
            if (const int code = MPI_Iprobe(source.rank(), receive_tag.number(), handle(), &there, MPI_STATUS_IGNORE);
                code != MPI_SUCCESS)
                return code;
            detail::Operation begun{.origin = where()};
            if (const int code = MPI_Isend_c(from.data, from.count, from.type, destination.rank(), send_tag.number(),
                                             handle(), &begun.handle);
                code != MPI_SUCCESS)
                return code;
            Request sending(std::move(begun));
            const char* step = "";
            const detail::Fault fault = receive(value, source, receive_tag, status, step);
            MPI_Request request = sending.handle();
            MPI_Status sent{};
            const int code = MPI_Wait(&request, &sent);
            sending.complete(request, sent, code);
            return fault ? fault : detail::Fault(code);
        } else {
            const int code =
                MPI_Sendrecv_c(from.data, from.count, from.type, destination.rank(), send_tag.number(), &value, 1,
                               datatype<V>(), source.rank(), receive_tag.number(), handle(), &status);
            return check_one<V>(code, status, source);
        }
    }
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
