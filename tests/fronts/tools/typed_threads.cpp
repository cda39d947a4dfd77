// Everything that threads of one process share in the typed API, at the same time, for ThreadSanitizer: communicators,
// datatypes and operations that are created at first use, states of operations, listeners, requests that one thread
// starts and another one completes.
#include <anympi/anympi.hpp>
#include <atomic>
#include <barrier>
#include <cstdio>
#include <thread>

using anympi::count;
using anympi::tag;

namespace {

constexpr int workers = 4, rounds = 10;

struct Cell { // the first thread that needs its datatype creates it
    double value;
    std::array<short, 3> indices;
};

} // namespace

int main() {
    const auto mpi = anympi::init(anympi::ThreadLevel::multiple);
    const auto world = mpi.world();
    const int rank = world.rank(), size = world.size();
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    if (mpi.thread_level() != anympi::ThreadLevel::multiple) {
        if (rank == 0)
            std::puts("threads: not granted");
        return 0;
    }
    std::vector<anympi::Comm> comms; // only one thread at a time may use collective operations of a communicator
    for (int worker = 0; worker < workers; ++worker)
        comms.push_back(world.duplicate());
    const auto listened = world.duplicate(), unasked = world.duplicate();
    std::atomic<int> wrong = 0, heard = 0;
    std::barrier together(workers);
    const auto work = [&](int worker) {
        const anympi::Comm& own = comms[static_cast<std::size_t>(worker)];
        const auto expect = [&](bool good) { wrong += !good; };
        together.arrive_and_wait();
        expect(unasked.size() == size && unasked.rank() == rank && !unasked.is_inter()); // the facts of a communicator
        for (int round = 0; round < rounds; ++round) {
            auto sending = world.isend(std::vector<Cell>{{rank + 0.5, {1, 2, 3}}}, next, tag(worker));
            const auto got = world.recv<std::vector<Cell>>(before, tag(worker));
            expect(got.size() == 1 && got[0].value == before + 0.5 && got[0].indices[2] == 3);
            static_cast<void>(sending.wait());
            expect(own.allreduce(1, [](int a, int b) { return a + b; }) == size);
            expect(own.allreduce(1, [worker](int a, int b) { return a + b + worker; }) == size + worker * (size - 1));
            together.arrive_and_wait(); // otherwise one thread could be finished before the next one comes
            for (int again = 0; again < 20; ++again)
                listened.on_error([&](const anympi::Error&) { ++heard; });
            try {
                listened.send(1, size);
            } catch (const anympi::Error& error) {
                expect(error.error_class() == anympi::ErrorClass::rank);
            }
        }
    };
    {
        std::vector<std::jthread> threads;
        for (int worker = 0; worker < workers; ++worker)
            threads.emplace_back(work, worker);
    }
    wrong += heard != workers * rounds;
    auto coming = world.irecv<std::vector<int>>(before, tag(50), count(3));
    std::jthread waiting([&wrong, &before, coming = std::move(coming)]() mutable {
        wrong += coming.wait() != std::vector<int>{before};
    });
    world.send(rank, next, tag(50));
    waiting.join();
    auto [request, completion] = anympi::start_operation();
    std::jthread completing([done = std::move(completion)]() mutable { std::move(done).complete(); });
    static_cast<void>(request.wait());
    completing.join();
    comms.clear();
    const int all = world.allreduce(wrong.load(), anympi::op::max);
    if (rank == 0)
        std::printf("threads: %s\n", all == 0 ? "correct" : "wrong");
    return all;
}
