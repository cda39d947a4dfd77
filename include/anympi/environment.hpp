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

/// The levels are ordered: a higher level allows more.
enum class ThreadLevel : int {
    single = MPI_THREAD_SINGLE,
    funneled = MPI_THREAD_FUNNELED,
    serialized = MPI_THREAD_SERIALIZED,
    multiple = MPI_THREAD_MULTIPLE,
};

/// Returns the name of the level in MPI: "MPI_THREAD_SINGLE".
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
    return std::string(text); // Open MPI 4.1 counts the zero at the end
}
/// Returns the version of the standard: "MPI 5.0".
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

/// Returns true in the thread that started MPI.
inline ANYMPI_CALLS result<bool> is_thread_main() {
    int flag = 0;
    ANYMPI_CALL(detail::Nowhere{}, MPI_Is_thread_main, &flag);
    return flag != 0;
}
/// Returns the hardware on which this process may run: names of resources, each with "true" or "false".
inline ANYMPI_CALLS result<Info> hardware_resources() {
    MPI_Info made = MPI_INFO_NULL;
    ANYMPI_CALL(detail::Nowhere{}, MPI_Get_hw_resource_info, &made);
    return Info(made, true);
}
/// Tells a profiler how much to record: 0 nothing, 1 the usual amount, 2 the same and writes what was recorded.
inline void set_profiling(int level) noexcept {
    MPI_Pcontrol(level);
}

/// The version of the standard ABI that the library has. Both numbers are -1 if the library has another ABI.
struct AbiVersion {
    int major, minor;
};
inline ANYMPI_CALLS result<AbiVersion> abi_version() {
    AbiVersion found{-1, -1};
    ANYMPI_CALL(detail::Nowhere{}, MPI_Abi_get_version, &found.major, &found.minor);
    return found;
}
/// Returns the sizes of types in the ABI of the library.
inline ANYMPI_CALLS result<Info> abi_info() {
    MPI_Info made = MPI_INFO_NULL;
    ANYMPI_CALL(detail::Nowhere{}, MPI_Abi_get_info, &made);
    return Info(made, true);
}

/// Owns MPI from init() until the destructor, which finalizes MPI. MPI_COMM_WORLD and MPI_COMM_SELF return their
/// errors.
///
/// If an exception destroys the environment, the job is stopped: the other processes do not know of the exception, and
/// MPI_Finalize would wait for them while they wait for this process. If all processes throw, catch the exception
/// before. Communicators, files and windows may then be left open: MPI ends with them.
class [[nodiscard]] Environment {
public:
    Environment(Environment&& other) noexcept
        : level_(other.level_), has_buffer_(std::exchange(other.has_buffer_, false)), buffer_(std::move(other.buffer_)),
          here_(std::exchange(other.here_, false)), watch_(other.watch_) {}
    Environment& operator=(Environment&&) = delete;
    ~Environment() {
        if (!here_ || is_finalized())
            return;
        if (watch_.is_unwinding())
            detail::stop_leaving("MPI");
        detail::report(detach(), "MPI_Buffer_detach", shared::world());
        shared::LeftOpen::free_all();
        shared::drop_cached_handles();
        detail::report(MPI_Finalize(), "MPI_Finalize", shared::world());
    }
    /// Ends MPI now and returns the error, if any.
    ANYMPI_CALLS result<void> finalize() && {
        if (!here_ || is_finalized())
            ANYMPI_FAIL(detail::too_late(), "MPI_Finalize", detail::Nowhere{});
        ANYMPI_REQUIRE(shared::world(), "MPI_Buffer_detach", detach());
        here_ = false;
        shared::LeftOpen::free_all();
        shared::drop_cached_handles();
        ANYMPI_REQUIRE(shared::world(), "MPI_Finalize", MPI_Finalize());
        return detail::done();
    }

    /// Returns the granted level, which may be lower than the wanted one; see init_at_least().
    [[nodiscard]] ThreadLevel thread_level() const noexcept { return level_; }
    /// Return MPI_COMM_WORLD and MPI_COMM_SELF, borrowed. A library without an Environment borrows them by
    /// Comm::borrow().
    [[nodiscard]] Comm world() const noexcept { return Comm::borrow(MPI_COMM_WORLD); }
    [[nodiscard]] Comm self() const noexcept { return Comm::borrow(MPI_COMM_SELF); }

    /// Attaches memory for buffered sends; the environment owns the memory until detach_buffer().
    ANYMPI_CALLS result<void> attach_buffer(std::vector<std::byte> buffer) {
        void* const first = buffer.data();
        const auto bytes = static_cast<MPI_Count>(buffer.size());
        return attach(first, bytes, std::move(buffer));
    }
    ANYMPI_CALLS result<void> attach_buffer(std::size_t bytes) { return attach_buffer(std::vector<std::byte>(bytes)); }
    ANYMPI_CALLS result<void> attach_buffer(AutomaticBuffer) {
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Buffer_attach", shared::check_automatic_memory());
        return attach(shared::automatic_memory(), 0, {});
    }
    /// Waits until all messages in the buffer have been sent, and returns the memory.
    ANYMPI_CALLS result<std::vector<std::byte>> detach_buffer() {
        if (!has_buffer_)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_BUFFER, "no buffer is attached"}), "MPI_Buffer_detach",
                        detail::Nowhere{});
        void* memory = nullptr;
        MPI_Count bytes = 0;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Buffer_detach_c, static_cast<void*>(&memory), &bytes);
        has_buffer_ = false;
        return std::move(buffer_);
    }

    /// Waits until all messages in the buffer have been sent. The memory stays attached.
    ANYMPI_CALLS result<void> flush_buffer() const {
        ANYMPI_CALL(detail::Nowhere{}, MPI_Buffer_flush);
        return detail::done();
    }
    [[nodiscard]] ANYMPI_CALLS result<Request> iflush_buffer() const {
        MPI_Request request = MPI_REQUEST_NULL;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Buffer_iflush, &request);
        return Request(detail::Operation{.handle = request, .borrows = false, .origin = shared::world()});
    }

private:
    friend ANYMPI_CALLS result<Environment> init(ThreadLevel wanted);
    explicit Environment(ThreadLevel level) noexcept : level_(level) {}
    ANYMPI_CALLS result<void> attach(void* first, MPI_Count bytes, std::vector<std::byte> owned) {
        if (has_buffer_)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_BUFFER, "a buffer is attached already"}), "MPI_Buffer_attach",
                        detail::Nowhere{});
        ANYMPI_CALL(detail::Nowhere{}, MPI_Buffer_attach_c, first, bytes);
        has_buffer_ = true;
        buffer_ = std::move(owned);
        return detail::done();
    }
    int detach() noexcept {
        void* memory = nullptr;
        MPI_Count bytes = 0;
        if (!has_buffer_)
            return MPI_SUCCESS;
        const int code = MPI_Buffer_detach_c(static_cast<void*>(&memory), &bytes);
        if (code == MPI_SUCCESS)
            has_buffer_ = false;
        return code;
    }

    ThreadLevel level_;
    bool has_buffer_ = false;
    std::vector<std::byte> buffer_;
    bool here_ = true;
    detail::ExceptionWatch watch_;
};

/// Starts MPI. An error if MPI has started or ended already. The returned environment has the granted level of threads,
/// which may be lower than the wanted one.
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
/// Starts MPI; a lower level is an error. If one process is granted a lower level, all processes get the error, and MPI
/// has ended.
inline ANYMPI_CALLS result<Environment> init_at_least(ThreadLevel least) {
    return detail::then<Environment>(init(least), [&](Environment mpi) -> result<Environment> {
        const int granted = static_cast<int>(mpi.thread_level());
        int lowest = granted;
        ANYMPI_CALL(shared::world(), MPI_Allreduce, &granted, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        if (lowest >= static_cast<int>(least)) // the levels are ordered
            return mpi;
        const std::string text = std::string(name_of(least)) + " was wanted, but the library grants " +
                                 name_of(static_cast<ThreadLevel>(lowest));
        static_cast<void>(std::move(mpi).finalize());
        ANYMPI_FAIL((detail::Fault{MPI_ERR_OTHER, text.c_str()}), "MPI_Init_thread", detail::Nowhere{});
    });
}

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
