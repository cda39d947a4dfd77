#pragma once

#include "emulate/large_counts/exchange.hpp"
#include "emulate/large_counts/scattered_reduction.hpp"

#include <iterator>
#include <numeric>

namespace anympi::emulate {

/// Reduce-scatter on an intercommunicator. Each process receives its block from all processes of the other group, and
/// reduces the blocks itself. A blocking or persistent operation first exchanges the counts, so that each process sends
/// only the blocks that the others need. A nonblocking operation must not wait for the counts. It knows only the total,
/// which is the same for both groups, so it sends everything to each process, which keeps only its own block.
template <class Run>
struct intergroup_reduction {
    peer_exchange<Run> blocks;
    char* memory; // holds all received blocks except the last, which is received into recvbuf
    std::size_t stride;
    std::intptr_t low; // lower bound of a block
    char* recvbuf;
    std::int64_t count;
    word type;
    word op;
    bool has_uses; // uses of the datatype and the operation are counted

    char* block(int i) const {
        return i == blocks.receive.size - 1 ? recvbuf : memory + static_cast<std::size_t>(i) * stride - low;
    }
    /// Reduces from the last block to the first, because an operation may not be commutative.
    int finish() const {
        int code = 0;
        for (int i = blocks.receive.size - 2; i >= 0 && code == 0; --i)
            code = library<Run>.Reduce_local_c(block(i), recvbuf, count, type, op);
        return code;
    }
    /// Adds uses of the datatype and the operation. Call it before anything is sent. The datatypes of the blocks are
    /// this one or anympi's, so add_uses() of the blocks needs no memory afterwards.
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

/// Allocates memory for the blocks, with `more` bytes after them.
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

/// Allocates all memory first: after the exchange of counts, the other processes would not learn of a failure here.
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

// ---- nonblocking ----

/// A place for elements that nobody needs: rows of elements that all overlap.
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

/// Makes the datatype that receives all data of one process. Its own block goes to `block`, and everything else to
/// `spare`.
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

} // namespace anympi::emulate
