// C = A B: the rows of A are divided among the processes, and every process has B.
#include <anympi/anympi.hpp>
#include <cstdio>

int main() {
    const auto mpi = anympi::init();
    const auto world = mpi.world();
    const auto size = static_cast<std::size_t>(world.size());
    constexpr std::size_t n = 24;
    const std::size_t rows = 6; // of each process
    std::vector<double> a, b(n * n);
    if (world.rank() == 0) {
        a.resize(rows * size * n);
        for (std::size_t place = 0; place < a.size(); ++place)
            a[place] = static_cast<double>(place % 7);
        for (std::size_t place = 0; place < b.size(); ++place)
            b[place] = static_cast<double>(place % 5);
    }
    world.broadcast(b, 0);
    const auto mine = world.scatter(a, 0);
    std::vector<double> product(rows * n);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t j = 0; j < n; ++j)
                product[i * n + j] += mine[i * n + k] * b[k * n + j];
    const auto c = world.gather(product, 0);
    if (world.rank() == 0) {
        double wanted = 0; // the last element, computed again
        for (std::size_t k = 0; k < n; ++k)
            wanted += a[(rows * size - 1) * n + k] * b[k * n + n - 1];
        std::printf("matrix: %s\n", c.back() == wanted ? "correct" : "wrong");
    }
}
