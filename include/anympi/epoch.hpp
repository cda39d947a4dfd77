// One-sided communication. The memory of other processes can only be accessed in an epoch, and an epoch is an object:
// operations that need an epoch do not compile without one, and the end of the scope ends the epoch.
#ifndef ANYMPI_EPOCH_HPP
#define ANYMPI_EPOCH_HPP

#include <atomic>
#include <deque>
#include <map>

#include "comm.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

enum class LockType : int { exclusive = MPI_LOCK_EXCLUSIVE, shared = MPI_LOCK_SHARED };

/// Promises to the library about the use of an epoch, combined with |.
enum class FenceAssert : int {
    none = 0,
    no_store = MPI_MODE_NOSTORE,
    no_put = MPI_MODE_NOPUT,
    no_precede = MPI_MODE_NOPRECEDE,
    no_succeed = MPI_MODE_NOSUCCEED,
};
enum class PscwAssert : int {
    none = 0,
    no_check = MPI_MODE_NOCHECK,
    no_store = MPI_MODE_NOSTORE,
    no_put = MPI_MODE_NOPUT
};
constexpr FenceAssert operator|(FenceAssert a, FenceAssert b) {
    return static_cast<FenceAssert>(static_cast<int>(a) | static_cast<int>(b));
}
constexpr PscwAssert operator|(PscwAssert a, PscwAssert b) {
    return static_cast<PscwAssert>(static_cast<int>(a) | static_cast<int>(b));
}
constexpr FenceAssert& operator|=(FenceAssert& a, FenceAssert b) {
    return a = a | b;
}
constexpr PscwAssert& operator|=(PscwAssert& a, PscwAssert b) {
    return a = a | b;
}

/// Operations in windows: only MPI's own operations, including op::replace and op::no_op.
template <class Op, class T>
concept WindowOp = detail::PredefinedOp<Op> && Op::template takes<T> &&
                   (!detail::ExtendedNumber<T> || std::same_as<Op, op::replace_type> ||
                    std::same_as<Op, op::no_op_type>);

/// Elements that MPI can fetch in one step: types with a predefined datatype.
template <class T>
concept Fetchable = detail::Predefined<T>::value || std::is_enum_v<T>;

namespace detail {

/// The operations on one process since the last flush.
struct Batch {
    bool is_complete = false;
    std::vector<Keep> kept{}; // MPI reads and writes this memory until then
};

} // namespace detail

/// The result of a fetch. It can be read when the operation is complete: after a flush of this process or of all
/// processes, or after the end of the epoch.
template <class Value>
class [[nodiscard]] Fetched {
public:
    Fetched(std::shared_ptr<Value> value, std::shared_ptr<const detail::Batch> batch)
        : value_(std::move(value)), batch_(std::move(batch)) {}
    ANYMPI_CALLS result<Value> get() const& {
        ANYMPI_REQUIRE(detail::Nowhere{}, "Fetched::get", check());
        return *value_;
    }
    ANYMPI_CALLS result<Value> get() && {
        ANYMPI_REQUIRE(detail::Nowhere{}, "Fetched::get", check());
        const std::shared_ptr<Value> value = std::move(value_); // there is no second value
        return std::move(*value);
    }

private:
    [[nodiscard]] detail::Fault check() const {
        if (!value_)
            return {MPI_ERR_BUFFER, detail::moved_away};
        if (!batch_->is_complete)
            return {MPI_ERR_RMA_SYNC, "the epoch has neither been flushed nor ended"};
        return MPI_SUCCESS;
    }
    std::shared_ptr<Value> value_;
    std::shared_ptr<const detail::Batch> batch_;
};

/// A place in another process's memory. at(3) means the elements from number 3 on. {first, Datatype::vector(…)} means
/// elements in the layout of a datatype.
class Place {
public:
    Place(Displacement first) noexcept : first_(first.number()) {}
    /// @cond only for a message of the compiler
    template <std::integral Bare>
    Place(Bare) {
        static_assert(shared::never<Bare>, "anympi: a place in a window goes here, written as at(3)");
    }
    /// @endcond
    Place(MPI_Aint first, const Datatype& arrangement, MPI_Count count = 1) noexcept
        : first_(first), count_(count), type_(arrangement.handle()), is_arranged_(true) {}
    /// The place owns a datatype that is given as a temporary.
    Place(MPI_Aint first, Datatype&& arrangement, MPI_Count count = 1)
        : first_(first), count_(count), type_(arrangement.handle()), is_arranged_(true),
          keep_(std::make_shared<Datatype>(std::move(arrangement))) {}

    /// The arguments of MPI functions that describe the remote side of `here`.
    struct There {
        MPI_Aint first;
        MPI_Count count;
        MPI_Datatype type;
    };
    template <Communicable T, class View>
    detail::Fault match(const View& here, There& there) const {
        const MPI_Datatype element = datatype<T>();
        there = {first_, here.count, element};
        if (!is_arranged_ && here.type == element) [[likely]]
            return MPI_SUCCESS;
        const MPI_Datatype type = is_arranged_ ? type_ : element;
        if (type == MPI_DATATYPE_NULL)
            return {shared::kinds::Type::invalid, shared::kinds::Type::null_text};
        MPI_Count bytes_here = 0, bytes_there = 0;
        int code = MPI_Type_size_c(here.type, &bytes_here);
        if (code == MPI_SUCCESS)
            code = MPI_Type_size_c(type, &bytes_there);
        if (code != MPI_SUCCESS)
            return code;
        const MPI_Count bytes = detail::product(here.count, bytes_here);
        there = {first_, !is_arranged_ && bytes_there > 0 ? bytes / bytes_there : count_, type};
        if (detail::product(there.count, bytes_there) != bytes)
            return {MPI_ERR_COUNT, "the remote place and the local buffer differ in size"};
        return MPI_SUCCESS;
    }

private:
    MPI_Aint first_;
    MPI_Count count_ = 1;
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    bool is_arranged_ = false; // a datatype was given, which may be null
    detail::Keep keep_;
};

namespace detail {

/// Calls an operation with one local buffer and one remote place.
template <class T, class View, class Invoke, class... Op>
Fault reach(const View& here, int rank, const Place& place, Invoke invoke, Op... op) {
    Place::There there{};
    if (const Fault fault = place.match<T>(here, there)) [[unlikely]]
        return fault;
    return invoke(here.data, here.count, here.type, rank, there.first, there.count, there.type, op...);
}
// Most places are displacements, which need no check if the local elements have the datatype of T. So shapes store the
// place as it was given.

template <class T, class View, class Invoke, class... Op>
ANYMPI_INLINE auto reach_plainly(const View& here, int rank, Displacement place, Invoke invoke, Op... op) {
    return invoke(here.data, here.count, here.type, rank, place.number(), here.count, datatype<T>(), op...);
}
template <class T, class P = Place>
struct PutShape {
    int rank;
    P place;
    ANYMPI_INLINE bool is_quick(shared::WinObject window, const ReadView& from,
                                const WriteView&) const requires std::same_as<P, Displacement> {
        return !window.is_null() && from.type == datatype<T>();
    }
    template <class Invoke>
    ANYMPI_INLINE auto pass(const ReadView& from, const WriteView&, Invoke invoke) const {
        return reach_plainly<T>(from, rank, place, invoke);
    }
    template <class Invoke>
    Fault call(MPI_Win, ReadView from, WriteView, Invoke invoke) const {
        return reach<T>(from, rank, place, invoke);
    }
};
template <class T, class P = Place>
struct GetShape {
    int rank;
    P place;
    ANYMPI_INLINE bool is_quick(shared::WinObject window, const ReadView&,
                                const WriteView& into) const requires std::same_as<P, Displacement> {
        return !window.is_null() && into.type == datatype<T>();
    }
    template <class Invoke>
    ANYMPI_INLINE auto pass(const ReadView&, const WriteView& into, Invoke invoke) const {
        return reach_plainly<T>(into, rank, place, invoke);
    }
    template <class Invoke>
    Fault call(MPI_Win, ReadView, WriteView into, Invoke invoke) const {
        return reach<T>(into, rank, place, invoke);
    }
};
template <class T, class Op, class P = Place>
struct AccumulateShape {
    int rank;
    P place;
    ANYMPI_INLINE bool is_quick(shared::WinObject window, const ReadView& from,
                                const WriteView&) const requires std::same_as<P, Displacement> {
        return !window.is_null() && from.type == datatype<T>();
    }
    template <class Invoke>
    ANYMPI_INLINE auto pass(const ReadView& from, const WriteView&, Invoke invoke) const {
        return reach_plainly<T>(from, rank, place, invoke, Op::handle());
    }
    template <class Invoke>
    Fault call(MPI_Win, ReadView from, WriteView, Invoke invoke) const {
        return reach<T>(from, rank, place, invoke, Op::handle());
    }
};
template <class T>
struct GetAccumulateShape {
    int rank;
    Place place;
    MPI_Op op;
    template <class Invoke>
    Fault call(MPI_Win, ReadView from, WriteView into, Invoke invoke) const {
        MPI_Count sent = 0, received = 0;
        if (const Fault fault = count_elements<T>(from, sent))
            return fault;
        if (const Fault fault = count_elements<T>(into, received))
            return fault;
        if (sent != received)
            return {MPI_ERR_COUNT, not_as_many};
        const auto both = [&](auto data, auto count, auto type, auto... there) {
            return invoke(data, count, type, into.data, into.count, into.type, there...);
        };
        return reach<T>(from, rank, place, both, op);
    }
};

} // namespace detail

/// Buffers of elements of a window's type, to read from or to write into.
template <class B, class T>
concept SendOf = SendBuffer<B> && std::same_as<element_of<B>, T>;
template <class B, class T>
concept ReceiveOf = ReceiveBuffer<B> && std::same_as<element_of<B>, T>;

/// Access to the memory of other processes, in elements of T. The epoch owns arguments that are temporaries or given
/// with std::move until it is flushed or ends; then received data can be read. It borrows all others until then.
///
/// If an exception destroys an epoch, the job ends, since the other processes may wait for the end of the epoch, and
/// its end for them.
template <Communicable T>
class AccessEpoch {
public:
    AccessEpoch(AccessEpoch&& other) noexcept
        : window_(std::exchange(other.window_, shared::WinObject(MPI_WIN_NULL))), batches_(std::move(other.batches_)),
          watch_(other.watch_) {}
    AccessEpoch& operator=(AccessEpoch&&) = delete;
    /// Returns the window for functions of `detail`. Null if the epoch has ended or was moved.
    [[nodiscard]] shared::WinObject where() const noexcept { return window_; }

    template <SendOf<T> S, std::convertible_to<Place> P = Place>
    ANYMPI_INLINE ANYMPI_CALLS result<void> put(S&& from, Target rank, P place) {
        return detail::complete(MPI_Put_c, "MPI_Put", *this, detail::PutShape<T, P>{rank.rank(), place},
                                keep_if_given_away(rank.rank(), std::forward<S>(from)), detail::None{});
    }
    template <ReceiveOf<T> R, std::convertible_to<Place> P = Place>
    requires LastingReceiveBuffer<R> ANYMPI_INLINE ANYMPI_CALLS result<void> get(R&& into, Target rank, P place) {
        return detail::complete(MPI_Get_c, "MPI_Get", *this, detail::GetShape<T, P>{rank.rank(), place}, detail::None{},
                                into);
    }
    template <ReceiveOf<T> R>
    requires(!LastingReceiveBuffer<R>) ANYMPI_CALLS result<Fetched<R>> get(R&& into, Target rank, Place place) {
        const std::shared_ptr<R> value = keep(rank.rank(), std::forward<R>(into));
        ANYMPI_REQUIRE(window_, "MPI_Get",
                       call(MPI_Get_c, detail::GetShape<T>{rank.rank(), place}, detail::None{}, *value));
        return Fetched<R>(value, batch_of(rank.rank()));
    }
    template <SendOf<T> S, WindowOp<T> Op, std::convertible_to<Place> P = Place>
    ANYMPI_INLINE ANYMPI_CALLS result<void> accumulate(S&& from, Target rank, P place, const Op&) {
        return detail::complete(MPI_Accumulate_c, "MPI_Accumulate", *this,
                                detail::AccumulateShape<T, Op, P>{rank.rank(), place},
                                keep_if_given_away(rank.rank(), std::forward<S>(from)), detail::None{});
    }
    /// The previous content of the place is stored in `into`.
    template <SendOf<T> S, ReceiveOf<T> R, WindowOp<T> Op>
    requires LastingReceiveBuffer<R> ANYMPI_CALLS result<void> get_accumulate(S&& from, R&& into, Target rank,
                                                                              Place place, const Op&) {
        return detail::complete(MPI_Get_accumulate_c, "MPI_Get_accumulate", *this,
                                detail::GetAccumulateShape<T>{rank.rank(), place, Op::handle()},
                                keep_if_given_away(rank.rank(), std::forward<S>(from)), into);
    }
    template <SendOf<T> S, ReceiveOf<T> R, WindowOp<T> Op>
    requires(!LastingReceiveBuffer<R>)
        ANYMPI_CALLS result<Fetched<R>> get_accumulate(S&& from, R&& into, Target rank, Place place, const Op&) {
        const std::shared_ptr<R> value = keep(rank.rank(), std::forward<R>(into));
        ANYMPI_REQUIRE(window_, "MPI_Get_accumulate",
                       call(MPI_Get_accumulate_c, detail::GetAccumulateShape<T>{rank.rank(), place, Op::handle()},
                            keep_if_given_away(rank.rank(), std::forward<S>(from)), *value));
        return Fetched<R>(value, batch_of(rank.rank()));
    }
    template <WindowOp<T> Op>
    ANYMPI_CALLS result<Fetched<T>> fetch_and_op(const T& value, Target rank, Displacement place,
                                                 const Op&) requires Fetchable<T> {
        const std::shared_ptr<Cell> cell = cell_for(rank.rank(), {T{}, value, T{}});
        ANYMPI_CALL(window_, MPI_Fetch_and_op, &cell->operand, &cell->value, datatype<T>(), rank.rank(), place.number(),
                    Op::handle(), window_);
        return fetched(rank.rank(), cell);
    }
    ANYMPI_CALLS result<Fetched<T>> compare_and_swap(const T& value, const T& expected, Target rank,
                                                     Displacement place) requires AtomicCapable<T> {
        const std::shared_ptr<Cell> cell = cell_for(rank.rank(), {T{}, value, expected});
        ANYMPI_CALL(window_, MPI_Compare_and_swap, &cell->operand, &cell->compare, &cell->value, datatype<T>(),
                    rank.rank(), place.number(), window_);
        return fetched(rank.rank(), cell);
    }

protected:
    explicit AccessEpoch(MPI_Win window) : window_(window) {}
    ~AccessEpoch() = default;
    [[nodiscard]] shared::WinObject window() const noexcept { return window_; }
    /// Used by destructors. Does nothing if the epoch has ended already or was moved.
    template <class Call>
    void drop(const char* function, Call call) noexcept {
        if (window_ == MPI_WIN_NULL || detail::has_ended())
            return;
        if (watch_.is_unwinding())
            detail::stop_leaving("an epoch that has not ended");
        detail::report(end_by(call), function, window_);
    }
    /// Ends the epoch by a call of MPI. If the call fails, the epoch has ended too.
    template <class Call>
    ANYMPI_CALLS result<void> end(const char* function, Call call) {
        if (window_ == MPI_WIN_NULL)
            ANYMPI_FAIL(detail::null_object(window_), function, window_);
        ANYMPI_REQUIRE(window_, function, detail::check_time());
        const shared::WinObject window = window_;
        const int code = end_by(call);
        window_ = shared::WinObject(MPI_WIN_NULL);
        ANYMPI_REQUIRE(window, function, code);
        return detail::done();
    }
    /// Marks all operations as complete.
    void completed() noexcept {
        for (const auto& [rank, batch] : batches_)
            complete(*batch);
    }
    /// Marks the operations on one process as complete.
    void completed(int rank) noexcept {
        if (const auto found = batches_.find(rank); found != batches_.end())
            complete(*found->second);
    }

private:
    /// The memory of an operation that fetches one element.
    struct Cell {
        T value, operand, compare;
    };
    /// A batch with cells. Cells do not move, and are used again with the batch.
    struct Cells : detail::Batch {
        std::deque<Cell> all{};
        std::size_t used = 0;
    };
    template <class Call>
    int end_by(const Call& call) noexcept {
        const int code = call(window_);
        if (code == MPI_SUCCESS)
            completed();
        else // it is unknown which operations are complete
            for (const auto& [rank, batch] : batches_)
                shared::keep_for_ever(batch);
        return code;
    }
    static void complete(detail::Batch& batch) noexcept {
        batch.is_complete = true;
        batch.kept.clear();
    }
    /// Returns the batch for further operations on a process. A batch that is complete is used again if no result
    /// refers to it any more, so that fetches in a loop allocate nothing.
    const std::shared_ptr<Cells>& batch_of(int rank) {
        std::shared_ptr<Cells>& batch = batches_[rank];
        if (batch && batch->is_complete && batch.use_count() == 1) {
            std::atomic_thread_fence(std::memory_order_acquire); // another thread may have had the last result
            batch->is_complete = false;
            batch->used = 0;
        } else if (!batch || batch->is_complete) {
            batch = std::make_shared<Cells>();
        }
        return batch;
    }
    /// Returns a cell with these values, which lives as long as the batch.
    std::shared_ptr<Cell> cell_for(int rank, const Cell& values) {
        const std::shared_ptr<Cells>& batch = batch_of(rank);
        if (batch->used == batch->all.size())
            batch->all.push_back(values);
        else
            batch->all[batch->used] = values;
        return {batch, &batch->all[batch->used++]};
    }
    Fetched<T> fetched(int rank, const std::shared_ptr<Cell>& cell) {
        return {std::shared_ptr<T>(cell, &cell->value), batch_of(rank)};
    }
    /// Keeps memory that MPI reads and writes until the process is flushed, even if the program no longer needs the
    /// data.
    template <class Value>
    std::shared_ptr<std::remove_cvref_t<Value>> keep(int rank, Value&& value) {
        auto kept = std::make_shared<std::remove_cvref_t<Value>>(std::forward<Value>(value));
        batch_of(rank)->kept.push_back(kept);
        return kept;
    }
    /// Keeps a buffer until then if it was given away. Returns the buffer.
    template <class B>
    const auto& keep_if_given_away(int rank, B&& buffer) {
        if constexpr (detail::given_away<B>)
            return *keep(rank, std::forward<B>(buffer));
        else
            return buffer;
    }
    template <class Function, class Shape, class S, class R>
    ANYMPI_CALLS detail::Fault call(Function function, const Shape& shape, const S& from, R& into) const {
        if (detail::is_too_late()) [[unlikely]]
            return detail::too_late();
        return detail::call(shape, window_, from, into,
                            [&](auto... arguments) { return function(arguments..., window_); });
    }

    shared::WinObject window_;
    std::map<int, std::shared_ptr<Cells>> batches_; // by rank
    detail::ExceptionWatch watch_;
};

/// Access under a lock. It also has operations with requests, which MPI allows only here. They own arguments that are
/// temporaries or given with std::move, and borrow all others.
template <Communicable T>
class PassiveEpoch : public AccessEpoch<T> {
public:
    PassiveEpoch(PassiveEpoch&&) = default;
    template <SendOf<T> S>
    ANYMPI_CALLS auto rput(S&& from, Target rank, Place place) const {
        return detail::start(MPI_Rput_c, "MPI_Rput", this->window(), detail::PutShape<T>{rank.rank(), place},
                             std::forward<S>(from), detail::None{});
    }
    template <ReceiveOf<T> R>
    ANYMPI_CALLS auto rget(R&& into, Target rank, Place place) const {
        return detail::start(MPI_Rget_c, "MPI_Rget", this->window(), detail::GetShape<T>{rank.rank(), place},
                             detail::None{}, std::forward<R>(into));
    }
    template <SendOf<T> S, WindowOp<T> Op>
    ANYMPI_CALLS auto raccumulate(S&& from, Target rank, Place place, const Op&) const {
        return detail::start(MPI_Raccumulate_c, "MPI_Raccumulate", this->window(),
                             detail::AccumulateShape<T, Op>{rank.rank(), place}, std::forward<S>(from), detail::None{});
    }
    template <SendOf<T> S, ReceiveOf<T> R, WindowOp<T> Op>
    ANYMPI_CALLS auto rget_accumulate(S&& from, R&& into, Target rank, Place place, const Op&) const {
        return detail::start(MPI_Rget_accumulate_c, "MPI_Rget_accumulate", this->window(),
                             detail::GetAccumulateShape<T>{rank.rank(), place, Op::handle()}, std::forward<S>(from),
                             std::forward<R>(into));
    }
    /// Makes the writes of this process and of other processes visible to each other.
    ANYMPI_CALLS result<void> sync() const {
        ANYMPI_CALL(this->window(), MPI_Win_sync, this->window());
        return detail::done();
    }

protected:
    using AccessEpoch<T>::AccessEpoch;
    ~PassiveEpoch() = default;
};

/// Access to one process under a lock, which the destructor releases.
template <Communicable T>
class [[nodiscard]] LockGuard : public PassiveEpoch<T> {
public:
    LockGuard(MPI_Win window, int rank) : PassiveEpoch<T>(window), rank_(rank) {}
    LockGuard(LockGuard&&) = default;
    ~LockGuard() {
        this->drop("MPI_Win_unlock", [&](MPI_Win window) { return MPI_Win_unlock(rank_, window); });
    }
    /// Completes all operations, locally and remotely.
    ANYMPI_CALLS result<void> flush() {
        ANYMPI_CALL(this->window(), MPI_Win_flush, rank_, this->window());
        this->completed();
        return detail::done();
    }
    /// Completes all operations locally: buffers can be used again, and fetched values can be read.
    ANYMPI_CALLS result<void> flush_local() {
        ANYMPI_CALL(this->window(), MPI_Win_flush_local, rank_, this->window());
        this->completed();
        return detail::done();
    }
    ANYMPI_CALLS result<void> unlock() && {
        return this->end("MPI_Win_unlock", [&](MPI_Win window) { return MPI_Win_unlock(rank_, window); });
    }

private:
    int rank_;
};

/// Access to all processes under a shared lock.
template <Communicable T>
class [[nodiscard]] LockAllGuard : public PassiveEpoch<T> {
public:
    explicit LockAllGuard(MPI_Win window) : PassiveEpoch<T>(window) {}
    LockAllGuard(LockAllGuard&&) = default;
    ~LockAllGuard() {
        this->drop("MPI_Win_unlock_all", [](MPI_Win window) { return MPI_Win_unlock_all(window); });
    }
    /// Completes all operations, locally and remotely.
    ANYMPI_CALLS result<void> flush_all() {
        ANYMPI_CALL(this->window(), MPI_Win_flush_all, this->window());
        this->completed();
        return detail::done();
    }
    /// Completes all operations on one process, locally and remotely.
    ANYMPI_CALLS result<void> flush(Target rank) {
        ANYMPI_CALL(this->window(), MPI_Win_flush, rank.rank(), this->window());
        this->completed(rank.rank());
        return detail::done();
    }
    /// Completes all operations on one process locally: buffers can be used again, and fetched values can be read.
    ANYMPI_CALLS result<void> flush_local(Target rank) {
        ANYMPI_CALL(this->window(), MPI_Win_flush_local, rank.rank(), this->window());
        this->completed(rank.rank());
        return detail::done();
    }
    /// Completes all operations locally.
    ANYMPI_CALLS result<void> flush_local_all() {
        ANYMPI_CALL(this->window(), MPI_Win_flush_local_all, this->window());
        this->completed();
        return detail::done();
    }
    ANYMPI_CALLS result<void> unlock() && {
        return this->end("MPI_Win_unlock_all", [](MPI_Win window) { return MPI_Win_unlock_all(window); });
    }
};

/// Access between two fences, which all processes call.
template <Communicable T>
class [[nodiscard]] FenceEpoch : public AccessEpoch<T> {
public:
    explicit FenceEpoch(MPI_Win window) : AccessEpoch<T>(window) {}
    FenceEpoch(FenceEpoch&&) = default;
    ~FenceEpoch() {
        this->drop("MPI_Win_fence", [](MPI_Win window) { return MPI_Win_fence(MPI_MODE_NOSUCCEED, window); });
    }
    /// Completes all operations and begins the next epoch.
    ANYMPI_CALLS result<void> fence(FenceAssert asserts = FenceAssert::none) {
        ANYMPI_CALL(this->window(), MPI_Win_fence, static_cast<int>(asserts), this->window());
        this->completed();
        return detail::done();
    }
    ANYMPI_CALLS result<void> close(FenceAssert asserts = FenceAssert::no_succeed) && {
        return this->end("MPI_Win_fence",
                         [&](MPI_Win window) { return MPI_Win_fence(static_cast<int>(asserts), window); });
    }
};

/// Access to the windows of the processes in a group. These processes have called post.
template <Communicable T>
class [[nodiscard]] StartEpoch : public AccessEpoch<T> {
public:
    explicit StartEpoch(MPI_Win window) : AccessEpoch<T>(window) {}
    StartEpoch(StartEpoch&&) = default;
    ~StartEpoch() {
        this->drop("MPI_Win_complete", [](MPI_Win window) { return MPI_Win_complete(window); });
    }
    ANYMPI_CALLS result<void> complete() && {
        return this->end("MPI_Win_complete", [](MPI_Win window) { return MPI_Win_complete(window); });
    }
};

/// Allows other processes to access this process's memory until they have ended their epochs. If an exception destroys
/// this object, the job ends: the other processes would not know that they may no longer access the memory.
class [[nodiscard]] PostEpoch {
public:
    explicit PostEpoch(MPI_Win window) noexcept : window_(window) {}
    PostEpoch(PostEpoch&& other) noexcept
        : window_(std::exchange(other.window_, shared::WinObject(MPI_WIN_NULL))), watch_(other.watch_) {}
    PostEpoch& operator=(PostEpoch&&) = delete;
    ~PostEpoch() {
        if (window_ == MPI_WIN_NULL || detail::has_ended())
            return;
        if (watch_.is_unwinding())
            detail::stop_leaving("an epoch that has not ended");
        detail::report(MPI_Win_wait(window_), "MPI_Win_wait", window_);
    }
    /// Waits until the other processes have ended their epochs. If that fails, this epoch has ended too.
    ANYMPI_CALLS result<void> wait() && {
        const shared::WinObject window = std::exchange(window_, shared::WinObject(MPI_WIN_NULL));
        ANYMPI_CALL(window, MPI_Win_wait, window);
        return detail::done();
    }
    /// Returns true if the other processes have ended their epochs. Then this epoch has ended too.
    ANYMPI_CALLS result<bool> test() {
        int done = 0;
        ANYMPI_CALL(window_, MPI_Win_test, window_, &done);
        if (done)
            window_ = shared::WinObject(MPI_WIN_NULL);
        return done != 0;
    }

private:
    shared::WinObject window_;
    detail::ExceptionWatch watch_;
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
