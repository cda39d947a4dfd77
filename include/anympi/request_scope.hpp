// A scope that ends only when its operations are complete, so buffers that live longer than the scope are safe.
//
//     std::vector<double> mine(100), theirs(100);      // before the scope
//     anympi::RequestScope scope;
//     scope.add(world.isend(mine, next));
//     scope.add(world.irecv(theirs, before));
//     compute();                                       // may return
//     scope.wait();                                    // reports errors; otherwise the end of the scope waits
#ifndef ANYMPI_REQUEST_SCOPE_HPP
#define ANYMPI_REQUEST_SCOPE_HPP

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "completion.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

namespace detail {

/// A request of any kind.
template <class RawStatus>
class ScopedRequest {
public:
    template <class R>
    explicit ScopedRequest(std::unique_ptr<R> request) : held_(std::make_unique<Held<R>>(std::move(request))) {}
    [[nodiscard]] MPI_Request handle() const noexcept { return held_->handle(); }
    [[nodiscard]] bool is_completed() const noexcept { return held_->is_completed(); }
    void complete(MPI_Request handle, const RawStatus& status, int code) noexcept {
        held_->complete(handle, status, code);
    }
    void keep_going() noexcept { held_->keep_going(); }

private:
    struct Any {
        virtual ~Any() = default;
        [[nodiscard]] virtual MPI_Request handle() const noexcept = 0;
        [[nodiscard]] virtual bool is_completed() const noexcept = 0;
        virtual void complete(MPI_Request handle, const RawStatus& status, int code) noexcept = 0;
        virtual void keep_going() noexcept = 0;
    };
    template <class R>
    struct Held : Any {
        explicit Held(std::unique_ptr<R> given) : request(std::move(given)) {}
        [[nodiscard]] MPI_Request handle() const noexcept override { return request->handle(); }
        [[nodiscard]] bool is_completed() const noexcept override { return request->is_completed(); }
        void complete(MPI_Request handle, const RawStatus& status, int code) noexcept override {
            request->complete(handle, status, code);
        }
        void keep_going() noexcept override { request->keep_going(); }
        std::unique_ptr<R> request;
    };
    std::unique_ptr<Any> held_;
};

} // namespace detail

/// Owns requests of any kinds. At the end of the scope all operations are complete: the destructor waits, also for
/// receives, which the destructor of a request would cancel.
///
/// An exception that leaves the scope must not wait for other processes (see Request). Operations that are complete or
/// can be cancelled end, and operations that own their buffers continue. If MPI still uses a borrowed buffer, the job
/// ends with a message. So no borrowed buffer that lives longer than the scope is destroyed while MPI uses it.
///
/// It is a template, so that only programs that use it compile it. See RequestScope.
template <class RawStatus>
class [[nodiscard]] BasicRequestScope {
    using Scoped = detail::ScopedRequest<RawStatus>;

public:
    BasicRequestScope() noexcept = default;
    BasicRequestScope(const BasicRequestScope&) = delete;
    BasicRequestScope& operator=(const BasicRequestScope&) = delete;
    /// Waits for all operations. Errors go to the listeners of the objects on which the operations were begun.
    ~BasicRequestScope() {
        if (!watch_.is_unwinding())
            for (Scoped& request : all_)
                request.keep_going();
    }

    /// Takes a request over. The reference is valid until the end of the scope, for example for values that the request
    /// owns.
    template <class R>
    requires(AnyRequest<R> && !std::is_lvalue_reference_v<R>) R& add(R&& request) {
        auto taken = std::make_unique<R>(std::move(request));
        R& added = *taken;
        all_.emplace_back(std::move(taken));
        return added;
    }
    /// Waits for all operations added so far, also if some fail.
    ANYMPI_CALLS result<void> wait() {
        detail::Fault first = MPI_SUCCESS;
        std::size_t left = active();
        for (bool again = true; again;) { // each failure may end the call early
            auto handles = detail::handles_of(all_);
            detail::AllStatuses<decltype(all_)> statuses(handles.size());
            const detail::Fault fault = detail::wait_for_all(handles, statuses.raw(), all_);
            if (fault && !first)
                first = fault;
            const std::size_t before = std::exchange(left, active());
            again = fault && left > 0 && left < before;
        }
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Waitall", first);
        return detail::done();
    }
    /// Returns the number of operations that are not known to be complete.
    [[nodiscard]] std::size_t active() const noexcept {
        std::size_t count = 0;
        for (const Scoped& request : all_)
            count += !request.is_completed();
        return count;
    }

private:
    std::vector<Scoped> all_;
    detail::ExceptionWatch watch_;
};
using RequestScope = BasicRequestScope<MPI_Status>;

/// Calls `function(scope)` with a scope, waits for all operations that the function adds to it, and returns the result
/// of the function. Buffers of these operations must live outside the function.
template <std::invocable<RequestScope&> F>
ANYMPI_CALLS auto with_requests(F&& function) -> detail::with_errors<std::invoke_result_t<F, RequestScope&>> {
    using R = std::invoke_result_t<F, RequestScope&>;
    RequestScope scope;
    if constexpr (std::is_void_v<R>) {
        std::forward<F>(function)(scope);
        return scope.wait();
    } else {
        R value = std::forward<F>(function)(scope);
#ifdef ANYMPI_RESULTS
        if constexpr (std::same_as<R, detail::with_errors<R>>)
            if (!value) // the destructor of the scope waits
                return value;
        if (auto waited = scope.wait(); !waited)
            return std::move(waited.error());
        return value;
#else
        scope.wait();
        return std::forward<R>(value);
#endif
    }
}

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
