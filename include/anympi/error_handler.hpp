// Functions of the program that hear about the errors of a communicator, a window, a file or a session, before the call
// reports them as usual.
//
// MPI calls such a function with the object and the code alone: nothing that leads to the state of a lambda. It lives
// in an attribute of communicators and windows, which MPI copies and deletes with them; files and sessions have no
// attributes, so there it lives beside the handle, and in a table that the handle leads to.
#ifndef ANYMPI_ERROR_HANDLER_HPP
#define ANYMPI_ERROR_HANDLER_HPP

#include <functional>
#include <map>
#include <mutex>

#include "kept.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// Something that can be told about errors.
template <class F>
concept ErrorListener = std::invocable<F&, const Error&> && std::copy_constructible<F>;

namespace detail {

using Listener = std::function<void(const Error&)>;
using HeldListener = std::shared_ptr<const Listener>;

template <class Handle>
void tell(const HeldListener& listener, Handle handle, int code) noexcept {
    if (listener)
        call_back("an exception left an error handler", [&] { (*listener)(error_of(code, "", handle)); });
}

/// The error handler of one kind of objects, made at first use: it asks `Place` for the listener.
template <class Place>
struct ErrorHandler {
    using Handle = typename Place::Handle;
    static void call(Handle* handle, int* code, ...) { tell(Place::find(*handle), *handle, *code); }
    static MPI_Errhandler get() {
        return kept.get([] {
            MPI_Errhandler made = MPI_ERRHANDLER_NULL;
            Place::create(&call, &made);
            return made;
        });
    }
    static inline Kept<ErrhandlerKind> kept;
};

/// In an attribute. It is a pointer of its own for each object, since a listener may be replaced while it is called.
#define ANYMPI_LISTENER_IN_ATTRIBUTE(name, Kind, Prefix)                                                               \
    struct name {                                                                                                      \
        using Handle = Kind;                                                                                           \
        static int copy(Handle, int, void*, void* from, void* to, int* flag) noexcept {                                \
            *static_cast<HeldListener**>(to) = new HeldListener(*static_cast<const HeldListener*>(from));              \
            *flag = 1;                                                                                                 \
            return MPI_SUCCESS;                                                                                        \
        }                                                                                                              \
        static int erase(Handle, int, void* value, void*) noexcept {                                                   \
            delete static_cast<HeldListener*>(value);                                                                  \
            return MPI_SUCCESS;                                                                                        \
        }                                                                                                              \
        static int key() {                                                                                             \
            return kept_key.get([] {                                                                                   \
                int made = MPI_KEYVAL_INVALID;                                                                         \
                MPI_##Prefix##_create_keyval(&copy, &erase, &made, nullptr);                                           \
                return made;                                                                                           \
            });                                                                                                        \
        }                                                                                                              \
        static HeldListener find(Handle handle) {                                                                      \
            HeldListener* found = nullptr;                                                                             \
            int flag = 0;                                                                                              \
            MPI_##Prefix##_get_attr(handle, key(), static_cast<void*>(&found), &flag);                                 \
            return flag ? *found : HeldListener();                                                                     \
        }                                                                                                              \
        static int create(MPI_##Prefix##_errhandler_function* function, MPI_Errhandler* made) {                        \
            return MPI_##Prefix##_create_errhandler(function, made);                                                   \
        }                                                                                                              \
        static int listen(Handle handle, const HeldListener& listener) {                                               \
            auto stored = std::make_unique<HeldListener>(listener);                                                    \
            int code = MPI_##Prefix##_set_attr(handle, key(), stored.get());                                           \
            if (code != MPI_SUCCESS)                                                                                   \
                return code;                                                                                           \
            static_cast<void>(stored.release()); /* the object's now */                                                \
            return MPI_##Prefix##_set_errhandler(handle, ErrorHandler<name>::get());                                   \
        }                                                                                                              \
        static int stop(Handle handle) {                                                                               \
            const int code = MPI_##Prefix##_set_errhandler(handle, MPI_ERRORS_RETURN);                                 \
            return code == MPI_SUCCESS && find(handle) ? MPI_##Prefix##_delete_attr(handle, key()) : code;             \
        }                                                                                                              \
        static inline Kept<Prefix##KeyKind> kept_key;                                                                  \
    };
ANYMPI_LISTENER_IN_ATTRIBUTE(CommListener, MPI_Comm, Comm)
ANYMPI_LISTENER_IN_ATTRIBUTE(WinListener, MPI_Win, Win)
#undef ANYMPI_LISTENER_IN_ATTRIBUTE

struct FileErrors {
    using Handle = MPI_File;
    static int create(MPI_File_errhandler_function* function, MPI_Errhandler* made) {
        return MPI_File_create_errhandler(function, made);
    }
    static int set(MPI_File file, MPI_Errhandler handler) { return MPI_File_set_errhandler(file, handler); }
};
struct SessionErrors {
    using Handle = MPI_Session;
    static int create(MPI_Session_errhandler_function* function, MPI_Errhandler* made) {
        return MPI_Session_create_errhandler(function, made);
    }
    static int set(MPI_Session session, MPI_Errhandler handler) { return MPI_Session_set_errhandler(session, handler); }
};

/// Beside a handle: a member of the class that owns it, gone before it.
template <class Functions>
class ListenerInTable : public Functions {
public:
    using Handle = typename Functions::Handle;
    ListenerInTable() = default;
    ListenerInTable(ListenerInTable&& other) noexcept
        : handle_(other.handle_), listener_(std::exchange(other.listener_, nullptr)) {}
    ListenerInTable& operator=(ListenerInTable&& other) noexcept {
        std::swap(handle_, other.handle_);
        std::swap(listener_, other.listener_);
        return *this;
    }
    ~ListenerInTable() { forget(); }

    int listen(Handle handle, HeldListener listener) {
        forget();
        handle_ = handle;
        listener_ = std::move(listener);
        {
            const std::lock_guard lock(mutex);
            table[handle_] = listener_;
        }
        return Functions::set(handle, ErrorHandler<ListenerInTable>::get());
    }
    int stop(Handle handle) {
        forget();
        return Functions::set(handle, MPI_ERRORS_RETURN);
    }
    static HeldListener find(Handle handle) {
        const std::lock_guard lock(mutex);
        const auto found = table.find(handle);
        return found == table.end() ? HeldListener() : found->second;
    }

private:
    /// Another object may have the number of one that has ended: its listener stays.
    void forget() noexcept {
        if (!listener_)
            return;
        const std::lock_guard lock(mutex);
        if (const auto found = table.find(handle_); found != table.end() && found->second == listener_)
            table.erase(found);
        listener_ = nullptr;
    }
    Handle handle_{};
    HeldListener listener_;
    static inline std::mutex mutex;
    static inline std::map<Handle, HeldListener> table;
};

template <ErrorListener F>
HeldListener held_listener(F listener) {
    return std::make_shared<const Listener>(std::move(listener));
}
template <class Place, ErrorListener F>
Fault listen(typename Place::Handle handle, F listener) {
    return is_too_late() ? too_late() : Fault(Place::listen(handle, held_listener(std::move(listener))));
}
template <class Place>
Fault stop_listening(typename Place::Handle handle) {
    return is_too_late() ? too_late() : Fault(Place::stop(handle));
}

} // namespace detail
} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
