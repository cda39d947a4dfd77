// Owners whose scope an exception leaves.
//
// The other processes do not know of the exception. A function of MPI that waits for them might wait forever, so none
// is called. An object that only MPI uses stays open until MPI ends, and its listener is told. If MPI still uses memory
// that is about to be destroyed, the job ends.
#ifndef ANYMPI_UNWINDING_HPP
#define ANYMPI_UNWINDING_HPP

#include <algorithm>
#include <atomic>
#include <exception>
#if defined(__GLIBCXX__)
#include <cxxabi.h>
#endif
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "error.hpp"

namespace anympi::shared {

#if defined(__GLIBCXX__)
/// Where the C++ library counts the exceptions in flight in this thread, or null if that is not known yet. Reading it
/// costs fewer instructions than a call of std::uncaught_exceptions() for each request. The function is called pure, so
/// that the compiler leaves out the search if nobody uses the number.
inline constinit thread_local const unsigned int* in_flight = nullptr;
[[gnu::cold, gnu::noinline, gnu::pure]] inline const unsigned int* find_in_flight() noexcept {
    struct Globals { // the beginning of __cxa_eh_globals, as the Itanium C++ ABI defines it
        void* caught;
        unsigned int in_flight;
    };
    return in_flight = &reinterpret_cast<const Globals*>(abi::__cxa_get_globals())->in_flight;
}
#endif

/// Keeps memory that MPI may still use after its owner is destroyed. The memory is never freed, and leak checkers do
/// not report it.
inline void keep_for_ever(std::shared_ptr<const void> memory) {
    struct Kept {
        std::shared_ptr<const void> memory;
        Kept* next;
    };
    static std::atomic<Kept*> all{nullptr};
    Kept* const kept = new Kept{std::move(memory), all};
    while (!all.compare_exchange_weak(kept->next, kept)) {
    }
}

/// The objects that exceptions have left open.
class LeftOpen {
public:
    static void add(std::function<void()> free) {
        Left* const left = new Left{std::move(free)};
        const std::lock_guard lock(mutex);
        *last = left;
        last = &left->next;
    }
    /// Frees the objects before MPI ends, in the order in which they were left: the other processes free theirs, or
    /// have left them open too. Some libraries crash at the end of MPI if a window is open.
    static void free_all() {
        Left* left = nullptr;
        {
            const std::lock_guard lock(mutex);
            left = std::exchange(first, nullptr);
            last = &first;
        }
        while (left) {
            left->free();
            delete std::exchange(left, left->next);
        }
    }

private:
    struct Left {
        std::function<void()> free;
        Left* next = nullptr;
    };
    static inline std::mutex mutex;
    static inline Left* first = nullptr;
    static inline Left** last = &first;
};

} // namespace anympi::shared

namespace anympi {
inline namespace ANYMPI_POLICY {
namespace detail {

// Returns the number of exceptions in flight in this thread, as std::uncaught_exceptions() does.
#if defined(__GLIBCXX__)
ANYMPI_INLINE int exceptions_in_flight() noexcept {
    const unsigned int* number = shared::in_flight;
    if (!number) [[unlikely]]
        number = shared::find_in_flight();
    return static_cast<int>(*number);
}
#else
inline int exceptions_in_flight() noexcept {
    return std::uncaught_exceptions();
}
#endif

/// A member of owners. It tells whether an exception is in flight that was thrown after the owner got its object.
///
/// An owner that a destructor makes during the unwinding of an exception is younger than the exception, and ends as
/// usual. Moving an owner does not change its age.
class ExceptionWatch {
public:
    ANYMPI_INLINE explicit ExceptionWatch(int older = exceptions_in_flight()) noexcept : older_(older) {}
    ANYMPI_INLINE ExceptionWatch(const ExceptionWatch& other) noexcept : older_(other.still_older()) {}
    ExceptionWatch& operator=(const ExceptionWatch& other) noexcept {
        older_ = other.still_older();
        return *this;
    }
    ~ExceptionWatch() = default;
    [[nodiscard]] ANYMPI_INLINE bool is_unwinding() const noexcept { return exceptions_in_flight() > older_; }
    [[nodiscard]] ANYMPI_INLINE int older() const noexcept { return older_; }

private:
    /// If fewer exceptions are in flight now, an exception that is thrown later does not count as older.
    [[nodiscard]] ANYMPI_INLINE int still_older() const noexcept {
        return older_ == 0 ? 0 : std::min(older_, exceptions_in_flight());
    }

    int older_; // exceptions that were in flight before
};

/// Ends the job because an exception leaves the scope of `what`.
[[noreturn, gnu::cold, gnu::noinline]] inline void stop_leaving(const char* what) {
    const std::string text = std::string("an exception leaves the scope of ") + what + "; the last error was: ";
    stop_job(text.c_str(), *shared::last_error ? shared::last_error : "none of MPI");
}

/// Tells the listener of an object that the object stays open. No call has failed, so the last error of the thread
/// does not change.
template <class Where>
[[gnu::cold, gnu::noinline]] void tell_left(Where where, const char* function) {
    tell(where, Error(ErrorClass::other, MPI_ERR_OTHER,
                      "not called, because an exception leaves the scope of the object: it stays open",
                      std::string(short_name(function)), name_of(where)));
}

/// Tells the listener of an error. Used by destructors, which return nothing.
template <class Where>
void report(const Fault& fault, const char* function, Where where) noexcept {
    if (fault) [[unlikely]]
        static_cast<void>(error_of(fault, function, where));
}

/// The object on which an operation was begun. Its listener hears the errors that the request of the operation cannot
/// return. The object may have ended meanwhile, so MPI is not called with it.
class Origin {
public:
    ANYMPI_INLINE Origin() noexcept = default;
    Origin(Nowhere) noexcept {}
    template <class Kind>
    Origin(shared::Object<Kind> where) noexcept
        : handle_(shared::number_of(where.handle())), find_(&find_listener<Kind>) {}
    void report(const Fault& fault, const char* function) const noexcept {
        if (fault) [[unlikely]]
            tell(error_of(fault, function, Nowhere{}));
    }
    void tell_left(const char* function) const noexcept {
        tell(Error(ErrorClass::other, MPI_ERR_OTHER,
                   "not called, because an exception leaves the scope of the request: the operation continues",
                   std::string(short_name(function)), {}));
    }

    /// The parts, and an origin made of them: functions that are not inline take the parts, see Request.
    using Find = std::shared_ptr<const shared::Listener> (*)(std::uintptr_t);
    Origin(std::uintptr_t handle, Find find) noexcept : handle_(handle), find_(find) {}
    [[nodiscard]] ANYMPI_INLINE std::uintptr_t handle() const noexcept { return handle_; }
    [[nodiscard]] ANYMPI_INLINE Find find() const noexcept { return find_; }

private:
    template <class Kind>
    static std::shared_ptr<const shared::Listener> find_listener(std::uintptr_t handle) {
        return shared::Companions<Kind>::listener(shared::handle_of<typename Kind::type>(handle));
    }
    void tell(const Error& error) const {
        if (find_)
            hear(find_(handle_), error);
    }
    std::uintptr_t handle_ = 0;
    Find find_ = nullptr;
};

} // namespace detail
} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
