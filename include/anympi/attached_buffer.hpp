// Memory for the buffered sends of a communicator or a session.
#ifndef ANYMPI_ATTACHED_BUFFER_HPP
#define ANYMPI_ATTACHED_BUFFER_HPP

#include <cstddef>
#include <memory>
#include <vector>

#include "request.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// Used in place of memory: the library allocates memory when it needs it.
struct AutomaticBuffer {};
inline constexpr AutomaticBuffer automatic_buffer;

namespace detail {
#define ANYMPI_BUFFERED(name, Prefix)                                                                                  \
    struct name {                                                                                                      \
        using kind = shared::kinds::Prefix;                                                                            \
        using Handle = kind::type;                                                                                     \
        static constexpr const char* attach_name = "MPI_" #Prefix "_attach_buffer";                                    \
        static constexpr const char* detach_name = "MPI_" #Prefix "_detach_buffer";                                    \
        static constexpr const char* flush_name = "MPI_" #Prefix "_flush_buffer";                                      \
        static constexpr const char* iflush_name = "MPI_" #Prefix "_iflush_buffer";                                    \
        static Fault attach(Handle handle, void* memory, MPI_Count bytes) {                                            \
            return MPI_##Prefix##_attach_buffer_c(handle, memory, bytes);                                              \
        }                                                                                                              \
        static Fault detach(Handle handle) {                                                                           \
            void* memory = nullptr;                                                                                    \
            MPI_Count bytes = 0;                                                                                       \
            return MPI_##Prefix##_detach_buffer_c(handle, static_cast<void*>(&memory), &bytes);                        \
        }                                                                                                              \
        static Fault flush(Handle handle) { return MPI_##Prefix##_flush_buffer(handle); }                              \
        static Fault iflush(Handle handle, MPI_Request* request) {                                                     \
            return MPI_##Prefix##_iflush_buffer(handle, request);                                                      \
        }                                                                                                              \
    };
ANYMPI_BUFFERED(CommBuffered, Comm)
ANYMPI_BUFFERED(SessionBuffered, Session)
#undef ANYMPI_BUFFERED
} // namespace detail

/// Memory that belongs to the library until detach(), or until this object, the communicator or the session is
/// destroyed. detach() and each destruction wait for the messages in the buffer. If an exception destroys this object,
/// the library keeps the memory.
template <class Buffered>
class [[nodiscard]] AttachedBuffer {
    using Companions = shared::Companions<typename Buffered::kind>;
    using Object = shared::Object<typename Buffered::kind>;

public:
    using Handle = typename Buffered::Handle;

    static ANYMPI_CALLS result<AttachedBuffer> attach(Handle handle, std::vector<std::byte> memory) {
        void* const first = memory.data();
        const auto bytes = static_cast<MPI_Count>(memory.size());
        return attach(handle, first, bytes, std::move(memory));
    }
    static ANYMPI_CALLS result<AttachedBuffer> attach(Handle handle, AutomaticBuffer) {
        return attach(handle, shared::automatic_memory(), 0, {});
    }
    AttachedBuffer(AttachedBuffer&& other) noexcept = default;
    AttachedBuffer& operator=(AttachedBuffer&&) = delete;
    ~AttachedBuffer() {
        if (!memory_ || !memory_->here || detail::has_ended())
            return;
        if (watch_.is_unwinding()) { // the communicator or session also holds the memory
            detail::tell_left(where(), Buffered::detach_name);
            return;
        }
        forget();
        memory_->detach();
    }

    /// Waits until all messages in the buffer have been sent. The memory stays attached.
    ANYMPI_CALLS result<void> flush() const {
        ANYMPI_REQUIRE(where(), Buffered::flush_name, check());
        ANYMPI_REQUIRE(where(), Buffered::flush_name, Buffered::flush(handle()));
        return detail::done();
    }
    [[nodiscard]] ANYMPI_CALLS result<Request> iflush() const {
        MPI_Request request = MPI_REQUEST_NULL;
        ANYMPI_REQUIRE(where(), Buffered::iflush_name, check());
        ANYMPI_REQUIRE(where(), Buffered::iflush_name, Buffered::iflush(handle(), &request));
        return Request(detail::Operation{.handle = request, .borrows = false, .origin = where()});
    }
    /// Waits for the messages in the buffer and returns the memory. The communicator or session may have ended before.
    ANYMPI_CALLS result<std::vector<std::byte>> detach() && {
        if (!memory_)
            ANYMPI_FAIL(gone(), Buffered::detach_name, detail::Nowhere{});
        if (memory_->here) {
            ANYMPI_REQUIRE(where(), Buffered::detach_name, detail::check_time());
            ANYMPI_REQUIRE(where(), Buffered::detach_name, Buffered::detach(handle()));
            forget();
        }
        return std::move(std::exchange(memory_, nullptr)->bytes);
    }

private:
    struct Memory final : shared::Attached {
        Memory(Handle handle, std::vector<std::byte> bytes) noexcept : handle(handle), bytes(std::move(bytes)) {}
        void detach() noexcept override {
            here = false;
            const detail::Fault code = Buffered::detach(handle);
            detail::report(code, Buffered::detach_name, Object(handle));
            if (code)
                shared::keep_for_ever(std::shared_ptr<void>(new std::vector<std::byte>(std::move(bytes))));
        }
        Handle handle;
        std::vector<std::byte> bytes;
        bool here = true; // the library has the memory
    };
    explicit AttachedBuffer(std::shared_ptr<Memory> memory) noexcept : memory_(std::move(memory)) {}
    static ANYMPI_CALLS result<AttachedBuffer> attach(Handle handle, void* first, MPI_Count bytes,
                                                      std::vector<std::byte> owned) {
        if (detail::is_too_late()) [[unlikely]]
            ANYMPI_FAIL(detail::too_late(), Buffered::attach_name, Object(handle));
        std::shared_ptr<Memory> memory(new Memory(handle, std::move(owned)));
        ANYMPI_REQUIRE(Object(handle), Buffered::attach_name, Buffered::attach(handle, first, bytes));
        Companions::set_attached(handle, memory);
        return AttachedBuffer(std::move(memory));
    }
    void forget() const { Companions::set_attached(handle(), nullptr); }
    [[nodiscard]] Handle handle() const noexcept { return memory_ ? memory_->handle : Handle{}; }
    [[nodiscard]] Object where() const noexcept { return Object(handle()); }
    [[nodiscard]] ANYMPI_CALLS detail::Fault check() const noexcept {
        return memory_ && memory_->here ? detail::check_time() : gone();
    }
    static detail::Fault gone() noexcept { return {MPI_ERR_BUFFER, "the buffer has been detached already"}; }

    std::shared_ptr<Memory> memory_;
    detail::ExceptionWatch watch_;
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
