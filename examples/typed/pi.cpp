// Monte Carlo: computes pi from the share of random points that are in the circle.
#include <anympi/anympi.hpp>
#include <cmath>
#include <cstdio>
#include <random>

int main() {
    const auto mpi = anympi::init();
    const auto world = mpi.world();
    constexpr long points = 200'000;
    std::mt19937 random(static_cast<unsigned>(world.rank() + 1));
    std::uniform_real_distribution<double> side(-1, 1);
    long inside = 0;
    for (long point = 0; point < points; ++point)
        inside += std::hypot(side(random), side(random)) <= 1;
    const long all = world.allreduce(inside, anympi::op::sum);
    const double pi = 4.0 * static_cast<double>(all) / static_cast<double>(points * world.size());
    if (world.rank() == 0)
        std::printf("%.4f\npi: %s\n", pi, std::abs(pi - 3.14159) < 0.02 ? "correct" : "wrong");
}
