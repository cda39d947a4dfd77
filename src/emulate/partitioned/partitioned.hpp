#pragma once

#include "emulate/engine/compound_progress.hpp"
#include "emulate/partitioned/channel.hpp"

#include <climits>

namespace anympi::emulate {

/// Partitioned communication. The whole is one persistent message. It is sent when its last partition is ready, so the
/// two sides need not know each other's partitions.
template <class Run>
struct partitioned : compound<Run> {
    word comm;
    int peer;
    int tag; // the program's tag
    int partitions;
    std::atomic<bool>* is_ready; // one flag for each partition of a send
    std::atomic<int> to_come;    // number of partitions of an active send that are not ready
    std::atomic<bool> is_begun;  // true if the message was passed to the runtime
};

template <class Run>
partitioned<Run>& as_partitioned(compound<Run>& operation) {
    return static_cast<partitioned<Run>&>(operation);
}

// ---- sends ----

/// Sends the message. `send` must not be used after is_begun is set, because a thread that waits may complete and free
/// it.
template <class Run>
int send_whole(partitioned<Run>& send) {
    const int code = start_only_child<Run>(send);
    send.code = code;
    send.is_begun.store(true, std::memory_order_release);
    return code;
}

template <class Run>
int start_send(compound<Run>& operation) {
    partitioned<Run>& send = as_partitioned<Run>(operation);
    for (int i = 0; i < send.partitions; ++i)
        send.is_ready[i].store(false, std::memory_order_relaxed);
    send.to_come.store(send.partitions, std::memory_order_relaxed);
    send.is_begun.store(false, std::memory_order_relaxed);
    return send.partitions == 0 ? send_whole<Run>(send) : 0;
}

template <class Run>
inline constexpr typename compound<Run>::behaviour partitioned_send = {
    start_send<Run>, nullptr, nullptr,
    [](compound<Run>& operation) { return as_partitioned<Run>(operation).is_begun.load(std::memory_order_acquire); }};

/// Marks a partition as ready. The last one sends the message, with the data that each thread has written before its
/// call.
template <class Run>
int make_ready(partitioned<Run>& send, int partition) {
    if (send.is_ready[partition].exchange(true, std::memory_order_relaxed))
        return raise<Run>(send.comm, Run::mpi_ERR_ARG);
    return send.to_come.fetch_sub(1, std::memory_order_acq_rel) == 1 ? send_whole<Run>(send) : 0;
}

/// Calls `each` with an active send. Reports an error for any other request.
template <class Run, class Each>
int call_with_active_send(word request, Each each) {
    compound<Run>* const operation = compound_of<Run>(static_cast<request_of<Run>>(request));
    if (operation == nullptr || operation->does != &partitioned_send<Run> || !is_active<Run>(*operation))
        return raise<Run>(Run::mpi_ERR_REQUEST);
    return each(as_partitioned<Run>(*operation));
}

template <class Run>
bool is_partition(const partitioned<Run>& operation, int number) {
    return number >= 0 && number < operation.partitions;
}

template <class Run>
int Pready_range(int partition_low, int partition_high, word request) {
    return call_with_active_send<Run>(request, [=](partitioned<Run>& send) {
        if (!is_partition<Run>(send, partition_low) || !is_partition<Run>(send, partition_high))
            return raise<Run>(send.comm, Run::mpi_ERR_ARG);
        int code = 0;
        for (int i = partition_low; i <= partition_high && code == 0; ++i)
            code = make_ready<Run>(send, i);
        return code;
    });
}

template <class Run>
int Pready(int partition, word request) {
    return Pready_range<Run>(partition, partition, request);
}

template <class Run>
int Pready_list(int length, const int* partitions, word request) {
    return call_with_active_send<Run>(request, [=](partitioned<Run>& send) {
        bool is_good = length <= 0 || partitions != nullptr;
        for (int i = 0; i < length && is_good; ++i)
            is_good = is_partition<Run>(send, partitions[i]);
        int code = is_good ? 0 : raise<Run>(send.comm, Run::mpi_ERR_ARG);
        for (int i = 0; i < length && code == 0; ++i)
            code = make_ready<Run>(send, partitions[i]);
        return code;
    });
}

// ---- receives ----

/// Sets the source and the program's tag in the status. (MPICH 3.4 has an empty status for a persistent receive from
/// MPI_PROC_NULL.)
template <class Run>
inline constexpr typename compound<Run>::behaviour partitioned_receive = {
    start_only_child<Run>, [](compound<Run>& operation, typename Run::status& status) {
        const partitioned<Run>& receive = as_partitioned<Run>(operation);
        status.source = receive.peer;
        status.tag = receive.peer == Run::mpi_PROC_NULL ? Run::mpi_ANY_TAG : receive.tag;
        return 0;
    }};

/// Sets the flag if the whole message has arrived: no partition arrives before the others.
template <class Run>
int Parrived(word request, int partition, int* flag) {
    const auto handle = static_cast<request_of<Run>>(request);
    compound<Run>* const operation = compound_of<Run>(handle);
    const bool is_receive = operation != nullptr && operation->does == &partitioned_receive<Run>;
    if (!is_receive && !is_library_null<Run, object::request>(handle))
        return raise<Run>(Run::mpi_ERR_REQUEST);
    if (flag == nullptr || (is_receive && !is_partition<Run>(as_partitioned<Run>(*operation), partition)))
        return raise<Run>(Run::mpi_ERR_ARG);
    *flag = !is_receive || advance<Run>(*operation) ? 1 : 0;
    return 0;
}

// ---- sends and receives ----

/// Allocates flags as memory of a request. Returns nullptr if memory is exhausted.
inline std::atomic<bool>* make_flags(int count) {
    auto* const flags = static_cast<std::atomic<bool>*>(allocate_request_memory(static_cast<std::size_t>(count)));
    for (int i = 0; i < count && flags != nullptr; ++i)
        new (&flags[i]) std::atomic<bool>{false};
    return flags;
}

/// Returns the error code for invalid arguments that the runtime does not see or would misinterpret, or 0.
template <class Run>
int partitioned_mistake(int partitions, std::int64_t count, int peer, std::int64_t* whole) {
    if (partitions < 0)
        return Run::mpi_ERR_ARG;
    if (count < 0 || __builtin_mul_overflow(count, partitions, whole) ||
        (*whole > INT_MAX && (library<Run>.Send_init_c == nullptr || library<Run>.Recv_init_c == nullptr)))
        return Run::mpi_ERR_COUNT;
    return peer == Run::mpi_ANY_SOURCE ? Run::mpi_ERR_RANK : 0;
}

/// Creates a partitioned operation. `init` creates the message with a count of elements and a tag.
template <class Run, class Init>
int make_partitioned(const typename compound<Run>::behaviour& does, int partitions, std::int64_t count, int peer,
                     int tag, word comm, request_of<Run>* request, Init init) {
    std::int64_t whole = 0;
    if (const int code = partitioned_mistake<Run>(partitions, count, peer, &whole); code != 0 || request == nullptr)
        return raise<Run>(comm, code != 0 ? code : Run::mpi_ERR_ARG);
    channel_number<Run> number(comm, peer, tag, &does == &partitioned_send<Run>);
    if (number.raised_code() != 0)
        return number.raised_code();
    auto* const operation = make<Run, partitioned>(1);
    auto* const flags = make_flags(partitions);
    if (operation == nullptr || flags == nullptr) {
        std::free(operation);
        free_request_memory(flags);
        return raise<Run>(comm, Run::mpi_ERR_NO_MEM);
    }
    attach_memory<Run>(*operation, flags);
    if (const int code = init(whole, number.tag(), operation->children); code != 0) {
        destroy<Run>(*operation);
        return code;
    }
    number.use();
    operation->does = &does;
    operation->is_persistent = true;
    operation->status_from = &does == &partitioned_receive<Run> ? 0 : -1;
    operation->comm = comm;
    operation->peer = peer;
    operation->tag = tag;
    operation->partitions = partitions;
    operation->is_ready = flags;
    publish<Run>(operation, request);
    return 0;
}

template <class Run>
int Psend_init(const void* buf, int partitions, std::int64_t count, word datatype, int dest, int tag, word comm, word,
               request_of<Run>* request) {
    return make_partitioned<Run>(
        partitioned_send<Run>, partitions, count, dest, tag, comm, request,
        [=](std::int64_t whole, int tag_of_channel, request_of<Run>* child) {
            return whole <= INT_MAX ? library<Run>.Send_init(buf, static_cast<int>(whole), datatype, dest,
                                                             tag_of_channel, comm, child)
                                    : library<Run>.Send_init_c(buf, whole, datatype, dest, tag_of_channel, comm, child);
        });
}

template <class Run>
int Precv_init(void* buf, int partitions, std::int64_t count, word datatype, int source, int tag, word comm, word,
               request_of<Run>* request) {
    return make_partitioned<Run>(partitioned_receive<Run>, partitions, count, source, tag, comm, request,
                                 [=](std::int64_t whole, int tag_of_channel, request_of<Run>* child) {
                                     return whole <= INT_MAX
                                                ? library<Run>.Recv_init(buf, static_cast<int>(whole), datatype, source,
                                                                         tag_of_channel, comm, child)
                                                : library<Run>.Recv_init_c(buf, whole, datatype, source, tag_of_channel,
                                                                           comm, child);
                                 });
}

} // namespace anympi::emulate
