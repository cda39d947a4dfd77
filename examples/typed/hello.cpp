// Each process prints its rank and host. Rank 0 also prints which MPI they run on.
#include <anympi/anympi.hpp>
#include <cstdio>

int main() {
    const auto mpi = anympi::init();
    const auto world = mpi.world();
    std::printf("%d of %d on %s\n", world.rank(), world.size(), anympi::processor_name().c_str());
    const auto report = world.topology_report();
    if (world.rank() == 0)
        std::printf("%shello: %s\n", report.text().c_str(), report.size == world.size() ? "correct" : "wrong");
}
