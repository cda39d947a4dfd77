// The beginning and the end of MPI.
#ifndef ANYMPI_ENVIRONMENT_HPP
#define ANYMPI_ENVIRONMENT_HPP

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "comm.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// Ordered: a higher level allows more.
enum class ThreadLevel : int {
    single = MPI_THREAD_SINGLE,
    funneled = MPI_THREAD_FUNNELED,
    serialized = MPI_THREAD_SERIALIZED,
    multiple = MPI_THREAD_MULTIPLE,
};

/// As MPI calls it: "MPI_THREAD_SINGLE".
inline const char* name_of(ThreadLevel level) {
    switch (level) {
    case ThreadLevel::single:
        return "MPI_THREAD_SINGLE";
    case ThreadLevel::funneled:
        return "MPI_THREAD_FUNNELED";
    case ThreadLevel::serialized:
        return "MPI_THREAD_SERIALIZED";
    case ThreadLevel::multiple:
        return "MPI_THREAD_MULTIPLE";
    }
    return "unknown";
}

/// MPI_COMM_WORLD and MPI_COMM_SELF, borrowed.
inline Comm world() noexcept {
    return Comm::borrow(MPI_COMM_WORLD);
}
inline Comm self() noexcept {
    return Comm::borrow(MPI_COMM_SELF);
}

inline double wtime() noexcept {
    return MPI_Wtime();
}
inline double wtick() noexcept {
    return MPI_Wtick();
}

inline ANYMPI_CALLS result<std::string> library_version() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    ANYMPI_CALL(detail::Nowhere{}, MPI_Get_library_version, text, &length);
    return std::string(text, static_cast<std::size_t>(length));
}
/// Of the standard: "MPI 5.0".
inline ANYMPI_CALLS result<std::string> version() {
    int number = 0, part = 0;
    ANYMPI_CALL(detail::Nowhere{}, MPI_Get_version, &number, &part);
    return "MPI " + std::to_string(number) + "." + std::to_string(part);
}
inline ANYMPI_CALLS result<std::string> processor_name() {
    char text[MPI_MAX_PROCESSOR_NAME] = "";
    int length = 0;
    ANYMPI_CALL(detail::Nowhere{}, MPI_Get_processor_name, text, &length);
    return std::string(text, static_cast<std::size_t>(length));
}

/// MPI is there as long as this is: made by init(), it finalizes when it goes. MPI_COMM_WORLD and MPI_COMM_SELF return
/// their errors.
///
/// If it goes because of an exception, the job is stopped: the other processes do not know of it, and the end of MPI
/// would wait for them while they wait for this one. An exception that all processes have is caught before.
class [[nodiscard]] Environment {
public:
    Environment(Environment&& other) noexcept
        : level_(other.level_), exceptions_(other.exceptions_), buffer_(std::exchange(other.buffer_, std::nullopt)),
          here_(std::exchange(other.here_, false)) {}
    Environment& operator=(Environment&&) = delete;
    ~Environment() {
        if (!here_ || is_finalized())
            return;
        if (std::uncaught_exceptions() > exceptions_)
            detail::stop_job("an exception leaves the scope of MPI; the last error was: ",
                             *shared::last_error ? shared::last_error : "none of MPI");
        detach();
        shared::drop_cached_handles();
        MPI_Finalize();
    }

    /// The level that was granted, which may be lower than what was asked for.
    [[nodiscard]] ThreadLevel thread_level() const noexcept { return level_; }
    [[nodiscard]] Comm world() const noexcept { return anympi::world(); }
    [[nodiscard]] Comm self() const noexcept { return anympi::self(); }

    /// Memory for buffered sends, which is ours until it is taken back.
    ANYMPI_CALLS result<void> attach_buffer(std::vector<std::byte> buffer) {
        void* const first = buffer.data();
        const auto bytes = static_cast<MPI_Count>(buffer.size());
        return attach(first, bytes, std::move(buffer));
    }
    ANYMPI_CALLS result<void> attach_buffer(std::size_t bytes) { return attach_buffer(std::vector<std::byte>(bytes)); }
    ANYMPI_CALLS result<void> attach_buffer(AutomaticBuffer) { return attach(MPI_BUFFER_AUTOMATIC, 0, {}); }
    /// Waits until everything that was sent from it is on its way.
    ANYMPI_CALLS result<std::vector<std::byte>> detach_buffer() {
        if (!buffer_)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_BUFFER, "there is no buffer"}), "MPI_Buffer_detach", detail::Nowhere{});
        void* memory = nullptr;
        MPI_Count bytes = 0;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Buffer_detach_c, static_cast<void*>(&memory), &bytes);
        return *std::exchange(buffer_, std::nullopt);
    }

    /// Everything that was sent from it so far is on its way; the memory stays.
    ANYMPI_CALLS result<void> flush_buffer() const {
        ANYMPI_CALL(detail::Nowhere{}, MPI_Buffer_flush);
        return detail::done();
    }
    [[nodiscard]] ANYMPI_CALLS result<Request> iflush_buffer() const {
        MPI_Request request = MPI_REQUEST_NULL;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Buffer_iflush, &request);
        return Request(request, Direction::other);
    }

private:
    friend ANYMPI_CALLS result<Environment> init(ThreadLevel wanted);
    explicit Environment(ThreadLevel level) noexcept : level_(level) {}
    ANYMPI_CALLS result<void> attach(void* first, MPI_Count bytes, std::vector<std::byte> owned) {
        if (buffer_)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_BUFFER, "there is a buffer already"}), "MPI_Buffer_attach",
                        detail::Nowhere{});
        ANYMPI_CALL(detail::Nowhere{}, MPI_Buffer_attach_c, first, bytes);
        buffer_ = std::move(owned);
        return detail::done();
    }
    void detach() noexcept {
        void* memory = nullptr;
        MPI_Count bytes = 0;
        if (buffer_)
            MPI_Buffer_detach_c(static_cast<void*>(&memory), &bytes);
    }

    ThreadLevel level_;
    int exceptions_ = std::uncaught_exceptions(); ///< under way when it was made
    std::optional<std::vector<std::byte>> buffer_;
    bool here_ = true;
};

/// Begins MPI. An error if it has begun, or ended, already.
inline ANYMPI_CALLS result<Environment> init(ThreadLevel wanted = ThreadLevel::single) {
    if (is_initialized())
        ANYMPI_FAIL((detail::Fault{MPI_ERR_OTHER, "MPI has been initialized already"}), "MPI_Init_thread",
                    detail::Nowhere{});
    int granted = MPI_THREAD_SINGLE;
    ANYMPI_CALL(detail::Nowhere{}, MPI_Init_thread, nullptr, nullptr, static_cast<int>(wanted), &granted);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    return Environment(static_cast<ThreadLevel>(granted));
}

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
