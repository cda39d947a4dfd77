#pragma once

#include "bridge/report_no_memory.hpp"
#include "convert/crossings.hpp"
#include "convert/peers.hpp"
#include "emulate/engine/request_memory.hpp"

#include <cstdlib>

namespace anympi::bridge {

// The all-to-all functions with one datatype per peer. Their arrays of datatypes are as long as the communicator or its
// neighbourhood. Nonblocking and persistent operations read the arrays until the operation ends.

/// Memory that is freed at the end of the call.
struct own_memory {
    static void* allocate(std::size_t size) { return std::malloc(size); }
    static void free(void* memory) { std::free(memory); }
};
/// Memory that is freed with the request.
struct pending_memory {
    static void* allocate(std::size_t size) { return emulate::allocate_request_memory(size); }
    static void free(void* memory) { emulate::free_request_memory(memory); }
};

/// Converted copies of both arrays of datatypes, in one block of memory.
template <class P, class Memory>
class type_arrays {
    using program_type = app_handle<P, object::datatype>;
    using run_type = run_handle<P, object::datatype>;

public:
    type_arrays(const program_type* send, const program_type* receive, block_counts blocks, bool in_place)
        : first(static_cast<run_type*>(
              Memory::allocate(sizeof(run_type) * static_cast<std::size_t>(blocks.send + blocks.receive) + 1))) {
        if (first == nullptr)
            return;
        if (send != nullptr && !in_place)
            send_types = convert(send, first, blocks.send);
        if (receive == send && blocks.receive == blocks.send && send_types != nullptr)
            receive_types = send_types; // the runtime may compare the arrays to detect aliased arguments
        else if (receive != nullptr)
            receive_types = convert(receive, first + blocks.send, blocks.receive);
    }
    ~type_arrays() { Memory::free(first); }
    type_arrays(const type_arrays&) = delete;
    type_arrays& operator=(const type_arrays&) = delete;

    bool lacks_memory() const { return first == nullptr; }

    /// Returns the memory. The caller must free it.
    void* give_away() {
        void* const block = first;
        first = nullptr;
        return block;
    }

    const run_type* send_types = nullptr;
    const run_type* receive_types = nullptr;

private:
    static const run_type* convert(const program_type* from, run_type* to, int count) {
        for (int i = 0; i < count; ++i)
            to[i] = static_cast<run_type>(to_run<P, object::datatype>(from[i]));
        return to;
    }

    run_type* first;
};

/// Runs a blocking call. The converted arrays live until the end of the call. Returns the converted error code.
template <class P, class Count, class Call>
int exchange_typed(Count count, Call call, const void* sendbuf, const app_handle<P, object::datatype>* sendtypes,
                   const app_handle<P, object::datatype>* recvtypes, app_handle<P, object::comm> comm) {
    block_counts blocks;
    const word comm_ = to_run<P, object::comm>(comm);
    if (const int code = count(comm_, blocks); code != 0)
        return error_to_app<P>(code);
    type_arrays<P, own_memory> types(sendtypes, recvtypes, blocks, is_in_place<typename P::app>(sendbuf));
    if (types.lacks_memory())
        return report_no_memory<P>();
    return error_to_app<P>(call(types.send_types, types.receive_types, comm_));
}

/// Starts a nonblocking or persistent operation. The converted arrays live until the operation has completed or its
/// request is freed. Returns the converted error code.
template <class P, class Count, class Call>
int start_typed(bool is_persistent, Count count, Call call, const void* sendbuf,
                const app_handle<P, object::datatype>* sendtypes, const app_handle<P, object::datatype>* recvtypes,
                app_handle<P, object::comm> comm, app_handle<P, object::request>* request) {
    block_counts blocks;
    const word comm_ = to_run<P, object::comm>(comm);
    if (const int code = count(comm_, blocks); code != 0)
        return error_to_app<P>(code);
    type_arrays<P, pending_memory> types(sendtypes, recvtypes, blocks, is_in_place<typename P::app>(sendbuf));
    emulate::request_memory<typename P::run> memory;
    if (types.lacks_memory() || memory.lacks_memory())
        return report_no_memory<P>();
    handle_out<P, object::request> request_{request};
    request_.clear();
    if (const int code = call(types.send_types, types.receive_types, comm_, request_.argument()); code != 0)
        return finish_failed_call<P>(code, request_);
    if (request_.is_made())
        memory.attach(request_.argument(), is_persistent, types.give_away());
    request_.finish();
    return 0;
}

// The function bodies below differ in the runtime's function, in the types of counts and displacements, and in the
// function that counts the blocks.

template <class P, class Counts, class Displacements, class Function, class Count>
int alltoallw_blocking(Function function, Count count, const void* sendbuf, const Counts* sendcounts,
                       const Displacements* sdispls, const app_handle<P, object::datatype>* sendtypes, void* recvbuf,
                       const Counts* recvcounts, const Displacements* rdispls,
                       const app_handle<P, object::datatype>* recvtypes, app_handle<P, object::comm> comm) {
    const auto call = [=](auto send_types, auto receive_types, word comm_) {
        return function(in_place_to_run<P>(sendbuf), sendcounts, sdispls, send_types, in_place_to_run<P>(recvbuf),
                        recvcounts, rdispls, receive_types, comm_);
    };
    return exchange_typed<P>(count, call, sendbuf, sendtypes, recvtypes, comm);
}

template <class P, class Counts, class Displacements, class Function, class Count>
int alltoallw_nonblocking(Function function, Count count, const void* sendbuf, const Counts* sendcounts,
                          const Displacements* sdispls, const app_handle<P, object::datatype>* sendtypes, void* recvbuf,
                          const Counts* recvcounts, const Displacements* rdispls,
                          const app_handle<P, object::datatype>* recvtypes, app_handle<P, object::comm> comm,
                          app_handle<P, object::request>* request) {
    const auto call = [=](auto send_types, auto receive_types, word comm_, auto request_) {
        return function(in_place_to_run<P>(sendbuf), sendcounts, sdispls, send_types, in_place_to_run<P>(recvbuf),
                        recvcounts, rdispls, receive_types, comm_, request_);
    };
    return start_typed<P>(false, count, call, sendbuf, sendtypes, recvtypes, comm, request);
}

template <class P, class Counts, class Displacements, class Function, class Count>
int alltoallw_persistent(Function function, Count count, const void* sendbuf, const Counts* sendcounts,
                         const Displacements* sdispls, const app_handle<P, object::datatype>* sendtypes, void* recvbuf,
                         const Counts* recvcounts, const Displacements* rdispls,
                         const app_handle<P, object::datatype>* recvtypes, app_handle<P, object::comm> comm,
                         app_handle<P, object::info> info, app_handle<P, object::request>* request) {
    const auto call = [=](auto send_types, auto receive_types, word comm_, auto request_) {
        return function(in_place_to_run<P>(sendbuf), sendcounts, sdispls, send_types, in_place_to_run<P>(recvbuf),
                        recvcounts, rdispls, receive_types, comm_, to_run<P, object::info>(info), request_);
    };
    return start_typed<P>(true, count, call, sendbuf, sendtypes, recvtypes, comm, request);
}

template <class P>
int Alltoallw(const void* sendbuf, const int* sendcounts, const int* sdispls,
              const app_handle<P, object::datatype>* sendtypes, void* recvbuf, const int* recvcounts,
              const int* rdispls, const app_handle<P, object::datatype>* recvtypes, app_handle<P, object::comm> comm) {
    return alltoallw_blocking<P>(target<P>.Alltoallw, count_peers<typename P::run>, sendbuf, sendcounts, sdispls,
                                 sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
}

template <class P>
int Alltoallw_c(const void* sendbuf, const std::int64_t* sendcounts, const std::intptr_t* sdispls,
                const app_handle<P, object::datatype>* sendtypes, void* recvbuf, const std::int64_t* recvcounts,
                const std::intptr_t* rdispls, const app_handle<P, object::datatype>* recvtypes,
                app_handle<P, object::comm> comm) {
    return alltoallw_blocking<P>(target<P>.Alltoallw_c, count_peers<typename P::run>, sendbuf, sendcounts, sdispls,
                                 sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
}

template <class P>
int Ialltoallw(const void* sendbuf, const int* sendcounts, const int* sdispls,
               const app_handle<P, object::datatype>* sendtypes, void* recvbuf, const int* recvcounts,
               const int* rdispls, const app_handle<P, object::datatype>* recvtypes, app_handle<P, object::comm> comm,
               app_handle<P, object::request>* request) {
    return alltoallw_nonblocking<P>(target<P>.Ialltoallw, count_peers<typename P::run>, sendbuf, sendcounts, sdispls,
                                    sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request);
}

template <class P>
int Ialltoallw_c(const void* sendbuf, const std::int64_t* sendcounts, const std::intptr_t* sdispls,
                 const app_handle<P, object::datatype>* sendtypes, void* recvbuf, const std::int64_t* recvcounts,
                 const std::intptr_t* rdispls, const app_handle<P, object::datatype>* recvtypes,
                 app_handle<P, object::comm> comm, app_handle<P, object::request>* request) {
    return alltoallw_nonblocking<P>(target<P>.Ialltoallw_c, count_peers<typename P::run>, sendbuf, sendcounts, sdispls,
                                    sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request);
}

template <class P>
int Alltoallw_init(const void* sendbuf, const int* sendcounts, const int* sdispls,
                   const app_handle<P, object::datatype>* sendtypes, void* recvbuf, const int* recvcounts,
                   const int* rdispls, const app_handle<P, object::datatype>* recvtypes,
                   app_handle<P, object::comm> comm, app_handle<P, object::info> info,
                   app_handle<P, object::request>* request) {
    return alltoallw_persistent<P>(target<P>.Alltoallw_init, count_peers<typename P::run>, sendbuf, sendcounts, sdispls,
                                   sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, info, request);
}

template <class P>
int Alltoallw_init_c(const void* sendbuf, const std::int64_t* sendcounts, const std::intptr_t* sdispls,
                     const app_handle<P, object::datatype>* sendtypes, void* recvbuf, const std::int64_t* recvcounts,
                     const std::intptr_t* rdispls, const app_handle<P, object::datatype>* recvtypes,
                     app_handle<P, object::comm> comm, app_handle<P, object::info> info,
                     app_handle<P, object::request>* request) {
    return alltoallw_persistent<P>(target<P>.Alltoallw_init_c, count_peers<typename P::run>, sendbuf, sendcounts,
                                   sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, info, request);
}

template <class P>
int Neighbor_alltoallw(const void* sendbuf, const int* sendcounts, const std::intptr_t* sdispls,
                       const app_handle<P, object::datatype>* sendtypes, void* recvbuf, const int* recvcounts,
                       const std::intptr_t* rdispls, const app_handle<P, object::datatype>* recvtypes,
                       app_handle<P, object::comm> comm) {
    return alltoallw_blocking<P>(target<P>.Neighbor_alltoallw, count_neighbors<typename P::run>, sendbuf, sendcounts,
                                 sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
}

template <class P>
int Neighbor_alltoallw_c(const void* sendbuf, const std::int64_t* sendcounts, const std::intptr_t* sdispls,
                         const app_handle<P, object::datatype>* sendtypes, void* recvbuf,
                         const std::int64_t* recvcounts, const std::intptr_t* rdispls,
                         const app_handle<P, object::datatype>* recvtypes, app_handle<P, object::comm> comm) {
    return alltoallw_blocking<P>(target<P>.Neighbor_alltoallw_c, count_neighbors<typename P::run>, sendbuf, sendcounts,
                                 sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
}

template <class P>
int Ineighbor_alltoallw(const void* sendbuf, const int* sendcounts, const std::intptr_t* sdispls,
                        const app_handle<P, object::datatype>* sendtypes, void* recvbuf, const int* recvcounts,
                        const std::intptr_t* rdispls, const app_handle<P, object::datatype>* recvtypes,
                        app_handle<P, object::comm> comm, app_handle<P, object::request>* request) {
    return alltoallw_nonblocking<P>(target<P>.Ineighbor_alltoallw, count_neighbors<typename P::run>, sendbuf,
                                    sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
                                    request);
}

template <class P>
int Ineighbor_alltoallw_c(const void* sendbuf, const std::int64_t* sendcounts, const std::intptr_t* sdispls,
                          const app_handle<P, object::datatype>* sendtypes, void* recvbuf,
                          const std::int64_t* recvcounts, const std::intptr_t* rdispls,
                          const app_handle<P, object::datatype>* recvtypes, app_handle<P, object::comm> comm,
                          app_handle<P, object::request>* request) {
    return alltoallw_nonblocking<P>(target<P>.Ineighbor_alltoallw_c, count_neighbors<typename P::run>, sendbuf,
                                    sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
                                    request);
}

template <class P>
int Neighbor_alltoallw_init(const void* sendbuf, const int* sendcounts, const std::intptr_t* sdispls,
                            const app_handle<P, object::datatype>* sendtypes, void* recvbuf, const int* recvcounts,
                            const std::intptr_t* rdispls, const app_handle<P, object::datatype>* recvtypes,
                            app_handle<P, object::comm> comm, app_handle<P, object::info> info,
                            app_handle<P, object::request>* request) {
    return alltoallw_persistent<P>(target<P>.Neighbor_alltoallw_init, count_neighbors<typename P::run>, sendbuf,
                                   sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, info,
                                   request);
}

template <class P>
int Neighbor_alltoallw_init_c(const void* sendbuf, const std::int64_t* sendcounts, const std::intptr_t* sdispls,
                              const app_handle<P, object::datatype>* sendtypes, void* recvbuf,
                              const std::int64_t* recvcounts, const std::intptr_t* rdispls,
                              const app_handle<P, object::datatype>* recvtypes, app_handle<P, object::comm> comm,
                              app_handle<P, object::info> info, app_handle<P, object::request>* request) {
    return alltoallw_persistent<P>(target<P>.Neighbor_alltoallw_init_c, count_neighbors<typename P::run>, sendbuf,
                                   sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, info,
                                   request);
}

} // namespace anympi::bridge
