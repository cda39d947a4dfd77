// Memory for the buffered sends of a communicator or a session.
#ifndef ANYMPI_ATTACHED_BUFFER_HPP
#define ANYMPI_ATTACHED_BUFFER_HPP

#include <cstddef>
#include <vector>

#include "request.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// In the place of memory: the library finds some when it needs it.
struct AutomaticBuffer {};
inline constexpr AutomaticBuffer automatic_buffer;

namespace detail {
#define ANYMPI_BUFFERED(name, Type, Prefix)                                                                            \
    struct name {                                                                                                      \
        using Handle = Type;                                                                                           \
        static constexpr const char* attach_name = "MPI_" #Prefix "_attach_buffer";                                    \
        static constexpr const char* detach_name = "MPI_" #Prefix "_detach_buffer";                                    \
        static constexpr const char* flush_name = "MPI_" #Prefix "_flush_buffer";                                      \
        static constexpr const char* iflush_name = "MPI_" #Prefix "_iflush_buffer";                                    \
        static int attach(Handle handle, void* memory, MPI_Count bytes) {                                              \
            return MPI_##Prefix##_attach_buffer_c(handle, memory, bytes);                                              \
        }                                                                                                              \
        static int detach(Handle handle) {                                                                             \
            void* memory = nullptr;                                                                                    \
            MPI_Count bytes = 0;                                                                                       \
            return MPI_##Prefix##_detach_buffer_c(handle, static_cast<void*>(&memory), &bytes);                        \
        }                                                                                                              \
        static int flush(Handle handle) { return MPI_##Prefix##_flush_buffer(handle); }                                \
        static int iflush(Handle handle, MPI_Request* request) {                                                       \
            return MPI_##Prefix##_iflush_buffer(handle, request);                                                      \
        }                                                                                                              \
    };
ANYMPI_BUFFERED(CommBuffered, MPI_Comm, Comm)
ANYMPI_BUFFERED(SessionBuffered, MPI_Session, Session)
#undef ANYMPI_BUFFERED
} // namespace detail

/// Memory that is the library's until detach(), or until this goes: both wait for what was sent from it. It must go
/// before the communicator or session.
template <class Buffered>
class [[nodiscard]] AttachedBuffer {
public:
    using Handle = typename Buffered::Handle;

    static result<AttachedBuffer> attach(Handle handle, std::vector<std::byte> memory) {
        void* const first = memory.data();
        const auto bytes = static_cast<MPI_Count>(memory.size());
        return attach(handle, first, bytes, std::move(memory));
    }
    static result<AttachedBuffer> attach(Handle handle, AutomaticBuffer) {
        return attach(handle, MPI_BUFFER_AUTOMATIC, 0, {});
    }
    AttachedBuffer(AttachedBuffer&& other) noexcept
        : handle_(other.handle_), memory_(std::move(other.memory_)), here_(std::exchange(other.here_, false)) {}
    AttachedBuffer& operator=(AttachedBuffer&&) = delete;
    ~AttachedBuffer() {
        if (here_ && !is_finalized())
            Buffered::detach(handle_);
    }

    /// Everything that was sent from it is on its way; the memory stays.
    result<void> flush() const {
        ANYMPI_REQUIRE(handle_, Buffered::flush_name, Buffered::flush(handle_));
        return detail::done();
    }
    [[nodiscard]] result<Request> iflush() const {
        MPI_Request request = MPI_REQUEST_NULL;
        ANYMPI_REQUIRE(handle_, Buffered::iflush_name, Buffered::iflush(handle_, &request));
        return Request(request, Direction::other);
    }
    /// The memory back, after what was sent from it.
    result<std::vector<std::byte>> detach() && {
        ANYMPI_REQUIRE(handle_, Buffered::detach_name, Buffered::detach(handle_));
        here_ = false;
        return std::move(memory_);
    }

private:
    AttachedBuffer(Handle handle, std::vector<std::byte> memory) noexcept
        : handle_(handle), memory_(std::move(memory)) {}
    static result<AttachedBuffer> attach(Handle handle, void* memory, MPI_Count bytes, std::vector<std::byte> owned) {
        if (detail::is_too_late()) [[unlikely]]
            ANYMPI_FAIL(detail::too_late(), Buffered::attach_name, handle);
        ANYMPI_REQUIRE(handle, Buffered::attach_name, Buffered::attach(handle, memory, bytes));
        return AttachedBuffer(handle, std::move(owned));
    }

    Handle handle_;
    std::vector<std::byte> memory_;
    bool here_ = true;
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
