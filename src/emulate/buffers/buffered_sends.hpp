#pragma once

#include "emulate/buffers/buffers.hpp"
#include "emulate/large_counts/pieces.hpp"

namespace anympi::emulate {

// Overrides for MPI_Bsend and related functions that use the buffers of buffers.hpp.
namespace with_buffers {

/// Sends a message through a buffer. A message to MPI_PROC_NULL needs no buffer and goes to the runtime.
template <class Run>
int Bsend_c(const void* data, std::int64_t count, word type, int dest, int tag, word comm) {
    if (dest == Run::mpi_PROC_NULL)
        return library<Run>.Send_c(data, count, type, dest, tag, comm);
    std::int64_t size = 0;
    message_buffer<Run>* buffer = nullptr;
    int code = library<Run>.Pack_size_c(count, type, comm, &size);
    if (code == 0)
        code = find_for_message_and_reference<Run>(comm, &buffer);
    if (code != 0)
        return code;
    if (buffer == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_BUFFER);
    code = send_through<Run>(*buffer, data, count, type, size, dest, tag, comm);
    drop(buffer);
    return code;
}
template <class Run>
int Bsend(const void* data, int count, word type, int dest, int tag, word comm) {
    return Bsend_c<Run>(data, count, type, dest, tag, comm);
}

/// Sends the message at once. The request is a completed request of the runtime that does nothing.
template <class Run>
int Ibsend_c(const void* data, std::int64_t count, word type, int dest, int tag, word comm, request_of<Run>* request) {
    if (request == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_ARG);
    if (const int code = Bsend_c<Run>(data, count, type, dest, tag, comm); code != 0)
        return code;
    return library<Run>.Isend(nullptr, 0, predefined<Run>(standard::mpi_BYTE), Run::mpi_PROC_NULL, 0, comm, request);
}
template <class Run>
int Ibsend(const void* data, int count, word type, int dest, int tag, word comm, request_of<Run>* request) {
    return Ibsend_c<Run>(data, count, type, dest, tag, comm, request);
}

/// A persistent buffered send. Each start searches for the buffer. The child is never started: the runtime checks the
/// arguments when the child is made, and the child keeps the communicator alive.
template <class Run>
struct persistent_bsend : compound<Run> {
    const void* data;
    std::int64_t elements;
    type_of<Run> type; // a copy, because the program may free its datatype
    int dest;
    int tag;
    handle_of<Run, object::comm> comm;
};

template <class Run>
inline constexpr typename compound<Run>::behaviour persistent_bsend_behaviour = {
    .start =
        [](compound<Run>& operation) {
            const auto& send = static_cast<persistent_bsend<Run>&>(operation);
            return Bsend_c<Run>(send.data, send.elements, send.type, send.dest, send.tag, send.comm);
        },
    .finish = nullptr,
    .destroy =
        [](compound<Run>& operation) { library<Run>.Type_free(&static_cast<persistent_bsend<Run>&>(operation).type); }};

template <class Run>
int Bsend_init_c(const void* data, std::int64_t count, word type, int dest, int tag, word comm,
                 request_of<Run>* request) {
    if (request == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_ARG);
    auto* const made = make<Run, persistent_bsend>(1);
    if (made == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_NO_MEM);
    temporary_type<Run> own;
    int code = library<Run>.Send_init_c(data, count, type, dest, tag, comm, made->children);
    if (code == 0) // not Type_dup, which would copy the program's attributes
        code = library<Run>.Type_contiguous(1, type, own.out());
    if (code == 0)
        code = library<Run>.Type_commit(own.out());
    if (code != 0) {
        destroy<Run>(*made);
        return code;
    }
    made->does = &persistent_bsend_behaviour<Run>;
    made->is_persistent = true;
    made->data = data;
    made->elements = count;
    made->type = own.take();
    made->dest = dest;
    made->tag = tag;
    made->comm = static_cast<handle_of<Run, object::comm>>(comm);
    publish<Run>(made, request);
    return 0;
}
template <class Run>
int Bsend_init(const void* data, int count, word type, int dest, int tag, word comm, request_of<Run>* request) {
    return Bsend_init_c<Run>(data, count, type, dest, tag, comm, request);
}

template <class Run>
int Buffer_attach(void* address, int size) {
    return Buffer_attach_c<Run>(address, size);
}
template <class Run>
int Buffer_detach(void* address, int* size) {
    return detach_small(size, [&](auto* large) { return Buffer_detach_c<Run>(address, large); });
}

/// Detaches the session's buffer, which waits for its messages, and finalizes the session.
template <class Run>
int Session_finalize(handle_of<Run, object::session>* session) {
    if (session != nullptr)
        detach_and_drop(find_and_reference<Run>(owner::session, *session));
    return original<Session_finalize<Run>>(session);
}

/// Waits for the messages of all buffers, then finalizes MPI.
template <class Run>
int Finalize() {
    for (message_buffer<Run>* of_kind : buffers<Run>.first)
        for (message_buffer<Run>* each = of_kind; each != nullptr; each = each->next)
            wait_until_empty<Run>(*each);
    return original<Finalize<Run>>();
}

} // namespace with_buffers

} // namespace anympi::emulate
