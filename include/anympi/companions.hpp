// Objects that belong to a handle of MPI and end before it: the listener for its errors, and the memory of its buffered
// sends. Files of all policies share them.
#ifndef ANYMPI_COMPANIONS_HPP
#define ANYMPI_COMPANIONS_HPP

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>

#include "kinds.hpp"

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

/// True for the kinds of objects that have companions.
template <class Kind>
inline constexpr bool has_companions = std::is_same_v<Kind, kinds::Comm> || std::is_same_v<Kind, kinds::Win> ||
                                       std::is_same_v<Kind, kinds::File> || std::is_same_v<Kind, kinds::Session>;

/// The companions of each object of a kind, in a map. MPI passes no data of the program to the function of an error
/// handler, so only the handle can lead to a listener's state. Files and sessions have no attributes that could store
/// this state.
template <class Kind>
class Companions {
    using Handle = typename Kind::type;
    struct Both {
        std::shared_ptr<const Listener> listener;
        std::shared_ptr<Attached> attached;
    };

public:
    /// Sets the only listener of a handle; nullptr removes it.
    static void set_listener(Handle handle, std::shared_ptr<const Listener> listener) {
        const std::lock_guard lock(mutex); // the previous listener ends with the argument, after the lock
        all()[handle].listener.swap(listener);
    }
    static std::shared_ptr<const Listener> listener(Handle handle) {
        const std::lock_guard lock(mutex);
        const auto found = all().find(handle);
        return found == all().end() ? nullptr : found->second.listener;
    }
    static void set_attached(Handle handle, std::shared_ptr<Attached> attached) {
        const std::lock_guard lock(mutex);
        all()[handle].attached.swap(attached);
    }
    static bool has_attached(Handle handle) noexcept {
        const std::lock_guard lock(mutex);
        const auto found = all().find(handle);
        return found != all().end() && found->second.attached;
    }
    /// Used when the handle is given to an owner who does not report when it ends.
    static void clear_listener(Handle handle) noexcept {
        std::shared_ptr<const Listener> cleared; // ends after the lock
        const std::lock_guard lock(mutex);
        const auto found = all().find(handle);
        if (found == all().end())
            return;
        cleared = std::move(found->second.listener);
        if (!found->second.attached)
            all().erase(found);
    }
    /// Used before the handle ends. Returns the listener, so that the caller can set it again if the handle does not
    /// end.
    static std::shared_ptr<const Listener> end(Handle handle) noexcept {
        std::shared_ptr<Attached> attached;
        {
            const std::lock_guard lock(mutex);
            const auto found = all().find(handle);
            if (found == all().end())
                return nullptr;
            attached.swap(found->second.attached);
        }
        if (attached)
            attached->detach(); // the listener is still set and hears of errors
        std::shared_ptr<const Listener> listener;
        const std::lock_guard lock(mutex);
        if (const auto found = all().find(handle); found != all().end()) {
            listener.swap(found->second.listener);
            all().erase(found);
        }
        return listener; // ends after the lock, since it may own objects with companions
    }

private:
    static inline std::mutex mutex;
    /// Never destroyed: objects with companions may be static, and end after the map.
    static std::map<Handle, Both>& all() {
        static auto& made = *new std::map<Handle, Both>;
        return made;
    }
};

} // namespace anympi::shared
#pragma GCC visibility pop

#endif
