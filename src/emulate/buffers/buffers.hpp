#pragma once

#include "emulate/buffers/message_buffer.hpp"
#include "emulate/engine/comm_objects.hpp"

namespace anympi::emulate {

// The buffers of the process, of communicators and of sessions, for runtimes that have only the buffer of the process.
// MPI 4.1 added the others, and buffers that MPI itself allocates. All buffers are anympi's, so that each one can be
// flushed separately.

template <class Run>
void detach(message_buffer<Run>* buffer);

template <class Run>
struct buffer_state {
    static constexpr int owners = 3;

    lock guard;
    message_buffer<Run>* first[owners]; // all attached buffers, by the kind of their owners
    comm_objects<Run, message_buffer<Run>, detach<Run>> of_comms;
};
template <class Run>
inline buffer_state<Run> buffers{};

// ---- all buffers ----

template <class Run>
void add(message_buffer<Run>* buffer) {
    const locked hold(buffers<Run>.guard);
    buffer->link = &buffers<Run>.first[static_cast<int>(buffer->of)];
    buffer->next = *buffer->link;
    if (buffer->next != nullptr)
        buffer->next->link = &buffer->next;
    *buffer->link = buffer;
}

/// Detaches a buffer from its owner and waits for its messages. No new message can use it.
template <class Run>
void detach(message_buffer<Run>* buffer) {
    {
        const locked hold(buffers<Run>.guard);
        *buffer->link = buffer->next;
        if (buffer->next != nullptr)
            buffer->next->link = buffer->link;
    }
    wait_until_empty<Run>(*buffer);
    drop(buffer);
}

/// Returns the buffer of the process, of this session, or (without a session) of any session, with a reference. Returns
/// nullptr if no buffer is attached.
template <class Run>
message_buffer<Run>* find_and_reference(owner of, word session = 0) {
    const locked hold(buffers<Run>.guard);
    const auto wanted = static_cast<handle_of<Run, object::session>>(session);
    message_buffer<Run>* found = buffers<Run>.first[static_cast<int>(of)];
    while (found != nullptr && wanted != 0 && found->session != wanted)
        found = found->next;
    if (found != nullptr)
        found->references.fetch_add(1, std::memory_order_relaxed);
    return found;
}

/// Sets `found` to the buffer of a communicator, with a reference, or to nullptr. Returns the runtime's error code.
template <class Run>
int find_of_comm_and_reference(word comm, message_buffer<Run>** found) {
    const int code = buffers<Run>.of_comms.find(comm, found);
    if (code == 0 && *found != nullptr)
        (*found)->references.fetch_add(1, std::memory_order_relaxed);
    return code;
}

/// Sets `found` to the buffer for a message, with a reference, or to nullptr: the communicator's buffer, otherwise the
/// process's, otherwise a session's. MPI cannot tell to which session a communicator belongs, and a program cannot see
/// which session's buffer is used.
template <class Run>
int find_for_message_and_reference(word comm, message_buffer<Run>** found) {
    const int code = find_of_comm_and_reference<Run>(comm, found);
    if (code == 0 && *found == nullptr)
        *found = find_and_reference<Run>(owner::process);
    if (code == 0 && *found == nullptr)
        *found = find_and_reference<Run>(owner::session);
    return code;
}

// ---- attaching and detaching: these functions do not report the error codes that they return ----

/// Makes a buffer for an owner. `other` is the buffer that the owner already has, with a reference that this function
/// drops; it may be nullptr.
template <class Run>
int make_attached(owner of, void* address, std::int64_t size, message_buffer<Run>* other, message_buffer<Run>** made) {
    if (other != nullptr) {
        drop(other);
        return Run::mpi_ERR_BUFFER;
    }
    if (address == nullptr || size < 0)
        return Run::mpi_ERR_ARG;
    *made = make_buffer<Run>(of, address, size);
    return *made != nullptr ? 0 : Run::mpi_ERR_NO_MEM;
}

/// Stores the address and size of a buffer that the program detaches. Without a buffer both are zero.
template <class Run>
void describe(const message_buffer<Run>* buffer, void* address, std::int64_t* size) {
    *static_cast<void**>(address) = buffer != nullptr ? buffer->address : nullptr;
    *size = buffer != nullptr ? buffer->size : 0;
}

/// Detaches a buffer and drops the caller's reference. `buffer` may be nullptr.
template <class Run>
void detach_and_drop(message_buffer<Run>* buffer) {
    if (buffer == nullptr)
        return;
    detach(buffer);
    drop(buffer);
}

// ---- flushing: these functions drop the caller's reference; the buffer may be nullptr ----

template <class Run>
void end_flush(message_buffer<Run>* buffer) {
    if (buffer == nullptr)
        return;
    wait_until_empty<Run>(*buffer);
    drop(buffer);
}

/// A nonblocking flush. It starts nothing and waits for the messages of the buffer.
template <class Run>
struct flush : compound<Run> {
    message_buffer<Run>* buffer; // may be nullptr
};

template <class Run>
inline constexpr typename compound<Run>::behaviour flush_behaviour = {
    .start = nullptr,
    .finish = nullptr,
    .destroy =
        [](compound<Run>& operation) {
            if (message_buffer<Run>* const buffer = static_cast<flush<Run>&>(operation).buffer)
                drop(buffer);
        },
    .is_begun =
        [](compound<Run>& operation) {
            message_buffer<Run>* const buffer = static_cast<flush<Run>&>(operation).buffer;
            return buffer == nullptr || is_empty<Run>(*buffer);
        }};

/// Makes a request for a flush. Does not report the error code that it returns.
template <class Run>
int begin_flush(message_buffer<Run>* buffer, request_of<Run>* request) {
    auto* const made = request != nullptr ? make<Run, flush>(0) : nullptr;
    if (made == nullptr) {
        if (buffer != nullptr)
            drop(buffer);
        return request == nullptr ? Run::mpi_ERR_ARG : Run::mpi_ERR_NO_MEM;
    }
    made->does = &flush_behaviour<Run>;
    made->buffer = buffer;
    publish<Run>(made, request);
    return 0;
}

// ---- the buffer of the process ----

template <class Run>
int Buffer_attach_c(void* address, std::int64_t size) {
    message_buffer<Run>* made = nullptr;
    if (const int code = make_attached(owner::process, address, size, find_and_reference<Run>(owner::process), &made);
        code != 0)
        return raise<Run>(code);
    add(made);
    return 0;
}

/// Detaches the buffer of the process. Without a buffer it returns success and zeros. Libraries differ here: some
/// return zeros, some an error code. None calls an error handler, and some programs detach without having attached.
template <class Run>
int Buffer_detach_c(void* address, std::int64_t* size) {
    if (address == nullptr || size == nullptr)
        return raise<Run>(Run::mpi_ERR_ARG);
    message_buffer<Run>* const buffer = find_and_reference<Run>(owner::process);
    describe(buffer, address, size);
    detach_and_drop(buffer);
    return 0;
}

template <class Run>
int Buffer_flush() {
    end_flush(find_and_reference<Run>(owner::process));
    return 0;
}

template <class Run>
int Buffer_iflush(request_of<Run>* request) {
    const int code = begin_flush<Run>(find_and_reference<Run>(owner::process), request);
    return code != 0 ? raise<Run>(code) : 0;
}

// ---- buffers of communicators ----

template <class Run>
int Comm_attach_buffer_c(word comm, void* address, std::int64_t size) {
    message_buffer<Run>* other = nullptr;
    message_buffer<Run>* made = nullptr;
    int code = buffers<Run>.of_comms.use();
    if (code == 0)
        code = find_of_comm_and_reference<Run>(comm, &other);
    if (code != 0)
        return code;
    if (code = make_attached(owner::comm, address, size, other, &made); code != 0)
        return raise<Run>(comm, code);
    add(made);
    code = buffers<Run>.of_comms.add(comm, made);
    if (code != 0)
        detach(made);
    return code;
}

template <class Run>
int Comm_detach_buffer_c(word comm, void* address, std::int64_t* size) {
    message_buffer<Run>* buffer = nullptr;
    if (const int code = buffers<Run>.of_comms.find(comm, &buffer); code != 0)
        return code;
    if (address == nullptr || size == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_ARG);
    describe(buffer, address, size);
    return buffer != nullptr ? buffers<Run>.of_comms.end(comm) : 0;
}

template <class Run>
int Comm_flush_buffer(word comm) {
    message_buffer<Run>* buffer = nullptr;
    const int code = find_of_comm_and_reference<Run>(comm, &buffer);
    end_flush(buffer);
    return code;
}

template <class Run>
int Comm_iflush_buffer(word comm, request_of<Run>* request) {
    message_buffer<Run>* buffer = nullptr;
    if (const int code = find_of_comm_and_reference<Run>(comm, &buffer); code != 0)
        return code;
    const int code = begin_flush<Run>(buffer, request);
    return code != 0 ? raise<Run>(comm, code) : 0;
}

// ---- buffers of sessions ----

/// Rejects MPI_SESSION_NULL. For a finalized session, a query without side effects reports the error.
template <class Run>
int check_session(word session) {
    int sets = 0;
    if (is_library_null<Run, object::session>(session))
        return raise<Run>(Run::mpi_ERR_SESSION);
    return library<Run>.Session_get_num_psets(session, library_null<Run, object::info>(), &sets);
}

template <class Run>
int Session_attach_buffer_c(word session, void* address, std::int64_t size) {
    if (const int code = check_session<Run>(session); code != 0)
        return code;
    message_buffer<Run>* made = nullptr;
    if (const int code =
            make_attached(owner::session, address, size, find_and_reference<Run>(owner::session, session), &made);
        code != 0)
        return raise<Run>({object::session, session}, code);
    made->session = static_cast<handle_of<Run, object::session>>(session);
    add(made);
    return 0;
}

template <class Run>
int Session_detach_buffer_c(word session, void* address, std::int64_t* size) {
    if (const int code = check_session<Run>(session); code != 0)
        return code;
    if (address == nullptr || size == nullptr)
        return raise<Run>({object::session, session}, Run::mpi_ERR_ARG);
    message_buffer<Run>* const buffer = find_and_reference<Run>(owner::session, session);
    describe(buffer, address, size);
    detach_and_drop(buffer);
    return 0;
}

template <class Run>
int Session_flush_buffer(word session) {
    if (const int code = check_session<Run>(session); code != 0)
        return code;
    end_flush(find_and_reference<Run>(owner::session, session));
    return 0;
}

template <class Run>
int Session_iflush_buffer(word session, request_of<Run>* request) {
    if (const int code = check_session<Run>(session); code != 0)
        return code;
    const int code = begin_flush<Run>(find_and_reference<Run>(owner::session, session), request);
    return code != 0 ? raise<Run>({object::session, session}, code) : 0;
}

// ---- the small forms ----

/// Runs the large form of a detach function for a small form, and stores the size, limited to INT_MAX.
template <class Detach>
int detach_small(int* size, const Detach& detach) {
    std::int64_t large = 0;
    const int code = detach(size != nullptr ? &large : nullptr);
    if (code == 0)
        *size = clamped(large);
    return code;
}

template <class Run>
int Comm_attach_buffer(word comm, void* address, int size) {
    return Comm_attach_buffer_c<Run>(comm, address, size);
}
template <class Run>
int Comm_detach_buffer(word comm, void* address, int* size) {
    return detach_small(size, [&](auto* large) { return Comm_detach_buffer_c<Run>(comm, address, large); });
}
template <class Run>
int Session_attach_buffer(word session, void* address, int size) {
    return Session_attach_buffer_c<Run>(session, address, size);
}
template <class Run>
int Session_detach_buffer(word session, void* address, int* size) {
    return detach_small(size, [&](auto* large) { return Session_detach_buffer_c<Run>(session, address, large); });
}

} // namespace anympi::emulate
