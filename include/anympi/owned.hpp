// A handle of MPI that its owner frees once.
#ifndef ANYMPI_OWNED_HPP
#define ANYMPI_OWNED_HPP

#include <concepts>
#include <utility>

#include "unwinding.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// A function that can be called with an error.
template <class F>
concept ErrorListener = std::invocable<F&, const Error&> && std::copy_constructible<F>;

namespace detail {

/// Frees a handle by `free(handle)`. The companions of the object end before. If the call fails, the listener stays.
template <class Kind, class Free>
int free_with_companions(typename Kind::type* handle, Free free) noexcept {
    using Companions = shared::Companions<typename Kind::kind>;
    const typename Kind::type freed = *handle;
    auto listener = Companions::end(freed);
    const int code = free(handle);
    if (code != MPI_SUCCESS && listener)
        Companions::set_listener(freed, std::move(listener));
    return code;
}
/// Returns true if MPI uses memory of the program for the object.
template <class Kind>
bool uses_memory(shared::Object<Kind>) noexcept {
    return false;
}
inline bool uses_memory(shared::WinObject window) noexcept {
    int* flavor = nullptr;
    int found = 0;
    MPI_Win_get_attr(window, MPI_WIN_CREATE_FLAVOR, static_cast<void*>(&flavor), &found);
    return !found || (*flavor != MPI_WIN_FLAVOR_ALLOCATE && *flavor != MPI_WIN_FLAVOR_SHARED);
}
/// Leaves an object open until MPI ends, because of an exception.
template <class Kind>
void leave_open(typename Kind::type handle) noexcept {
    using Companions = shared::Companions<typename Kind::kind>;
    const shared::Object<typename Kind::kind> object(handle);
    if (uses_memory(object))
        stop_leaving("a window over memory of the program");
    if constexpr (requires { Kind::is_last(); })
        if (Kind::is_last())
            stop_leaving("MPI");
    tell_left(object, Kind::function);
    Companions::clear_listener(handle);   // the listener may refer to objects that the exception destroys
    if (Companions::has_attached(handle)) // freeing would then wait for the messages in the buffer
        return;
    shared::LeftOpen::add([handle]() mutable {
        if (const int code = Kind::free(&handle); code != MPI_SUCCESS)
            tell(shared::world(), error_of(code, Kind::function, Nowhere{}));
    });
}

} // namespace detail

/// Owns a handle; can be moved, not copied. `Kind` describes the handle: type, null(), free(). Handles that other code
/// owns (MPI_COMM_WORLD, or a handle that a program lends) are held but not freed.
///
/// All processes free communicators, windows, files and sessions together. If an exception destroys such an object, it
/// stays open until MPI ends, and its listener is told. For a window over memory of the program, the job ends instead.
template <class Kind>
class Owned {
    using kind = typename Kind::kind;
    using Companions = shared::Companions<kind>;

public:
    using handle_type = typename Kind::type;

    Owned() noexcept : handle_(Kind::null()) {}
    Owned(handle_type handle, bool owned) noexcept : handle_(handle), owned_(owned) {}
    Owned(Owned&& other) noexcept
        : handle_(std::exchange(other.handle_, Kind::null())), owned_(other.owned_), watch_(other.watch_) {
        facts_.take(other.facts_);
    }
    Owned& operator=(Owned&& other) noexcept {
        if (this != &other) {
            drop();
            handle_ = std::exchange(other.handle_, Kind::null());
            owned_ = other.owned_;
            watch_ = other.watch_;
            facts_.take(other.facts_);
        }
        return *this;
    }
    ~Owned() { drop(); }

    /// Returns the handle, for calls of MPI's C functions.
    [[nodiscard]] handle_type handle() const noexcept { return handle_; }
    [[nodiscard]] bool is_null() const noexcept { return handle_ == Kind::null(); }
    /// Returns the object for functions of `detail`, and for the macros that call MPI: the one to name in errors.
    [[nodiscard]] auto where() const noexcept {
        if constexpr (kind::null_text != nullptr)
            return shared::Object<kind>(handle_, &facts_);
        else
            return detail::Nowhere{};
    }
    explicit operator bool() const noexcept { return !is_null(); }

    /// Frees the handle now and returns the error, if any. It is an error if the handle was freed already or belongs to
    /// other code.
    ANYMPI_CALLS result<void> free() {
        if (is_null())
            ANYMPI_FAIL((detail::Fault{Kind::invalid, "the object is null: freed already, or never created"}),
                        Kind::function, detail::Nowhere{});
        if (!owned_)
            ANYMPI_FAIL((detail::Fault{Kind::invalid, "the object is borrowed or predefined, so it cannot be freed"}),
                        Kind::function, where());
        if (detail::is_too_late())
            ANYMPI_FAIL(detail::too_late(), Kind::function, where());
        handle_type freed = handle_;
        ANYMPI_REQUIRE(where(), Kind::function, Kind::free(&freed)); // if this fails, the handle can be freed again
        handle_ = Kind::null();
        facts_.forget();
        return detail::done();
    }
    /// For communicators, windows, files and sessions: calls `listener(const Error&)` for every error of a function of
    /// this object, before the function reports the error as usual. The listener also hears errors that destructors
    /// cannot return: the destructors of this object and of its epochs, requests and buffers. Other errors of an
    /// operation under way are reported by its request.
    ///
    /// The listener lives as long as the handle, or until another listener replaces it. If the program frees a borrowed
    /// handle in C, it must call clear_on_error() before. Threads whose calls fail at the same time call the listener
    /// at the same time, so a listener with changing state must guard the state itself.
    template <ErrorListener F>
    ANYMPI_CALLS result<void> on_error(F listener) const requires shared::has_companions<kind> {
        if (is_null())
            ANYMPI_FAIL(detail::null_object(where()), "on_error", where());
        Companions::set_listener(
            handle_,
            std::make_shared<const shared::Listener>(
                [listener = std::move(listener)](int error_class, int code, const std::string& message,
                                                 const std::string& operation, const std::string& name) mutable {
                    const Error error(static_cast<ErrorClass>(error_class), code, message, operation, name);
                    static_cast<void>(listener(error));
                }));
        return detail::done();
    }
    ANYMPI_CALLS result<void> clear_on_error() const requires shared::has_companions<kind> {
        if (is_null())
            ANYMPI_FAIL(detail::null_object(where()), "clear_on_error", where());
        Companions::clear_listener(handle_);
        return detail::done();
    }
    /// Gives the handle to the caller, who frees it. The listener is removed.
    [[nodiscard]] handle_type release() noexcept {
        if constexpr (shared::has_companions<kind>)
            if (owns())
                Companions::clear_listener(handle_);
        facts_.forget();
        return std::exchange(handle_, Kind::null());
    }

protected:
    [[nodiscard]] bool owns() const noexcept { return owned_ && !is_null(); }

private:
    void drop() noexcept {
        if (!owns() || detail::has_ended())
            return;
        if constexpr (shared::has_companions<kind>) {
            if (watch_.is_unwinding()) [[unlikely]] {
                detail::leave_open<Kind>(handle_);
                return;
            }
            handle_type freed = handle_;
            if (const int code = Kind::free(&freed); code != MPI_SUCCESS) [[unlikely]] {
                detail::report(code, Kind::function, where());
                Companions::clear_listener(handle_);
            }
        } else {
            Kind::free(&handle_);
        }
    }
    [[no_unique_address]] shared::Facts<kind> facts_; // the first member, since the address of the object is at hand
    handle_type handle_;
    bool owned_ = false; // true only if the handle is not null
    detail::ExceptionWatch watch_;
};

namespace detail {

#define ANYMPI_KIND(name, Base, function_)                                                                             \
    struct name : shared::kinds::Base {                                                                                \
        static constexpr const char* function = #function_;                                                            \
        static int free(type* handle) noexcept {                                                                       \
            if constexpr (shared::has_companions<kind>)                                                                \
                return free_with_companions<kind>(handle, [](type* freed) { return function_(freed); });               \
            else                                                                                                       \
                return function_(handle);                                                                              \
        }                                                                                                              \
    };
ANYMPI_KIND(CommKind, Comm, MPI_Comm_free)
ANYMPI_KIND(GroupKind, Group, MPI_Group_free)
ANYMPI_KIND(InfoKind, Info, MPI_Info_free)
ANYMPI_KIND(TypeKind, Type, MPI_Type_free)
ANYMPI_KIND(OpKind, Op, MPI_Op_free)
ANYMPI_KIND(ErrhandlerKind, Errhandler, MPI_Errhandler_free)
ANYMPI_KIND(WinKind, Win, MPI_Win_free)
ANYMPI_KIND(FileKind, File, MPI_File_close)
ANYMPI_KIND(TypeKeyKind, TypeKey, MPI_Type_free_keyval)
ANYMPI_KIND(CommKeyKind, CommKey, MPI_Comm_free_keyval)
ANYMPI_KIND(WinKeyKind, WinKey, MPI_Win_free_keyval)
#undef ANYMPI_KIND

} // namespace detail

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
