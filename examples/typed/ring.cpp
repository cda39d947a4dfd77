// A token travels around the ring and grows.
#include <anympi/anympi.hpp>
#include <cstdio>

int main() {
    const auto mpi = anympi::init();
    const auto world = mpi.world();
    const int rank = world.rank(), size = world.size(), next = (rank + 1) % size, before = (rank + size - 1) % size;
    std::vector<int> token;
    if (rank == 0) {
        auto sending = world.isend(std::vector<int>{0}, next);
        token = world.recv<std::vector<int>>(before);
        sending.wait();
        std::printf("ring: %s\n", token.size() == static_cast<std::size_t>(size) ? "correct" : "wrong");
    } else {
        token = world.recv<std::vector<int>>(before);
        token.push_back(rank);
        world.send(token, next);
    }
}
