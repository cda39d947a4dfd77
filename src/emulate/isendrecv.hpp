#pragma once

#include "emulate/completion.hpp"

namespace anympi::emulate {

/// A send and a receive; the status is the receive's.
template <class Run>
struct send_and_receive : compound<Run> {
    void* copy; ///< what is sent, where the receive overwrites it
};

template <class Run>
inline constexpr typename compound<Run>::behaviour send_and_receive_behaviour = {
    nullptr, nullptr, [](compound<Run>& operation) { std::free(static_cast<send_and_receive<Run>&>(operation).copy); }};

template <class Run>
send_and_receive<Run>* make_send_and_receive() {
    auto* const made = make<Run, send_and_receive>(2);
    if (made != nullptr) {
        made->does = &send_and_receive_behaviour<Run>;
        made->status_from = 0;
    }
    return made;
}

template <class Run>
int Isendrecv(const void* sendbuf, int sendcount, word sendtype, int dest, int sendtag, void* recvbuf, int recvcount,
              word recvtype, int source, int recvtag, word comm, request_of<Run>* request) {
    if (request == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_ARG);
    auto* const operation = make_send_and_receive<Run>();
    if (operation == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_NO_MEM);
    auto* const children = operation->children;
    int code = library<Run>.Irecv(recvbuf, recvcount, recvtype, source, recvtag, comm, &children[0]);
    if (code == 0)
        code = library<Run>.Isend(sendbuf, sendcount, sendtype, dest, sendtag, comm, &children[1]);
    if (code != 0) {
        abandon<Run>(operation);
        return code;
    }
    publish<Run>(operation, request);
    return 0;
}

/// What is sent is packed first, so that the receive may write into the buffer at once.
template <class Run>
int Isendrecv_replace(void* buf, int count, word datatype, int dest, int sendtag, int source, int recvtag, word comm,
                      request_of<Run>* request) {
    if (request == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_ARG);
    int size = 0;
    if (const int code = library<Run>.Pack_size(count, datatype, comm, &size); code != 0)
        return code;
    auto* const operation = make_send_and_receive<Run>();
    if (operation == nullptr || (operation->copy = std::malloc(static_cast<std::size_t>(size) + 1)) == nullptr) {
        std::free(operation);
        return raise<Run>(comm, Run::mpi_ERR_NO_MEM);
    }
    auto* const children = operation->children;
    int packed = 0;
    int code = library<Run>.Pack(buf, count, datatype, operation->copy, size, &packed, comm);
    if (code == 0)
        code = library<Run>.Irecv(buf, count, datatype, source, recvtag, comm, &children[0]);
    if (code == 0)
        code = library<Run>.Isend(operation->copy, packed, predefined<Run>(standard::mpi_PACKED), dest, sendtag, comm,
                                  &children[1]);
    if (code != 0) {
        abandon<Run>(operation);
        return code;
    }
    publish<Run>(operation, request);
    return 0;
}

} // namespace anympi::emulate
