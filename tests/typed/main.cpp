// Runs all tests on every process; one line of the first says how it went on all of them.
#include <gtest/gtest.h>

#include <anympi/anympi.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include "environment.hpp"

namespace {

anympi::Environment* begun = nullptr;

/// One failure on one process leaves others waiting: say which one, where it happened.
struct OnlyFailures : testing::EmptyTestEventListener {
    void OnTestStart(const testing::TestInfo& test) override {
        std::snprintf(running, sizeof running, "FAILED %s.%s hangs\n", test.test_suite_name(), test.name());
    }
    void OnTestPartResult(const testing::TestPartResult& part) override {
        if (part.failed())
            std::printf("FAILED %s:%d %s\n", part.file_name() ? part.file_name() : "", part.line_number(),
                        part.message());
    }
    static inline char running[200];
};

/// What this program does when a test has started it.
int be_child(anympi::InterComm parent) {
    parent.send(parent.recv<int>(0) + 1, 0);
    parent.merge(true).barrier();
    std::move(parent).disconnect();
    return 0;
}

extern "C" void hangs(int) {
    // What cannot be written need not be.
    static_cast<void>(!write(1, OnlyFailures::running, sizeof OnlyFailures::running));
    _exit(1);
}

} // namespace

anympi::Environment& environment() {
    return *begun;
}

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    const char* seconds = std::getenv("ANYMPI_TEST_SECONDS");
    std::signal(SIGALRM, &hangs);
    alarm(seconds ? static_cast<unsigned>(std::atoi(seconds)) : 60);
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new OnlyFailures);

    auto mpi = anympi::init(anympi::ThreadLevel::multiple);
    begun = &mpi;
    if (auto parent = anympi::InterComm::parent())
        return be_child(*std::move(parent));
    const auto tools = anympi::Tools::begin(); // for the whole time: MPICH 4.0 cannot begin them again after their end
    const anympi::Comm world = mpi.world();
    const char* wanted = std::getenv("ANYMPI_TEST_RANKS");
    if (wanted && std::atoi(wanted) != world.size()) {
        std::printf("FAILED %d processes instead of %s\n", world.size(), wanted);
        return 1;
    }
    const int failed = RUN_ALL_TESTS();
    const int failures = world.allreduce(failed, anympi::op::max);
    if (world.rank() == 0 && !failures)
        std::printf("ok %d checks\n", testing::UnitTest::GetInstance()->successful_test_count());
    return failures;
}
