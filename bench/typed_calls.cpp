// Measures the cost of functions of the typed API over the calls of C that they replace (see typed_calls.py).
//
// The functions of MPI do nothing here, so only the cost of the calls counts. Calls that only the typed API makes
// (MPI_Comm_size …) are part of its cost. Without arguments the program prints, for each case, how often an iteration
// of the typed API allocates memory. Otherwise
//
//     typed_calls ITERATIONS [CASE...]
//
// runs each case in C and with the typed API, for ITERATIONS and for twice as many, and leaves one callgrind dump for
// each run.
#include <algorithm>
#include <anympi/anympi.hpp>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>
#include <valgrind/callgrind.h>
#include <vector>

namespace {
long allocations = 0;
}
// Not inlined, since g++ warns of free() for memory of an operator new.
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* const memory = std::malloc(size))
        return memory;
    std::abort();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace {

constexpr int processes = 4, our_rank = 0;
constexpr std::size_t each = 8; // elements of a block
char made;                      // its address is a handle

template <class Handle>
Handle some_handle() {
    return reinterpret_cast<Handle>(&made);
}
int begin(MPI_Request* request) {
    *request = some_handle<MPI_Request>();
    return MPI_SUCCESS;
}
int receive(MPI_Status* status) {
    if (status != MPI_STATUS_IGNORE)
        status->MPI_ERROR = MPI_SUCCESS;
    return MPI_SUCCESS;
}

} // namespace

// Weak, so that the compiler cannot assume these definitions and must call them.
#define STUB(name, ...) extern "C" [[gnu::weak]] int name(__VA_ARGS__)
#define ANY_BUFFER const void*, MPI_Count, MPI_Datatype
#define ANY_PLACE void*, MPI_Count, MPI_Datatype
#define ANY_PARTS const MPI_Count*, const MPI_Aint*, MPI_Datatype
// clang-format off
STUB(MPI_Finalized, int* flag) { *flag = 0; return MPI_SUCCESS; }
STUB(MPI_Comm_rank, MPI_Comm, int* rank) { *rank = our_rank; return MPI_SUCCESS; }
STUB(MPI_Comm_size, MPI_Comm, int* size) { *size = processes; return MPI_SUCCESS; }
STUB(MPI_Comm_test_inter, MPI_Comm, int* flag) { *flag = 0; return MPI_SUCCESS; }
STUB(MPI_Send_c, ANY_BUFFER, int, int, MPI_Comm) { return MPI_SUCCESS; }
STUB(MPI_Recv_c, ANY_PLACE, int, int, MPI_Comm, MPI_Status* status) { return receive(status); }
STUB(MPI_Get_count_c, const MPI_Status*, MPI_Datatype, MPI_Count* count) { *count = 1; return MPI_SUCCESS; }
STUB(MPI_Sendrecv_c, ANY_BUFFER, int, int, ANY_PLACE, int, int, MPI_Comm, MPI_Status* status) { return receive(status); }
STUB(MPI_Isend_c, ANY_BUFFER, int, int, MPI_Comm, MPI_Request* request) { return begin(request); }
STUB(MPI_Irecv_c, ANY_PLACE, int, int, MPI_Comm, MPI_Request* request) { return begin(request); }
STUB(MPI_Send_init_c, ANY_BUFFER, int, int, MPI_Comm, MPI_Request* request) { return begin(request); }
STUB(MPI_Start, MPI_Request*) { return MPI_SUCCESS; }
STUB(MPI_Request_free, MPI_Request* request) { *request = MPI_REQUEST_NULL; return MPI_SUCCESS; }
STUB(MPI_Wait, MPI_Request* request, MPI_Status* status) { *request = MPI_REQUEST_NULL; return receive(status); }
STUB(MPI_Waitall, int count, MPI_Request* requests, MPI_Status*) {
    for (int place = 0; place < count; ++place)
        requests[place] = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}
STUB(MPI_Barrier, MPI_Comm) { return MPI_SUCCESS; }
STUB(MPI_Bcast_c, ANY_PLACE, int, MPI_Comm) { return MPI_SUCCESS; }
STUB(MPI_Allreduce_c, const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm) { return MPI_SUCCESS; }
STUB(MPI_Scan_c, const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm) { return MPI_SUCCESS; }
STUB(MPI_Reduce_c, const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, int, MPI_Comm) { return MPI_SUCCESS; }
STUB(MPI_Gather_c, ANY_BUFFER, ANY_PLACE, int, MPI_Comm) { return MPI_SUCCESS; }
STUB(MPI_Scatter_c, ANY_BUFFER, ANY_PLACE, int, MPI_Comm) { return MPI_SUCCESS; }
STUB(MPI_Allgather_c, ANY_BUFFER, ANY_PLACE, MPI_Comm) { return MPI_SUCCESS; }
STUB(MPI_Alltoall_c, ANY_BUFFER, ANY_PLACE, MPI_Comm) { return MPI_SUCCESS; }
STUB(MPI_Allgatherv_c, ANY_BUFFER, void*, ANY_PARTS, MPI_Comm) { return MPI_SUCCESS; }
STUB(MPI_Alltoallv_c, const void*, ANY_PARTS, void*, ANY_PARTS, MPI_Comm) { return MPI_SUCCESS; }
STUB(MPI_Type_vector, int, int, int, MPI_Datatype, MPI_Datatype* type) { *type = some_handle<MPI_Datatype>(); return MPI_SUCCESS; }
STUB(MPI_Type_create_hvector, int, int, MPI_Aint, MPI_Datatype, MPI_Datatype* type) { *type = some_handle<MPI_Datatype>(); return MPI_SUCCESS; }
STUB(MPI_Type_commit, MPI_Datatype*) { return MPI_SUCCESS; }
STUB(MPI_Type_free, MPI_Datatype* type) { *type = MPI_DATATYPE_NULL; return MPI_SUCCESS; }
STUB(MPI_Win_lock_all, int, MPI_Win) { return MPI_SUCCESS; }
STUB(MPI_Win_unlock_all, MPI_Win) { return MPI_SUCCESS; }
STUB(MPI_Win_flush, int, MPI_Win) { return MPI_SUCCESS; }
STUB(MPI_Put_c, ANY_BUFFER, int, MPI_Aint, MPI_Count, MPI_Datatype, MPI_Win) { return MPI_SUCCESS; }
STUB(MPI_Get_c, ANY_PLACE, int, MPI_Aint, MPI_Count, MPI_Datatype, MPI_Win) { return MPI_SUCCESS; }
STUB(MPI_Fetch_and_op, const void*, void*, MPI_Datatype, int, MPI_Aint, MPI_Op, MPI_Win) { return MPI_SUCCESS; }
STUB(MPI_Compare_and_swap, const void*, const void*, void*, MPI_Datatype, int, MPI_Aint, MPI_Win) { return MPI_SUCCESS; }
// clang-format on

namespace {

// Runs an iteration again and again. The compiler knows nothing of its captured variables.
template <class Once>
[[gnu::noipa]] void repeat(long rounds, Once once) {
    for (; rounds > 0; --rounds) // one register
        once();
}
// Makes the compiler believe that a result is used.
template <class T>
void use(const T& result) {
    asm volatile("" : : "r"(result));
}
void use(double result) {
    asm volatile("" : : "x"(result));
}

// A column of a matrix, described as std::mdspan does.
struct Column {
    using element_type = const double;
    const double* first;
    [[nodiscard]] const double* data_handle() const { return first; }
    [[nodiscard]] static std::size_t extent(std::size_t) { return 2; }
    [[nodiscard]] static std::size_t stride(std::size_t) { return 4; }
    static constexpr std::size_t rank() { return 1; }
};

// The arguments of the command line.
struct Wanted {
    long iterations;
    std::vector<std::string_view> names;
    [[nodiscard]] bool has(std::string_view name) const {
        return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
    }
};
Wanted wanted;

template <class Once>
void count(std::string_view name, const char* side, const Once& once) {
    repeat(2, once); // objects that are made at first use are not counted
    for (const long iterations : {wanted.iterations, 2 * wanted.iterations}) {
        const std::string text = std::string(name) + side + "|" + std::to_string(iterations);
        CALLGRIND_TOGGLE_COLLECT;
        repeat(iterations, once);
        CALLGRIND_TOGGLE_COLLECT;
        CALLGRIND_DUMP_STATS_AT(text.c_str());
    }
}
// A case: the calls of C, and the same with the typed API.
template <class InC, class Typed>
void compare(std::string_view name, const InC& in_c, const Typed& typed) {
    if (!wanted.has(name))
        return;
    if (wanted.iterations > 0) {
        count(name, " in C", in_c);
        count(name, "", typed);
        return;
    }
    repeat(1, typed);
    const long before = allocations;
    repeat(1, typed);
    std::printf("%s|%ld\n", name.data(), allocations - before);
}

using namespace anympi;

constexpr MPI_Count many = each; // the argument of C
double blocks_to_send[processes * each], blocks_to_receive[processes * each];
int peer, other_root; // set by main(), so that the compiler does not know them
double value = 1, combined = 0;
long number = 1, other = 2, fetched = 0;

void point_to_point(const Comm& comm) {
    const MPI_Comm c = comm.handle();
    const int peer = ::peer;
    const Tag tag = anympi::tag(::peer);
    const int t = tag.number();
    const std::span<const double> from(blocks_to_send, static_cast<std::size_t>(peer) * each);
    const std::span<double> into(blocks_to_receive, from.size());
    const auto n = static_cast<MPI_Count>(from.size());
    MPI_Status status{};
    compare(
        "send of a value", [=] { MPI_Send_c(&value, 1, MPI_DOUBLE, peer, t, c); },
        [=, &comm] { comm.send(value, peer, tag); });
    compare(
        "send", [=] { MPI_Send_c(from.data(), n, MPI_DOUBLE, peer, t, c); },
        [=, &comm] { comm.send(from, peer, tag); });
    compare(
        "recv into a value", [=]() mutable { MPI_Recv_c(&value, 1, MPI_DOUBLE, peer, t, c, &status); },
        [=, &comm]() mutable { comm.recv(value, peer, tag); });
    compare(
        "recv of a value (in C with MPI_Get_count_c)",
        [=]() mutable {
            MPI_Count came = 0;
            MPI_Recv_c(&value, 1, MPI_DOUBLE, peer, t, c, &status);
            MPI_Get_count_c(&status, MPI_DOUBLE, &came);
            use(came), use(value);
        },
        [=, &comm] { use(comm.recv<double>(peer, tag)); });
    compare(
        "recv", [=]() mutable { MPI_Recv_c(into.data(), n, MPI_DOUBLE, peer, t, c, &status); },
        [=, &comm] { comm.recv(into, peer, tag); });
    compare(
        "sendrecv",
        [=]() mutable {
            MPI_Sendrecv_c(from.data(), n, MPI_DOUBLE, peer, t, into.data(), n, MPI_DOUBLE, peer, t, c, &status);
        },
        [=, &comm] { comm.sendrecv(from, peer, tag, into, peer, tag); });
    auto column = strided(from, 2, 1, 4);
    const MPI_Datatype type = column.type();
    compare(
        "send of a kept view", [=] { MPI_Send_c(from.data(), 1, type, peer, t, c); },
        [&column, &comm, peer, tag] { comm.send(column, peer, tag); });
    const auto pattern = anympi::Pattern<double>::strided(2, 1, 4);
    compare(
        "send by a kept pattern", [=] { MPI_Send_c(from.data(), 1, type, peer, t, c); },
        [=, &pattern, &comm] { comm.send(pattern(from), peer, tag); });
    const Column shaped{from.data()};
    compare(
        "send of a shape", [=] { MPI_Send_c(from.data(), 1, type, peer, t, c); },
        [=, &comm] { comm.send(shaped, peer, tag); });
}

// Inline like the calls of C, so that the table has no prologue of a function that only this program has.
#define INLINE __attribute__((always_inline))

void requests(const Comm& comm) {
    const MPI_Comm c = comm.handle();
    const int peer = ::peer;
    const Tag tag = anympi::tag(::peer);
    const int t = tag.number();
    const std::span<const double> from(blocks_to_send, static_cast<std::size_t>(peer) * each);
    const std::span<double> into(blocks_to_receive, from.size());
    const auto n = static_cast<MPI_Count>(from.size());
    MPI_Status status{}, statuses[2]{};
    MPI_Request request = MPI_REQUEST_NULL, both[2]{};
    compare(
        "isend+wait",
        [=]() mutable {
            MPI_Isend_c(from.data(), n, MPI_DOUBLE, peer, t, c, &request);
            MPI_Wait(&request, &status);
        },
        [=, &comm]() INLINE { comm.isend(from, peer, tag).wait(); });
    compare(
        "irecv+wait",
        [=]() mutable {
            MPI_Irecv_c(into.data(), n, MPI_DOUBLE, peer, t, c, &request);
            MPI_Wait(&request, &status);
        },
        [=, &comm]() INLINE { comm.irecv(into, peer, tag).wait(); });
    const auto two_in_c = [=]() mutable {
        MPI_Isend_c(from.data(), n, MPI_DOUBLE, peer, t, c, &both[0]);
        MPI_Irecv_c(into.data(), n, MPI_DOUBLE, peer, t, c, &both[1]);
        MPI_Waitall(2, both, statuses);
    };
    compare("isend+irecv+wait_all(a, b)", two_in_c, [=, &comm]() INLINE {
        auto a = comm.isend(from, peer, tag);
        auto b = comm.irecv(into, peer, tag);
        wait_all(a, b);
    });
    compare(
        "wait_all(a, b) of requests of C",
        [=]() mutable {
            both[0] = both[1] = some_handle<MPI_Request>();
            MPI_Waitall(2, both, statuses);
        },
        []() INLINE {
            Request a(detail::Operation{.handle = some_handle<MPI_Request>()});
            Request b(detail::Operation{.handle = some_handle<MPI_Request>()});
            wait_all(a, b);
        });
    compare("request set of two", two_in_c, [=, &comm]() INLINE {
        RequestSet set;
        set.add(comm.isend(from, peer, tag));
        set.add(comm.irecv(into, peer, tag));
        set.wait_all();
    });
    auto again = comm.send_init(from, peer, tag);
    MPI_Request in_c = again.handle();
    compare(
        "persistent start+wait",
        [=]() mutable {
            in_c = reinterpret_cast<MPI_Request>(&made);
            MPI_Start(&in_c);
            MPI_Wait(&in_c, &status);
        },
        [&again] {
            again.start();
            again.wait();
        });
}

void collectives(const Comm& comm) {
    const MPI_Comm c = comm.handle();
    const int root = our_rank, far_root = other_root;
    const std::span<const double> block(blocks_to_send, static_cast<std::size_t>(peer) * each);
    const std::span<double> into_block(blocks_to_receive, block.size());
    const std::span<const double> all(blocks_to_send, static_cast<std::size_t>(peer) * each * processes);
    const std::span<double> into_all(blocks_to_receive, all.size());
    const auto n = static_cast<MPI_Count>(block.size());
    compare(
        "barrier", [=] { MPI_Barrier(c); }, [&comm] { comm.barrier(); });
    compare(
        "bcast of a value", [=]() mutable { MPI_Bcast_c(&value, 1, MPI_DOUBLE, far_root, c); },
        [=, &comm]() mutable { comm.broadcast(value, far_root); });
    compare(
        "bcast", [=] { MPI_Bcast_c(into_block.data(), n, MPI_DOUBLE, far_root, c); },
        [=, &comm] { comm.broadcast(into_block, far_root); });
    compare(
        "allreduce of a value",
        [=]() mutable {
            MPI_Allreduce_c(&value, &combined, 1, MPI_DOUBLE, MPI_SUM, c);
            use(combined);
        },
        [=, &comm] { use(comm.allreduce(value, op::sum)); });
    compare(
        "allreduce", [=] { MPI_Allreduce_c(block.data(), into_block.data(), n, MPI_DOUBLE, MPI_SUM, c); },
        [=, &comm] { comm.allreduce(block, into_block, op::sum); });
    compare(
        "allreduce in place", [=] { MPI_Allreduce_c(MPI_IN_PLACE, into_block.data(), n, MPI_DOUBLE, MPI_SUM, c); },
        [=, &comm] { comm.allreduce(in_place, into_block, op::sum); });
    compare(
        "scan of a value",
        [=]() mutable {
            MPI_Scan_c(&value, &combined, 1, MPI_DOUBLE, MPI_SUM, c);
            use(combined);
        },
        [=, &comm] { use(comm.scan(value, op::sum)); });
    compare(
        "scan", [=] { MPI_Scan_c(block.data(), into_block.data(), n, MPI_DOUBLE, MPI_SUM, c); },
        [=, &comm] { comm.scan(block, into_block, op::sum); });
    compare(
        "reduce of a value",
        [=]() mutable {
            combined = value;
            MPI_Reduce_c(&value, &combined, 1, MPI_DOUBLE, MPI_SUM, root, c);
            use(combined);
        },
        [=, &comm] { use(comm.reduce(value, op::sum, root)); });
    compare(
        "reduce", [=] { MPI_Reduce_c(block.data(), into_block.data(), n, MPI_DOUBLE, MPI_SUM, root, c); },
        [=, &comm] { comm.reduce(block, into_block, op::sum, root); });
    compare(
        "gather at the root",
        [=] { MPI_Gather_c(block.data(), n, MPI_DOUBLE, into_all.data(), n, MPI_DOUBLE, root, c); },
        [=, &comm] { comm.gather(block, into_all, root); });
    compare(
        "gather elsewhere", [=] { MPI_Gather_c(block.data(), n, MPI_DOUBLE, nullptr, 0, MPI_DOUBLE, far_root, c); },
        [=, &comm] { comm.gather(block, std::span<double>(), far_root); });
    compare(
        "scatter at the root",
        [=] { MPI_Scatter_c(all.data(), n, MPI_DOUBLE, into_block.data(), n, MPI_DOUBLE, root, c); },
        [=, &comm] { comm.scatter(all, into_block, root); });
    compare(
        "allgather of a value", [=] { MPI_Allgather_c(&value, 1, MPI_DOUBLE, into_all.data(), 1, MPI_DOUBLE, c); },
        [=, &comm] { comm.allgather(value, into_all.first(processes)); });
    compare(
        "allgather", [=] { MPI_Allgather_c(block.data(), n, MPI_DOUBLE, into_all.data(), n, MPI_DOUBLE, c); },
        [=, &comm] { comm.allgather(block, into_all); });
    compare(
        "alltoall", [=] { MPI_Alltoall_c(all.data(), n, MPI_DOUBLE, into_all.data(), n, MPI_DOUBLE, c); },
        [=, &comm] { comm.alltoall(all, into_all); });

    const Layout layout = Layout::packed(std::vector<MPI_Count>(processes, n));
    const MPI_Count* const counts = layout.counts().data();
    const MPI_Aint* const places = layout.displacements().data();
    compare(
        "allgatherv with a kept layout",
        [=] { MPI_Allgatherv_c(block.data(), n, MPI_DOUBLE, into_all.data(), counts, places, MPI_DOUBLE, c); },
        [=, &comm, &layout] { comm.allgatherv(block, into_all, layout); });
    compare(
        "alltoallv with kept layouts",
        [=] {
            MPI_Alltoallv_c(all.data(), counts, places, MPI_DOUBLE, into_all.data(), counts, places, MPI_DOUBLE, c);
        },
        [=, &comm, &layout] { comm.alltoallv(all, into_all, layout, layout); });
}

void windows() {
    const Window<double> window(some_handle<MPI_Win>(), false);
    const Window<long> numbers(some_handle<MPI_Win>(), false);
    const MPI_Win w = window.handle();
    const int peer = ::peer;
    const Displacement place = at(peer);
    const MPI_Aint p = place.number();
    const std::span<const double> from(blocks_to_send, static_cast<std::size_t>(peer) * each);
    const std::span<double> into(blocks_to_receive, from.size());
    const auto n = static_cast<MPI_Count>(from.size());
    auto epoch = window.lock_all();
    auto numbers_epoch = numbers.lock_all();
    compare(
        "put of a value", [=] { MPI_Put_c(&value, 1, MPI_DOUBLE, peer, p, 1, MPI_DOUBLE, w); },
        [=, &epoch] { epoch.put(value, peer, place); });
    compare(
        "put", [=] { MPI_Put_c(from.data(), n, MPI_DOUBLE, peer, p, n, MPI_DOUBLE, w); },
        [=, &epoch] { epoch.put(from, peer, place); });
    compare(
        "get", [=] { MPI_Get_c(into.data(), n, MPI_DOUBLE, peer, p, n, MPI_DOUBLE, w); },
        [=, &epoch] { epoch.get(into, peer, place); });
    compare(
        "fetch_and_op+flush",
        [=]() mutable {
            MPI_Fetch_and_op(&number, &fetched, MPI_LONG, peer, p, MPI_SUM, w);
            MPI_Win_flush(peer, w);
            use(fetched);
        },
        [=, &numbers_epoch] {
            auto result = numbers_epoch.fetch_and_op(number, peer, place, op::sum);
            numbers_epoch.flush(peer);
            use(result.get());
        });
    compare(
        "compare_and_swap+flush",
        [=]() mutable {
            MPI_Compare_and_swap(&number, &other, &fetched, MPI_LONG, peer, p, w);
            MPI_Win_flush(peer, w);
            use(fetched);
        },
        [=, &numbers_epoch] {
            auto result = numbers_epoch.compare_and_swap(number, other, peer, place);
            numbers_epoch.flush(peer);
            use(result.get());
        });
}

} // namespace

int main(int count, char** arguments) {
    peer = other_root = 1;
    wanted.iterations = count > 1 ? std::strtol(arguments[1], nullptr, 10) : 0;
    wanted.names.assign(arguments + std::min(count, 2), arguments + count);
    CALLGRIND_START_INSTRUMENTATION;
    const Comm comm = Comm::borrow(MPI_COMM_WORLD);
    point_to_point(comm);
    requests(comm);
    collectives(comm);
    windows();
    CALLGRIND_STOP_INSTRUMENTATION;
}
