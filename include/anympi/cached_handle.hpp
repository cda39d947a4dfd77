// Handles that are created at first use and cached until MPI ends: datatypes of C++ types, operations of functions,
// keys of attributes.
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

    static inline std::recursive_mutex mutex; // recursive: making the datatype of a struct also makes the datatypes of
                                              // its members
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

/// Frees all cached handles before MPI ends. A handle that is used in a later session is made again.
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

/// Keeps an object alive until a request is complete.
using Keep = std::shared_ptr<const void>;

template <class Kind>
class CachedHandle final : shared::CachedHandleBase {
public:
    using handle_type = typename Kind::type;

    /// Returns the handle; `make` creates it at the first call. Returns the null handle if that failed: every call of
    /// MPI reports a null handle.
    template <class Make>
    handle_type get(Make make) {
        // No handle and no key that a program makes is zero, whatever the type of handles is.
        if (const handle_type made = handle_.load(std::memory_order_acquire)) [[likely]]
            return made;
        const std::lock_guard lock(mutex);
        if (const handle_type made = handle_.load(std::memory_order_relaxed))
            return made;
        if (has_ended()) // the call that uses the handle reports that MPI has ended
            return Kind::null();
        const handle_type made = make();
        if (made == Kind::null())
            return made;
        link();
        handle_.store(made, std::memory_order_release);
        return made;
    }
    /// Frees the handle now, for objects that end before MPI does.
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
