#pragma once

#include "emulate/engine/error.hpp"
#include "emulate/large_counts/narrow.hpp"
#include "emulate/large_counts/pieces.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace anympi::emulate {

/// The memory that some elements of a datatype occupy.
struct memory_span {
    std::intptr_t low; // offset from the address of the first element; may be negative
    std::size_t bytes;

    char* allocate() const { return static_cast<char*>(std::malloc(bytes + 1)); }
};

template <class Run>
int span_of(std::int64_t count, word type, memory_span& span) {
    std::int64_t lower = 0;
    std::int64_t extent = 0;
    bounds true_bounds{};
    int code = library<Run>.Type_get_extent_x(type, &lower, &extent);
    if (code == 0)
        code = library<Run>.Type_get_true_extent_x(type, &true_bounds.lower, &true_bounds.upper);
    true_bounds.upper += true_bounds.lower;
    const bounds all = true_bounds.repeated(count, extent);
    span = {all.lower, static_cast<std::size_t>(all.extent())};
    return code;
}

/// MPI_Reduce_scatter with large counts, which are the same on all processes. If the total fits into an int, the
/// runtime's own function is called, otherwise one reduction for each process.
template <class Run>
struct scattered_reduction {
    const char* sendbuf;
    char* recvbuf;
    const std::int64_t* recvcounts;
    word type;
    word op;
    word comm;

    int size;
    int rank;
    std::intptr_t extent;
    bool is_small;
    /// An intercommunicator, whose processes know only the counts of their own group (intergroup_reduction).
    bool is_intergroup;
    int* counts;         // the arguments if is_small
    char* result;        // the result for MPI_IN_PLACE: all reductions need the blocks in recvbuf
    memory_span own;     // the memory span of this process's block
    memory_span largest; // the memory span of the largest block

    bool is_in_place() const { return result != nullptr; }
    void release() {
        std::free(counts);
        std::free(result);
    }

    /// Returns the operand for a process. `before` is the number of elements before its block.
    const void* block(std::int64_t before) const { return (is_in_place() ? recvbuf : sendbuf) + before * extent; }
    /// Returns the address for the result of process i.
    void* target(int i, void* elsewhere) const {
        if (i != rank)
            return elsewhere;
        return is_in_place() ? result - own.low : recvbuf;
    }

    /// begin() and finish() copy the whole memory in both directions, so that gaps between the elements stay unchanged.
    void begin() const {
        if (is_in_place())
            std::memcpy(result, recvbuf + own.low, own.bytes);
    }
    int finish() const {
        if (is_in_place())
            std::memcpy(recvbuf + own.low, result, own.bytes);
        return 0;
    }
};

template <class Run>
int prepare_small(scattered_reduction<Run>& all) {
    all.counts = static_cast<int*>(std::malloc(static_cast<std::size_t>(all.size) * sizeof(int) + 1));
    if (all.counts == nullptr)
        return raise<Run>(all.comm, Run::mpi_ERR_NO_MEM);
    for (int i = 0; i < all.size; ++i)
        all.counts[i] = narrow(all.recvcounts[i]);
    return 0;
}

template <class Run>
int prepare_large(scattered_reduction<Run>& all) {
    int is_inter = 0;
    std::intptr_t lower = 0;
    int code = library<Run>.Comm_test_inter(all.comm, &is_inter);
    if (code == 0)
        code = library<Run>.Type_get_extent(all.type, &lower, &all.extent);
    all.is_intergroup = is_inter != 0;
    if (code != 0 || all.is_intergroup)
        return code;
    std::int64_t most = 0;
    for (int i = 0; i < all.size; ++i)
        most = all.recvcounts[i] > most ? all.recvcounts[i] : most;
    code = span_of<Run>(most, all.type, all.largest);
    if (code == 0)
        code = span_of<Run>(all.recvcounts[all.rank], all.type, all.own);
    if (code != 0 || !anympi::is_in_place<Run>(all.sendbuf))
        return code;
    all.result = all.own.allocate();
    return all.result != nullptr ? 0 : raise<Run>(all.comm, Run::mpi_ERR_NO_MEM);
}

/// Prepares a reduction. Negative counts are passed on, so that the runtime rejects them.
template <class Run>
int prepare(scattered_reduction<Run>& all, const void* sendbuf, void* recvbuf, const std::int64_t* recvcounts,
            word type, word op, word comm) {
    all = {static_cast<const char*>(sendbuf),
           static_cast<char*>(recvbuf),
           recvcounts,
           type,
           op,
           comm,
           0,
           0,
           0,
           true,
           false,
           nullptr,
           nullptr,
           {},
           {}};
    int code = recvcounts != nullptr ? 0 : raise<Run>(comm, Run::mpi_ERR_ARG);
    if (code == 0)
        code = library<Run>.Comm_size(comm, &all.size);
    if (code == 0)
        code = library<Run>.Comm_rank(comm, &all.rank);
    if (code != 0)
        return code;
    std::int64_t total = 0;
    bool is_wrong = is_library_null<Run, object::datatype>(type);
    for (int i = 0; i < all.size; ++i) {
        is_wrong = is_wrong || recvcounts[i] < 0;
        total += recvcounts[i];
    }
    all.is_small = is_wrong || fits(total);
    return all.is_small ? prepare_small<Run>(all) : prepare_large<Run>(all);
}

} // namespace anympi::emulate
