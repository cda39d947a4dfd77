// Coroutines that wait for requests, and the loop that drives them. Not part of anympi.hpp.
//
//     anympi::Task<int> exchange(const anympi::Comm& world, int peer) {
//         auto sending = world.isend(world.rank(), peer);
//         const int theirs = co_await world.irecv<int>(peer);   // what wait() of the request returns
//         co_await sending;
//         co_return theirs;
//     }
//     anympi::Loop loop;
//     const int theirs = loop.run(exchange(world, peer));
//
// While a task waits, the loop runs other tasks. If all of them wait, the loop waits in MPI_Waitsome. A loop and its
// tasks belong to one thread.
//
// A task is destroyed like any scope: its requests end as their destructors say, before the buffers that were declared
// before them.
#ifndef ANYMPI_COROUTINES_HPP
#define ANYMPI_COROUTINES_HPP

#include <algorithm>
#include <coroutine>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "completion.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

class Loop;
template <class T = void>
class Task;

namespace detail {

/// The part of a task that the loop knows. It is the base of the promises of all tasks.
class TaskState {
public:
    TaskState() noexcept = default;
    TaskState(const TaskState&) = delete;
    TaskState& operator=(const TaskState&) = delete;
    ~TaskState();

    /// Gives the task to the loop. If another task awaits it, that task continues afterwards.
    void begin(Loop& loop, std::coroutine_handle<> handle, TaskState* parent);
    void resume() const { handle_.resume(); }
    [[nodiscard]] Loop& loop() const noexcept { return *loop_; }
    /// Throws the exception with which the task ended, if there is one. Every call throws it.
    void rethrow() const {
#ifdef __cpp_exceptions
        if (error_)
            std::rethrow_exception(error_);
#endif
    }

    // The functions that the compiler calls.

    static std::suspend_always initial_suspend() noexcept {
        return {};
    }
    auto final_suspend() noexcept {
        struct End {
            TaskState& task;
            static bool await_ready() noexcept { return false; }
            void await_suspend(std::coroutine_handle<>) const noexcept { task.end(); }
            static void await_resume() noexcept {}
        };
        return End{*this};
    }
    void unhandled_exception() noexcept {
#ifdef __cpp_exceptions
        error_ = std::current_exception();
#else
        std::abort();
#endif
    }
    template <class Awaited>
    auto await_transform(Awaited&& awaited) noexcept;

private:
    void end() noexcept;

    Loop* loop_ = nullptr; // null before the task begins
    std::coroutine_handle<> handle_;
    TaskState *parent_ = nullptr, *child_ = nullptr; // the task that awaits this one, and the task that this one awaits
    std::exception_ptr error_;
};

/// A task that waits for a request.
struct Waiting {
    explicit Waiting(TaskState& task) noexcept : task(task) {}
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    [[nodiscard]] virtual MPI_Request handle() const noexcept = 0;
    [[nodiscard]] virtual bool is_completed() const noexcept = 0;
    virtual void complete(MPI_Request handle, const MPI_Status& status, int code) noexcept = 0;
    TaskState& task;

protected:
    ~Waiting() = default;
};
/// An element of the range of requests that a loop completes.
struct WaitingRequest {
    Waiting* waiting;
    const TaskState* task; // also known while the task is destroyed
    [[nodiscard]] MPI_Request handle() const noexcept { return waiting->handle(); }
    [[nodiscard]] bool is_completed() const noexcept { return waiting->is_completed(); }
    void complete(MPI_Request handle, const MPI_Status& status, int code) const noexcept {
        waiting->complete(handle, status, code);
    }
};

template <class R>
class RequestAwaiter;

} // namespace detail

#ifdef ANYMPI_RESULTS
#define ANYMPI_PASS_ON(call)                                                                                           \
    if (auto anympi_ended = (call); !anympi_ended)                                                                     \
    return std::move(anympi_ended.error())
#else
#define ANYMPI_PASS_ON(call) (call)
#endif

/// Runs tasks until they are complete.
class Loop {
public:
    Loop() noexcept = default;
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;
    /// Destroys the tasks that are not complete.
    ~Loop() { spawned_.clear(); }

    /// Adds a task, which begins in run() or poll(). The loop drops the result of the task, but reports its error.
    template <class T>
    void spawn(Task<T> task) {
        task.begin(*this);
        spawned_.push_back(std::make_unique<Spawned<T>>(std::move(task)));
    }
    /// Runs all tasks until they are complete. If a task ends with an error, run() reports the error at once; the other
    /// tasks stay in the loop.
    ANYMPI_CALLS result<void> run() {
        while (!spawned_.empty()) {
            ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Waitsome", advance(true));
            ANYMPI_PASS_ON(end_finished());
        }
        return detail::done();
    }
    /// Runs a task, and meanwhile the other tasks of the loop. Returns the result of the task.
    template <class T>
    ANYMPI_CALLS detail::with_errors<T> run(Task<T> task) {
        task.begin(*this);
        while (!task.is_done()) {
            ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Waitsome", advance(true));
            ANYMPI_PASS_ON(end_finished());
        }
        if constexpr (std::is_void_v<T>) {
            task.take();
            return detail::done();
        } else {
            return task.take();
        }
    }
    /// Adds several tasks, and runs all tasks until they are complete.
    template <class... T>
    requires(sizeof...(T) > 1) ANYMPI_CALLS result<void> run(Task<T>... tasks) {
        (spawn(std::move(tasks)), ...);
        return run();
    }
    /// Runs tasks as far as they get without waiting, for programs that have other work. Returns true if all tasks are
    /// complete.
    ANYMPI_CALLS result<bool> poll() {
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Testsome", advance(false));
        ANYMPI_PASS_ON(end_finished());
        return spawned_.empty();
    }

private:
    friend class detail::TaskState;
    template <class R>
    friend class detail::RequestAwaiter;

    struct AnySpawned {
        virtual ~AnySpawned() = default;
        [[nodiscard]] virtual bool is_done() const noexcept = 0;
        virtual result<void> end() = 0;
    };
    template <class T>
    struct Spawned : AnySpawned {
        explicit Spawned(Task<T> given) noexcept : task(std::move(given)) {}
        [[nodiscard]] bool is_done() const noexcept override { return task.is_done(); }
        result<void> end() override {
#ifdef ANYMPI_RESULTS
            if constexpr (std::same_as<T, detail::with_errors<T>>) {
                if (T value = task.take(); !value)
                    return std::move(value.error());
                return detail::done();
            }
#endif
            static_cast<void>(task.take());
            return detail::done();
        }
        Task<T> task;
    };

    /// Completes requests if no task is ready, and resumes the tasks that are ready.
    ANYMPI_CALLS detail::Fault advance(bool waits) {
        if (ready_.empty())
            if (const detail::Fault fault = complete(waits))
                return fault;
        for (std::size_t left = ready_.size(); left > 0 && !ready_.empty(); --left) {
            const detail::TaskState* const task = ready_.front();
            ready_.pop_front();
            task->resume();
        }
        return MPI_SUCCESS;
    }
    ANYMPI_CALLS detail::Fault complete(bool waits) {
        if (waiting_.empty())
            return waits ? detail::Fault{MPI_ERR_REQUEST, "no task can continue, and one is not complete"}
                         : detail::Fault(MPI_SUCCESS);
        auto handles = detail::handles_of(waiting_);
        Completions<> found(handles.size());
        const bool may_wait = waits && !detail::looks_again(waiting_);
        const detail::Fault fault = detail::find_some(may_wait ? MPI_Waitsome : MPI_Testsome, handles, found, waiting_);
        for (const detail::WaitingRequest& request : waiting_)
            if (request.is_completed()) // also if the operation failed: wait() of the request reports that
                make_ready(request.waiting->task);
        std::erase_if(waiting_, [](const detail::WaitingRequest& request) { return request.is_completed(); });
        return ready_.empty() ? fault : detail::Fault(MPI_SUCCESS);
    }
    /// Removes the tasks that have ended. Reports the error of one of them.
    result<void> end_finished() {
        while (has_finished_) {
            const auto found =
                std::find_if(spawned_.begin(), spawned_.end(), [](const auto& one) { return one->is_done(); });
            if (found == spawned_.end()) {
                has_finished_ = false;
                break;
            }
            const std::unique_ptr<AnySpawned> ended = std::move(*found);
            spawned_.erase(found);
            ANYMPI_PASS_ON(ended->end());
        }
        return detail::done();
    }

    void make_ready(detail::TaskState& task) {
        ready_.push_back(&task);
    }
    void wait_for(detail::Waiting& waiting) {
        waiting_.push_back({&waiting, &waiting.task});
    }
    void finished() noexcept {
        has_finished_ = true;
    }
    void forget(const detail::TaskState& task) noexcept {
        std::erase(ready_, &task);
        std::erase_if(waiting_, [&](const detail::WaitingRequest& one) { return one.task == &task; });
    }

    std::deque<detail::TaskState*> ready_;
    std::vector<detail::WaitingRequest> waiting_;
    std::vector<std::unique_ptr<AnySpawned>> spawned_;
    bool has_finished_ = false;
};

namespace detail {

inline TaskState::~TaskState() {
    if (loop_)
        loop_->forget(*this);
    if (parent_)
        parent_->child_ = nullptr;
    if (child_)
        child_->parent_ = nullptr;
}
inline void TaskState::begin(Loop& loop, std::coroutine_handle<> handle, TaskState* parent) {
    loop_ = &loop;
    handle_ = handle;
    parent_ = parent;
    if (parent)
        parent->child_ = this;
    loop.make_ready(*this);
}
inline void TaskState::end() noexcept {
    if (parent_) {
        parent_->child_ = nullptr;
        loop_->make_ready(*std::exchange(parent_, nullptr));
    } else {
        loop_->finished();
    }
}

template <class T>
class Promise : public TaskState {
public:
    Task<T> get_return_object() noexcept;
    template <class U = T>
    void return_value(U&& value) {
        value_.emplace(std::forward<U>(value));
    }
    T take() {
        rethrow();
        return *std::move(value_);
    }

private:
    std::optional<T> value_;
};
template <>
class Promise<void> : public TaskState {
public:
    Task<void> get_return_object() noexcept;
    void return_void() noexcept {}
    void take() { rethrow(); }
};

/// Waits for a request.
template <class R>
class RequestAwaiter final : public Waiting {
public:
    RequestAwaiter(TaskState& task, R& request) noexcept : Waiting(task), request_(request) {}
    [[nodiscard]] bool await_ready() const noexcept { return request_.is_completed(); }
    void await_suspend(std::coroutine_handle<>) { task.loop().wait_for(*this); }
    /// Returns what wait() of the request returns. The status of a request that is complete is known only here.
    ANYMPI_CALLS auto await_resume() -> decltype(std::declval<R&>().wait()) {
        if constexpr (std::same_as<decltype(request_.wait()), result<Status>>)
            if (came_) {
                ANYMPI_REQUIRE(Nowhere{}, "MPI_Wait", code_);
                return successful(status_);
            }
        return request_.wait();
    }

    [[nodiscard]] MPI_Request handle() const noexcept override { return request_.handle(); }
    [[nodiscard]] bool is_completed() const noexcept override { return request_.is_completed(); }
    void complete(MPI_Request handle, const MPI_Status& status, int code) noexcept override {
        request_.complete(handle, status, code);
        came_ = is_completed();
        status_ = status;
        code_ = code;
    }

private:
    R& request_;
    bool came_ = false; // while the task waited
    MPI_Status status_{};
    int code_ = MPI_SUCCESS;
};
/// Waits for a task.
template <class T>
class TaskAwaiter {
public:
    TaskAwaiter(TaskState& parent, Task<T>& child) noexcept : parent_(parent), child_(child) {}
    [[nodiscard]] bool await_ready() const noexcept { return child_.is_done(); }
    void await_suspend(std::coroutine_handle<>) { child_.begin(parent_.loop(), &parent_); }
    T await_resume() { return child_.take(); }

private:
    TaskState& parent_;
    Task<T>& child_;
};
template <class T>
inline constexpr bool is_task = false;
template <class T>
inline constexpr bool is_task<Task<T>> = true;

} // namespace detail

/// A coroutine that waits for requests and for other tasks, with co_await. It begins when a loop runs it, or when
/// another task awaits it.
template <class T>
class [[nodiscard]] Task {
    static_assert(!std::is_reference_v<T>, "anympi: a task cannot return a reference: return a pointer or a value");

public:
    using promise_type = detail::Promise<T>;

    explicit Task(promise_type& promise) noexcept
        : handle_(std::coroutine_handle<promise_type>::from_promise(promise)) {}
    Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Task& operator=(Task&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Task() {
        if (handle_)
            handle_.destroy();
    }
    [[nodiscard]] bool is_done() const noexcept { return handle_.done(); }

private:
    friend class Loop;
    template <class U>
    friend class detail::TaskAwaiter;

    void begin(Loop& loop, detail::TaskState* parent = nullptr) { handle_.promise().begin(loop, handle_, parent); }
    T take() { return handle_.promise().take(); }

    std::coroutine_handle<promise_type> handle_;
};

namespace detail {

template <class T>
Task<T> Promise<T>::get_return_object() noexcept {
    return Task<T>(*this);
}
inline Task<void> Promise<void>::get_return_object() noexcept {
    return Task<void>(*this);
}
template <class Awaited>
auto TaskState::await_transform(Awaited&& awaited) noexcept {
    using Plain = std::remove_cvref_t<Awaited>;
    static_assert(AnyRequest<Awaited> || is_task<Plain>, "anympi: a task can await requests and other tasks");
    if constexpr (is_task<Plain>)
        return TaskAwaiter(*this, awaited);
    else
        return RequestAwaiter<Plain>(*this, awaited);
}

} // namespace detail

#undef ANYMPI_PASS_ON

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
