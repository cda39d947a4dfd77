#pragma once

#include "emulate/large_counts/aggregate_reduction.hpp"
#include "emulate/large_counts/exchange.hpp"

#include <cstring>
#include <iterator>
#include <numeric>

namespace anympi::emulate {

/// The memory of some elements of a datatype.
struct memory_span {
    std::intptr_t low; ///< from the address of the first element on; may be negative
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

/// MPI_Reduce_scatter with large counts, which are the same on all processes. If the total fits an int, the runtime's
/// own; else one reduction for each process.
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
    bool is_intergroup;  ///< two groups, where processes know the counts of their own alone (intergroup_reduction)
    int* counts;         ///< of a small one
    char* result;        ///< of one in place: the blocks are needed until all reductions are done
    memory_span own;     ///< block
    memory_span largest; ///< block

    bool is_in_place() const { return result != nullptr; }
    void release() {
        std::free(counts);
        std::free(result);
    }

    /// What is reduced for a process whose block comes after so many elements.
    const void* block(std::int64_t before) const { return (is_in_place() ? recvbuf : sendbuf) + before * extent; }
    /// Where the result for process i goes.
    void* target(int i, void* elsewhere) const {
        if (i != rank)
            return elsewhere;
        return is_in_place() ? result - own.low : recvbuf;
    }

    /// Gaps between the elements are to stay as they are, so they go there and back.
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

/// A negative count is for the runtime to refuse.
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

template <class Run>
int reduce_blocks(const scattered_reduction<Run>& all) {
    // MPICH 3.4 also writes to the receive buffers of processes that are not the root. Elsewhere it is never touched.
    char* const spare = all.largest.allocate();
    if (spare == nullptr || !handles_in_use<Run>.add_use(
                                all.op)) { // for all of them: a process that fails between two would lose the others
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

// ---- between two groups ----

/// Each process gets its block from all of the other group, and reduces them by itself. Who may wait learns that
/// group's counts before, and sends each process its block. Who may not knows the total alone, which is the same for
/// both groups: it sends everything to each process, which keeps its block.
template <class Run>
struct intergroup_reduction {
    peer_exchange<Run> blocks;
    char* memory; ///< for all blocks but the last, which arrives in its place
    std::size_t stride;
    std::intptr_t low; ///< of a block
    char* recvbuf;
    std::int64_t count;
    word type;
    word op;
    bool has_uses; ///< the datatype and the operation

    char* block(int i) const {
        return i == blocks.receive.size - 1 ? recvbuf : memory + static_cast<std::size_t>(i) * stride - low;
    }
    /// From the last to the first: an operation may not be commutative.
    int finish() const {
        int code = 0;
        for (int i = blocks.receive.size - 2; i >= 0 && code == 0; --i)
            code = library<Run>.Reduce_local_c(block(i), recvbuf, count, type, op);
        return code;
    }
    /// Before anything is sent. The types of the blocks are this one or ours: add_uses() needs no memory then.
    int add_uses(word comm) {
        has_uses = handles_in_use<Run>.add_use(type);
        if (has_uses && !handles_in_use<Run>.add_use(op)) {
            handles_in_use<Run>.end_use(type);
            has_uses = false;
        }
        return has_uses ? 0 : raise<Run>(comm, Run::mpi_ERR_NO_MEM);
    }
    void release() {
        if (has_uses) {
            handles_in_use<Run>.end_use(type);
            handles_in_use<Run>.end_use(op);
        }
        blocks.release();
        std::free(memory);
    }
};

/// Memory for the blocks, with so many bytes behind them.
template <class Run>
int reserve_blocks(intergroup_reduction<Run>& between, const scattered_reduction<Run>& all, std::size_t more) {
    constexpr std::size_t alignment = 16;
    memory_span own;
    if (const int code = span_of<Run>(between.count, between.type, own); code != 0)
        return code;
    between.low = own.low;
    between.stride = (own.bytes + alignment - 1) / alignment * alignment;
    between.memory = static_cast<char*>(
        std::malloc(between.stride * static_cast<std::size_t>(between.blocks.receive.size) + more + 1));
    if (between.memory == nullptr)
        return raise<Run>(all.comm, Run::mpi_ERR_NO_MEM);
    between.blocks.sendbuf = all.sendbuf;
    between.blocks.recvbuf = all.recvbuf;
    return 0;
}

template <class Run>
int lay_out(intergroup_reduction<Run>& between, const scattered_reduction<Run>& all, const std::int64_t* other_counts) {
    int code = 0;
    std::int64_t before = 0;
    for (int i = 0; i < between.blocks.send.size && code == 0; before += other_counts[i++])
        code = between.blocks.send.put(i, other_counts[i], before * all.extent, all.type);
    const auto base = reinterpret_cast<std::intptr_t>(all.recvbuf);
    for (int i = 0; i < between.blocks.receive.size && code == 0; ++i)
        code = between.blocks.receive.put(i, between.count, reinterpret_cast<std::intptr_t>(between.block(i)) - base,
                                          all.type);
    return code;
}

template <class Run>
int begin_intergroup(intergroup_reduction<Run>& between, const scattered_reduction<Run>& all, block_counts& peers) {
    between = {};
    between.recvbuf = all.recvbuf;
    between.count = all.recvcounts[all.rank];
    between.type = all.type;
    between.op = all.op;
    const int code = count_peers<Run>(all.comm, peers);
    return code != 0 ? code : between.blocks.reserve(all.comm, peers);
}

/// All memory comes first: who fails after the exchange of counts has lost the others.
template <class Run>
int prepare_intergroup(intergroup_reduction<Run>& between, const scattered_reduction<Run>& all, bool is_persistent) {
    block_counts peers;
    int code = begin_intergroup<Run>(between, all, peers);
    if (code == 0)
        code = reserve_blocks<Run>(between, all, 0);
    if (code == 0 && is_persistent)
        code = between.add_uses(all.comm);
    if (code != 0)
        return code;
    scratch<std::int64_t, 64> other_counts(static_cast<std::size_t>(peers.send));
    if (other_counts.lacks_memory())
        return raise<Run>(all.comm, Run::mpi_ERR_NO_MEM);
    const word number = predefined<Run>(standard::mpi_INT64_T);
    code = library<Run>.Allgather(&between.count, 1, number, other_counts.data(), 1, number, all.comm);
    return code == 0 ? lay_out<Run>(between, all, other_counts.data()) : code;
}

template <class Run>
int reduce_intergroup(const scattered_reduction<Run>& all) {
    intergroup_reduction<Run> between;
    int code = prepare_intergroup<Run>(between, all, false);
    if (code == 0)
        code = call_with_blocks(library<Run>.Alltoallw, between.blocks, all.comm);
    if (code == 0)
        code = between.finish();
    between.release();
    return code;
}

template <class Run>
int init_intergroup(const scattered_reduction<Run>& all, word info, request_of<Run>* request) {
    const auto prepare = [&](intergroup_reduction<Run>& between) {
        const int code = prepare_intergroup<Run>(between, all, true);
        return code == 0 ? between.blocks.add_uses() : code;
    };
    return begin_owning_request<Run, intergroup_reduction<Run>>(
        true, 1, all.comm, request, prepare, [&](intergroup_reduction<Run>& between, request_of<Run>* child) {
            return call_with_blocks(library<Run>.Alltoallw_init, between.blocks, all.comm, info, child);
        });
}

// ---- without waiting ----

/// Elements that nobody needs: rows of them, each in the place of the one before.
template <class Run>
class discarded_elements {
public:
    static constexpr std::int64_t row_length = std::min<std::int64_t>(part_count, 4096);

    discarded_elements(std::int64_t count, word type) : rest(count % row_length) {
        temporary_type<Run> row;
        failure = make_repeated<Run>(row_length, type, row.out());
        if (failure == 0)
            failure = make_strided<Run>(count / row_length, 0, row, rows.out());
    }
    int code() const { return failure; }
    piece all_rows(std::int64_t place) const { return {1, place, static_cast<type_of<Run>>(rows)}; }
    piece remainder(std::int64_t place, word type) const { return {rest, place, type}; }

private:
    std::int64_t rest;
    temporary_type<Run> rows;
    int failure;
};

/// What arrives from one process, of which `block` is where the own block goes, and `spare` where the rest does.
template <class Run>
int make_block_between_discarded(std::int64_t before, std::int64_t block, std::int64_t spare, std::int64_t after,
                                 const intergroup_reduction<Run>& between, type_of<Run>* made) {
    const discarded_elements<Run> first(before, between.type);
    const discarded_elements<Run> last(after, between.type);
    if (first.code() != 0 || last.code() != 0)
        return first.code() != 0 ? first.code() : last.code();
    const piece pieces[] = {first.all_rows(spare),
                            first.remainder(spare, between.type),
                            {between.count, block, between.type},
                            last.all_rows(spare),
                            last.remainder(spare, between.type)};
    const int code = join_pieces<Run>(
        0, std::size(pieces), [&](std::int64_t i) { return pieces[i]; }, made);
    return code != 0 ? code : library<Run>.Type_commit(made);
}

template <class Run>
int prepare_without_waiting(intergroup_reduction<Run>& between, const scattered_reduction<Run>& all) {
    block_counts peers;
    memory_span spare;
    int code = begin_intergroup<Run>(between, all, peers);
    if (code == 0)
        code = span_of<Run>(discarded_elements<Run>::row_length, all.type, spare);
    if (code == 0)
        code = reserve_blocks<Run>(between, all, spare.bytes);
    if (code != 0)
        return code;
    auto& receive = between.blocks.receive;
    const std::int64_t before = std::accumulate(all.recvcounts, all.recvcounts + all.rank, std::int64_t{0});
    const std::int64_t total = std::accumulate(all.recvcounts, all.recvcounts + all.size, std::int64_t{0});
    const auto distance = [&](const char* place) { return place - between.recvbuf; };
    const char* const behind = between.memory + between.stride * static_cast<std::size_t>(receive.size) - spare.low;
    for (int i = 0; i < between.blocks.send.size && code == 0; ++i)
        code = between.blocks.send.put(i, total, 0, all.type);
    for (int i = 0; i < receive.size && code == 0; ++i) {
        code = make_block_between_discarded<Run>(before, distance(between.block(i)), distance(behind),
                                                 total - before - between.count, between, &receive.made[i]);
        receive.types[i] = receive.made[i];
        receive.counts[i] = 1;
    }
    if (code == 0)
        code = between.add_uses(all.comm);
    return code == 0 ? between.blocks.add_uses() : code;
}

template <class Run>
int begin_without_waiting(const scattered_reduction<Run>& all, request_of<Run>* request) {
    return begin_owning_request<Run, intergroup_reduction<Run>>(
        false, 1, all.comm, request,
        [&](intergroup_reduction<Run>& between) { return prepare_without_waiting<Run>(between, all); },
        [&](intergroup_reduction<Run>& between, request_of<Run>* child) {
            return call_with_blocks(library<Run>.Ialltoallw, between.blocks, all.comm, child);
        });
}

// ---- at once ----

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

// ---- as a request ----

/// `call_small` begins or makes the runtime's own, `call_block` the reduction of one block.
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
