// Sets of requests, which complete together or one by one.
#ifndef ANYMPI_REQUEST_SET_HPP
#define ANYMPI_REQUEST_SET_HPP

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

#include "completion.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

namespace detail {

/// A vector whose first elements need no memory of the heap.
template <class T>
class Few {
    static constexpr std::size_t few = 4;

public:
    Few() noexcept = default;
    Few(Few&& other) noexcept { take(other); }
    Few& operator=(Few&& other) noexcept {
        if (this != &other) {
            clear();
            take(other);
        }
        return *this;
    }
    ~Few() { clear(); }

    ANYMPI_INLINE T& add(T&& element) {
        if (size_ == room_) [[unlikely]]
            grow();
        T* const added = std::construct_at(data() + size_, std::move(element));
        ++size_;
        return *added;
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] T* data() noexcept { return many_ ? many_ : std::launder(reinterpret_cast<T*>(few_)); }
    [[nodiscard]] const T* data() const noexcept { return const_cast<Few*>(this)->data(); }

private:
    [[gnu::noinline]] void grow() {
        Few larger;
        larger.room_ = 2 * room_;
        larger.many_ = std::allocator<T>().allocate(larger.room_);
        for (; larger.size_ < size_; ++larger.size_)
            std::construct_at(larger.many_ + larger.size_, std::move(data()[larger.size_]));
        *this = std::move(larger);
    }
    void clear() noexcept {
        std::destroy_n(data(), size_);
        if (many_)
            std::allocator<T>().deallocate(many_, room_);
    }
    /// Takes the elements of another vector. This one must be empty.
    void take(Few& other) noexcept {
        size_ = std::exchange(other.size_, 0);
        room_ = std::exchange(other.room_, few);
        many_ = std::exchange(other.many_, nullptr);
        if (!many_) {
            T* const from = other.data();
            for (std::size_t place = 0; place < size_; ++place)
                std::construct_at(data() + place, std::move(from[place]));
            std::destroy_n(from, size_);
        }
    }

    std::size_t size_ = 0, room_ = few;
    T* many_ = nullptr;
    alignas(T) std::byte few_[few * sizeof(T)];
};

} // namespace detail

/// Several requests of one kind, completed together or one by one. A completed request leaves a hole, so that indices
/// do not change. See RequestSet and OwningRequestSet. The set is also a range of its requests.
template <class R>
class [[nodiscard]] BasicRequestSet {
public:
    using Completed = anympi::ANYMPI_POLICY::Completed;

    BasicRequestSet() = default;
    /// Adds a request and returns its index in the set.
    ANYMPI_INLINE std::size_t add(R&& request) {
        requests_.add(std::move(request));
        return size() - 1;
    }
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
    ANYMPI_CALLS ANYMPI_INLINE result<Statuses<>> wait_all() { return anympi::wait_all(*this); }
    ANYMPI_CALLS result<std::optional<Statuses<>>> test_all() { return anympi::test_all(*this); }
    ANYMPI_CALLS result<std::optional<Completed>> wait_any() { return anympi::wait_any(*this); }
    ANYMPI_CALLS result<std::optional<Completed>> test_any() { return anympi::test_any(*this); }
    ANYMPI_CALLS result<Completions<>> wait_some() { return anympi::wait_some(*this); }
    ANYMPI_CALLS result<Completions<>> test_some() { return anympi::test_some(*this); }

private:
    detail::Few<R> requests_;
};
using RequestSet = BasicRequestSet<Request>;
/// A set of operations that own their memory. wait(index) returns the value of a request.
template <class Value>
using OwningRequestSet = BasicRequestSet<OwningRequest<Value>>;

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
