#pragma once

#include "emulate/large_counts/large_vectors.hpp"

namespace anympi::emulate {

/// MPI_Allgatherv with large counts. All processes receive the same number of bytes, so this number may decide which
/// function they call. If it fits into an int, they call the runtime's own function, which has faster algorithms than
/// an exchange of all with all. Displacements differ between processes. If some do not fit, the process receives packed
/// data, and unpacks it at the end.
template <class Run>
struct small_allgatherv {
    const void* sendbuf; // the arguments of the runtime's function begin here
    int sendcount;
    word sendtype;
    void* recvbuf;
    block_list<Run, int> blocks;
    word recvtype;
    word comm;

    char* packed; // nullptr if all data is received in place
    int packed_size;
    char* places;
    const std::int64_t* true_counts;
    const std::intptr_t* true_displacements;
    std::intptr_t extent;
    type_of<Run> true_type; // a duplicate, because the program may free its datatype

    void release() {
        blocks.release();
        std::free(packed);
        packed = nullptr;
        if (!is_library_null<Run, object::datatype>(true_type))
            library<Run>.Type_free(&true_type);
    }
    int finish() const {
        int code = 0;
        int position = 0;
        for (int i = 0; i < blocks.size && packed_size != 0 && code == 0; ++i)
            code = library<Run>.Unpack(packed, packed_size, &position, places + true_displacements[i] * extent,
                                       static_cast<int>(true_counts[i]), true_type, comm);
        return code;
    }
};

/// The amount of data that an allgather receives.
struct gathered_amount {
    block_counts blocks;
    std::int64_t size = 0;   // size of an element
    bool is_small = false;   // the runtime's own function can be used
    bool is_near = true;     // all displacements fit into an int
    bool has_errors = false; // some arguments are invalid, and the runtime will report them
};

/// Measures the amount. is_small stays false on an intercommunicator, because its two groups receive different amounts.
template <class Run>
int measure(const std::int64_t* counts, const std::intptr_t* displs, word type, word comm, gathered_amount& amount) {
    int is_inter = 0;
    int code = count_peers<Run>(comm, amount.blocks);
    if (code == 0)
        code = library<Run>.Comm_test_inter(comm, &is_inter);
    if (code == 0)
        code = check_arrays<Run>(comm, counts, displs);
    amount.has_errors = is_library_null<Run, object::datatype>(type);
    if (code == 0 && !amount.has_errors)
        code = library<Run>.Type_size_x(type, &amount.size);
    if (code != 0)
        return code;
    std::int64_t total = 0;
    for (int i = 0; i < amount.blocks.receive; ++i) {
        total += counts[i];
        amount.has_errors = amount.has_errors || counts[i] < 0;
        amount.is_near = amount.is_near && fits(counts[i] | displs[i]);
    }
    amount.is_small = is_inter == 0 && (amount.has_errors || amount.size == 0 || total <= narrow_limit / amount.size);
    return 0;
}

/// Sets the blocks so that all data is received in place.
template <class Run>
void receive_in_place(small_allgatherv<Run>& all) {
    for (int i = 0; i < all.blocks.size; ++i) {
        all.blocks.counts[i] = narrow(all.true_counts[i]);
        all.blocks.displacements[i] = static_cast<int>(all.true_displacements[i]);
    }
}

/// Sets the blocks so that packed data is received. A message of any datatype may be received as MPI_PACKED.
template <class Run>
int receive_packed(small_allgatherv<Run>& all, std::int64_t size) {
    for (int i = 0; i < all.blocks.size; ++i) {
        all.blocks.displacements[i] = all.packed_size;
        all.blocks.counts[i] = static_cast<int>(all.true_counts[i] * size);
        all.packed_size += all.blocks.counts[i];
    }
    int rank = 0;
    std::intptr_t lower = 0;
    int code = library<Run>.Comm_rank(all.comm, &rank);
    if (code == 0)
        code = library<Run>.Type_get_extent(all.recvtype, &lower, &all.extent);
    if (code == 0)
        code = library<Run>.Type_dup(all.recvtype, &all.true_type);
    if (code == 0 &&
        (all.packed = static_cast<char*>(std::malloc(static_cast<std::size_t>(all.packed_size) + 1))) == nullptr)
        code = raise<Run>(all.comm, Run::mpi_ERR_NO_MEM);
    if (is_in_place<Run>(all.sendbuf)) {
        all.sendbuf = all.places + all.true_displacements[rank] * all.extent;
        all.sendcount = narrow(all.true_counts[rank]);
        all.sendtype = all.true_type;
    }
    all.recvbuf = all.packed;
    all.recvtype = predefined<Run>(standard::mpi_PACKED);
    return code;
}

template <class Run>
int prepare(small_allgatherv<Run>& all, const gathered_amount& amount) {
    if (!all.blocks.reserve(all.comm, amount.blocks.receive))
        return raise<Run>(all.comm, Run::mpi_ERR_NO_MEM);
    if (!amount.is_near && !amount.has_errors)
        return receive_packed<Run>(all, amount.size);
    receive_in_place<Run>(all);
    return 0;
}

/// Calls a function of the runtime. `others` are its remaining arguments.
template <class Run, class Function, class... Others>
int call_allgatherv(Function function, const small_allgatherv<Run>& all, Others... others) {
    return function(all.sendbuf, all.sendcount, all.sendtype, all.recvbuf, all.blocks.counts, all.blocks.displacements,
                    all.recvtype, all.comm, others...);
}

template <class Run>
small_allgatherv<Run> allgatherv_of(const void* sendbuf, std::int64_t sendcount, word sendtype, void* recvbuf,
                                    const std::int64_t* recvcounts, const std::intptr_t* displs, word recvtype,
                                    word comm) {
    small_allgatherv<Run> all{};
    all.sendbuf = sendbuf;
    all.sendcount = is_in_place<Run>(sendbuf) ? 0 : narrow(sendcount);
    all.sendtype = sendtype;
    all.recvbuf = recvbuf;
    all.recvtype = recvtype;
    all.comm = comm;
    all.places = static_cast<char*>(recvbuf);
    all.true_counts = recvcounts;
    all.true_displacements = displs;
    all.true_type = library_null<Run, object::datatype>();
    return all;
}

/// The common part of the three forms. `exchange` runs an exchange of blocks, and `gather` calls the runtime's own
/// function.
template <class Run, class Exchange, class Gather>
int gather_all(const void* sendbuf, std::int64_t sendcount, word sendtype, void* recvbuf,
               const std::int64_t* recvcounts, const std::intptr_t* displs, word recvtype, word comm, Exchange exchange,
               Gather gather) {
    gathered_amount amount;
    if (const int code = measure<Run>(recvcounts, displs, recvtype, comm, amount); code != 0)
        return code;
    if (!amount.is_small)
        return exchange(
            Allgatherv_blocks<Run>(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm));
    return gather([=](small_allgatherv<Run>& all) {
        all = allgatherv_of<Run>(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
        return prepare<Run>(all, amount);
    });
}

template <class Run>
int Allgatherv_c(const void* sendbuf, std::int64_t sendcount, word sendtype, void* recvbuf,
                 const std::int64_t* recvcounts, const std::intptr_t* displs, word recvtype, word comm) {
    return gather_all<Run>(
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm,
        [=](auto blocks) { return alltoallw<Run>(comm, blocks); },
        [=](auto fill) {
            small_allgatherv<Run> all{};
            int code = fill(all);
            if (code == 0)
                code = call_allgatherv<Run>(library<Run>.Allgatherv, all);
            if (code == 0)
                code = all.finish();
            all.release();
            return code;
        });
}

template <class Run>
int Iallgatherv_c(const void* sendbuf, std::int64_t sendcount, word sendtype, void* recvbuf,
                  const std::int64_t* recvcounts, const std::intptr_t* displs, word recvtype, word comm,
                  request_of<Run>* request) {
    return gather_all<Run>(
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm,
        [=](auto blocks) { return ialltoallw<Run>(comm, request, blocks); },
        [=](auto fill) {
            return begin_owning_request<Run, small_allgatherv<Run>>(
                false, 1, comm, request, fill,
                [=](auto& all, auto* child) { return call_allgatherv<Run>(library<Run>.Iallgatherv, all, child); });
        });
}

template <class Run>
int Allgatherv_init_c(const void* sendbuf, std::int64_t sendcount, word sendtype, void* recvbuf,
                      const std::int64_t* recvcounts, const std::intptr_t* displs, word recvtype, word comm, word info,
                      request_of<Run>* request) {
    return gather_all<Run>(
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm,
        [=](auto blocks) { return alltoallw_init<Run>(comm, info, request, blocks); },
        [=](auto fill) {
            return begin_owning_request<Run, small_allgatherv<Run>>(
                true, 1, comm, request, fill, [=](auto& all, auto* child) {
                    return call_allgatherv<Run>(library<Run>.Allgatherv_init, all, info, child);
                });
        });
}

} // namespace anympi::emulate
