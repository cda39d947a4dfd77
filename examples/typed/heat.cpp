// Heat flows through a plate that is divided among a grid of processes. Each step exchanges the edges with the
// neighbors.
#include <anympi/anympi.hpp>
#include <cmath>
#include <cstdio>

using anympi::tag;

int main() {
    const auto mpi = anympi::init();
    const auto world = mpi.world();
    const auto sizes = anympi::CartComm::dims(world.size(), {0, 0});
    const auto grid = anympi::CartComm::create(world, sizes, std::array{true, true}).value();

    constexpr MPI_Count n = 16, wide = n + 2; // this process's part, surrounded by the neighbors' edges
    std::vector<double> old(wide * wide), now(wide * wide);
    const auto at = [](std::vector<double>& field, MPI_Count row, MPI_Count column) -> double& {
        return field[static_cast<std::size_t>(row * wide + column)];
    };
    if (grid.rank() == 0)
        at(old, n / 2, n / 2) = 1000;

    const auto row = [&](MPI_Count which) {
        return std::span(old).subspan(static_cast<std::size_t>(which * wide + 1), n);
    };
    const auto column = [&](MPI_Count which) {
        return anympi::strided(std::span(old).subspan(static_cast<std::size_t>(wide + which)), n, 1, wide);
    };
    const auto left = column(0), right = column(n + 1);
    auto exchange = [&] {
        const auto [up, down] = grid.shift(0);
        const auto [west, east] = grid.shift(1);
        anympi::RequestSet all;
        all.add(grid.irecv(row(0), up, tag(1)));
        all.add(grid.irecv(row(n + 1), down, tag(2)));
        all.add(grid.irecv(left, west, tag(3)));
        all.add(grid.irecv(right, east, tag(4)));
        all.add(grid.isend(row(n), down, tag(1)));
        all.add(grid.isend(row(1), up, tag(2)));
        all.add(grid.isend(column(n), east, tag(3)));
        all.add(grid.isend(column(1), west, tag(4)));
        all.wait_all();
    };
    for (int step = 0; step < 50; ++step) {
        exchange();
        for (MPI_Count i = 1; i <= n; ++i)
            for (MPI_Count j = 1; j <= n; ++j)
                at(now, i, j) = at(old, i, j) + 0.2 * (at(old, i - 1, j) + at(old, i + 1, j) + at(old, i, j - 1) +
                                                       at(old, i, j + 1) - 4 * at(old, i, j));
        std::copy(now.begin(), now.end(), old.begin()); // the views refer to old
    }
    double mine = 0;
    for (MPI_Count i = 1; i <= n; ++i)
        for (MPI_Count j = 1; j <= n; ++j)
            mine += at(old, i, j);
    const double heat = grid.allreduce(mine, anympi::op::sum);
    if (grid.rank() == 0)
        std::printf("%.6f\nheat: %s\n", heat, std::abs(heat - 1000) < 1e-6 ? "correct" : "wrong");
}
