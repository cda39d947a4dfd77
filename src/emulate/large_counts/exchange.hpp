#pragma once

#include "convert/peers.hpp"
#include "emulate/engine/handles_in_use.hpp"
#include "emulate/engine/owning_request.hpp"
#include "emulate/large_counts/aggregate_count.hpp"

namespace anympi::emulate {

// The large collectives with one count per peer. Which function of the runtime carries them out must not depend on the
// counts of one process, since all must call the same: it is the one with one datatype per peer, where each block may
// be small or an aggregate.

/// The blocks that a process sends, or those that it receives. Plain data: a request may need it until it completes.
template <class Run, class Displacement>
struct block_list {
    int* counts;
    Displacement* displacements; ///< in bytes
    type_of<Run>* types;
    type_of<Run>* made; ///< those of the types that are ours; null where none is
    int size;
    word comm;     ///< to which errors are reported
    bool has_uses; ///< a use of each type that is not ours is counted: the program may free them

    /// Empty blocks.
    bool reserve(word of_comm, int blocks) {
        comm = of_comm;
        const auto n = static_cast<std::size_t>(blocks);
        const std::size_t each = sizeof(Displacement) + 2 * sizeof(type_of<Run>) + sizeof(int);
        auto* const room = static_cast<char*>(std::calloc(n + 1, each));
        if (room == nullptr)
            return false;
        displacements = reinterpret_cast<Displacement*>(room); // the widest first
        types = reinterpret_cast<type_of<Run>*>(displacements + n);
        made = types + n;
        counts = reinterpret_cast<int*>(made + n);
        size = blocks;
        for (std::size_t i = 0; i < n; ++i) {
            types[i] = static_cast<type_of<Run>>(predefined<Run>(standard::mpi_BYTE));
            made[i] = library_null<Run, object::datatype>();
        }
        return true;
    }

    /// Counts a use of each datatype, for a request that the runtime does not know. Returns false if there is no
    /// memory.
    bool add_uses() {
        int counted = 0;
        while (counted < size && (types[counted] == made[counted] || handles_in_use<Run>.add_use(types[counted])))
            ++counted;
        has_uses = counted == size;
        while (!has_uses && counted-- > 0)
            if (types[counted] != made[counted])
                handles_in_use<Run>.end_use(types[counted]);
        return has_uses;
    }

    void release() {
        for (int i = 0; i < size && has_uses; ++i)
            if (types[i] != made[i])
                handles_in_use<Run>.end_use(types[i]);
        for (int i = 0; i < size; ++i)
            if (!is_library_null<Run, object::datatype>(made[i]))
                library<Run>.Type_free(&made[i]);
        std::free(displacements);
        displacements = nullptr;
        size = 0;
    }

    /// Sets a block. A count that does not fit becomes an aggregate, a displacement that does not fit becomes part of
    /// the datatype.
    int put(int i, std::int64_t count, std::intptr_t displacement, word type) {
        aggregate_count<Run> block(error_target_of(comm), count, type);
        if (block.code() != 0)
            return block.code();
        counts[i] = block.count();
        types[i] = static_cast<type_of<Run>>(block.type());
        if (sizeof(Displacement) == sizeof displacement || fits(displacement) || count <= 0 ||
            is_library_null<Run, object::datatype>(types[i])) {
            displacements[i] = static_cast<Displacement>(displacement);
            made[i] = block.give_away();
            return 0;
        }
        int code = library<Run>.Type_create_hindexed(1, &counts[i], &displacement, types[i], &made[i]);
        if (code == 0)
            code = library<Run>.Type_commit(&made[i]);
        counts[i] = 1;
        types[i] = made[i];
        return code;
    }

    /// All blocks of one datatype; displacements count its elements.
    template <class Given>
    int put_all(const std::int64_t* given_counts, const Given* given_displacements, word type) {
        std::intptr_t lower = 0;
        std::intptr_t extent = 0;
        if (is_library_null<Run, object::datatype>(type))
            return raise<Run>(comm, Run::mpi_ERR_TYPE);
        int code = library<Run>.Type_get_extent(type, &lower, &extent);
        for (int i = 0; i < size && code == 0; ++i)
            code = put(i, given_counts[i], given_displacements[i] * extent, type);
        return code;
    }
    template <class Given>
    int put_each(const std::int64_t* given_counts, const Given* given_displacements, const type_of<Run>* given_types) {
        int code = 0;
        for (int i = 0; i < size && code == 0; ++i)
            code = put(i, given_counts[i], given_displacements[i], given_types[i]);
        return code;
    }
    void clear(int i) { counts[i] = 0; }
    bool is_right() const {
        bool is_right = true;
        for (int i = 0; i < size; ++i)
            is_right = is_right && counts[i] >= 0 && !is_library_null<Run, object::datatype>(types[i]);
        return is_right;
    }
    Displacement take_displacement() {
        const Displacement taken = displacements[0];
        displacements[0] = 0;
        return taken;
    }
};

template <class Run, class Displacement>
struct exchange {
    const void* sendbuf;
    void* recvbuf;
    block_list<Run, Displacement> send;
    block_list<Run, Displacement> receive;

    /// Empty blocks in buffers that are not looked at, but are neither null nor the same.
    int reserve(word comm, block_counts blocks) {
        sendbuf = &send;
        recvbuf = &receive;
        const bool has_memory = send.reserve(comm, blocks.send) && receive.reserve(comm, blocks.receive);
        return has_memory ? 0 : raise<Run>(comm, Run::mpi_ERR_NO_MEM);
    }
    int add_uses() { return send.add_uses() && receive.add_uses() ? 0 : raise<Run>(receive.comm, Run::mpi_ERR_NO_MEM); }
    void release() {
        send.release();
        receive.release();
    }

    /// A single block is where the buffer begins: on a communicator of one process Open MPI 4.1's MPI_Alltoallw takes
    /// no notice of displacements.
    void begin_at_single_blocks() {
        if (send.size == 1 && !is_in_place<Run>(sendbuf))
            sendbuf = static_cast<const char*>(sendbuf) + send.take_displacement();
        if (receive.size == 1)
            recvbuf = static_cast<char*>(recvbuf) + receive.take_displacement();
    }

    /// Nonblocking collectives of Open MPI take equal addresses for MPI_IN_PLACE. Those of empty buffers are equal, and
    /// MPI_BOTTOM. The distance is such that no address with a meaning comes of it.
    void keep_buffers_apart() {
        constexpr int distance = 64;
        if (sendbuf != recvbuf || send.size < 2)
            return;
        sendbuf = static_cast<const char*>(sendbuf) - distance;
        for (int i = 0; i < send.size; ++i)
            send.displacements[i] += distance;
    }
};

/// An exchange with a request. In place it sends copies: MPICH 3.4 mixes up the sizes of blocks with different
/// datatypes, which they have where only some of them are aggregates.
template <class Run, class Displacement>
struct exchange_with_copies : exchange<Run, Displacement> {
    using blocks = exchange<Run, Displacement>;
    using blocks::receive;
    using blocks::recvbuf;
    using blocks::send;
    using blocks::sendbuf;

    char* copies; ///< packed, of what is sent in place; nullptr: nothing is, or not so
    std::int64_t copied_bytes;

    void release() {
        blocks::release();
        std::free(copies);
        copies = nullptr;
    }

    /// Invalid arguments are passed on, so that the runtime reports them.
    int send_copies() {
        int rank = 0;
        if (!is_in_place<Run>(sendbuf) || !receive.is_right())
            return 0;
        int code = library<Run>.Comm_rank(receive.comm, &rank);
        for (int i = 0; i < receive.size && code == 0; ++i) {
            std::int64_t size = 0;
            if (i == rank)
                receive.clear(i); // it stays where it is
            code = library<Run>.Type_size_x(receive.types[i], &size);
            if (code == 0)
                code = send.put(i, receive.counts[i] * size, copied_bytes, predefined<Run>(standard::mpi_PACKED));
            copied_bytes += receive.counts[i] * size;
        }
        if (code != 0)
            return code;
        copies = static_cast<char*>(std::malloc(static_cast<std::size_t>(copied_bytes) + 1));
        sendbuf = copies;
        return copies != nullptr ? 0 : raise<Run>(receive.comm, Run::mpi_ERR_NO_MEM);
    }
    /// Each time before it is begun.
    void begin() const {
        std::int64_t position = 0;
        for (int i = 0; i < receive.size && copies != nullptr; ++i)
            if (receive.counts[i] > 0)
                library<Run>.Pack_c(static_cast<const char*>(recvbuf) + receive.displacements[i], receive.counts[i],
                                    receive.types[i], copies, copied_bytes, &position, receive.comm);
    }
};

template <class Run>
using peer_exchange = exchange<Run, int>;
template <class Run>
using neighbor_exchange = exchange<Run, std::intptr_t>;
template <class Run>
using peer_exchange_with_copies = exchange_with_copies<Run, int>;
template <class Run>
using neighbor_exchange_with_copies = exchange_with_copies<Run, std::intptr_t>;

// ---- blocking, nonblocking and persistent exchanges ----

/// `fill` lays out the blocks, `call` calls the runtime. Both return codes that have been reported. With a request, the
/// runtime reads the arrays until it has completed.
template <class Exchange, class Fill, class Call>
int exchange_now(Fill fill, Call call) {
    Exchange all{};
    int code = fill(all);
    if (code == 0)
        code = call(all);
    all.release();
    return code;
}

template <class Fill>
auto fill_for_request(Fill fill) {
    return [=](auto& all) {
        const int code = fill(all);
        return code == 0 ? all.send_copies() : code;
    };
}

/// The program may free the datatypes of a persistent operation before it is started. Open MPI's own operations do not
/// keep them alive.
template <class Fill>
auto fill_and_add_uses(Fill fill) {
    return [=](auto& all) {
        const int code = fill_for_request(fill)(all);
        return code == 0 ? all.add_uses() : code;
    };
}

/// `...`: what the function takes besides the blocks.
template <class Exchange, class Function, class... Others>
int call_with_blocks(Function function, Exchange& all, Others... others) {
    all.begin_at_single_blocks();
    all.keep_buffers_apart();
    return function(all.sendbuf, all.send.counts, all.send.displacements, all.send.types, all.recvbuf,
                    all.receive.counts, all.receive.displacements, all.receive.types, others...);
}

template <class Run, class Fill>
int alltoallw(word comm, Fill fill) {
    return exchange_now<peer_exchange<Run>>(
        fill, [=](auto& all) { return call_with_blocks(library<Run>.Alltoallw, all, comm); });
}
template <class Run, class Fill>
int ialltoallw(word comm, request_of<Run>* request, Fill fill) {
    return begin_owning_request<Run, peer_exchange_with_copies<Run>>(
        false, 1, comm, request, fill_for_request(fill),
        [=](auto& all, auto* child) { return call_with_blocks(library<Run>.Ialltoallw, all, comm, child); });
}
template <class Run, class Fill>
int alltoallw_init(word comm, word info, request_of<Run>* request, Fill fill) {
    return begin_owning_request<Run, peer_exchange_with_copies<Run>>(
        true, 1, comm, request, fill_and_add_uses(fill),
        [=](auto& all, auto* child) { return call_with_blocks(library<Run>.Alltoallw_init, all, comm, info, child); });
}

template <class Run, class Fill>
int neighbor_alltoallw(word comm, Fill fill) {
    return exchange_now<neighbor_exchange<Run>>(
        fill, [=](auto& all) { return call_with_blocks(library<Run>.Neighbor_alltoallw, all, comm); });
}
template <class Run, class Fill>
int ineighbor_alltoallw(word comm, request_of<Run>* request, Fill fill) {
    return begin_owning_request<Run, neighbor_exchange<Run>>(
        false, 1, comm, request, fill,
        [=](auto& all, auto* child) { return call_with_blocks(library<Run>.Ineighbor_alltoallw, all, comm, child); });
}
template <class Run, class Fill>
int neighbor_alltoallw_init(word comm, word info, request_of<Run>* request, Fill fill) {
    return begin_owning_request<Run, neighbor_exchange_with_copies<Run>>(
        true, 1, comm, request, fill_and_add_uses(fill), [=](auto& all, auto* child) {
            return call_with_blocks(library<Run>.Neighbor_alltoallw_init, all, comm, info, child);
        });
}

} // namespace anympi::emulate
