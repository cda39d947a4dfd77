// Handles that are made at first use and kept until MPI ends: datatypes of C++ types, operations of stateless
// functions.
#ifndef ANYMPI_KEPT_HPP
#define ANYMPI_KEPT_HPP

#include <atomic>
#include <mutex>

#include "owned.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {
namespace detail {

/// All that are made, in a list, so that the end can free them.
struct KeptBase {
    virtual void drop() = 0;
    KeptBase* next = nullptr;

    static inline std::recursive_mutex mutex; // making the datatype of a struct makes those of its members
    static inline KeptBase* first = nullptr;

protected:
    ~KeptBase() = default;
};

template <class Kind>
class Kept final : KeptBase {
public:
    using handle_type = typename Kind::type;

    /// The handle; `make` makes it at the first call. The null handle if that failed, which every call of MPI then
    /// reports.
    template <class Make>
    handle_type get(Make make) {
        // No handle of the standard ABI is zero.
        if (const handle_type made = handle_.load(std::memory_order_acquire)) [[likely]]
            return made;
        const std::lock_guard lock(mutex);
        if (const handle_type made = handle_.load(std::memory_order_relaxed))
            return made;
        const handle_type made = make();
        if (made == Kind::null())
            return made;
        next = first;
        first = this;
        handle_.store(made, std::memory_order_release);
        return made;
    }

private:
    void drop() override {
        handle_type handle = handle_.exchange(nullptr);
        Kind::free(&handle);
    }
    std::atomic<handle_type> handle_{nullptr};
};

/// Before MPI ends. What is used afterwards, in another session, is made anew.
inline void drop_kept() {
    const std::lock_guard lock(KeptBase::mutex);
    while (KeptBase* kept = KeptBase::first) {
        KeptBase::first = kept->next;
        kept->drop();
    }
}

} // namespace detail
} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
