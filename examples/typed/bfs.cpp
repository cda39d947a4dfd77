// A breadth-first search in a graph whose vertices are distributed over all processes.
#include <anympi/anympi.hpp>
#include <anympi/flatten.hpp>
#include <cstdio>
#include <map>

namespace {

constexpr int vertices_of_each = 1000, unreached = -1;

// A vertex has edges to the next one, and to one far away.
std::vector<int> neighbors(int vertex, int vertices) {
    return {(vertex + 1) % vertices, (7 * vertex + 3) % vertices};
}

std::vector<int> search(const anympi::Comm& comm, int start) {
    const int size = comm.size(), rank = comm.rank(), vertices = vertices_of_each * size;
    std::vector<int> levels(vertices_of_each, unreached), frontier;
    if (start / vertices_of_each == rank)
        frontier.push_back(start);
    for (int level = 0; comm.allreduce(!frontier.empty(), std::logical_or<>()); ++level) {
        std::map<int, std::vector<int>> next; // by process
        for (const int vertex : frontier)
            if (int& own = levels.at(vertex % vertices_of_each); own == unreached) {
                own = level;
                for (const int neighbor : neighbors(vertex, vertices))
                    next[neighbor / vertices_of_each].push_back(neighbor);
            }
        const auto [data, counts] = anympi::flattened(next, size);
        frontier = comm.alltoallv(data, counts);
    }
    return levels;
}

} // namespace

int main() {
    const auto mpi = anympi::init();
    const auto world = mpi.world();
    const auto levels = world.gather(search(world, 0), 0);
    // Each vertex has its level from a neighbor, and no vertex could have been reached earlier.
    const int vertices = static_cast<int>(levels.size());
    std::vector<int> expected(levels.size(), unreached), queue;
    if (world.rank() == 0) {
        queue.push_back(0);
        expected[0] = 0;
    }
    for (std::size_t done = 0; done < queue.size(); ++done)
        for (const int neighbor : neighbors(queue[done], vertices))
            if (expected[neighbor] == unreached) {
                expected[neighbor] = expected[queue[done]] + 1;
                queue.push_back(neighbor);
            }
    if (world.rank() == 0)
        std::printf("bfs: %s\n", levels == expected ? "correct" : "wrong");
}
