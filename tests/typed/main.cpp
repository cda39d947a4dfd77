// Runs all tests on every process. The first process prints one line with the result of all processes.
#include <anympi/anympi.hpp>

#include "main.hpp"
#include "reporting.hpp"

namespace {

anympi::Environment* begun = nullptr;

// The work of this program if a test has spawned it.
int be_child(anympi::InterComm parent) {
    parent.send(parent.recv<int>(0) + 1, 0);
    try { // its errors are returned
        parent.send(0, parent.remote_size());
        return 1;
    } catch (const anympi::Error&) {
    }
    static_cast<void>(parent.merge(true));
    std::move(parent).disconnect();
    return 0;
}

} // namespace

anympi::Environment& environment() {
    return *begun;
}

int main(int argc, char** argv) {
    report_failures_and_skips(argc, argv);
    auto mpi = anympi::init(anympi::ThreadLevel::multiple);
    begun = &mpi;
    if (auto parent = anympi::InterComm::parent())
        return be_child(*std::move(parent));
    // Initialised until the end, because MPICH 4.0 cannot initialise the interface again after its end.
    std::optional<anympi::Tools> tools = anympi::Tools::begin();
    const anympi::Comm world = mpi.world();
    const char* wanted = std::getenv("ANYMPI_TEST_RANKS");
    if (wanted && std::atoi(wanted) != world.size()) {
        std::printf("FAILED %d processes instead of %s\n", world.size(), wanted);
        return 1;
    }
    static_cast<void>(!RUN_ALL_TESTS());
    const Results results = count_results();
    const int failures = world.allreduce(results.failed, anympi::op::max);
    if (world.rank() == 0 && !failures && results.skipped)
        std::printf("ok %d checks, %d skipped\n", results.passed, results.skipped);
    else if (world.rank() == 0 && !failures)
        std::printf("ok %d checks\n", results.passed);
    tools.reset();
    std::move(mpi).finalize();
    try {
        std::move(mpi).finalize();
        return 1;
    } catch (const anympi::Error& error) {
        if (error.operation() != "MPI_Finalize")
            return 1;
    }
    return failures > 0;
}
