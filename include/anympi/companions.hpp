// What goes with a handle of MPI without being a part of it, and ends before it: who listens to its errors, and the
// memory of its buffered sends. Files of all policies share it.
#ifndef ANYMPI_COMPANIONS_HPP
#define ANYMPI_COMPANIONS_HPP

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>

#include "requirements.hpp"

#pragma GCC visibility push(default)
namespace anympi::shared {

/// Hears of an error: class, code, text, function, name of the object.
using Listener = std::function<void(int error_class, int code, const std::string& message, const std::string& operation,
                                    const std::string& name)>;

/// Something that the library holds of us as long as the handle lives.
struct Attached {
    virtual void detach() noexcept = 0;

protected:
    ~Attached() = default;
};

/// What can have companions.
template <class Handle>
inline constexpr bool has_companions = std::is_same_v<Handle, MPI_Comm> || std::is_same_v<Handle, MPI_Win> ||
                                       std::is_same_v<Handle, MPI_File> || std::is_same_v<Handle, MPI_Session>;

/// By handle: MPI gives the function of an error handler nothing that leads to the state of a lambda, and files and
/// sessions have no attributes.
template <class Handle>
class Companions {
    struct Both {
        std::shared_ptr<const Listener> listener;
        std::shared_ptr<Attached> attached;
    };

public:
    /// One hears at a time, the last; nullptr: nobody.
    static void set_listener(Handle handle, std::shared_ptr<const Listener> listener) {
        const std::lock_guard lock(mutex); // the one before ends with the argument, without the lock
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
    /// When the handle goes to somebody who does not say when it ends.
    static void clear_listener(Handle handle) noexcept {
        std::shared_ptr<const Listener> cleared; // ends without the lock
        const std::lock_guard lock(mutex);
        const auto found = all().find(handle);
        if (found == all().end())
            return;
        cleared = std::move(found->second.listener);
        if (!found->second.attached)
            all().erase(found);
    }
    /// Before the handle ends. Returns the listener, which is to be set again if the handle does not end.
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
            attached->detach(); // the listener is still there to hear of an error
        std::shared_ptr<const Listener> listener;
        const std::lock_guard lock(mutex);
        if (const auto found = all().find(handle); found != all().end()) {
            listener.swap(found->second.listener);
            all().erase(found);
        }
        return listener; // ends without the lock: it may own what has companions itself
    }

private:
    static inline std::mutex mutex;
    /// Never destroyed: what has companions may be of static storage, and end after them.
    static std::map<Handle, Both>& all() {
        static auto& made = *new std::map<Handle, Both>;
        return made;
    }
};

} // namespace anympi::shared
#pragma GCC visibility pop

#endif
