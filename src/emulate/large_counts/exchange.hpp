#pragma once

#include "convert/peers.hpp"
#include "emulate/engine/handles_in_use.hpp"
#include "emulate/engine/owning_request.hpp"
#include "emulate/large_counts/aggregate_count.hpp"

namespace anympi::emulate {

// The large collectives with one count per peer. All processes must call the same function of the runtime, so the
// choice must not depend on the counts of one process. They always call the function with one datatype per peer, where
// each block may be small or an aggregate.

/// The blocks that a process sends, or the blocks that it receives. The struct is plain data, because a request may
/// need it until it completes.
template <class Run, class Displacement>
struct block_list {
    int* counts;
    Displacement* displacements; // in bytes
    type_of<Run>* types;
    type_of<Run>* made; // datatypes of anympi; null for each block without one
    int size;
    word comm;     // errors are reported to this communicator
    bool has_uses; // a use of each of the program's datatypes is counted, because the program may free them

    /// Allocates empty blocks. Returns false if memory is exhausted.
    bool reserve(word of_comm, int blocks) {
        comm = of_comm;
        const auto n = static_cast<std::size_t>(blocks);
        const std::size_t each = sizeof(Displacement) + 2 * sizeof(type_of<Run>) + sizeof(int);
        auto* const room = static_cast<char*>(std::calloc(n + 1, each));
        if (room == nullptr)
            return false;
        displacements = reinterpret_cast<Displacement*>(room); // the widest type comes first
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

    /// Adds a use of each datatype, for a request that the runtime does not know. Returns false if memory is exhausted.
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

    /// Sets a block. A count that does not fit becomes an aggregate. A displacement that does not fit becomes part of
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

    /// Sets all blocks, which have the same datatype. Displacements count its elements.
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

    /// Allocates empty blocks. The buffers are dummies, neither null nor equal.
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

    /// Moves the buffer to the block if there is only one: MPI_Alltoallw of Open MPI 4.1 ignores displacements on a
    /// communicator of one process.
    void begin_at_single_blocks() {
        if (send.size == 1 && !is_in_place<Run>(sendbuf))
            sendbuf = static_cast<const char*>(sendbuf) + send.take_displacement();
        if (receive.size == 1)
            recvbuf = static_cast<char*>(recvbuf) + receive.take_displacement();
    }

    /// Nonblocking collectives of Open MPI treat equal addresses like MPI_IN_PLACE. The addresses of empty buffers may
    /// be equal, or both MPI_BOTTOM. The distance is chosen so that the result never has a special meaning.
    void keep_buffers_apart() {
        constexpr int distance = 64;
        if (sendbuf != recvbuf || send.size < 2)
            return;
        sendbuf = static_cast<const char*>(sendbuf) - distance;
        for (int i = 0; i < send.size; ++i)
            send.displacements[i] += distance;
    }
};

/// An exchange with a request. For MPI_IN_PLACE it sends copies, because MPICH 3.4 confuses the sizes of blocks with
/// different datatypes, and the datatypes differ if only some blocks are aggregates.
template <class Run, class Displacement>
struct exchange_with_copies : exchange<Run, Displacement> {
    using blocks = exchange<Run, Displacement>;
    using blocks::receive;
    using blocks::recvbuf;
    using blocks::send;
    using blocks::sendbuf;

    char* copies; // packed copies of the data that is sent in place; may be nullptr
    std::int64_t copied_bytes;

    void release() {
        blocks::release();
        std::free(copies);
        copies = nullptr;
    }

    /// Prepares the copies for MPI_IN_PLACE. Invalid arguments are passed on, so that the runtime reports them.
    int send_copies() {
        int rank = 0;
        if (!is_in_place<Run>(sendbuf) || !receive.is_right())
            return 0;
        int code = library<Run>.Comm_rank(receive.comm, &rank);
        for (int i = 0; i < receive.size && code == 0; ++i) {
            std::int64_t size = 0;
            if (i == rank)
                receive.clear(i); // the process's own block stays in place
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
    /// Packs the copies before each start of the operation.
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

/// Runs a blocking exchange. `fill` sets up the blocks, and `call` calls the runtime. Both return error codes that have
/// been reported. In an exchange with a request, the runtime reads the arrays until the request has completed.
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

/// Adds uses of the datatypes, because the program may free the datatypes of a persistent operation before its start.
/// Open MPI's own operations do not keep them alive.
template <class Fill>
auto fill_and_add_uses(Fill fill) {
    return [=](auto& all) {
        const int code = fill_for_request(fill)(all);
        return code == 0 ? all.add_uses() : code;
    };
}

/// Calls a function of the runtime. `others` are its arguments besides the blocks.
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
