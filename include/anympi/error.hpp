// Errors, and the macro that chooses how they are reported.
//
// By default a failing call throws anympi::Error. If ANYMPI_RESULTS is defined before the first include, every function
// that can fail returns Expected<T, Error> instead. Then only containers and the program's own functions throw:
// std::bad_alloc if there is no memory.
//
// ANYMPI_ASSERTIONS chooses how much is checked before each call (see assertions.hpp). Mistakes that are not checked
// are left to the library, which stops the job with a message or reports the error.
#ifndef ANYMPI_ERROR_HPP
#define ANYMPI_ERROR_HPP

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "assertions.hpp"
#include "companions.hpp"
#include "expected.hpp"

// Files of one program may choose differently whether failures throw: each choice has its own names of types. A
// compiler without exceptions (-fno-exceptions) has a third choice.
#if !defined(__cpp_exceptions)
#define ANYMPI_POLICY without_exceptions
#elif defined(ANYMPI_RESULTS)
#define ANYMPI_POLICY results
#else
#define ANYMPI_POLICY exceptions
#endif

// Files may also choose differently how much is checked. That choice changes calls, not types: an object or an
// exception of one file can be used in a file with the other choice. So this mark is on every function whose code
// depends on ANYMPI_CHECKS, even if only because it calls such a function. The mark gives the two versions different
// names; otherwise the linker would keep only one of them. Destructors, constructors and virtual functions cannot have
// two names, so their code is the same under both choices. A test compares all functions.
#if !ANYMPI_HAS_TAGS
#define ANYMPI_CALLS
#elif ANYMPI_CHECKS
#define ANYMPI_CALLS __attribute__((abi_tag("checked")))
#else
#define ANYMPI_CALLS __attribute__((abi_tag("unchecked")))
#endif

#pragma GCC visibility push(default)
// Shared by the files of all policies, also by libraries that hide their symbols.
namespace anympi::shared {
inline std::atomic<int> living_sessions{0}; // sessions that a Session owns
inline thread_local char last_error[256]{}; // of this thread; not a string, which would be destroyed before static
                                            // objects
} // namespace anympi::shared
#pragma GCC visibility pop

namespace anympi {
inline namespace ANYMPI_POLICY {

/// The error classes of MPI. Their numbers belong to the standard ABI and are the same on every library.
enum class ErrorClass : int {
    success = MPI_SUCCESS,
    buffer = MPI_ERR_BUFFER,
    count = MPI_ERR_COUNT,
    type = MPI_ERR_TYPE,
    tag = MPI_ERR_TAG,
    comm = MPI_ERR_COMM,
    rank = MPI_ERR_RANK,
    request = MPI_ERR_REQUEST,
    root = MPI_ERR_ROOT,
    group = MPI_ERR_GROUP,
    op = MPI_ERR_OP,
    topology = MPI_ERR_TOPOLOGY,
    dims = MPI_ERR_DIMS,
    arg = MPI_ERR_ARG,
    unknown = MPI_ERR_UNKNOWN,
    truncate = MPI_ERR_TRUNCATE,
    other = MPI_ERR_OTHER,
    intern = MPI_ERR_INTERN,
    in_status = MPI_ERR_IN_STATUS,
    pending = MPI_ERR_PENDING,
    keyval = MPI_ERR_KEYVAL,
    no_mem = MPI_ERR_NO_MEM,
    info = MPI_ERR_INFO,
    info_key = MPI_ERR_INFO_KEY,
    info_value = MPI_ERR_INFO_VALUE,
    info_nokey = MPI_ERR_INFO_NOKEY,
    spawn = MPI_ERR_SPAWN,
    port = MPI_ERR_PORT,
    service = MPI_ERR_SERVICE,
    name = MPI_ERR_NAME,
    win = MPI_ERR_WIN,
    base = MPI_ERR_BASE,
    size = MPI_ERR_SIZE,
    disp = MPI_ERR_DISP,
    locktype = MPI_ERR_LOCKTYPE,
    assertion = MPI_ERR_ASSERT,
    rma_conflict = MPI_ERR_RMA_CONFLICT,
    rma_sync = MPI_ERR_RMA_SYNC,
    rma_range = MPI_ERR_RMA_RANGE,
    rma_attach = MPI_ERR_RMA_ATTACH,
    rma_shared = MPI_ERR_RMA_SHARED,
    rma_flavor = MPI_ERR_RMA_FLAVOR,
    file = MPI_ERR_FILE,
    not_same = MPI_ERR_NOT_SAME,
    amode = MPI_ERR_AMODE,
    unsupported_datarep = MPI_ERR_UNSUPPORTED_DATAREP,
    unsupported_operation = MPI_ERR_UNSUPPORTED_OPERATION,
    no_such_file = MPI_ERR_NO_SUCH_FILE,
    file_exists = MPI_ERR_FILE_EXISTS,
    bad_file = MPI_ERR_BAD_FILE,
    access = MPI_ERR_ACCESS,
    no_space = MPI_ERR_NO_SPACE,
    quota = MPI_ERR_QUOTA,
    read_only = MPI_ERR_READ_ONLY,
    file_in_use = MPI_ERR_FILE_IN_USE,
    dup_datarep = MPI_ERR_DUP_DATAREP,
    conversion = MPI_ERR_CONVERSION,
    io = MPI_ERR_IO,
    session = MPI_ERR_SESSION,
    proc_aborted = MPI_ERR_PROC_ABORTED,
    value_too_large = MPI_ERR_VALUE_TOO_LARGE,
    errhandler = MPI_ERR_ERRHANDLER,
    abi = MPI_ERR_ABI,
};

/// An error of a call: class, code, the library's text, the MPI function, and the communicator's name if it has one.
class [[gnu::visibility("default")]] Error : public std::runtime_error {
public:
    Error(ErrorClass error_class, int code, std::string message, std::string operation, std::string communicator)
        : std::runtime_error(describe(message, operation, communicator)), class_(error_class), code_(code),
          message_(std::move(message)), operation_(std::move(operation)), communicator_(std::move(communicator)) {}

    [[nodiscard]] ErrorClass error_class() const noexcept {
        return class_;
    }
    [[nodiscard]] int code() const noexcept {
        return code_;
    }
    [[nodiscard]] const std::string& message() const noexcept {
        return message_;
    }
    [[nodiscard]] const std::string& operation() const noexcept {
        return operation_;
    }
    [[nodiscard]] const std::string& communicator() const noexcept {
        return communicator_;
    }

    /// Makes an error from a code of MPI.
    static Error from_code(int code, std::string_view operation = {}, std::string communicator = {});

private:
    static std::string describe(const std::string& message, const std::string& operation,
                                const std::string& communicator) {
        std::string text = operation.empty() ? message : operation + ": " + message;
        return communicator.empty() ? text : text + " (on " + communicator + ")";
    }

    ErrorClass class_;
    int code_;
    std::string message_, operation_, communicator_;
};

/// Returns true if MPI can be called: somebody has started it, and it has not ended.
inline bool is_initialized() {
    int flag = 0;
    MPI_Initialized(&flag);
    return flag != 0;
}
inline bool is_finalized() {
    int flag = 0;
    MPI_Finalized(&flag);
    return flag != 0;
}

#ifdef ANYMPI_RESULTS
template <class T>
using result = Expected<T, Error>;
#else
template <class T>
using result = T;
#endif

namespace detail {
/// The result of a function that returns T or reports an error. T may be such a result already.
template <class T>
struct WithErrors {
    using type = result<T>;
};
template <class T>
struct WithErrors<Expected<T, Error>> {
    using type = Expected<T, Error>;
};
template <class T>
using with_errors = typename WithErrors<T>::type;
} // namespace detail

namespace detail {

/// The result of a step: a code of MPI, and anympi's text if anympi found the mistake. Passed in two registers.
struct Fault {
    Fault(int code, const char* text = nullptr) : code(code), text(text) {}
    Fault(const shared::Code& code) : code(code.code), text(code.text) {}
    explicit operator bool() const { return code != MPI_SUCCESS; }
    int code;
    const char* text;
};

/// Returns true if the library can be called: a session is enough.
inline bool is_usable() {
    return (is_initialized() && !is_finalized()) || shared::living_sessions > 0;
}

inline std::string text_of(int code) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (is_usable() && MPI_Error_string(code, text, &length) == MPI_SUCCESS)
        return {text, static_cast<std::size_t>(length)};
    return "error " + std::to_string(code);
}

/// Returns the class of a code of MPI. A code that the mpi.h lacks is a class, and no library knows it.
inline ErrorClass class_of(int code) {
    int error_class = code;
    if (is_usable() && !shared::is_stand_in(code))
        MPI_Error_class(code, &error_class);
    return static_cast<ErrorClass>(error_class);
}

/// Stands for the object of a call that is made on no object. Other calls are made on an Object (see kinds.hpp).
/// name_of() returns an object's name for messages.
struct Nowhere {};
inline std::string name_of(Nowhere) {
    return {};
}
template <class GetName>
std::string name_by(GetName get_name) {
    char text[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    if (!is_usable() || get_name(text, &length) != MPI_SUCCESS)
        return {};
    return {text, static_cast<std::size_t>(length)};
}
/// Names of other kinds would not help in a message.
template <class Kind>
std::string name_of(shared::Object<Kind> object) {
    if (object.is_null())
        return {};
    if constexpr (std::is_same_v<Kind, shared::kinds::Comm>)
        return name_by([&](char* text, int* length) { return MPI_Comm_get_name(object, text, length); });
    else if constexpr (std::is_same_v<Kind, shared::kinds::Win>)
        return name_by([&](char* text, int* length) { return MPI_Win_get_name(object, text, length); });
    else
        return {};
}

/// Removes the ending _c: people know MPI_Send, not MPI_Send_c.
inline std::string_view short_name(std::string_view function) {
    return function.ends_with("_c") ? function.substr(0, function.size() - 2) : function;
}

[[gnu::cold, gnu::noinline]] inline Fault too_late() {
    return {MPI_ERR_OTHER, "MPI has been finalized already"};
}
/// Returns true if the library has ended. Sessions may outlive MPI_Finalize.
inline bool has_ended() {
    return is_finalized() && shared::living_sessions == 0;
}
inline ANYMPI_CALLS bool is_too_late() {
    return ANYMPI_CHECKS && has_ended();
}
inline ANYMPI_CALLS Fault check_time() {
    return is_too_late() ? too_late() : Fault(MPI_SUCCESS);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void stop_job(const char* text, const char* more) {
    std::fprintf(stderr, "anympi: %s%s\n", text, more);
    if (is_initialized() && !is_finalized()) // if only sessions exist, there is no MPI_COMM_WORLD
        MPI_Abort(MPI_COMM_WORLD, 1);
    std::abort(); // the launcher ends the other processes
}
/// Calls a function of the program from a callback of MPI. No exception may pass the C functions between this function
/// and the program: an exception ends the job, and `what` says where it came from.
template <class Call>
void call_back(const char* what, const Call& call) noexcept {
#ifdef __cpp_exceptions
    try {
        call();
    } catch (const std::exception& error) {
        stop_job(what, (std::string(": ") + error.what()).c_str());
    } catch (...) {
        stop_job(what, "");
    }
#else
    static_cast<void>(what);
    call();
#endif
}

/// Tells a listener, if there is one, of the error. The caller keeps the listener alive, since it may be replaced
/// meanwhile.
inline void hear(const std::shared_ptr<const shared::Listener>& listener, const Error& error) {
    if (!listener)
        return;
    call_back("an exception left an error listener", [&] {
        (*listener)(static_cast<int>(error.error_class()), error.code(), error.message(), error.operation(),
                    error.communicator());
    });
}
/// Tells the listener of an object of the error.
inline void tell(Nowhere, const Error&) {}
template <class Kind>
void tell(shared::Object<Kind> where, const Error& error) {
    if constexpr (shared::has_companions<Kind>)
        hear(shared::Companions<Kind>::listener(where), error);
}

template <class Where>
[[gnu::cold, gnu::noinline]] Error error_of(Fault fault, std::string_view function, Where where) {
    Error error(class_of(fault.code), fault.code, fault.text ? fault.text : text_of(fault.code),
                std::string(short_name(function)), name_of(where));
    tell(where, error);
    std::snprintf(shared::last_error, sizeof shared::last_error, "%s", error.what());
    return error;
}

/// Return true if the object on which a call is made has a null handle.
inline bool is_null(Nowhere) {
    return false;
}
template <class Kind>
bool is_null(shared::Object<Kind> where) {
    return where.is_null();
}
inline Fault null_object(Nowhere) {
    return MPI_SUCCESS;
}
template <class Kind>
[[gnu::cold, gnu::noinline]] Fault null_object(shared::Object<Kind>) {
    return {Kind::invalid, Kind::null_text};
}
template <class Where>
ANYMPI_CALLS bool is_null_if_checked(Where where) {
    return ANYMPI_CHECKS && detail::is_null(where);
}
/// Returns why a call on an object is not made: the object is null, or MPI has ended.
template <class Where>
[[gnu::cold, gnu::noinline]] Fault refusal(Where where) {
    return detail::is_null(where) ? null_object(where) : too_late();
}
/// Checks an object for functions that call MPI several times.
template <class Object>
ANYMPI_CALLS Fault check_usable(const Object& object) {
    if (is_too_late()) [[unlikely]]
        return too_late();
    return object.is_null() ? null_object(object.where()) : Fault(MPI_SUCCESS);
}

#ifdef ANYMPI_RESULTS
inline Expected<void, Error> done() {
    return {};
}
/// Returns the result of `next` for the value of a step, or the error of the step.
template <class R, class T, class F>
Expected<R, Error> then(Expected<T, Error> step, F next) {
    if (!step)
        return std::move(step.error());
    return next(*std::move(step));
}
#define ANYMPI_FAIL(fault, function, where) return ::anympi::detail::error_of(fault, function, where)
// Calls a function of this API that returns no value. Stops the calling function with its error.
#define ANYMPI_STEP(call)                                                                                              \
    do {                                                                                                               \
        if (auto anympi_step = (call); !anympi_step) [[unlikely]]                                                      \
            return std::move(anympi_step.error());                                                                     \
    } while (false)
#else
template <class Where>
[[noreturn, gnu::cold, gnu::noinline]] void raise(int code, const char* text, const char* function, Where where) {
    throw error_of({code, text}, function, where);
}
template <class Where>
[[noreturn]] ANYMPI_INLINE void raise(Fault fault, const char* function, Where where) {
    raise(fault.code, fault.text, function, where);
}
template <class Where>
[[noreturn, gnu::cold, gnu::noinline]] void raise(int code, const char* function, Where where) {
    throw error_of(code, function, where);
}
template <class Where>
[[noreturn, gnu::cold]] void raise(const shared::Code& code, const char* function, Where where) {
    raise(code.code, code.text, function, where);
}
inline void done() {}
template <class R, class T, class F>
R then(T value, F next) {
    return next(std::move(value));
}
#define ANYMPI_FAIL(fault, function, where) ::anympi::detail::raise(fault, function, where)
#define ANYMPI_STEP(call) call
#endif

} // namespace detail

inline Error Error::from_code(int code, std::string_view operation, std::string communicator) {
    Error error = detail::error_of(code, operation, detail::Nowhere{});
    return {error.error_class(), code, error.message(), error.operation(), std::move(communicator)};
}

#ifdef ANYMPI_RESULTS
/// The answer to a question that fails only for a null object, or outside of MPI. It converts to its value, so programs
/// need not ask for an error. If there is one, the conversion ends the job with its text.
template <class T>
class [[nodiscard]] Certain : public Expected<T, Error> {
public:
    using Expected<T, Error>::Expected;
    operator T() const {
        if (!this->has_value())
            detail::stop_job(this->error().what(), "");
        return this->value();
    }
};
template <class T>
using certain_result = Certain<T>;
#else
template <class T>
using certain_result = T;
#endif

/// Turns a code that a function of MPI in C returned into an error, unless the code is MPI_SUCCESS.
inline result<void> check(int code, std::string_view operation = {}) {
    if (code != MPI_SUCCESS)
        ANYMPI_FAIL(code, std::string(operation).c_str(), detail::Nowhere{});
    return detail::done();
}
/// Returns the class of a code that a function of MPI in C returned. Classes that the program or the library has added
/// have no enumerator.
inline ErrorClass error_class_of(int code) {
    return detail::class_of(code);
}

} // namespace ANYMPI_POLICY
} // namespace anympi

// Stops the calling function with an error if `fault` (a code of MPI or a Fault) is an error.
#define ANYMPI_REQUIRE(where, function, fault)                                                                         \
    do {                                                                                                               \
        if (const ::anympi::detail::Fault anympi_fault = (fault); anympi_fault.code != MPI_SUCCESS) [[unlikely]]       \
            ANYMPI_FAIL(anympi_fault, function, where);                                                                \
    } while (false)

// Calls a function of MPI. Stops the calling function with an error if the call fails or must not be made.
#define ANYMPI_CALL_UNLESS(is_missing, where, function, ...)                                                           \
    do {                                                                                                               \
        if (::anympi::detail::is_missing(where) || ::anympi::detail::is_too_late()) [[unlikely]]                       \
            ANYMPI_FAIL(::anympi::detail::refusal(where), #function, where);                                           \
        if (const auto anympi_code = function(__VA_ARGS__); anympi_code != MPI_SUCCESS) [[unlikely]]                   \
            ANYMPI_FAIL(anympi_code, #function, where);                                                                \
    } while (false)

// Reports a null handle as an error, since some libraries end the job for it.
#define ANYMPI_CALL(where, function, ...) ANYMPI_CALL_UNLESS(is_null, where, function, __VA_ARGS__)

// Used by functions that send and receive, for which two more instructions would be too slow: without ANYMPI_CHECKS,
// null handles are left to the library. All libraries report null handles unless they are told to check no arguments.
#define ANYMPI_PLAIN_CALL(where, function, ...) ANYMPI_CALL_UNLESS(is_null_if_checked, where, function, __VA_ARGS__)

#endif
