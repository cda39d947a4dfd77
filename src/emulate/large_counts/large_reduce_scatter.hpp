#pragma once

#include "emulate/large_counts/aggregate_reduction.hpp"
#include "emulate/large_counts/intergroup_reduction.hpp"

namespace anympi::emulate {

// ---- blocking ----

template <class Run>
int reduce_blocks(const scattered_reduction<Run>& all) {
    // MPICH 3.4 also writes to the receive buffers of processes that are not the root. Other libraries do not use this
    // memory.
    char* const spare = all.largest.allocate();
    // One use for all reductions: if a process failed between two of them, the others would wait forever.
    if (spare == nullptr || !handles_in_use<Run>.add_use(all.op)) {
        std::free(spare);
        return raise<Run>(all.comm, Run::mpi_ERR_NO_MEM);
    }
    all.begin();
    int code = 0;
    std::int64_t before = 0;
    for (int i = 0; i < all.size && code == 0; before += all.recvcounts[i++])
        code = library<Run>.Reduce_c(all.block(before), all.target(i, spare - all.largest.low), all.recvcounts[i],
                                     all.type, all.op, i, all.comm);
    all.finish();
    handles_in_use<Run>.end_use(all.op);
    std::free(spare);
    return code;
}

template <class Run>
int reduce_large(const scattered_reduction<Run>& all) {
    return all.is_intergroup ? reduce_intergroup<Run>(all) : reduce_blocks<Run>(all);
}

template <class Run>
int Reduce_scatter_c(const void* sendbuf, void* recvbuf, const std::int64_t* recvcounts, word datatype, word op,
                     word comm) {
    scattered_reduction<Run> all;
    int code = prepare<Run>(all, sendbuf, recvbuf, recvcounts, datatype, op, comm);
    if (code == 0)
        code = all.is_small ? library<Run>.Reduce_scatter(sendbuf, recvbuf, all.counts, datatype, op, comm)
                            : reduce_large<Run>(all);
    all.release();
    return code;
}

// ---- with a request ----

/// Begins a reduction with a request. `call_small` begins or creates the runtime's own operation, and `call_block` the
/// reduction of one block.
template <class Run, class CallSmall, class CallBlock>
int begin_scattered(bool is_persistent, scattered_reduction<Run>& given, request_of<Run>* request, CallSmall call_small,
                    CallBlock call_block) {
    bool is_taken = false;
    const auto take = [&](scattered_reduction<Run>& all) {
        all = given;
        is_taken = true;
        return 0;
    };
    const auto call = [=](const scattered_reduction<Run>& all, request_of<Run>* children) {
        int code = all.is_small ? call_small(children) : 0;
        std::int64_t before = 0;
        for (int i = 0; i < all.size && code == 0 && !all.is_small; before += all.recvcounts[i++])
            code = call_block(i, all.block(before), &children[i]);
        return code;
    };
    const int code = begin_owning_request<Run, scattered_reduction<Run>>(is_persistent, given.is_small ? 1 : given.size,
                                                                         given.comm, request, take, call);
    if (!is_taken)
        given.release();
    return code;
}

/// Prepares a reduction with a request and calls `begin` with it.
template <class Run, class Begin>
int prepare_and_begin(const void* sendbuf, void* recvbuf, const std::int64_t* recvcounts, word type, word op, word comm,
                      const request_of<Run>* request, Begin begin) {
    scattered_reduction<Run> all;
    if (request == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_ARG);
    if (const int code = prepare<Run>(all, sendbuf, recvbuf, recvcounts, type, op, comm); code != 0) {
        all.release();
        return code;
    }
    return begin(all);
}

template <class Run>
int Ireduce_scatter_c(const void* sendbuf, void* recvbuf, const std::int64_t* recvcounts, word datatype, word op,
                      word comm, request_of<Run>* request) {
    const auto begin = [=](scattered_reduction<Run>& all) {
        if (all.is_intergroup)
            return begin_without_waiting<Run>(all, request);
        const auto call_small = [&](request_of<Run>* child) {
            return library<Run>.Ireduce_scatter(sendbuf, recvbuf, all.counts, datatype, op, comm, child);
        };
        const auto call_block = [&](int i, const void* block, request_of<Run>* child) {
            return library<Run>.Ireduce_c(block, all.target(i, nullptr), recvcounts[i], datatype, op, i, comm, child);
        };
        return begin_scattered<Run>(false, all, request, call_small, call_block);
    };
    return prepare_and_begin<Run>(sendbuf, recvbuf, recvcounts, datatype, op, comm, request, begin);
}

template <class Run>
int Reduce_scatter_init_c(const void* sendbuf, void* recvbuf, const std::int64_t* recvcounts, word datatype, word op,
                          word comm, word info, request_of<Run>* request) {
    const auto begin = [=](scattered_reduction<Run>& all) {
        if (all.is_intergroup)
            return init_intergroup<Run>(all, info, request);
        const auto call_small = [&](request_of<Run>* child) {
            return library<Run>.Reduce_scatter_init(sendbuf, recvbuf, all.counts, datatype, op, comm, info, child);
        };
        const auto call_block = [&](int i, const void* block, request_of<Run>* child) {
            return library<Run>.Reduce_init_c(block, all.target(i, nullptr), recvcounts[i], datatype, op, i, comm, info,
                                              child);
        };
        return begin_scattered<Run>(true, all, request, call_small, call_block);
    };
    return prepare_and_begin<Run>(sendbuf, recvbuf, recvcounts, datatype, op, comm, request, begin);
}

} // namespace anympi::emulate
