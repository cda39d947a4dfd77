#pragma once

#include "emulate/collectives/root.hpp"
#include "emulate/large_counts/exchange.hpp"

namespace anympi::emulate {

// The blocks of each large collective with arrays, as an exchange. The generator writes the functions themselves, three
// for each collective (generator/core/large.py), except for MPI_Allgatherv (large_allgatherv.hpp).

template <class Run, class... Arrays>
int check_arrays(word comm, const Arrays*... arrays) {
    return ((arrays != nullptr) && ...) ? 0 : raise<Run>(comm, Run::mpi_ERR_ARG);
}

// ---- collectives with a root ----

/// Leaves the root's own block in place.
template <class Run, class Blocks>
int leave_in_place(const root_role& role, Blocks& blocks, word comm) {
    if (!role.is_root || role.own_block < 0)
        return raise<Run>(comm, Run::mpi_ERR_BUFFER);
    blocks.clear(role.own_block);
    return 0;
}

/// The common part of both directions. `put_blocks` fills `blocks` of the root, one for each process. `put_own` fills
/// the single block of each process that exchanges data with the root.
template <class Run, class Blocks, class PutBlocks, class PutOwn>
int fill_rooted(peer_exchange<Run>& all, Blocks& blocks, const std::int64_t* counts, const std::intptr_t* displs,
                const void* own, int root, word comm, PutBlocks put_blocks, PutOwn put_own) {
    root_role role;
    int code = find_root_role<Run>(comm, root, role);
    if (code == 0 && !role.is_valid())
        code = raise<Run>(comm, Run::mpi_ERR_ROOT);
    if (code == 0)
        code = all.reserve(comm, role.blocks);
    if (code == 0 && role.is_root)
        code = check_arrays<Run>(comm, counts, displs);
    if (code == 0 && role.is_root)
        code = put_blocks();
    if (code != 0 || !role.has_root)
        return code;
    return is_in_place<Run>(own) ? leave_in_place<Run>(role, blocks, comm) : put_own();
}

template <class Run>
auto Gatherv_blocks(const void* sendbuf, std::int64_t sendcount, word sendtype, void* recvbuf,
                    const std::int64_t* recvcounts, const std::intptr_t* displs, word recvtype, int root, word comm) {
    return [=](peer_exchange<Run>& all) {
        const auto put_blocks = [&] {
            all.recvbuf = recvbuf;
            return all.receive.put_all(recvcounts, displs, recvtype);
        };
        const auto put_own = [&] {
            all.sendbuf = sendbuf;
            return all.send.put(root, sendcount, 0, sendtype);
        };
        return fill_rooted(all, all.receive, recvcounts, displs, sendbuf, root, comm, put_blocks, put_own);
    };
}

template <class Run>
auto Scatterv_blocks(const void* sendbuf, const std::int64_t* sendcounts, const std::intptr_t* displs, word sendtype,
                     void* recvbuf, std::int64_t recvcount, word recvtype, int root, word comm) {
    return [=](peer_exchange<Run>& all) {
        const auto put_blocks = [&] {
            all.sendbuf = sendbuf;
            return all.send.put_all(sendcounts, displs, sendtype);
        };
        const auto put_own = [&] {
            all.recvbuf = recvbuf;
            return all.receive.put(root, recvcount, 0, recvtype);
        };
        return fill_rooted(all, all.send, sendcounts, displs, recvbuf, root, comm, put_blocks, put_own);
    };
}

// ---- all to all ----

/// For MPI_IN_PLACE, each process sends its own block of the receive buffer and leaves it in place.
template <class Run>
int send_own_block(peer_exchange<Run>& all, const std::int64_t* counts, const std::intptr_t* displs, word type,
                   word comm) {
    int rank = 0;
    std::intptr_t lower = 0;
    std::intptr_t extent = 0;
    int code = library<Run>.Comm_rank(comm, &rank);
    if (code == 0)
        code = library<Run>.Type_get_extent(type, &lower, &extent);
    all.sendbuf = all.recvbuf;
    for (int i = 0; i < all.send.size && code == 0; ++i)
        if (i != rank)
            code = all.send.put(i, counts[rank], displs[rank] * extent, type);
    all.receive.clear(rank);
    return code;
}

template <class Run>
auto Allgatherv_blocks(const void* sendbuf, std::int64_t sendcount, word sendtype, void* recvbuf,
                       const std::int64_t* recvcounts, const std::intptr_t* displs, word recvtype, word comm) {
    return [=](peer_exchange<Run>& all) {
        block_counts blocks;
        int code = count_peers<Run>(comm, blocks);
        if (code == 0)
            code = check_arrays<Run>(comm, recvcounts, displs);
        if (code == 0)
            code = all.reserve(comm, blocks);
        if (code == 0)
            code = all.receive.put_all(recvcounts, displs, recvtype);
        all.recvbuf = recvbuf;
        if (code == 0 && is_in_place<Run>(sendbuf))
            return send_own_block<Run>(all, recvcounts, displs, recvtype, comm);
        all.sendbuf = sendbuf;
        for (int i = 0; i < blocks.send && code == 0; ++i)
            code = all.send.put(i, sendcount, 0, sendtype);
        return code;
    };
}

/// Sets up the blocks of both sides. `put_send` and `put_receive` fill the blocks of one side, with one datatype or
/// with one datatype for each block.
template <class Exchange, class Run, class Count, class PutSend, class PutReceive>
int lay_out(Exchange& all, Count count, word comm, const void* sendbuf, PutSend put_send, void* recvbuf,
            PutReceive put_receive) {
    block_counts blocks;
    int code = count(comm, blocks);
    if (code == 0)
        code = all.reserve(comm, blocks);
    all.sendbuf = sendbuf;
    all.recvbuf = recvbuf;
    if (code == 0 && !is_in_place<Run>(sendbuf))
        code = put_send(all.send);
    if (code == 0)
        code = put_receive(all.receive);
    return code;
}

template <class Run>
auto blocks_of_one_type(word comm, const std::int64_t* counts, const std::intptr_t* displs, word type) {
    return [=](auto& list) {
        if (const int code = list.size != 0 ? check_arrays<Run>(comm, counts, displs) : 0; code != 0)
            return code;
        return list.put_all(counts, displs, type);
    };
}
template <class Run>
auto blocks_of_many_types(word comm, const std::int64_t* counts, const std::intptr_t* displs,
                          const type_of<Run>* types) {
    return [=](auto& list) {
        if (const int code = list.size != 0 ? check_arrays<Run>(comm, counts, displs, types) : 0; code != 0)
            return code;
        return list.put_each(counts, displs, types);
    };
}

template <class Run>
auto Alltoallv_blocks(const void* sendbuf, const std::int64_t* sendcounts, const std::intptr_t* sdispls, word sendtype,
                      void* recvbuf, const std::int64_t* recvcounts, const std::intptr_t* rdispls, word recvtype,
                      word comm) {
    return [=](peer_exchange<Run>& all) {
        return lay_out<peer_exchange<Run>, Run>(all, count_peers<Run>, comm, sendbuf,
                                                blocks_of_one_type<Run>(comm, sendcounts, sdispls, sendtype), recvbuf,
                                                blocks_of_one_type<Run>(comm, recvcounts, rdispls, recvtype));
    };
}
template <class Run>
auto Alltoallw_blocks(const void* sendbuf, const std::int64_t* sendcounts, const std::intptr_t* sdispls,
                      const type_of<Run>* sendtypes, void* recvbuf, const std::int64_t* recvcounts,
                      const std::intptr_t* rdispls, const type_of<Run>* recvtypes, word comm) {
    return [=](peer_exchange<Run>& all) {
        return lay_out<peer_exchange<Run>, Run>(
            all, count_peers<Run>, comm, sendbuf, blocks_of_many_types<Run>(comm, sendcounts, sdispls, sendtypes),
            recvbuf, blocks_of_many_types<Run>(comm, recvcounts, rdispls, recvtypes));
    };
}

// ---- neighbours ----

template <class Run>
auto Neighbor_alltoallv_blocks(const void* sendbuf, const std::int64_t* sendcounts, const std::intptr_t* sdispls,
                               word sendtype, void* recvbuf, const std::int64_t* recvcounts,
                               const std::intptr_t* rdispls, word recvtype, word comm) {
    return [=](neighbor_exchange<Run>& all) {
        return lay_out<neighbor_exchange<Run>, Run>(
            all, count_neighbors<Run>, comm, sendbuf, blocks_of_one_type<Run>(comm, sendcounts, sdispls, sendtype),
            recvbuf, blocks_of_one_type<Run>(comm, recvcounts, rdispls, recvtype));
    };
}
template <class Run>
auto Neighbor_alltoallw_blocks(const void* sendbuf, const std::int64_t* sendcounts, const std::intptr_t* sdispls,
                               const type_of<Run>* sendtypes, void* recvbuf, const std::int64_t* recvcounts,
                               const std::intptr_t* rdispls, const type_of<Run>* recvtypes, word comm) {
    return [=](neighbor_exchange<Run>& all) {
        return lay_out<neighbor_exchange<Run>, Run>(
            all, count_neighbors<Run>, comm, sendbuf, blocks_of_many_types<Run>(comm, sendcounts, sdispls, sendtypes),
            recvbuf, blocks_of_many_types<Run>(comm, recvcounts, rdispls, recvtypes));
    };
}
template <class Run>
auto Neighbor_allgatherv_blocks(const void* sendbuf, std::int64_t sendcount, word sendtype, void* recvbuf,
                                const std::int64_t* recvcounts, const std::intptr_t* displs, word recvtype, word comm) {
    return [=](neighbor_exchange<Run>& all) {
        const auto same_for_all = [=](auto& list) {
            int code = 0;
            for (int i = 0; i < list.size && code == 0; ++i)
                code = list.put(i, sendcount, 0, sendtype);
            return code;
        };
        return lay_out<neighbor_exchange<Run>, Run>(all, count_neighbors<Run>, comm, sendbuf, same_for_all, recvbuf,
                                                    blocks_of_one_type<Run>(comm, recvcounts, displs, recvtype));
    };
}

} // namespace anympi::emulate
