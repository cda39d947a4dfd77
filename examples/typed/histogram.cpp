// A histogram in memory that all processes of a machine share.
#include <algorithm>
#include <anympi/anympi.hpp>
#include <atomic>
#include <cstdio>
#include <numeric>
#include <random>

int main() {
    const auto mpi = anympi::init();
    const auto node = mpi.world().split_shared();
    constexpr std::size_t bins = 16;
    constexpr long draws = 10'000;
    const auto window = anympi::SharedWindow<long>::allocate(node, node.rank() == 0 ? bins : 0);
    const auto counts = window.remote(0);
    if (node.rank() == 0)
        std::fill(counts.begin(), counts.end(), 0);
    window.fence(node);
    std::mt19937 random(static_cast<unsigned>(node.rank() + 1));
    for (long draw = 0; draw < draws; ++draw)
        std::atomic_ref(counts[random() % bins]).fetch_add(1);
    window.fence(node);
    const long total = std::accumulate(counts.begin(), counts.end(), 0L);
    if (node.rank() == 0)
        std::printf("histogram: %s\n", total == draws * node.size() ? "correct" : "wrong");
    window.fence(node);
}
