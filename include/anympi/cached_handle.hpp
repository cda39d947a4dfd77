// Handles that are made at first use and cached until MPI ends: datatypes of C++ types, operations of functions, keys
// of attributes.
#ifndef ANYMPI_CACHED_HANDLE_HPP
#define ANYMPI_CACHED_HANDLE_HPP

#include <atomic>
#include <memory>
#include <mutex>

#include "owned.hpp"

#pragma GCC visibility push(default)
namespace anympi::shared {

/// All cached handles that exist, in a list, so that the end of MPI can free them.
struct CachedHandleBase {
    virtual void drop() = 0;
    CachedHandleBase* next = nullptr;

    static inline std::recursive_mutex mutex; // making the datatype of a struct makes those of its members
    static inline CachedHandleBase* first = nullptr;

protected:
    ~CachedHandleBase() = default;
    void link() {
        next = first;
        first = this;
    }
    void unlink() {
        CachedHandleBase** place = &first;
        while (*place && *place != this)
            place = &(*place)->next;
        if (*place)
            *place = next;
    }
};

/// Before MPI ends. What is used afterwards, in another session, is made anew.
inline void drop_cached_handles() {
    const std::lock_guard lock(CachedHandleBase::mutex);
    while (CachedHandleBase* cached = CachedHandleBase::first) {
        CachedHandleBase::first = cached->next;
        cached->drop();
    }
}

} // namespace anympi::shared
#pragma GCC visibility pop

namespace anympi {
inline namespace ANYMPI_POLICY {
namespace detail {

/// What keeps something alive until a request is complete.
using Keep = std::shared_ptr<const void>;

template <class Kind>
class CachedHandle final : shared::CachedHandleBase {
public:
    using handle_type = typename Kind::type;

    /// The handle; `make` makes it at the first call. The null handle if that failed, which every call of MPI then
    /// reports.
    template <class Make>
    handle_type get(Make make) {
        // No handle of the standard ABI is zero, and no key of an attribute.
        if (const handle_type made = handle_.load(std::memory_order_acquire)) [[likely]]
            return made;
        const std::lock_guard lock(mutex);
        if (const handle_type made = handle_.load(std::memory_order_relaxed))
            return made;
        if (has_ended()) // which the call reports that it is for
            return Kind::null();
        const handle_type made = make();
        if (made == Kind::null())
            return made;
        link();
        handle_.store(made, std::memory_order_release);
        return made;
    }
    /// For those that end before MPI does: frees it now.
    void forget() {
        const std::lock_guard lock(mutex);
        if (!handle_.load(std::memory_order_relaxed))
            return;
        unlink();
        if (!has_ended())
            drop();
    }

private:
    void drop() override {
        handle_type handle = handle_.exchange(handle_type{});
        Kind::free(&handle);
    }
    std::atomic<handle_type> handle_{};
};

} // namespace detail
} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
