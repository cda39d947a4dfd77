// Sets of requests, which complete together or one by one.
#ifndef ANYMPI_REQUEST_SET_HPP
#define ANYMPI_REQUEST_SET_HPP

#include <cstddef>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "completion.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

namespace detail {

/// A vector of requests whose first elements need no memory of the heap. When an exception destroys the requests, they
/// have the age of the vector.
///
/// Functions that are not inline get no address of a member, and the first elements have constant indices. So the
/// compiler can keep these requests in registers, see Request.
template <class R>
class Few {
public:
    static constexpr std::size_t few = 4;

    ANYMPI_INLINE Few() noexcept : few_{R(watch_), R(watch_), R(watch_), R(watch_)} {}
    ANYMPI_INLINE Few(Few&& other) noexcept : watch_(other.watch_), few_{R(watch_), R(watch_), R(watch_), R(watch_)} {
        take(other);
    }
    ANYMPI_INLINE Few& operator=(Few&& other) noexcept {
        if (this != &other) {
            this->~Few();
            ::new (this) Few(std::move(other));
        }
        return *this;
    }
    ANYMPI_INLINE ~Few() {
        each_place([&]<std::size_t index>() ANYMPI_ALWAYS_INLINE { few_[index].~R(); });
        if (many_) [[unlikely]]
            destroy(many_);
    }

    /// Adds a request and returns its index.
    ANYMPI_INLINE std::size_t add(R&& request) {
        if (size_ >= few) [[unlikely]]
            add_to_many(std::move(request));
        else
            each_place([&]<std::size_t index>() ANYMPI_ALWAYS_INLINE {
                if (index == size_)
                    few_[index].fill(std::move(request));
            });
        return size_++;
    }
    [[nodiscard]] ANYMPI_INLINE std::size_t size() const noexcept { return size_; }
    [[nodiscard]] R* data() noexcept { return many_ ? many_->data() : few_; }
    [[nodiscard]] const R* data() const noexcept { return many_ ? many_->data() : few_; }
    /// Returns the requests if they are more than a few, otherwise null.
    [[nodiscard]] ANYMPI_INLINE std::vector<R>* many() const noexcept { return many_; }
    /// Calls `act` with each of a few requests, and its number.
    template <class Act>
    ANYMPI_INLINE void each(const Act& act, std::size_t& place) {
        each_place([&]<std::size_t index>() ANYMPI_ALWAYS_INLINE {
            if (index < size_)
                act(few_[index], place++);
        });
    }

    [[nodiscard]] ANYMPI_INLINE bool has_comparison() const noexcept {
        bool has = false;
        each_place([&]<std::size_t index>() ANYMPI_ALWAYS_INLINE { has = has || few_[index].has_comparison(); });
        return has;
    }

private:
    template <class Act>
    ANYMPI_INLINE static void each_place(const Act& act) {
        [&]<std::size_t... index>(std::index_sequence<index...>) ANYMPI_ALWAYS_INLINE {
            (act.template operator()<index>(), ...);
        }
        (std::make_index_sequence<few>());
    }
    ANYMPI_INLINE void add_to_many(R&& request) {
        if (!many_) {
            many_ = new std::vector<R>;
            each_place([&]<std::size_t index>() ANYMPI_ALWAYS_INLINE { append(few_[index]); });
        }
        append(request);
    }
    ANYMPI_INLINE void append(R& request) {
        R moved(watch_);
        moved.fill(std::move(request));
        append(*many_, std::move(moved));
    }
    [[gnu::noinline]] static void append(std::vector<R>& many, R&& request) { many.push_back(std::move(request)); }
    [[gnu::noinline]] static void destroy(std::vector<R>* many) noexcept { delete many; }
    /// Takes the elements of another vector. This one must be empty.
    ANYMPI_INLINE void take(Few& other) noexcept {
        size_ = std::exchange(other.size_, 0);
        many_ = std::exchange(other.many_, nullptr);
        each_place([&]<std::size_t index>() ANYMPI_ALWAYS_INLINE { few_[index].fill(std::move(other.few_[index])); });
    }

    std::size_t size_ = 0;
    std::vector<R>* many_ = nullptr;
    ExceptionWatch watch_;
    union { // so that the destructor destroys each by its constant index
        R few_[few];
    };
};

/// Handles in an array. No function of MPI gets the address of this object, so the compiler knows their number.
class SomeHandles {
public:
    ANYMPI_INLINE SomeHandles(MPI_Request* handles, std::size_t size) noexcept : handles_(handles), size_(size) {}
    [[nodiscard]] ANYMPI_INLINE int count() const noexcept { return static_cast<int>(size_); }
    [[nodiscard]] ANYMPI_INLINE MPI_Request* data() const noexcept { return handles_; }
    [[nodiscard]] std::span<MPI_Request> all() const noexcept { return {handles_, size_}; }

private:
    MPI_Request* handles_;
    std::size_t size_;
};

} // namespace detail

/// Several requests of one kind, completed together or one by one. A completed request leaves a hole, so that indices
/// do not change. See RequestSet and OwningRequestSet. The set is also a range of its requests.
template <class R>
class [[nodiscard]] BasicRequestSet {
public:
    using Completed = anympi::ANYMPI_POLICY::Completed;

    ANYMPI_INLINE BasicRequestSet() noexcept = default;
    ANYMPI_INLINE BasicRequestSet(BasicRequestSet&&) noexcept = default;
    ANYMPI_INLINE BasicRequestSet& operator=(BasicRequestSet&&) noexcept = default;
    ANYMPI_INLINE ~BasicRequestSet() = default;
    /// Adds a request and returns its index in the set.
    ANYMPI_INLINE std::size_t add(R&& request) { return requests_.add(std::move(request)); }
    [[nodiscard]] std::size_t size() const noexcept { return requests_.size(); }
    [[nodiscard]] std::size_t active() const noexcept {
        std::size_t count = 0;
        for (const R& request : *this)
            count += !request.is_completed();
        return count;
    }
    [[nodiscard]] R* begin() noexcept { return requests_.data(); }
    [[nodiscard]] R* end() noexcept { return begin() + size(); }
    [[nodiscard]] const R* begin() const noexcept { return requests_.data(); }
    [[nodiscard]] const R* end() const noexcept { return begin() + size(); }

    /// Waits for one request. Returns its status, or the value that it owns.
    ANYMPI_CALLS auto wait(std::size_t index) -> decltype(std::declval<R&>().wait()) {
        if (index >= size())
            ANYMPI_FAIL((detail::Fault{MPI_ERR_ARG, "there is no such request in the set"}), "MPI_Wait",
                        detail::Nowhere{});
        return begin()[index].wait();
    }
    /// The functions for any range of requests.
    ANYMPI_CALLS ANYMPI_INLINE result<Statuses<>> wait_all() {
        std::vector<R>* const many = requests_.many();
        return many ? anympi::wait_all(*many) : wait_for_few();
    }
    ANYMPI_CALLS result<std::optional<Statuses<>>> test_all() { return anympi::test_all(*this); }
    ANYMPI_CALLS result<std::optional<Completed>> wait_any() { return anympi::wait_any(*this); }
    ANYMPI_CALLS result<std::optional<Completed>> test_any() { return anympi::test_any(*this); }
    ANYMPI_CALLS result<Completions<>> wait_some() { return anympi::wait_some(*this); }
    ANYMPI_CALLS result<Completions<>> test_some() { return anympi::test_some(*this); }

private:
    ANYMPI_CALLS ANYMPI_INLINE result<Statuses<>> wait_for_few() {
        MPI_Request array[detail::Few<R>::few];
        detail::SomeHandles handles(array, size());
        detail::gather(array, requests_);
        Statuses<> statuses(size());
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Waitall", detail::wait_for_all(handles, statuses.raw(), requests_));
        return statuses;
    }

    detail::Few<R> requests_;
};
using RequestSet = BasicRequestSet<Request>;
/// A set of operations that own their memory. wait(index) returns the value of a request.
template <class Value>
using OwningRequestSet = BasicRequestSet<OwningRequest<Value>>;

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
