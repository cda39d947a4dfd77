#pragma once

#include "emulate/engine/backoff.hpp"
#include "emulate/engine/compound_progress.hpp"
#include "emulate/large_counts/narrow.hpp"

#include <algorithm>
#include <ctime>

namespace anympi::emulate {

// A buffer for MPI_Bsend. A message through it is copied into memory of ours and sent from there; of the program's
// memory only the size is used. So the messages of a buffer can be waited for without those of others, and nothing
// waits when one is attached.

template <class Run>
struct buffered_message {
    buffered_message* next;
    std::int64_t size; ///< as it counts for the buffer
    request_of<Run> request;

    char* data() { return reinterpret_cast<char*>(this + 1); }
};

enum class owner : unsigned char { process, session, comm };

template <class Run>
struct message_buffer {
    owner of;
    handle_of<Run, object::session> session; ///< that owns it, if one does
    std::atomic<int> references;             ///< that it is attached, and calls and flushes that use it
    void* address;                           ///< the program's
    std::int64_t size;
    lock guard;
    std::int64_t used;            ///< by messages that are not gone
    buffered_message<Run>* first; ///< of those that no thread is asking for
    buffered_message<Run>* last;
    message_buffer* next;
    message_buffer** link; ///< what leads to it, among those of owners of its kind

    bool is_automatic() const { return address == address_of<void*>(Run::mpi_BUFFER_AUTOMATIC); }
};

/// Less than every program's MPI_BSEND_OVERHEAD, so what a program computes is enough.
inline constexpr std::int64_t overhead_of_message = 32;

/// With one reference; nullptr: no memory.
template <class Run>
message_buffer<Run>* make_buffer(owner of, void* address, std::int64_t size) {
    auto* const made = static_cast<message_buffer<Run>*>(std::calloc(1, sizeof(message_buffer<Run>)));
    if (made != nullptr) {
        made->of = of;
        made->references.store(1, std::memory_order_relaxed);
        made->address = address;
        made->size = made->is_automatic() ? 0 : size;
        made->guard = lock{};
    }
    return made;
}

template <class Run>
void drop(message_buffer<Run>* buffer) {
    if (buffer->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
        std::free(buffer);
}

// ---- its messages ----

template <class Run>
void free_message(message_buffer<Run>& buffer, buffered_message<Run>* message) {
    {
        const locked hold(buffer.guard);
        buffer.used -= message->size;
    }
    std::free(message);
}

template <class Run>
void add_message(message_buffer<Run>& buffer, buffered_message<Run>* message) {
    message->next = nullptr;
    const locked hold(buffer.guard);
    (buffer.first != nullptr ? buffer.last->next : buffer.first) = message;
    buffer.last = message;
}

/// Takes the oldest message out of the buffer. Returns nullptr if the buffer is empty, or if another
/// thread is asking for the message.
template <class Run>
buffered_message<Run>* take_oldest(message_buffer<Run>& buffer) {
    const locked hold(buffer.guard);
    buffered_message<Run>* const taken = buffer.first;
    if (taken != nullptr)
        buffer.first = taken->next;
    return taken;
}

/// Errors are not reported, as in libraries that have such buffers themselves.
template <class Run>
bool is_sent_message(buffered_message<Run>& message) {
    return without_handlers([&message] {
        int is_sent = 0;
        return library<Run>.Test(&message.request, &is_sent, ignored_status<Run>()) != 0 || is_sent != 0;
    });
}

/// Gives up messages that are gone, the oldest first. It ends with one that is not, which is asked for last from then
/// on: the cost does not grow with the number of those that are on their way.
template <class Run>
void free_sent_messages(message_buffer<Run>& buffer) {
    while (buffered_message<Run>* const message = take_oldest<Run>(buffer)) {
        if (!is_sent_message<Run>(*message)) {
            add_message<Run>(buffer, message);
            return;
        }
        free_message<Run>(buffer, message);
    }
}

template <class Run>
bool is_empty(message_buffer<Run>& buffer) {
    free_sent_messages<Run>(buffer);
    const locked hold(buffer.guard);
    return buffer.used == 0;
}

template <class Run>
void wait_until_empty(message_buffer<Run>& buffer) {
    for (backoff between; !is_empty<Run>(buffer); between.pause()) {
    }
}

// ---- a new one ----

/// Counts a message, if there is room for it.
template <class Run>
bool take_room(message_buffer<Run>& buffer, std::int64_t size) {
    const locked hold(buffer.guard);
    if (!buffer.is_automatic() && size > buffer.size - buffer.used)
        return false;
    buffer.used += size;
    return true;
}

inline std::int64_t milliseconds_now() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
}

/// A message that was received may not be gone yet: another thread is asking for it, or the library has not noticed,
/// and on a busy machine either takes a while. A buffer is full when it has no room for so long.
template <class Run>
bool wait_for_room(message_buffer<Run>& buffer, std::int64_t size) {
    constexpr std::int64_t longest_wait = 1000; // milliseconds
    free_sent_messages<Run>(buffer);
    if (take_room<Run>(buffer, size))
        return true;
    if (size > buffer.size)
        return false;
    backoff between;
    for (const std::int64_t end = milliseconds_now() + longest_wait; milliseconds_now() < end; between.pause()) {
        free_sent_messages<Run>(buffer);
        if (take_room<Run>(buffer, size))
            return true;
    }
    return false;
}

/// The buffer may be full, or there is no memory. The code was not reported.
template <class Run>
int make_message(message_buffer<Run>& buffer, std::int64_t bytes, buffered_message<Run>** made) {
    const std::int64_t size = bytes + overhead_of_message;
    if (!wait_for_room<Run>(buffer, size))
        return Run::mpi_ERR_BUFFER;
    const std::size_t room = sizeof(buffered_message<Run>) + static_cast<std::size_t>(bytes);
    auto* const message = static_cast<buffered_message<Run>*>(std::malloc(room));
    if (message != nullptr) {
        message->size = size;
        *made = message;
        return 0;
    }
    const locked hold(buffer.guard);
    buffer.used -= size;
    return Run::mpi_ERR_NO_MEM;
}

/// `size`: of the packed data.
template <class Run>
int send_through(message_buffer<Run>& buffer, const void* data, std::int64_t count, word type, std::int64_t size,
                 int dest, int tag, word comm) {
    buffered_message<Run>* message = nullptr;
    int code = make_message<Run>(buffer, size, &message);
    if (code != 0)
        return raise<Run>(comm, code);
    std::int64_t packed = 0;
    code = library<Run>.Pack_c(data, count, type, message->data(), size, &packed, comm);
    if (code == 0)
        code = library<Run>.Isend_c(message->data(), packed, predefined<Run>(standard::mpi_PACKED), dest, tag, comm,
                                    &message->request);
    if (code == 0)
        add_message<Run>(buffer, message);
    else
        free_message<Run>(buffer, message);
    return code;
}

} // namespace anympi::emulate
