// Operations that are under way.
//
// A request can be moved, not copied. Its destructor completes the operation: it cancels a receive, and then waits. (A
// receive whose message never comes would otherwise wait forever. A send or a collective operation is not cancelled,
// since other processes need it.) A request must not outlive a borrowed buffer. A request that owns its buffer returns
// the buffer when the operation is complete, not before.
//
// If an exception destroys a request, the destructor does not wait. Unless the operation is complete, a borrowed buffer
// ends the job, since MPI still uses it. An owned buffer is kept for the operation, which continues.
#ifndef ANYMPI_REQUEST_HPP
#define ANYMPI_REQUEST_HPP

#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "buffer.hpp"
#include "compare.hpp"
#include "op.hpp"
#include "status.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// How an operation uses its buffer. A receive can be cancelled until it has a message.
enum class Direction { other, receives, receives_one, receives_matched };

namespace detail {

constexpr bool can_be_cancelled(Direction direction) {
    return direction == Direction::receives || direction == Direction::receives_one;
}
inline bool has_class(int code, int wanted) noexcept {
    MPI_Error_class(code, &code);
    return code == wanted;
}
/// Completes several operations with a call of MPI. Afterwards MPI_ERROR of each status is the result of its operation.
/// The library sets these only if the call returns MPI_ERR_IN_STATUS. After any other failure, no operation is known to
/// be complete.
template <class Call>
ANYMPI_CALLS Fault complete_several(std::span<MPI_Status> statuses, Call call) {
    if (is_too_late()) [[unlikely]]
        return too_late();
    const int code = call();
    if (code == MPI_SUCCESS || !has_class(code, MPI_ERR_IN_STATUS))
        for (MPI_Status& status : statuses)
            status.MPI_ERROR = code == MPI_SUCCESS ? MPI_SUCCESS : MPI_ERR_PENDING;
    return code;
}

/// An operation that has begun, and everything that its request must know.
struct Operation {
    MPI_Request handle = MPI_REQUEST_NULL;
    Direction direction = Direction::other;
    Keep keep{};
    bool borrows = true; // the operation uses memory of the program
    Origin origin{};
    ExceptionWatch watch{};

    /// Ends the operation if that does not have to wait for another process. Returns true if the operation has ended.
    /// Used by requests that an exception destroys.
    [[nodiscard]] bool ends_now(bool cancels) noexcept {
        constexpr int most_looks = 100; // some libraries notice the cancellation only after several tests
        if (cancels)
            MPI_Cancel(&handle);
        int complete = 0, code = MPI_SUCCESS;
        for (int look = 0; look < most_looks && !complete && code == MPI_SUCCESS; ++look)
            code = MPI_Test(&handle, &complete, MPI_STATUS_IGNORE);
        origin.report(code, "MPI_Test");
        return complete || handle == MPI_REQUEST_NULL;
    }
    /// Lets the operation continue without its request, which an exception destroys.
    void leave(const char* function) noexcept {
        if (borrows)
            stop_leaving("a request while MPI uses its buffer");
        shared::keep_for_ever(std::move(keep));
        origin.tell_left(function);
    }
};

} // namespace detail

// The compiler's message if a program ignores the request of an immediate call.
#define ANYMPI_KEEP_IT                                                                                                 \
    [[nodiscard(                                                                                                       \
        "anympi: the request is thrown away, so its destructor waits for the operation: keep the request, and "        \
        "call wait()")]]
#define ANYMPI_KEEP_IT_FOR_ITS_VALUE                                                                                   \
    [[nodiscard("anympi: the request is thrown away, and with it the data that it owns: keep the request, "            \
                "whose wait() returns the data")]]

template <class Value>
class OwningRequest;
class PendingComm;

/// An operation whose buffer is borrowed.
class ANYMPI_KEEP_IT Request {
public:
    Request() noexcept = default;
    Request(MPI_Request handle, Direction direction, detail::Keep keep = {}) noexcept
        : operation_{.handle = handle, .direction = direction, .keep = std::move(keep)} {}
    explicit Request(detail::Operation operation) noexcept : operation_(std::move(operation)) {}
    Request(Request&& other) noexcept : operation_(std::exchange(other.operation_, {})), failed_(other.failed_) {}
    Request& operator=(Request&& other) noexcept {
        if (this != &other) {
            drop();
            operation_ = std::exchange(other.operation_, {});
            failed_ = other.failed_;
        }
        return *this;
    }
    ~Request() { drop(); }

    /// Waits for the operation. If the operation failed, every call reports the error.
    ANYMPI_CALLS result<Status> wait() {
        MPI_Status status;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Wait", await(&status));
        return Status(status);
    }
    /// Returns the status if the operation is complete.
    ANYMPI_CALLS result<std::optional<Status>> test() {
        int complete = 0;
        MPI_Status status;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Test", look(complete, &status));
        return complete ? std::optional<Status>(status) : std::optional<Status>();
    }
    /// Returns the status if the operation is complete, without changing the request.
    [[nodiscard]] ANYMPI_CALLS result<std::optional<Status>> get_status() const {
        int complete = 0;
        MPI_Status status;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Request_get_status", failed_);
        ANYMPI_CALL(detail::Nowhere{}, MPI_Request_get_status, handle(), &complete, &status);
        return complete ? std::optional<Status>(status) : std::optional<Status>();
    }
    /// Requests cancellation; the status of wait() tells whether the operation was cancelled (Status::cancelled).
    ANYMPI_CALLS result<void> cancel() {
        ANYMPI_CALL(detail::Nowhere{}, MPI_Cancel, &operation_.handle);
        operation_.direction = Direction::other; // Open MPI 4.1 crashes if a request is cancelled twice
        return detail::done();
    }
    /// Returns true if wait() or test() has completed the operation.
    [[nodiscard]] bool is_completed() const noexcept { return handle() == MPI_REQUEST_NULL; }
    [[nodiscard]] MPI_Request handle() const noexcept { return operation_.handle; }

    /// For functions that complete several requests at once.
    void complete(MPI_Request handle, const MPI_Status& status) noexcept {
        if (is_completed())
            return;
        const bool is_over = handle == MPI_REQUEST_NULL;
        const detail::Fault fault = is_over ? detail::settle(operation_.handle) : detail::Fault(MPI_SUCCESS);
        operation_.handle = handle;
        ended(fault ? fault.code : status.MPI_ERROR);
    }

private:
    template <class>
    friend class OwningRequest;
    friend class PendingComm;

    ANYMPI_CALLS detail::Fault await(MPI_Status* status) noexcept {
        if (failed_ != MPI_SUCCESS) [[unlikely]]
            return failed_;
        if (detail::is_too_late()) [[unlikely]]
            return detail::too_late();
        if (const detail::Fault fault = detail::settle(operation_.handle)) [[unlikely]] {
            ended(fault.code);
            return fault;
        }
        const int code = MPI_Wait(&operation_.handle, status);
        ended(code);
        return code;
    }
    ANYMPI_CALLS detail::Fault look(int& complete, MPI_Status* status) noexcept {
        if (failed_ != MPI_SUCCESS) [[unlikely]]
            return failed_;
        if (detail::is_too_late()) [[unlikely]]
            return detail::too_late();
        if (!detail::is_compared(operation_.handle)) [[unlikely]]
            return MPI_SUCCESS;
        if (const detail::Fault fault = detail::settle(operation_.handle)) [[unlikely]] {
            ended(fault.code);
            return fault;
        }
        const int code = MPI_Test(&operation_.handle, &complete, status);
        ended(code);
        return code;
    }
    /// Records the result `code` if the operation has completed.
    void ended(int code) noexcept {
        if (!is_completed())
            return;
        if (code != MPI_SUCCESS && shared::compares_calls()) // the operation may have been abandoned, and MPI may
                                                             // continue it
            shared::keep_for_ever(std::move(operation_.keep));
        operation_.keep.reset();
        failed_ = code;
    }
    void drop() noexcept {
        if (!is_completed()) [[unlikely]]
            finish();
    }
    [[gnu::cold, gnu::noinline]] void finish() noexcept {
        const bool cancels = detail::can_be_cancelled(operation_.direction);
        if (detail::has_ended())
            return;
        if (is_unwinding()) {
            static_cast<void>(leave());
            return;
        }
        if (cancels)
            MPI_Cancel(&operation_.handle);
        const detail::Fault fault = detail::settle(operation_.handle);
        if (fault)
            ended(fault.code);
        operation_.origin.report(fault ? fault : MPI_Wait(&operation_.handle, MPI_STATUS_IGNORE), "MPI_Wait");
    }
    /// Used when an exception destroys the request. Returns true if the operation has ended; otherwise it continues.
    [[nodiscard]] bool leave() noexcept {
        if (!is_completed() && shared::PendingComparisons::are_there())
            detail::leave_comparisons(handle());
        if (is_completed() || operation_.ends_now(detail::can_be_cancelled(operation_.direction)))
            return true;
        operation_.leave("MPI_Wait");
        operation_ = {};
        return false;
    }
    [[nodiscard]] bool is_unwinding() const noexcept { return operation_.watch.is_unwinding(); }

    detail::Operation operation_;
    int failed_ = MPI_SUCCESS;
};

namespace detail {

/// Holds a buffer of an operation: buffers that were given away and views are stored here, others are referred to.
template <class B>
using Held = std::conditional_t<std::is_lvalue_reference_v<B> && !must_be_held<B>, B, std::remove_cvref_t<B>>;

template <class S, class R>
struct Cargo {
    Held<S> send;
    Held<R> receive;
    /// the buffer that the owner gets back
    using Product = std::remove_cvref_t<std::conditional_t<given_away<R>, R, S>>;
    auto& product() {
        if constexpr (given_away<R>)
            return receive;
        else
            return send;
    }
};

inline constexpr const char* not_one_element = "the message does not hold one element of this type";
inline constexpr const char* moved_away = "the value has been moved out of the request";

/// Cuts a container that was received into to the size of the received data.
template <class Value>
ANYMPI_CALLS void cut_to_fit(Value& value, const Status& status) {
    if constexpr (Resizable<Value>)
        if (const auto count = status.count<element_of<Value>>(); count && *count < value.size())
            value.resize(*count);
}

} // namespace detail

/// An operation that owns its memory. `Value` is the type of the result: the received data, or for sends the buffer.
template <class Value>
class ANYMPI_KEEP_IT_FOR_ITS_VALUE OwningRequest {
public:
    OwningRequest(Request request, std::shared_ptr<Value> value, Direction direction) noexcept
        : value_(std::move(value)), request_(std::move(request)), direction_(direction) {}

    /// Completes the operation and returns its value. A container that was received into is cut to the size of the
    /// data. If the operation failed, every call reports the error and returns no value.
    ANYMPI_CALLS result<Value> wait() {
        Status status;
        return wait(status);
    }
    ANYMPI_CALLS result<Value> wait(Status& status) {
        const bool known = request_.is_completed(); // completed by an earlier call, so its status is known too
        MPI_Status raw;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Wait", request_.await(&raw));
        if (!known)
            status_ = Status(raw);
        if (!value_)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_REQUEST, "the value has been returned already"}), "MPI_Wait",
                        detail::Nowhere{});
        status = status_;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Wait", check_amount());
        return hand_out();
    }
    /// Does the same, and also returns the status: auto [value, status] = request.wait(with_status).
    ANYMPI_CALLS result<AndStatus<Value>> wait(WithStatus) {
        Status status;
        return detail::then<AndStatus<Value>>(wait(status), [&](Value value) {
            return AndStatus<Value>{std::move(value), status};
        });
    }
    /// Returns the value if the operation is complete.
    ANYMPI_CALLS result<std::optional<Value>> test() {
        if (!value_)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_REQUEST, "the value has been returned already"}), "MPI_Test",
                        detail::Nowhere{});
        const bool known = request_.is_completed();
        int complete = 0;
        MPI_Status raw;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Test", request_.look(complete, &raw));
        if (!complete)
            return std::optional<Value>();
        if (!known)
            status_ = Status(raw);
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Test", check_amount());
        return std::optional<Value>(hand_out());
    }
    [[nodiscard]] bool is_completed() const noexcept { return request_.is_completed(); }
    ANYMPI_CALLS result<void> cancel() { return request_.cancel(); }
    [[nodiscard]] MPI_Request handle() const noexcept { return request_.handle(); }

    /// For functions that complete several requests at once.
    void complete(MPI_Request handle, const MPI_Status& status) noexcept {
        if (is_completed()) // completed by an earlier call: its status is known, and this status is empty
            return;
        request_.complete(handle, status);
        if (is_completed())
            status_ = Status(status);
    }

private:
    /// Checks that a single value was received.
    [[nodiscard]] ANYMPI_CALLS detail::Fault check_amount() const {
        if constexpr (Receivable<Value>)
            if (direction_ == Direction::receives_one && status_.count<Value>() != 1U && !status_.cancelled())
                return {MPI_ERR_COUNT, detail::not_one_element};
        return MPI_SUCCESS;
    }
    ANYMPI_CALLS Value hand_out() {
        const std::shared_ptr<Value> value = std::move(value_);
        if (direction_ == Direction::receives || direction_ == Direction::receives_matched)
            detail::cut_to_fit(*value, status_);
        return std::move(*value);
    }

    std::shared_ptr<Value> value_; // before the request, which is destroyed first
    Request request_;
    Status status_;
    Direction direction_;
};

/// An operation that is described once and started many times. The destructor frees it, and waits before if it is
/// active. If an exception destroys the request, the destructor does not wait, see Request.
class [[nodiscard]] PersistentRequest {
public:
    PersistentRequest(MPI_Request handle, Direction direction, detail::Keep keep = {}) noexcept
        : operation_{.handle = handle, .direction = direction, .keep = std::move(keep)} {}
    explicit PersistentRequest(detail::Operation operation) noexcept : operation_(std::move(operation)) {}
    PersistentRequest(PersistentRequest&& other) noexcept
        : operation_(std::exchange(other.operation_, {})), active_(std::exchange(other.active_, false)),
          cancelled_(other.cancelled_), rounds_(other.rounds_) {}
    PersistentRequest& operator=(PersistentRequest&& other) noexcept {
        if (this != &other) {
            drop();
            operation_ = std::exchange(other.operation_, {});
            active_ = std::exchange(other.active_, false);
            cancelled_ = other.cancelled_;
            rounds_ = other.rounds_;
        }
        return *this;
    }
    ~PersistentRequest() { drop(); }

    ANYMPI_CALLS result<void> start() {
        if (active_)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_REQUEST, "the request is active already"}), "MPI_Start",
                        detail::Nowhere{});
        ANYMPI_CALL(detail::Nowhere{}, MPI_Start, &operation_.handle);
        started();
        return detail::done();
    }
    /// Waits for the operation. An operation that failed has ended too, and can be started again.
    ANYMPI_CALLS result<Status> wait() {
        MPI_Status status;
        active_ = false;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Wait, &operation_.handle, &status);
        return Status(status);
    }
    ANYMPI_CALLS result<std::optional<Status>> test() {
        int complete = 1;
        MPI_Status status;
        const bool was_active = std::exchange(active_, false);
        ANYMPI_CALL(detail::Nowhere{}, MPI_Test, &operation_.handle, &complete, &status);
        active_ = was_active && !complete;
        return complete ? std::optional<Status>(status) : std::optional<Status>();
    }
    ANYMPI_CALLS result<void> cancel() {
        ANYMPI_CALL(detail::Nowhere{}, MPI_Cancel, &operation_.handle);
        cancelled_ = true; // drop() must not cancel it again
        return detail::done();
    }
    [[nodiscard]] bool is_active() const noexcept { return active_; }
    [[nodiscard]] MPI_Request handle() const noexcept { return operation_.handle; }
    /// Returns an error if the operation is active, since its buffer must not be touched then.
    [[nodiscard]] detail::Fault check_idle() const noexcept {
        if (active_)
            return {MPI_ERR_REQUEST, "the buffer belongs to the operation while it is active"};
        return MPI_SUCCESS;
    }
    /// For functions that start several requests at once. All checks are made before any request is started.
    [[nodiscard]] detail::Fault check_startable() const noexcept {
        if (active_)
            return {MPI_ERR_REQUEST, "a request is active already"};
        if (handle() == MPI_REQUEST_NULL)
            return {MPI_ERR_REQUEST, "a request is null: freed already"};
        return MPI_SUCCESS;
    }

    /// For functions that start or complete several requests at once.
    void started() noexcept {
        active_ = true;
        cancelled_ = false;
        ++rounds_;
    }
    void complete(MPI_Request handle, const MPI_Status& status) noexcept {
        operation_.handle = handle; // some libraries free requests that failed
        const bool pending = status.MPI_ERROR != MPI_SUCCESS && detail::has_class(status.MPI_ERROR, MPI_ERR_PENDING);
        active_ = active_ && pending && handle != MPI_REQUEST_NULL;
    }

protected:
    /// Returns how often the operation was started.
    [[nodiscard]] std::size_t rounds() const noexcept { return rounds_; }
    [[nodiscard]] bool is_unwinding() const noexcept { return operation_.watch.is_unwinding(); }
    [[nodiscard]] const detail::Origin& origin() const noexcept { return operation_.origin; }

private:
    void drop() noexcept {
        if (handle() == MPI_REQUEST_NULL || detail::has_ended())
            return;
        const bool cancels = detail::can_be_cancelled(operation_.direction) && !cancelled_;
        const detail::Origin& origin = operation_.origin;
        if (active_ && is_unwinding()) {
            if (!operation_.ends_now(cancels)) {
                operation_.leave("MPI_Wait");
                return;
            }
        } else if (active_) {
            if (cancels)
                MPI_Cancel(&operation_.handle);
            origin.report(MPI_Wait(&operation_.handle, MPI_STATUS_IGNORE), "MPI_Wait");
        }
        active_ = false;
        if (handle() != MPI_REQUEST_NULL) // some libraries free requests that failed
            origin.report(MPI_Request_free(&operation_.handle), "MPI_Request_free");
    }

    detail::Operation operation_;
    bool active_ = false, cancelled_ = false;
    std::size_t rounds_ = 0;
};

/// A persistent operation that owns its buffer. The buffer can be accessed while the operation is not active.
template <class Value>
class [[nodiscard]] OwningPersistent : public PersistentRequest {
public:
    OwningPersistent(PersistentRequest request, std::shared_ptr<Value> value, Direction)
        : PersistentRequest(std::move(request)), value_(std::move(value)) {}

    [[nodiscard]] ANYMPI_CALLS result<std::reference_wrapper<Value>> buffer() {
        ANYMPI_REQUIRE(detail::Nowhere{}, "buffer", check_idle());
        if (!value_)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_REQUEST, detail::moved_away}), "buffer", detail::Nowhere{});
        return std::ref(*value_);
    }

private:
    std::shared_ptr<Value> value_; // the request keeps it alive too
};

namespace detail {
inline std::vector<MPI_Request> handles_of(std::span<const PersistentRequest> requests) {
    std::vector<MPI_Request> handles;
    handles.reserve(requests.size());
    for (const PersistentRequest& request : requests)
        handles.push_back(request.handle());
    return handles;
}
/// The types of requests that wait_all() takes.
template <class R>
concept Awaited = requires(R& request) {
    request.complete(request.handle(), MPI_Status{});
};
} // namespace detail

/// Waits for requests of any kinds. Afterwards wait() of each owning request returns its value at once.
template <detail::Awaited... R>
ANYMPI_CALLS result<void> wait_all(R&... requests) {
    MPI_Request handles[] = {requests.handle()...};
    MPI_Status statuses[sizeof...(R)] = {};
    const detail::Fault differs = detail::settle_all(handles, statuses);
    const detail::Fault fault = differs ? differs : detail::complete_several(statuses, [&] {
        return MPI_Waitall(static_cast<int>(sizeof...(R)), handles, statuses);
    });
    // Also after an error: requests that are complete must not be waited for again.
    std::size_t place = 0;
    ((requests.complete(handles[place], statuses[place]), ++place), ...);
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Waitall", fault);
    return detail::done();
}

/// Starts persistent requests of any kinds.
template <std::derived_from<PersistentRequest>... R>
ANYMPI_CALLS result<void> start_all(R&... requests) {
    for (const detail::Fault& fault : {requests.check_startable()...})
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Startall", fault);
    MPI_Request handles[] = {requests.handle()...};
    ANYMPI_CALL(detail::Nowhere{}, MPI_Startall, static_cast<int>(sizeof...(R)), handles);
    (requests.started(), ...);
    return detail::done();
}

// The next functions take a range of persistent requests.

inline ANYMPI_CALLS result<void> start_all(std::span<PersistentRequest> requests) {
    for (const PersistentRequest& request : requests)
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Startall", request.check_startable());
    std::vector<MPI_Request> handles = detail::handles_of(requests);
    ANYMPI_CALL(detail::Nowhere{}, MPI_Startall, static_cast<int>(handles.size()), handles.data());
    for (PersistentRequest& request : requests)
        request.started();
    return detail::done();
}
inline ANYMPI_CALLS result<std::vector<Status>> wait_all(std::span<PersistentRequest> requests) {
    std::vector<MPI_Request> handles = detail::handles_of(requests);
    std::vector<MPI_Status> statuses(handles.size());
    const detail::Fault fault = detail::complete_several(
        statuses, [&] { return MPI_Waitall(static_cast<int>(handles.size()), handles.data(), statuses.data()); });
    for (std::size_t place = 0; place < handles.size(); ++place) // also after an error
        requests[place].complete(handles[place], statuses[place]);
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Waitall", fault);
    return std::vector<Status>(statuses.begin(), statuses.end());
}

#undef ANYMPI_KEEP_IT
#undef ANYMPI_KEEP_IT_FOR_ITS_VALUE

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
