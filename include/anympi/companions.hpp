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
    /// Before the handle ends.
    static void end(Handle handle) noexcept {
        Both ended; // without the lock: a listener may own what has companions itself
        {
            const std::lock_guard lock(mutex);
            const auto found = all().find(handle);
            if (found == all().end())
                return;
            ended = std::move(found->second);
            all().erase(found);
        }
        if (ended.attached)
            ended.attached->detach();
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
