#pragma once

#include "convert/crossings.hpp"

namespace anympi::bridge {

// The large forms of partitioned communication. No library has them: their small forms already take MPI_Count.

/// `init` is the runtime's small form, and `peer` is the rank of the other process.
template <class P, class Init, class Buffer>
[[gnu::always_inline]] inline int init_partitioned(Init init, Buffer buffer, int partitions, std::int64_t count,
                                                   app_handle<P, object::datatype> type, int peer, int tag,
                                                   app_handle<P, object::comm> comm, app_handle<P, object::info> info,
                                                   app_handle<P, object::request>* request) {
    handle_out<P, object::request> request_{request};
    const int code =
        init(buffer, partitions, count, to_run<P, object::datatype>(type), rank_to_run<P>(peer), tag_to_run<P>(tag),
             to_run<P, object::comm>(comm), to_run<P, object::info>(info), request_.argument());
    if (code != 0)
        return finish_failed_call<P>(code, request_);
    request_.finish();
    return 0;
}

template <class P>
int Psend_init_c(const void* buffer, int partitions, std::int64_t count, app_handle<P, object::datatype> type, int dest,
                 int tag, app_handle<P, object::comm> comm, app_handle<P, object::info> info,
                 app_handle<P, object::request>* request) {
    return init_partitioned<P>(target<P>.Psend_init, buffer, partitions, count, type, dest, tag, comm, info, request);
}

template <class P>
int Precv_init_c(void* buffer, int partitions, std::int64_t count, app_handle<P, object::datatype> type, int source,
                 int tag, app_handle<P, object::comm> comm, app_handle<P, object::info> info,
                 app_handle<P, object::request>* request) {
    return init_partitioned<P>(target<P>.Precv_init, buffer, partitions, count, type, source, tag, comm, info, request);
}

} // namespace anympi::bridge
