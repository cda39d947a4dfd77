// Several threads of each process send and receive, each with its own tag.
#include <anympi/anympi.hpp>
#include <atomic>
#include <cstdio>
#include <thread>

int main() {
    const auto mpi = anympi::init(anympi::ThreadLevel::multiple);
    const auto world = mpi.world();
    const int next = (world.rank() + 1) % world.size(), before = (world.rank() + world.size() - 1) % world.size();
    std::atomic<int> good = 0;
    const auto exchange = [&](int tag) {
        auto sending = world.isend(world.rank() * 10 + tag, next, anympi::tag(tag));
        good += world.recv<int>(before, anympi::tag(tag)) == before * 10 + tag;
        sending.wait();
    };
    const int workers = mpi.thread_level() == anympi::ThreadLevel::multiple ? 3 : 0;
    {
        std::vector<std::jthread> threads;
        for (int tag = 1; tag <= workers; ++tag)
            threads.emplace_back(exchange, tag);
    }
    const int wrong = world.allreduce(workers - good, anympi::op::max);
    if (world.rank() == 0)
        std::printf("threads: %s\n", wrong == 0 ? "correct" : "wrong");
}
