// All processes write their part of one file, and read the next process's part.
#include <anympi/anympi.hpp>
#include <cstdio>

int main() {
    const auto mpi = anympi::init();
    const auto world = mpi.world();
    using anympi::FileMode;
    constexpr int count = 100;
    const auto place = [&](int rank) { return static_cast<MPI_Offset>(rank) * count; };
    const auto file =
        anympi::File::open(world, "numbers.bin", FileMode::create | FileMode::read_write | FileMode::delete_on_close);
    file.set_view<double>(0);
    file.write_at_all(place(world.rank()), std::vector<double>(count, world.rank()));
    file.sync();
    world.barrier();
    file.sync();
    const int next = (world.rank() + 1) % world.size();
    std::vector<double> theirs(count);
    file.read_at_all(place(next), theirs);
    const bool good = theirs == std::vector<double>(count, next);
    if (world.allreduce(good, anympi::op::logical_and) && world.rank() == 0)
        std::printf("file_write: correct\n");
}
