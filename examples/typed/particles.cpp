// Structs are sent as they are, and a function of the program reduces them.
#include <anympi/anympi.hpp>
#include <cstdio>

namespace {

enum class Kind : char { light, heavy };
struct Particle {
    Kind kind;
    double mass;
    std::array<double, 3> position;
    int id;
};
struct Heaviest {
    double mass;
    int id;
};

} // namespace

int main() {
    const auto mpi = anympi::init();
    const auto world = mpi.world();
    const int next = (world.rank() + 1) % world.size(), before = (world.rank() + world.size() - 1) % world.size();
    std::vector<Particle> mine;
    for (int number = 0; number <= world.rank(); ++number)
        mine.push_back({Kind::heavy, 1.5 * number, {1, 2, 3}, world.rank() * 10 + number});
    auto sending = world.isend(std::move(mine), next);
    const auto theirs = world.recv<std::vector<Particle>>(before);
    sending.wait();

    const Heaviest last{theirs.back().mass, theirs.back().id};
    const auto heaviest =
        world.allreduce(last, [](const Heaviest& a, const Heaviest& b) { return a.mass >= b.mass ? a : b; });
    if (world.rank() == 0)
        std::printf("particles: %s\n", heaviest.id == (world.size() - 1) * 11 ? "correct" : "wrong");
}
