// Sorts numbers that are distributed over all processes. Samples give the limits, and each process gets the numbers
// between two limits.
#include <algorithm>
#include <anympi/anympi.hpp>
#include <cstdio>
#include <random>

int main() {
    const auto mpi = anympi::init();
    const auto world = mpi.world();
    const auto size = static_cast<std::size_t>(world.size());
    std::mt19937 random(static_cast<unsigned>(world.rank() + 1));
    std::vector<unsigned> mine(10'000);
    std::generate(mine.begin(), mine.end(), random);
    std::sort(mine.begin(), mine.end());

    std::vector<unsigned> samples;
    for (std::size_t number = 1; number < size; ++number)
        samples.push_back(mine[number * mine.size() / size]);
    auto all = world.allgather(samples);
    std::sort(all.begin(), all.end());
    std::vector<std::size_t> counts;
    auto begin = mine.begin();
    for (std::size_t number = 1; number <= size; ++number) {
        const auto end = number == size
                             ? mine.end()
                             : std::lower_bound(begin, mine.end(), all[number * (size - 1) - (size + 1) / 2]);
        counts.push_back(static_cast<std::size_t>(end - begin));
        begin = end;
    }
    auto sorted = world.alltoallv(mine, counts);
    std::sort(sorted.begin(), sorted.end());

    // The largest number of each process is not above the smallest of the next one, and no number is lost.
    const unsigned largest = sorted.empty() ? 0 : sorted.back();
    const unsigned before = world.exscan(largest, anympi::op::max);
    const bool good = sorted.empty() || before <= sorted.front();
    const auto total = world.allreduce(sorted.size(), std::plus<>());
    if (world.allreduce(good, anympi::op::logical_and) && total == mine.size() * size && world.rank() == 0)
        std::printf("sample_sort: correct\n");
}
