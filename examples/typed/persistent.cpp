// A loop whose reduction is described once.
#include <anympi/anympi.hpp>
#include <cstdio>

int main() {
    const auto mpi = anympi::init();
    const auto world = mpi.world();
    std::vector<double> mine(3), sum(3);
    auto reduction = world.allreduce_init(mine, sum, anympi::op::sum);
    bool good = true;
    for (int step = 0; step < 10; ++step) {
        mine.assign(3, step + world.rank());
        reduction.start();
        // Something else could be done here.
        reduction.wait();
        good = good && sum[2] == step * world.size() + world.size() * (world.size() - 1) / 2;
    }
    if (world.rank() == 0)
        std::printf("persistent: %s\n", good ? "correct" : "wrong");
}
