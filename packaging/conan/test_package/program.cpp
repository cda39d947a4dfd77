#include <anympi/environment.hpp>

int main() {
    const auto mpi = anympi::init();
    return mpi.world().allreduce(1, anympi::op::sum) == mpi.world().size() ? 0 : 1;
}
