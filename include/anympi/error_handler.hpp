// Functions of the program that hear about the errors of a communicator, a window, a file or a session, before the call
// reports them as usual.
//
// MPI calls such a function with the object and the code alone: nothing that leads to the state of a lambda. A table
// leads from the handle to it; asking for an attribute, or for the object's name, is not possible there (MPICH 4.0
// holds a lock meanwhile). The entry lives beside the handle of a file or a session, and in an attribute of a
// communicator or a window, which MPI deletes with them.
#ifndef ANYMPI_ERROR_HANDLER_HPP
#define ANYMPI_ERROR_HANDLER_HPP

#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "kept.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// Something that can be told about errors.
template <class F>
concept ErrorListener = std::invocable<F&, const Error&> && std::copy_constructible<F>;

namespace detail {

#define ANYMPI_ERRORS_OF(Prefix)                                                                                       \
    struct Prefix##Errors {                                                                                            \
        using Handle = MPI_##Prefix;                                                                                   \
        static int create(MPI_##Prefix##_errhandler_function* function, MPI_Errhandler* made) {                        \
            return MPI_##Prefix##_create_errhandler(function, made);                                                   \
        }                                                                                                              \
        static int set(Handle handle, MPI_Errhandler handler) {                                                        \
            return MPI_##Prefix##_set_errhandler(handle, handler);                                                     \
        }                                                                                                              \
    };
ANYMPI_ERRORS_OF(Comm)
ANYMPI_ERRORS_OF(Win)
ANYMPI_ERRORS_OF(File)
ANYMPI_ERRORS_OF(Session)
#undef ANYMPI_ERRORS_OF

/// That somebody listens to one object. At most one does; the last.
template <class Errors>
class Listening {
public:
    using Handle = typename Errors::Handle;

    Listening() = default;
    Listening(Listening&& other) noexcept
        : handle_(other.handle_), listener_(std::exchange(other.listener_, nullptr)) {}
    Listening& operator=(Listening&& other) noexcept {
        std::swap(handle_, other.handle_);
        std::swap(listener_, other.listener_);
        return *this;
    }
    ~Listening() { forget(); }

    template <ErrorListener F>
    Fault begin(Handle handle, F function) {
        if (is_too_late())
            return too_late();
        if (is_null(handle))
            return null_object(handle);
        forget();
        handle_ = handle;
        listener_ = std::make_shared<const Listener>(Listener{std::move(function), name_of(handle)});
        {
            const std::lock_guard lock(mutex);
            table[handle_] = listener_;
        }
        return Errors::set(handle, kept.get([] {
            MPI_Errhandler made = MPI_ERRHANDLER_NULL;
            Errors::create(&call, &made);
            return made;
        }));
    }
    Fault end(Handle handle) {
        forget();
        return is_null(handle) ? null_object(handle) : Fault(Errors::set(handle, MPI_ERRORS_RETURN));
    }

private:
    struct Listener {
        std::function<void(const Error&)> function;
        std::string name; // of the object
    };
    static void call(Handle* handle, int* code, ...) {
        std::shared_ptr<const Listener> found; // kept while it is called: it may be replaced meanwhile
        {
            const std::lock_guard lock(mutex);
            if (const auto place = table.find(*handle); place != table.end())
                found = place->second;
        }
        if (found)
            call_back("an exception left an error handler",
                      [&] { found->function(Error::from_code(*code, {}, found->name)); });
    }
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
    std::shared_ptr<const Listener> listener_;
    static inline Kept<ErrhandlerKind> kept;
    static inline std::mutex mutex;
    static inline std::map<Handle, std::shared_ptr<const Listener>> table;
};

/// The same in an attribute of the object, whose end is the end of it.
#define ANYMPI_LISTENING_ATTRIBUTE(Prefix, MANY)                                                                       \
    struct Prefix##Listening {                                                                                         \
        using Value = Listening<Prefix##Errors>;                                                                       \
        static int erase(MPI_##Prefix, int, void* value, void*) noexcept {                                             \
            delete static_cast<Value*>(value);                                                                         \
            return MPI_SUCCESS;                                                                                        \
        }                                                                                                              \
        static int key() {                                                                                             \
            return kept_key.get([] {                                                                                   \
                int made = MPI_KEYVAL_INVALID;                                                                         \
                MPI_##Prefix##_create_keyval(MPI_##MANY##_NULL_COPY_FN, &erase, &made, nullptr);                       \
                return made;                                                                                           \
            });                                                                                                        \
        }                                                                                                              \
        template <ErrorListener F>                                                                                     \
        static Fault begin(MPI_##Prefix handle, F function) {                                                          \
            auto value = std::make_unique<Value>();                                                                    \
            if (const Fault fault = value->begin(handle, std::move(function)))                                         \
                return fault;                                                                                          \
            const int code = MPI_##Prefix##_set_attr(handle, key(), value.get());                                      \
            if (code == MPI_SUCCESS)                                                                                   \
                static_cast<void>(value.release()); /* the object's now */                                             \
            return code;                                                                                               \
        }                                                                                                              \
        static Fault end(MPI_##Prefix handle) {                                                                        \
            void* value = nullptr;                                                                                     \
            int found = 0;                                                                                             \
            if (is_too_late())                                                                                         \
                return too_late();                                                                                     \
            if (const Fault fault = Value().end(handle))                                                               \
                return fault;                                                                                          \
            const int code = MPI_##Prefix##_get_attr(handle, key(), static_cast<void*>(&value), &found);               \
            return code == MPI_SUCCESS && found ? MPI_##Prefix##_delete_attr(handle, key()) : code;                    \
        }                                                                                                              \
        static inline Kept<Prefix##KeyKind> kept_key;                                                                  \
    };
ANYMPI_LISTENING_ATTRIBUTE(Comm, COMM)
ANYMPI_LISTENING_ATTRIBUTE(Win, WIN)
#undef ANYMPI_LISTENING_ATTRIBUTE

} // namespace detail
} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
