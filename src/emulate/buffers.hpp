#pragma once

#include "convert/attribute.hpp"
#include "emulate/completion.hpp"
#include "emulate/narrow.hpp"

#include <algorithm>

namespace anympi::emulate {

/// Buffers for MPI_Bsend on runtimes that know the buffer of the process alone (MPI 4.1 has buffers of communicators
/// and sessions, and those that MPI provides itself).
///
/// A message through such a buffer is copied into memory of ours and sent from there; of the program's memory only the
/// size is used. So the messages of a buffer can be waited for without those of others, and nothing waits when one is
/// attached. The buffer of the process stays the runtime's, with all that it does well.

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
    std::atomic<int> references;             ///< that it is attached, and flushes that are not complete
    void* address;                           ///< the program's
    std::int64_t size;
    lock guard;
    std::int64_t used; ///< by messages that are not gone
    buffered_message<Run>* messages;
    message_buffer* next;

    bool is_automatic() const { return address == address_of<void*>(Run::mpi_BUFFER_AUTOMATIC); }
};

/// Less than every program's MPI_BSEND_OVERHEAD, so what a program computes is enough.
inline constexpr std::int64_t overhead_of_message = 32;

template <class Run>
struct buffer_state {
    lock guard;
    std::atomic<bool> are_used{false}; ///< not until the program has attached one: plain MPI_Bsend pays nothing
    int keyval;                        ///< for those of communicators
    message_buffer<Run>* first;        ///< of all that are attached, but for the runtime's

    // the buffer of the process that is attached to the runtime; nullptr: none
    void* address;
    std::int64_t size;
};
template <class Run>
inline buffer_state<Run> buffers{};

/// The functions that know the buffer of the process alone.
template <class Run>
inline functions<Run> buffered_by_runtime{};

// ---- one buffer ----

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
void give_back(message_buffer<Run>& buffer, buffered_message<Run>* message) {
    {
        const locked hold(buffer.guard);
        buffer.used -= message->size;
    }
    std::free(message);
}

template <class Run>
void keep(message_buffer<Run>& buffer, buffered_message<Run>* message) {
    const locked hold(buffer.guard);
    message->next = buffer.messages;
    buffer.messages = message;
}

/// Gives up the messages that are gone. Whether none is left.
template <class Run>
bool is_empty(message_buffer<Run>& buffer) {
    buffered_message<Run>* list = nullptr;
    {
        const locked hold(buffer.guard);
        std::swap(list, buffer.messages);
    }
    while (list != nullptr) {
        buffered_message<Run>* const message = list;
        list = message->next;
        int is_gone = 0;
        const int code = library<Run>.Test(&message->request, &is_gone, no_status<Run>());
        if (code != 0 || is_gone != 0)
            give_back<Run>(buffer, message);
        else
            keep<Run>(buffer, message);
    }
    const locked hold(buffer.guard);
    return buffer.used == 0;
}

template <class Run>
void wait_until_empty(message_buffer<Run>& buffer) {
    while (!is_empty<Run>(buffer))
        sched_yield();
}

template <class Run>
void drop(message_buffer<Run>* buffer) {
    if (buffer->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
        std::free(buffer);
}

/// Room for a message in a buffer; nullptr: it is full.
template <class Run>
buffered_message<Run>* take_room(message_buffer<Run>& buffer, std::int64_t bytes) {
    is_empty<Run>(buffer);
    const std::int64_t size = bytes + overhead_of_message;
    const locked hold(buffer.guard);
    if (!buffer.is_automatic() && size > buffer.size - buffer.used)
        return nullptr;
    const std::size_t room = sizeof(buffered_message<Run>) + static_cast<std::size_t>(bytes);
    auto* const message = static_cast<buffered_message<Run>*>(std::malloc(room));
    if (message != nullptr) {
        message->size = size;
        buffer.used += size;
    }
    return message;
}

/// A message of more than INT_MAX bytes finds no room.
template <class Run>
int send_through(message_buffer<Run>& buffer, const void* data, std::int64_t count, word type, int dest, int tag,
                 word comm) {
    std::int64_t size = 0;
    if (const int code = library<Run>.Pack_size_c(count, type, comm, &size); code != 0)
        return code;
    if (dest == Run::mpi_PROC_NULL)
        return 0; // needs no room
    buffered_message<Run>* const message = size <= INT_MAX ? take_room<Run>(buffer, size) : nullptr;
    if (message == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_BUFFER);
    std::int64_t packed = 0;
    int code = library<Run>.Pack_c(data, count, type, message->data(), size, &packed, comm);
    if (code == 0)
        code = library<Run>.Isend(message->data(), static_cast<int>(packed), predefined<Run>(standard::mpi_PACKED),
                                  dest, tag, comm, &message->request);
    if (code == 0)
        keep<Run>(buffer, message);
    else
        give_back<Run>(buffer, message);
    return code;
}

// ---- all of them ----

template <class Run>
void add(message_buffer<Run>* buffer) {
    const locked hold(buffers<Run>.guard);
    buffer->next = buffers<Run>.first;
    buffers<Run>.first = buffer;
}

/// No new message comes through it; those that are on their way are waited for.
template <class Run>
void detach(message_buffer<Run>* buffer) {
    {
        const locked hold(buffers<Run>.guard);
        message_buffer<Run>** place = &buffers<Run>.first;
        while (*place != buffer)
            place = &(*place)->next;
        *place = buffer->next;
    }
    wait_until_empty<Run>(*buffer);
    drop(buffer);
}

/// Of the process or of a session; of any session, if it is the null one. nullptr: none. The guard is held.
template <class Run>
message_buffer<Run>* find(owner of, handle_of<Run, object::session> session = {}) {
    message_buffer<Run>* found = buffers<Run>.first;
    while (found != nullptr && (found->of != of || (session != 0 && found->session != session)))
        found = found->next;
    return found;
}
template <class Run>
message_buffer<Run>* find_and_hold(owner of, word session = 0) {
    const locked hold(buffers<Run>.guard);
    message_buffer<Run>* const found = find<Run>(of, static_cast<handle_of<Run, object::session>>(session));
    if (found != nullptr)
        found->references.fetch_add(1, std::memory_order_relaxed);
    return found;
}

template <class Run>
int delete_buffer_of_comm(handle_of<Run, object::comm>, int, void* value, void*) {
    detach(static_cast<message_buffer<Run>*>(value));
    return 0;
}

template <class Run>
int use_buffers() {
    buffer_state<Run>& all = buffers<Run>;
    const locked hold(all.guard);
    if (all.are_used.load(std::memory_order_relaxed))
        return 0;
    const int code =
        library<Run>.Comm_create_keyval(predefined_functions<Run, object::comm>.null_copy,
                                        reinterpret_cast<void*>(delete_buffer_of_comm<Run>), &all.keyval, nullptr);
    if (code == 0)
        all.are_used.store(true, std::memory_order_release);
    return code;
}

/// nullptr in `found`: none.
template <class Run>
int find_of_comm(word comm, message_buffer<Run>** found) {
    *found = nullptr;
    if (!buffers<Run>.are_used.load(std::memory_order_acquire))
        return 0;
    void* value = nullptr;
    int is_there = 0;
    const int code = library<Run>.Comm_get_attr(comm, buffers<Run>.keyval, &value, &is_there);
    if (code == 0 && is_there != 0)
        *found = static_cast<message_buffer<Run>*>(value);
    return code;
}

/// The one for a message: the communicator's own, else the process's, else a session's. To which session a communicator
/// belongs nobody can ask, and a program sees no difference. nullptr: the runtime's.
template <class Run>
int find_for_message(word comm, message_buffer<Run>** found) {
    if (const int code = find_of_comm<Run>(comm, found); code != 0 || *found != nullptr)
        return code;
    const locked hold(buffers<Run>.guard);
    if (buffers<Run>.address == nullptr)
        *found = find<Run>(owner::process);
    if (buffers<Run>.address == nullptr && *found == nullptr)
        *found = find<Run>(owner::session);
    return 0;
}

// ---- sending ----

/// nullptr in `found`: the runtime's.
template <class Run>
int buffer_for(word comm, message_buffer<Run>** found) {
    *found = nullptr;
    return buffers<Run>.are_used.load(std::memory_order_relaxed) ? find_for_message<Run>(comm, found) : 0;
}

/// Calls `otherwise` if the runtime's buffer is to be used.
template <class Run, class Otherwise>
int send_buffered(const void* data, std::int64_t count, word type, int dest, int tag, word comm,
                  const Otherwise& otherwise) {
    message_buffer<Run>* buffer = nullptr;
    if (const int code = buffer_for<Run>(comm, &buffer); code != 0)
        return code;
    return buffer != nullptr ? send_through<Run>(*buffer, data, count, type, dest, tag, comm) : otherwise();
}

/// The same with a request, which has completed: one of the runtime's that does nothing.
template <class Run, class Otherwise>
int begin_buffered(const void* data, std::int64_t count, word type, int dest, int tag, word comm,
                   request_of<Run>* request, const Otherwise& otherwise) {
    message_buffer<Run>* buffer = nullptr;
    if (const int code = buffer_for<Run>(comm, &buffer); code != 0)
        return code;
    if (buffer == nullptr || request == nullptr)
        return otherwise();
    if (const int code = send_through<Run>(*buffer, data, count, type, dest, tag, comm); code != 0)
        return code;
    return library<Run>.Isend(nullptr, 0, predefined<Run>(standard::mpi_BYTE), Run::mpi_PROC_NULL, 0, comm, request);
}

/// A persistent buffered send: the buffer is looked for each time.
template <class Run>
struct persistent_bsend : compound<Run> {
    const void* data;
    std::int64_t elements;
    type_of<Run> type; ///< our own: the program may free its handle
    int dest;
    int tag;
    handle_of<Run, object::comm> comm;
};

template <class Run>
inline constexpr typename compound<Run>::behaviour persistent_bsend_behaviour = {
    .start =
        [](compound<Run>& operation) {
            const auto& send = static_cast<persistent_bsend<Run>&>(operation);
            return library<Run>.Bsend_c(send.data, send.elements, send.type, send.dest, send.tag, send.comm);
        },
    .finish = nullptr,
    .destroy =
        [](compound<Run>& operation) { library<Run>.Type_free(&static_cast<persistent_bsend<Run>&>(operation).type); }};

template <class Run>
int init_bsend(const void* data, std::int64_t count, word type, int dest, int tag, word comm,
               request_of<Run>* request) {
    if (request == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_ARG);
    auto* const made = make<Run, persistent_bsend>(0);
    if (made == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_NO_MEM);
    made->does = &persistent_bsend_behaviour<Run>;
    made->is_persistent = true;
    made->data = data;
    made->elements = count;
    made->dest = dest;
    made->tag = tag;
    made->comm = static_cast<handle_of<Run, object::comm>>(comm);
    int code = library<Run>.Type_contiguous(1, type, &made->type); // a duplicate would copy the program's attributes
    if (code == 0)
        code = library<Run>.Type_commit(&made->type);
    if (code != 0) {
        std::free(made);
        return code;
    }
    publish<Run>(made, request);
    return 0;
}

namespace with_buffers {

template <class Run>
int Bsend(const void* data, int count, word type, int dest, int tag, word comm) {
    return send_buffered<Run>(data, count, type, dest, tag, comm,
                              [&] { return buffered_by_runtime<Run>.Bsend(data, count, type, dest, tag, comm); });
}
template <class Run>
int Bsend_c(const void* data, std::int64_t count, word type, int dest, int tag, word comm) {
    return send_buffered<Run>(data, count, type, dest, tag, comm,
                              [&] { return buffered_by_runtime<Run>.Bsend_c(data, count, type, dest, tag, comm); });
}

template <class Run>
int Ibsend(const void* data, int count, word type, int dest, int tag, word comm, request_of<Run>* request) {
    return begin_buffered<Run>(data, count, type, dest, tag, comm, request, [&] {
        return buffered_by_runtime<Run>.Ibsend(data, count, type, dest, tag, comm, request);
    });
}
template <class Run>
int Ibsend_c(const void* data, std::int64_t count, word type, int dest, int tag, word comm, request_of<Run>* request) {
    return begin_buffered<Run>(data, count, type, dest, tag, comm, request, [&] {
        return buffered_by_runtime<Run>.Ibsend_c(data, count, type, dest, tag, comm, request);
    });
}

template <class Run>
int Bsend_init(const void* data, int count, word type, int dest, int tag, word comm, request_of<Run>* request) {
    return buffers<Run>.are_used.load(std::memory_order_relaxed)
               ? init_bsend<Run>(data, count, type, dest, tag, comm, request)
               : buffered_by_runtime<Run>.Bsend_init(data, count, type, dest, tag, comm, request);
}
template <class Run>
int Bsend_init_c(const void* data, std::int64_t count, word type, int dest, int tag, word comm,
                 request_of<Run>* request) {
    return buffers<Run>.are_used.load(std::memory_order_relaxed)
               ? init_bsend<Run>(data, count, type, dest, tag, comm, request)
               : buffered_by_runtime<Run>.Bsend_init_c(data, count, type, dest, tag, comm, request);
}

} // namespace with_buffers

// ---- the buffer of the process ----

/// The program's own: of a message MPICH needs 96 bytes and Open MPI less than 32 besides the data, no more than any
/// program counts with. Of more than INT_MAX bytes the runtime gets the first INT_MAX.
template <class Run>
int attach_to_runtime(void* address, std::int64_t size) {
    if (const int code = buffered_by_runtime<Run>.Buffer_attach(address, clamped(size)); code != 0)
        return code;
    const locked hold(buffers<Run>.guard);
    buffers<Run>.address = address;
    buffers<Run>.size = size;
    return 0;
}

template <class Run>
int attach_automatic() {
    if (const int code = use_buffers<Run>(); code != 0)
        return code;
    void* const automatic = address_of<void*>(Run::mpi_BUFFER_AUTOMATIC);
    message_buffer<Run>* const made = make_buffer<Run>(owner::process, automatic, 0);
    if (made == nullptr)
        return raise<Run>(Run::mpi_ERR_NO_MEM);
    add(made);
    return 0;
}

template <class Run>
bool has_process_buffer() {
    const locked hold(buffers<Run>.guard);
    return buffers<Run>.address != nullptr || find<Run>(owner::process) != nullptr;
}

template <class Run>
int Buffer_attach_c(void* address, std::int64_t size) {
    if (has_process_buffer<Run>())
        return raise<Run>(Run::mpi_ERR_BUFFER);
    const bool is_automatic = address == address_of<void*>(Run::mpi_BUFFER_AUTOMATIC);
    return is_automatic ? attach_automatic<Run>() : attach_to_runtime<Run>(address, size);
}

template <class Run>
int detach_from_runtime(void** address, std::int64_t* size) {
    int given = 0;
    if (const int code = buffered_by_runtime<Run>.Buffer_detach(address, &given); code != 0)
        return code;
    const locked hold(buffers<Run>.guard);
    *size = buffers<Run>.address != nullptr ? buffers<Run>.size : given;
    buffers<Run>.address = nullptr;
    return 0;
}

template <class Run>
int Buffer_detach_c(void* address, std::int64_t* size) {
    if (address == nullptr || size == nullptr)
        return raise<Run>(Run::mpi_ERR_ARG);
    auto** const where = static_cast<void**>(address);
    message_buffer<Run>* const buffer = find_and_hold<Run>(owner::process);
    if (buffer == nullptr)
        return detach_from_runtime<Run>(where, size);
    *where = buffer->address;
    *size = buffer->size;
    detach(buffer);
    drop(buffer);
    return 0;
}

/// The runtime can be made to wait for its messages by taking its buffer away. Threads that send meanwhile are told
/// that there is none.
template <class Run>
int flush_runtime() {
    void* memory = nullptr;
    int size = 0;
    {
        const locked hold(buffers<Run>.guard);
        if (buffers<Run>.address == nullptr)
            return 0;
    }
    const int code = buffered_by_runtime<Run>.Buffer_detach(&memory, &size);
    return code != 0 ? code : buffered_by_runtime<Run>.Buffer_attach(memory, size);
}

// ---- flushing without waiting ----

/// There is nothing to begin, but messages to wait for. Whether the runtime's own are gone cannot be asked without
/// waiting: that is done when the program asks, since the runtime needs no help of ours to send them.
template <class Run>
struct flush : compound<Run> {
    message_buffer<Run>* buffer; ///< nullptr: none, or the runtime's
    bool is_of_process;
};

template <class Run>
inline constexpr typename compound<Run>::behaviour flush_behaviour = {
    .start = nullptr,
    .finish =
        [](compound<Run>& operation, typename Run::status&) {
            const auto& flushed = static_cast<flush<Run>&>(operation);
            return flushed.buffer == nullptr && flushed.is_of_process ? flush_runtime<Run>() : 0;
        },
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

/// Takes over a reference to the buffer. The codes: no error handler was told.
template <class Run>
int begin_flush(message_buffer<Run>* buffer, bool is_of_process, request_of<Run>* request) {
    auto* const made = request != nullptr ? make<Run, flush>(0) : nullptr;
    if (made == nullptr) {
        if (buffer != nullptr)
            drop(buffer);
        return request == nullptr ? Run::mpi_ERR_ARG : Run::mpi_ERR_NO_MEM;
    }
    made->does = &flush_behaviour<Run>;
    made->buffer = buffer;
    made->is_of_process = is_of_process;
    publish<Run>(made, request);
    return 0;
}

/// Takes over a reference to the buffer, which may be none.
template <class Run>
void end_flush(message_buffer<Run>* buffer) {
    if (buffer == nullptr)
        return;
    wait_until_empty<Run>(*buffer);
    drop(buffer);
}

template <class Run>
int Buffer_flush() {
    message_buffer<Run>* const buffer = find_and_hold<Run>(owner::process);
    end_flush(buffer);
    return buffer == nullptr ? flush_runtime<Run>() : 0;
}

template <class Run>
int Buffer_iflush(request_of<Run>* request) {
    const int code = begin_flush<Run>(find_and_hold<Run>(owner::process), true, request);
    return code != 0 ? raise<Run>(code) : 0;
}

// ---- those of communicators ----

template <class Run>
int Comm_attach_buffer_c(word comm, void* address, std::int64_t size) {
    message_buffer<Run>* buffer = nullptr;
    int code = use_buffers<Run>();
    if (code == 0)
        code = find_of_comm<Run>(comm, &buffer);
    if (code != 0)
        return code;
    if (address == nullptr || size < 0)
        return raise<Run>(comm, Run::mpi_ERR_ARG);
    if (buffer != nullptr)
        return raise<Run>(comm, Run::mpi_ERR_BUFFER);
    buffer = make_buffer<Run>(owner::comm, address, size);
    if (buffer == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_NO_MEM);
    add(buffer);
    code = library<Run>.Comm_set_attr(comm, buffers<Run>.keyval, buffer);
    if (code != 0)
        detach(buffer);
    return code;
}

template <class Run>
int Comm_detach_buffer_c(word comm, void* address, std::int64_t* size) {
    message_buffer<Run>* buffer = nullptr;
    if (const int code = find_of_comm<Run>(comm, &buffer); code != 0)
        return code;
    if (address == nullptr || size == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_ARG);
    *static_cast<void**>(address) = buffer != nullptr ? buffer->address : nullptr;
    *size = buffer != nullptr ? buffer->size : 0;
    return buffer != nullptr ? library<Run>.Comm_delete_attr(comm, buffers<Run>.keyval) : 0;
}

/// nullptr in `found`: none.
template <class Run>
int hold_of_comm(word comm, message_buffer<Run>** found) {
    const int code = find_of_comm<Run>(comm, found);
    if (code == 0 && *found != nullptr)
        (*found)->references.fetch_add(1, std::memory_order_relaxed);
    return code;
}

template <class Run>
int Comm_flush_buffer(word comm) {
    message_buffer<Run>* buffer = nullptr;
    const int code = hold_of_comm<Run>(comm, &buffer);
    end_flush(buffer);
    return code;
}

template <class Run>
int Comm_iflush_buffer(word comm, request_of<Run>* request) {
    message_buffer<Run>* buffer = nullptr;
    if (const int code = hold_of_comm<Run>(comm, &buffer); code != 0)
        return code;
    const int code = begin_flush<Run>(buffer, false, request);
    return code != 0 ? raise<Run>(comm, code) : 0;
}

// ---- those of sessions ----

template <class Run>
int raise_in_session(word session, int code) {
    library<Run>.Session_call_errhandler(session, code);
    return code;
}

template <class Run>
int Session_attach_buffer_c(word session, void* address, std::int64_t size) {
    if (const int code = use_buffers<Run>(); code != 0)
        return code;
    if (address == nullptr || size < 0)
        return raise_in_session<Run>(session, Run::mpi_ERR_ARG);
    if (message_buffer<Run>* const other = find_and_hold<Run>(owner::session, session)) {
        drop(other);
        return raise_in_session<Run>(session, Run::mpi_ERR_BUFFER);
    }
    message_buffer<Run>* const buffer = make_buffer<Run>(owner::session, address, size);
    if (buffer == nullptr)
        return raise_in_session<Run>(session, Run::mpi_ERR_NO_MEM);
    buffer->session = static_cast<handle_of<Run, object::session>>(session);
    add(buffer);
    return 0;
}

template <class Run>
int Session_detach_buffer_c(word session, void* address, std::int64_t* size) {
    if (address == nullptr || size == nullptr)
        return raise_in_session<Run>(session, Run::mpi_ERR_ARG);
    message_buffer<Run>* const buffer = find_and_hold<Run>(owner::session, session);
    *static_cast<void**>(address) = buffer != nullptr ? buffer->address : nullptr;
    *size = buffer != nullptr ? buffer->size : 0;
    if (buffer != nullptr) {
        detach(buffer);
        drop(buffer);
    }
    return 0;
}

template <class Run>
int Session_flush_buffer(word session) {
    end_flush(find_and_hold<Run>(owner::session, session));
    return 0;
}

template <class Run>
int Session_iflush_buffer(word session, request_of<Run>* request) {
    const int code = begin_flush<Run>(find_and_hold<Run>(owner::session, session), false, request);
    return code != 0 ? raise_in_session<Run>(session, code) : 0;
}

// ---- the small forms ----

/// What a small form of detaching gives: the size as far as an int goes.
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

// ---- in the places of the runtime's functions ----

namespace with_buffers {

template <class Run>
int Buffer_attach(void* address, int size) {
    return Buffer_attach_c<Run>(address, size);
}
template <class Run>
int Buffer_detach(void* address, int* size) {
    return detach_small(size, [&](auto* large) { return Buffer_detach_c<Run>(address, large); });
}

/// All are detached, which waits for their messages.
template <class Run>
int Finalize() {
    for (message_buffer<Run>* each = buffers<Run>.first; each != nullptr; each = each->next)
        wait_until_empty<Run>(*each);
    return buffered_by_runtime<Run>.Finalize();
}

} // namespace with_buffers

/// When the runtime is bound, and lacks the buffers of MPI 4.1.
template <class Run>
void take_over_buffers() {
    functions<Run>& all = library<Run>;
    buffered_by_runtime<Run> = all;
    sentinels_of<Run>.has_automatic_buffers = true;
    all.Bsend = with_buffers::Bsend<Run>;
    all.Bsend_c = with_buffers::Bsend_c<Run>;
    all.Ibsend = with_buffers::Ibsend<Run>;
    all.Ibsend_c = with_buffers::Ibsend_c<Run>;
    all.Bsend_init = with_buffers::Bsend_init<Run>;
    all.Bsend_init_c = with_buffers::Bsend_init_c<Run>;
    all.Buffer_attach = with_buffers::Buffer_attach<Run>;
    all.Buffer_attach_c = Buffer_attach_c<Run>;
    all.Buffer_detach = with_buffers::Buffer_detach<Run>;
    all.Buffer_detach_c = Buffer_detach_c<Run>;
    all.Finalize = with_buffers::Finalize<Run>;
}

} // namespace anympi::emulate
