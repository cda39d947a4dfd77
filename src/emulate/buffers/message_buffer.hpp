#pragma once

#include "emulate/engine/backoff.hpp"
#include "emulate/engine/compound_progress.hpp"
#include "emulate/large_counts/narrow.hpp"

#include <algorithm>
#include <ctime>

namespace anympi::emulate {

// A buffer for MPI_Bsend. A message is copied into memory that anympi allocates, and sent from there. Only the size of
// the program's memory is used. So one buffer can be flushed without waiting for the messages of others, and attaching
// a buffer never waits.

template <class Run>
struct buffered_message {
    buffered_message* next;
    std::int64_t size; // the size that counts for the buffer, with the overhead
    request_of<Run> request;

    char* data() { return reinterpret_cast<char*>(this + 1); }
};

enum class owner : unsigned char { process, session, comm };

template <class Run>
struct message_buffer {
    owner of;
    handle_of<Run, object::session> session; // the owner, if it is a session
    std::atomic<int> references;             // one while it is attached, and one per call or flush that uses it
    void* address;                           // the program's address
    std::int64_t size;
    lock guard;
    std::int64_t used;            // by messages that are not sent yet
    buffered_message<Run>* first; // list of the messages that no thread is testing
    buffered_message<Run>* last;
    message_buffer* next;
    message_buffer** link; // the pointer to this buffer in the list of its kind of owner

    bool is_automatic() const { return address == address_of<void*>(Run::mpi_BUFFER_AUTOMATIC); }
};

/// Less than MPI_BSEND_OVERHEAD of every ABI, so the sizes that programs compute are large enough.
inline constexpr std::int64_t overhead_of_message = 32;

/// Returns a new buffer with one reference, or nullptr if memory is exhausted.
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

// ---- messages of a buffer ----

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

/// Takes the oldest message out of the list. Returns nullptr if the list is empty, or if another thread is testing the
/// only message.
template <class Run>
buffered_message<Run>* take_oldest(message_buffer<Run>& buffer) {
    const locked hold(buffer.guard);
    buffered_message<Run>* const taken = buffer.first;
    if (taken != nullptr)
        buffer.first = taken->next;
    return taken;
}

/// Returns true if a message was sent. Errors are not reported, as in libraries that have such buffers themselves.
template <class Run>
bool is_sent_message(buffered_message<Run>& message) {
    return without_handlers([&message] {
        int is_sent = 0;
        return library<Run>.Test(&message.request, &is_sent, ignored_status<Run>()) != 0 || is_sent != 0;
    });
}

/// Frees messages that were sent, starting with the oldest. It stops at the first message that is not sent yet and
/// moves it to the end of the list, so that the cost does not grow with the number of pending messages.
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

// ---- a new message ----

/// Reserves room for a message. Returns false if the buffer has too little room.
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

/// Reserves room for a message, and waits if necessary. A message that was received may still count: another thread is
/// testing it, or the library has not noticed, and both may take some time on a busy machine. Returns false if the
/// buffer still has too little room after a second.
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

/// Allocates a message. Does not report the error code that it returns (the buffer is full, or memory is exhausted).
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

/// Sends a message through a buffer. `size` is the size of the packed data.
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
