// Memory for the buffered sends of a communicator or a session.
#ifndef ANYMPI_ATTACHED_BUFFER_HPP
#define ANYMPI_ATTACHED_BUFFER_HPP

#include <cstddef>
#include <memory>
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

/// Memory that is the library's until detach(), or until this goes, or the communicator or session: all three wait for
/// what was sent from it. If this goes because of an exception, the library keeps the memory.
template <class Buffered>
class [[nodiscard]] AttachedBuffer {
public:
    using Handle = typename Buffered::Handle;

    static ANYMPI_CALLS result<AttachedBuffer> attach(Handle handle, std::vector<std::byte> memory) {
        void* const first = memory.data();
        const auto bytes = static_cast<MPI_Count>(memory.size());
        return attach(handle, first, bytes, std::move(memory));
    }
    static ANYMPI_CALLS result<AttachedBuffer> attach(Handle handle, AutomaticBuffer) {
        return attach(handle, MPI_BUFFER_AUTOMATIC, 0, {});
    }
    AttachedBuffer(AttachedBuffer&& other) noexcept = default;
    AttachedBuffer& operator=(AttachedBuffer&&) = delete;
    ~AttachedBuffer() {
        if (!memory_ || !memory_->here || detail::has_ended())
            return;
        if (watch_.is_unwinding()) { // what the memory is attached to has it too
            detail::tell_left(handle(), Buffered::detach_name);
            return;
        }
        forget();
        memory_->detach();
    }

    /// Everything that was sent from it is on its way; the memory stays.
    ANYMPI_CALLS result<void> flush() const {
        ANYMPI_REQUIRE(handle(), Buffered::flush_name, check());
        ANYMPI_REQUIRE(handle(), Buffered::flush_name, Buffered::flush(handle()));
        return detail::done();
    }
    [[nodiscard]] ANYMPI_CALLS result<Request> iflush() const {
        MPI_Request request = MPI_REQUEST_NULL;
        ANYMPI_REQUIRE(handle(), Buffered::iflush_name, check());
        ANYMPI_REQUIRE(handle(), Buffered::iflush_name, Buffered::iflush(handle(), &request));
        return Request(detail::Operation{.handle = request, .borrows = false, .origin = handle()});
    }
    /// The memory back, after what was sent from it. What it belonged to may have gone before.
    ANYMPI_CALLS result<std::vector<std::byte>> detach() && {
        if (!memory_)
            ANYMPI_FAIL(gone(), Buffered::detach_name, detail::Nowhere{});
        if (memory_->here) {
            ANYMPI_REQUIRE(handle(), Buffered::detach_name, detail::check_time());
            ANYMPI_REQUIRE(handle(), Buffered::detach_name, Buffered::detach(handle()));
            forget();
        }
        return std::move(std::exchange(memory_, nullptr)->bytes);
    }

private:
    struct Memory final : shared::Attached {
        Memory(Handle handle, std::vector<std::byte> bytes) noexcept : handle(handle), bytes(std::move(bytes)) {}
        void detach() noexcept override {
            here = false;
            const int code = Buffered::detach(handle);
            detail::report(code, Buffered::detach_name, handle);
            if (code != MPI_SUCCESS)
                shared::keep_for_ever(std::make_shared<std::vector<std::byte>>(std::move(bytes)));
        }
        Handle handle;
        std::vector<std::byte> bytes;
        bool here = true; // the library's
    };
    explicit AttachedBuffer(std::shared_ptr<Memory> memory) noexcept : memory_(std::move(memory)) {}
    static ANYMPI_CALLS result<AttachedBuffer> attach(Handle handle, void* first, MPI_Count bytes,
                                                      std::vector<std::byte> owned) {
        if (detail::is_too_late()) [[unlikely]]
            ANYMPI_FAIL(detail::too_late(), Buffered::attach_name, handle);
        auto memory = std::make_shared<Memory>(handle, std::move(owned));
        ANYMPI_REQUIRE(handle, Buffered::attach_name, Buffered::attach(handle, first, bytes));
        shared::Companions<Handle>::set_attached(handle, memory);
        return AttachedBuffer(std::move(memory));
    }
    void forget() const { shared::Companions<Handle>::set_attached(handle(), nullptr); }
    [[nodiscard]] Handle handle() const noexcept { return memory_ ? memory_->handle : Handle{}; }
    [[nodiscard]] ANYMPI_CALLS detail::Fault check() const noexcept {
        return memory_ && memory_->here ? detail::check_time() : gone();
    }
    static detail::Fault gone() noexcept { return {MPI_ERR_BUFFER, "it has been detached already"}; }

    std::shared_ptr<Memory> memory_;
    detail::ExceptionWatch watch_;
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
