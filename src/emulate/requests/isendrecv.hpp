#pragma once

#include "emulate/engine/compound_progress.hpp"

namespace anympi::emulate {

/// Begins a send and a receive as one operation with the receive's status. `send` begins the send.
template <class Run, class Send>
int begin_send_and_receive(compound<Run>* operation, void* recvbuf, int recvcount, word recvtype, int source,
                           int recvtag, word comm, request_of<Run>* request, Send send) {
    auto* const children = operation->children;
    operation->status_from = 0;
    int code = library<Run>.Irecv(recvbuf, recvcount, recvtype, source, recvtag, comm, &children[0]);
    if (code == 0 && (code = send(&children[1])) != 0)
        library<Run>.Cancel(&children[0]); // destroy() frees it, and the runtime completes it
    if (code != 0)
        destroy<Run>(*operation);
    else
        publish<Run>(operation, request);
    return code;
}

template <class Run>
int Isendrecv(const void* sendbuf, int sendcount, word sendtype, int dest, int sendtag, void* recvbuf, int recvcount,
              word recvtype, int source, int recvtag, word comm, request_of<Run>* request) {
    if (request == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_ARG);
    auto* const operation = make<Run, compound>(2);
    if (operation == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_NO_MEM);
    return begin_send_and_receive<Run>(
        operation, recvbuf, recvcount, recvtype, source, recvtag, comm, request, [=](request_of<Run>* child) {
            return library<Run>.Isend(sendbuf, sendcount, sendtype, dest, sendtag, comm, child);
        });
}

/// Packs the data to be sent first, so that the receive may write into the buffer at once.
template <class Run>
int Isendrecv_replace(void* buf, int count, word datatype, int dest, int sendtag, int source, int recvtag, word comm,
                      request_of<Run>* request) {
    if (request == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_ARG);
    std::int64_t size = 0; // may not fit into an int
    if (const int code = library<Run>.Pack_size_c(count, datatype, comm, &size); code != 0)
        return code;
    auto* const operation = make<Run, compound>(2);
    void* const copy = allocate_request_memory(static_cast<std::size_t>(size));
    if (operation == nullptr || copy == nullptr) {
        std::free(operation);
        free_request_memory(copy);
        return raise<Run>(comm, Run::mpi_ERR_NO_MEM);
    }
    attach_memory<Run>(*operation, copy);
    std::int64_t packed = 0;
    if (const int code = library<Run>.Pack_c(buf, count, datatype, copy, size, &packed, comm); code != 0) {
        destroy<Run>(*operation);
        return code;
    }
    return begin_send_and_receive<Run>(
        operation, buf, count, datatype, source, recvtag, comm, request, [=](request_of<Run>* child) {
            return library<Run>.Isend_c(copy, packed, predefined<Run>(standard::mpi_PACKED), dest, sendtag, comm,
                                        child);
        });
}

} // namespace anympi::emulate
