// Objects that belong to a handle of MPI and end before it: the listener for its errors, and the memory of its buffered
// sends. Files of all policies share them.
#ifndef ANYMPI_COMPANIONS_HPP
#define ANYMPI_COMPANIONS_HPP

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "kinds.hpp"
#include "number_table.hpp"

#pragma GCC visibility push(default)
namespace anympi::shared {

/// Called for an error with its class, code and text, the function, and the name of the object.
using Listener = std::function<void(int error_class, int code, const std::string& message, const std::string& operation,
                                    const std::string& name)>;

/// Something that the program has given to the library for as long as the handle lives.
struct Attached {
    virtual void detach() noexcept = 0;

protected:
    ~Attached() = default;
};

/// The kinds of objects that have companions, in any order; -1 for other kinds.
template <class Kind>
inline constexpr int place_of_companions = -1;
template <>
inline constexpr int place_of_companions<kinds::Comm> = 0;
template <>
inline constexpr int place_of_companions<kinds::Win> = 1;
template <>
inline constexpr int place_of_companions<kinds::File> = 2;
template <>
inline constexpr int place_of_companions<kinds::Session> = 3;
template <class Kind>
inline constexpr bool has_companions = place_of_companions<Kind> >= 0;

/// The companions of one kind of objects, by handle. MPI passes no data of the program to the function of an error
/// handler, so only the handle can lead to a listener's state. Files and sessions have no attributes that could store
/// this state. (No template: the compiler would compile one for each kind in every program.)
class CompanionsByHandle {
    struct Both {
        std::shared_ptr<const Listener> listener;
        std::shared_ptr<Attached> attached;
    };

public:
    /// Sets the only listener of a handle; nullptr removes it.
    void set_listener(std::uintptr_t handle, std::shared_ptr<const Listener> listener) {
        const std::lock_guard lock(mutex_); // the previous listener ends with the argument, after the lock
        found_or_added(handle).listener.swap(listener);
    }
    std::shared_ptr<const Listener> listener(std::uintptr_t handle) {
        const std::lock_guard lock(mutex_);
        const Both* const found = all_.find(handle);
        return found ? found->listener : nullptr;
    }
    void set_attached(std::uintptr_t handle, std::shared_ptr<Attached> attached) {
        const std::lock_guard lock(mutex_);
        found_or_added(handle).attached.swap(attached);
    }
    bool has_attached(std::uintptr_t handle) noexcept {
        const std::lock_guard lock(mutex_);
        const Both* const found = all_.find(handle);
        return found && found->attached;
    }
    /// Used when the handle is given to an owner who does not report when it ends.
    void clear_listener(std::uintptr_t handle) noexcept {
        std::shared_ptr<const Listener> cleared; // ends after the lock
        const std::lock_guard lock(mutex_);
        Both* const found = all_.find(handle);
        if (!found)
            return;
        cleared.swap(found->listener);
        if (!found->attached)
            all_.remove(handle);
    }
    /// Used before the handle ends. Returns the listener, so that the caller can set it again if the handle does not
    /// end.
    std::shared_ptr<const Listener> end(std::uintptr_t handle) noexcept {
        std::shared_ptr<Attached> attached;
        {
            const std::lock_guard lock(mutex_);
            Both* const found = all_.find(handle);
            if (!found)
                return nullptr;
            attached.swap(found->attached);
        }
        if (attached)
            attached->detach(); // the listener is still set and hears of errors
        std::shared_ptr<const Listener> listener;
        const std::lock_guard lock(mutex_);
        if (Both* const found = all_.find(handle)) {
            listener.swap(found->listener);
            all_.remove(handle);
        }
        return listener; // ends after the lock, since it may own objects with companions
    }

private:
    Both& found_or_added(std::uintptr_t handle) {
        Both* const found = all_.find(handle);
        return found ? *found : all_.add(handle, {});
    }
    std::mutex mutex_;
    NumberTable<Both> all_;
};
/// Never destroyed: objects with companions may be static, and end after the tables.
inline CompanionsByHandle& companions_of(int place) {
    static auto* const made = new CompanionsByHandle[4];
    return made[place];
}

/// The companions of the objects of a kind.
template <class Kind>
class Companions {
    using Handle = typename Kind::type;
    static CompanionsByHandle& all() { return companions_of(place_of_companions<Kind>); }

public:
    static void set_listener(Handle handle, std::shared_ptr<const Listener> listener) {
        all().set_listener(number_of(handle), std::move(listener));
    }
    static std::shared_ptr<const Listener> listener(Handle handle) { return all().listener(number_of(handle)); }
    static void set_attached(Handle handle, std::shared_ptr<Attached> attached) {
        all().set_attached(number_of(handle), std::move(attached));
    }
    static bool has_attached(Handle handle) noexcept { return all().has_attached(number_of(handle)); }
    static void clear_listener(Handle handle) noexcept { all().clear_listener(number_of(handle)); }
    static std::shared_ptr<const Listener> end(Handle handle) noexcept { return all().end(number_of(handle)); }
};

} // namespace anympi::shared
#pragma GCC visibility pop

#endif
