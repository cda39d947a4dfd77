// The last process kills itself. The others agree on this, and continue with a smaller communicator. Compiled with the
// header of a library that survives failures.
#include <anympi/anympi.hpp>
#include <anympi/resilience.hpp>
#include <csignal>
#include <cstdio>

namespace {

int wrong = 0;

void check(bool is_right, const char* what) {
    if (!is_right)
        std::printf("wrong: %s\n", what);
    wrong += !is_right;
}

} // namespace

int main() {
    const auto mpi = anympi::init();
    const anympi::Comm world = mpi.world();
    const int rank = world.rank(), size = world.size();
    check(anympi::has_fault_tolerance(), "has_fault_tolerance");
    const anympi::Comm comm = world.duplicate();
    check(anympi::agree(comm, rank == 0 ? 6 : 3).flags == 2, "agree before the failure");
    comm.barrier();
    if (rank == size - 1)
        std::raise(SIGKILL);
    try {
        comm.barrier();
        check(false, "the barrier succeeds");
    } catch (const anympi::Error& error) {
        check(anympi::is_process_failure(error) || anympi::is_revocation(error), error.what());
        check(anympi::is_process_failure(error) != anympi::is_revocation(error), "one kind of error");
    }
    check(anympi::agree(comm, 5).has_unknown_failures, "the failure is not acknowledged");
    const auto failed = anympi::failed_processes(comm);
    check(failed.size() == 1 && failed.translate_ranks(std::vector<int>{0}, comm.group()).front() == size - 1,
          "failed_processes");
    check(anympi::acknowledge_failures(comm) == 1, "acknowledge_failures");
    const auto agreement = anympi::agree(comm, rank == 0 ? 4 : 5);
    check(agreement.flags == 4 && !agreement.has_unknown_failures, "agree after the failure");
    if (rank == 0)
        anympi::revoke(comm);
    try {
        while (true)
            comm.recv<int>(anympi::any_source);
    } catch (const anympi::Error& error) {
        check(rank != 0 || anympi::is_revocation(error), error.what());
    }
    const anympi::Comm rest = anympi::shrink(comm);
    check(anympi::is_revoked(comm) && !anympi::is_revoked(rest), "is_revoked");
    check(rest.size() == size - 1, "shrink");
    const int all_wrong = rest.allreduce(wrong, anympi::op::sum);
    if (rest.rank() == 0 && all_wrong == 0)
        std::printf("resilience: correct\n");
    std::fflush(stdout);
    rest.barrier();
    return all_wrong;
}
