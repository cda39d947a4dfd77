// Operations that the program itself carries out and that have an MPI request.
//
//     auto [request, completion] = anympi::start_operation();
//     std::thread worker([done = std::move(completion)]() mutable { work(); std::move(done).complete(); });
//     request.wait();
#ifndef ANYMPI_GENERALIZED_HPP
#define ANYMPI_GENERALIZED_HPP

#include <atomic>
#include <functional>

#include "request.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// Sets the status of the program's operation.
class StatusBuilder {
public:
    explicit StatusBuilder(MPI_Status& status) noexcept : status_(status) {}
    template <Communicable T>
    StatusBuilder& count(std::size_t elements) {
        MPI_Status_set_elements_c(&status_, datatype<T>(), static_cast<MPI_Count>(elements));
        return *this;
    }
    StatusBuilder& source(int rank) noexcept {
        status_.MPI_SOURCE = rank;
        return *this;
    }
    StatusBuilder& tag(int number) noexcept {
        status_.MPI_TAG = number;
        return *this;
    }
    StatusBuilder& cancelled(bool was = true) {
        MPI_Status_set_cancelled(&status_, was);
        return *this;
    }

private:
    MPI_Status& status_;
};

/// Called to fill in the status when the operation is complete.
using StatusQuery = std::function<void(StatusBuilder&)>;
/// Called to cancel the operation. `complete` tells whether the operation is complete already.
using CancelRequest = std::function<void(bool complete)>;

namespace detail {

struct OwnOperation {
    StatusQuery query;
    CancelRequest cancel;
    std::atomic<bool> abandoned{false};

    using Held = std::shared_ptr<OwnOperation>;
    static OwnOperation& of(void* state) { return **static_cast<Held*>(state); }
    static int ask(void* state, MPI_Status* status) noexcept {
        OwnOperation& operation = of(state);
        StatusBuilder builder(*status);
        builder.source(MPI_UNDEFINED).tag(MPI_UNDEFINED).count<std::byte>(0).cancelled(operation.abandoned);
        if (operation.query)
            call_back("an exception left the status query of an operation", [&] { operation.query(builder); });
        return MPI_SUCCESS;
    }
    static int begin(const Held& operation, MPI_Request& request) {
        auto* const state = new Held(operation); // the request owns it
        const int code = MPI_Grequest_start(&ask, &release, &stop, state, &request);
        if (code != MPI_SUCCESS)
            delete state;
        return code;
    }
    static int release(void* state) noexcept {
        delete static_cast<Held*>(state);
        return MPI_SUCCESS;
    }
    static int stop(void* state, int complete) noexcept {
        OwnOperation& operation = of(state);
        if (operation.cancel)
            call_back("an exception left the cancel function of an operation",
                      [&] { operation.cancel(complete != 0); });
        return MPI_SUCCESS;
    }
};

} // namespace detail

/// The right to complete an operation, from any thread. If this object is destroyed without complete(), the operation
/// is completed and cancelled, so that nobody waits forever.
class [[nodiscard]] Completion {
public:
    Completion(MPI_Request request, std::shared_ptr<detail::OwnOperation> operation) noexcept
        : request_(request), operation_(std::move(operation)) {}
    Completion(Completion&& other) noexcept
        : request_(std::exchange(other.request_, MPI_REQUEST_NULL)), operation_(std::move(other.operation_)) {}
    Completion& operator=(Completion&&) = delete;
    ~Completion() {
        if (request_ == MPI_REQUEST_NULL || detail::has_ended())
            return;
        operation_->abandoned = true;
        MPI_Grequest_complete(request_);
    }
    ANYMPI_CALLS result<void> complete() && {
        if (request_ == MPI_REQUEST_NULL)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_REQUEST, "the operation is complete already"}), "MPI_Grequest_complete",
                        detail::Nowhere{});
        ANYMPI_CALL(detail::Nowhere{}, MPI_Grequest_complete, request_);
        request_ = MPI_REQUEST_NULL;
        return detail::done();
    }

private:
    MPI_Request request_;
    std::shared_ptr<detail::OwnOperation> operation_;
};

/// The request of the program's operation, and the object that completes it.
struct [[nodiscard]] OwnOperation {
    Request request;
    Completion completion; // destroyed first, so that the request does not wait forever
};

/// Begins an operation. If `cancel` is given, a request that is dropped is cancelled. `cancel` must make the operation
/// complete soon, but must not complete it itself: MPICH does not allow that during the call.
inline ANYMPI_CALLS result<OwnOperation> start_operation(StatusQuery query = {}, CancelRequest cancel = {}) {
    using State = detail::OwnOperation;
    const Direction direction = cancel ? Direction::receives : Direction::other;
    const State::Held operation(new State);
    operation->query = std::move(query);
    operation->cancel = std::move(cancel);
    MPI_Request request = MPI_REQUEST_NULL;
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Grequest_start", detail::check_time());
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Grequest_start", State::begin(operation, request));
    return OwnOperation{Request(detail::Operation{.handle = request, .direction = direction, .borrows = false}),
                        Completion(request, operation)};
}

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
