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
/// Memory that must live until an operation is complete. Until end() the object owns itself, so that an operation needs
/// only a pointer, and costs nothing if the pointer is null.
struct Lasting {
    Keep itself{};

    [[gnu::noinline]] static void end(Lasting* lasting) noexcept { const Keep ends = std::move(lasting->itself); }
    static void keep_for_ever(Lasting* lasting) noexcept {
        if (lasting)
            shared::keep_for_ever(std::move(lasting->itself));
    }
};
/// Memory of any type.
struct LastingMemory : Lasting {
    explicit LastingMemory(std::shared_ptr<const void> given) noexcept : memory(std::move(given)) {}
    std::shared_ptr<const void> memory;
};
/// Makes memory lasting.
template <class T>
Lasting* lasting(std::shared_ptr<T> memory) {
    if constexpr (!std::derived_from<T, Lasting>)
        return memory ? lasting(std::make_shared<LastingMemory>(std::move(memory))) : nullptr;
    else {
        Lasting* const made = memory.get();
        made->itself = std::move(memory);
        return made;
    }
}

/// An operation that has begun, and everything that its request must know.
struct Operation {
    MPI_Request handle = MPI_REQUEST_NULL;
    Direction direction = Direction::other;
    Lasting* keep = nullptr; // its request ends it
    bool borrows = true;     // the operation uses memory of the program
    Origin origin{};
    bool has_comparison = false; // its call is compared with the calls of the other processes

    /// Used after the operation was moved to another request.
    ANYMPI_INLINE void forget() noexcept {
        handle = MPI_REQUEST_NULL;
        keep = nullptr;
    }

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
        Lasting::keep_for_ever(keep);
        origin.tell_left(function);
    }
};

/// Returns the status of a call that succeeded. MPI does not set the error of such a status.
inline Status successful(MPI_Status status) noexcept {
    status.MPI_ERROR = MPI_SUCCESS;
    return Status(status);
}
inline ANYMPI_CALLS result<std::optional<Status>> get_status_of(MPI_Request handle) {
    int complete = 0;
    MPI_Status status;
    if (!is_compared(handle)) [[unlikely]]
        return std::optional<Status>();
    ANYMPI_CALL(Nowhere{}, MPI_Request_get_status, handle, &complete, &status);
    return complete ? std::optional<Status>(successful(status)) : std::optional<Status>();
}

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
///
/// No function of MPI gets the address of a member, and functions that are not inline get copies. So the compiler can
/// keep a request in registers.
class ANYMPI_KEEP_IT Request {
public:
    ANYMPI_INLINE Request() noexcept = default;
    Request(MPI_Request handle, Direction direction, detail::Keep keep = {}) noexcept
        : operation_{.handle = handle, .direction = direction, .keep = detail::lasting(std::move(keep))} {}
    explicit Request(const detail::Operation& operation, int older_exceptions = detail::exceptions_in_flight()) noexcept
        : operation_(operation), watch_(older_exceptions) {}
    ANYMPI_INLINE Request(Request&& other) noexcept
        : operation_(other.operation_), failed_(other.failed_), watch_(other.watch_) {
        other.operation_.forget();
    }
    /// For owners, which have one watch for all their requests: an empty request, and the move of a request into an
    /// empty one.
    ANYMPI_INLINE explicit Request(const detail::ExceptionWatch& watch) noexcept : watch_(watch.older()) {}
    ANYMPI_INLINE void fill(Request&& other) noexcept {
        operation_ = other.operation_;
        failed_ = other.failed_;
        other.operation_.forget();
    }
    Request& operator=(Request&& other) noexcept {
        if (this != &other) {
            drop();
            operation_ = std::exchange(other.operation_, {});
            failed_ = other.failed_;
            watch_ = other.watch_;
        }
        return *this;
    }
    ANYMPI_INLINE ~Request() { drop(); }

    /// Waits for the operation. If the operation failed, every call reports the error.
    ANYMPI_CALLS ANYMPI_INLINE result<Status> wait() {
        MPI_Status status;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Wait", await(&status));
        return detail::successful(status);
    }
    /// Returns the status if the operation is complete.
    ANYMPI_CALLS result<std::optional<Status>> test() {
        int complete = 0;
        MPI_Status status;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Test", look(complete, &status));
        return complete ? std::optional<Status>(detail::successful(status)) : std::optional<Status>();
    }
    /// Returns the status if the operation is complete, without changing the request.
    [[nodiscard]] ANYMPI_CALLS result<std::optional<Status>> get_status() const {
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Request_get_status", failed_);
        return detail::get_status_of(handle());
    }
    /// Requests cancellation; the status of wait() tells whether the operation was cancelled (Status::cancelled).
    ANYMPI_CALLS result<void> cancel() {
        MPI_Request handle = operation_.handle;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Cancel, &handle);
        operation_.direction = Direction::other; // Open MPI 4.1 crashes if a request is cancelled twice
        return detail::done();
    }
    /// Returns true if the operation is complete, as wait(), test(), or another function that completes requests, has
    /// found.
    [[nodiscard]] ANYMPI_INLINE bool is_completed() const noexcept { return handle() == MPI_REQUEST_NULL; }
    [[nodiscard]] ANYMPI_INLINE MPI_Request handle() const noexcept { return operation_.handle; }

    /// For functions that complete several requests at once. `code` is the result of the operation. `handle` is what
    /// the function made of the request's handle.
    ANYMPI_INLINE void complete(const MPI_Request& handle, const MPI_Status&, int code) noexcept {
        if (code == MPI_SUCCESS || !is_completed()) // success changes nothing in a completed request
            ended(handle, code);
    }
    [[nodiscard]] ANYMPI_INLINE bool has_comparison() const noexcept { return operation_.has_comparison; }
    /// For owners of requests that wait: the destructor does not cancel the operation.
    void keep_going() noexcept { operation_.direction = Direction::other; }

private:
    template <class>
    friend class OwningRequest;
    friend class PendingComm;

    ANYMPI_CALLS ANYMPI_INLINE detail::Fault await(MPI_Status* status) noexcept {
        if (failed_ != MPI_SUCCESS) [[unlikely]]
            return failed_;
        if (detail::is_too_late()) [[unlikely]]
            return detail::too_late();
        if (operation_.has_comparison) [[unlikely]]
            if (const detail::Fault fault = detail::settle(handle())) {
                ended(MPI_REQUEST_NULL, fault.code);
                return fault;
            }
        MPI_Request handle = operation_.handle;
        const int code = MPI_Wait(&handle, status);
        ended(handle, code);
        return code;
    }
    ANYMPI_CALLS detail::Fault look(int& complete, MPI_Status* status) noexcept {
        if (failed_ != MPI_SUCCESS) [[unlikely]]
            return failed_;
        if (detail::is_too_late()) [[unlikely]]
            return detail::too_late();
        if (operation_.has_comparison) [[unlikely]] {
            if (!detail::is_compared(handle()))
                return MPI_SUCCESS;
            if (const detail::Fault fault = detail::settle(handle())) {
                ended(MPI_REQUEST_NULL, fault.code);
                return fault;
            }
        }
        MPI_Request handle = operation_.handle;
        const int code = MPI_Test(&handle, &complete, status);
        if (complete || code != MPI_SUCCESS)
            ended(handle, code);
        return code;
    }
    /// Records the result of the operation. An operation that failed has ended only if its handle is null.
    ANYMPI_INLINE void ended(const MPI_Request& handle, int code) noexcept {
        if (code != MPI_SUCCESS) [[unlikely]] {
            operation_.handle = handle;
            if (!is_completed())
                return;
            failed_ = code;
        }
        operation_.handle = MPI_REQUEST_NULL;
        if (detail::Lasting* const ends = std::exchange(operation_.keep, nullptr)) [[unlikely]]
            end_of(ends, code);
    }
    /// Ends the memory of an operation with this result. An operation that has failed may have been abandoned because
    /// of a difference between calls: then MPI may continue it.
    [[gnu::noinline]] static void end_of(detail::Lasting* lasting, int code) noexcept {
        if (code != MPI_SUCCESS && shared::compares_calls())
            detail::Lasting::keep_for_ever(lasting);
        else
            detail::Lasting::end(lasting);
    }
    ANYMPI_INLINE void drop() noexcept {
        if (!is_completed()) [[unlikely]]
            finish(operation_.handle, operation_.direction, operation_.keep, operation_.borrows,
                   operation_.origin.handle(), operation_.origin.find(), is_unwinding());
    }
    [[gnu::cold, gnu::noinline]] static void finish(MPI_Request handle, Direction direction, detail::Lasting* keep,
                                                    bool borrows, std::uintptr_t origin, detail::Origin::Find find,
                                                    bool unwinding) noexcept {
        detail::Operation operation{handle, direction, keep, borrows, {origin, find}};
        int code = MPI_SUCCESS;
        if (detail::has_ended()) {
        } else if (unwinding) {
            static_cast<void>(leave(operation));
        } else {
            if (detail::can_be_cancelled(operation.direction))
                MPI_Cancel(&operation.handle);
            detail::Fault fault = detail::settle(operation.handle);
            if (!fault)
                fault = MPI_Wait(&operation.handle, MPI_STATUS_IGNORE);
            operation.origin.report(fault, "MPI_Wait");
            code = fault.code;
        }
        if (operation.keep)
            end_of(operation.keep, code);
    }
    /// Used when an exception destroys the request. Returns true if the operation has ended; otherwise it continues.
    [[nodiscard]] static bool leave(detail::Operation& operation) noexcept {
        if (operation.handle != MPI_REQUEST_NULL && shared::PendingComparisons::are_there())
            detail::leave_comparisons(operation.handle);
        if (operation.handle == MPI_REQUEST_NULL || operation.ends_now(detail::can_be_cancelled(operation.direction)))
            return true;
        operation.leave("MPI_Wait");
        operation = {};
        return false;
    }
    [[nodiscard]] bool leave() noexcept { return leave(operation_); }
    [[nodiscard]] ANYMPI_INLINE bool is_unwinding() const noexcept { return watch_.is_unwinding(); }

    detail::Operation operation_;
    int failed_ = MPI_SUCCESS;
    detail::ExceptionWatch watch_;
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
    /// For owners: see Request.
    explicit OwningRequest(const detail::ExceptionWatch& watch) noexcept
        : request_(watch), direction_(Direction::other) {}
    void fill(OwningRequest&& other) noexcept {
        value_ = std::move(other.value_);
        request_.fill(std::move(other.request_));
        status_ = other.status_;
        direction_ = other.direction_;
    }

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
            status_ = detail::successful(raw);
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
            status_ = detail::successful(raw);
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Test", check_amount());
        return std::optional<Value>(hand_out());
    }
    /// Returns the status if the operation is complete, without changing the request.
    [[nodiscard]] ANYMPI_CALLS result<std::optional<Status>> get_status() const {
        if (request_.is_completed() && request_.failed_ == MPI_SUCCESS) // completed by an earlier call
            return std::optional<Status>(status_);
        return request_.get_status();
    }
    [[nodiscard]] bool is_completed() const noexcept { return request_.is_completed(); }
    ANYMPI_CALLS result<void> cancel() { return request_.cancel(); }
    [[nodiscard]] MPI_Request handle() const noexcept { return request_.handle(); }

    /// For functions that complete several requests at once.
    void complete(MPI_Request handle, const MPI_Status& status, int code) noexcept {
        if (is_completed()) // completed by an earlier call: its status is known, and this status is empty
            return;
        request_.complete(handle, status, code);
        if (is_completed())
            status_ = detail::successful(status);
    }
    [[nodiscard]] bool has_comparison() const noexcept { return request_.has_comparison(); }
    void keep_going() noexcept { request_.keep_going(); }

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
        : operation_{.handle = handle, .direction = direction, .keep = detail::lasting(std::move(keep))} {}
    explicit PersistentRequest(const detail::Operation& operation,
                               int older_exceptions = detail::exceptions_in_flight()) noexcept
        : operation_(operation), watch_(older_exceptions) {}
    PersistentRequest(PersistentRequest&& other) noexcept
        : operation_(std::exchange(other.operation_, {})), watch_(other.watch_),
          active_(std::exchange(other.active_, false)), cancelled_(other.cancelled_), rounds_(other.rounds_) {}
    PersistentRequest& operator=(PersistentRequest&& other) noexcept {
        if (this != &other) {
            drop();
            operation_ = std::exchange(other.operation_, {});
            watch_ = other.watch_;
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
        return detail::successful(status);
    }
    ANYMPI_CALLS result<std::optional<Status>> test() {
        int complete = 1;
        MPI_Status status;
        const bool was_active = std::exchange(active_, false);
        ANYMPI_CALL(detail::Nowhere{}, MPI_Test, &operation_.handle, &complete, &status);
        active_ = was_active && !complete;
        return complete ? std::optional<Status>(detail::successful(status)) : std::optional<Status>();
    }
    /// Returns the status if the operation is complete, or not active, without changing the request.
    [[nodiscard]] ANYMPI_CALLS result<std::optional<Status>> get_status() const {
        return detail::get_status_of(handle());
    }
    ANYMPI_CALLS result<void> cancel() {
        ANYMPI_CALL(detail::Nowhere{}, MPI_Cancel, &operation_.handle);
        cancelled_ = true; // drop() must not cancel it again
        return detail::done();
    }
    [[nodiscard]] bool is_active() const noexcept { return active_; }
    [[nodiscard]] bool is_completed() const noexcept { return !active_; }
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
    void complete(MPI_Request handle, const MPI_Status&, int code) noexcept {
        operation_.handle = handle; // some libraries free requests that failed
        const bool pending = code != MPI_SUCCESS && detail::has_class(code, MPI_ERR_PENDING);
        active_ = active_ && pending && handle != MPI_REQUEST_NULL;
    }
    void keep_going() noexcept { cancelled_ = true; } // drop() does not cancel then

protected:
    /// Returns how often the operation was started.
    [[nodiscard]] std::size_t rounds() const noexcept { return rounds_; }
    [[nodiscard]] ANYMPI_INLINE bool is_unwinding() const noexcept { return watch_.is_unwinding(); }
    [[nodiscard]] const detail::Origin& origin() const noexcept { return operation_.origin; }

private:
    void drop() noexcept {
        if (handle() != MPI_REQUEST_NULL && !detail::has_ended())
            finish();
        if (operation_.keep)
            detail::Lasting::end(std::exchange(operation_.keep, nullptr));
    }
    void finish() noexcept {
        const bool cancels = detail::can_be_cancelled(operation_.direction) && !cancelled_;
        const detail::Origin& origin = operation_.origin;
        if (active_ && is_unwinding()) {
            if (!operation_.ends_now(cancels)) {
                operation_.leave("MPI_Wait");
                operation_ = {};
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
    detail::ExceptionWatch watch_;
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

#undef ANYMPI_KEEP_IT
#undef ANYMPI_KEEP_IT_FOR_ITS_VALUE

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
