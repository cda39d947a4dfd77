// The output of test programs: failures, and skipped tests with their reasons.
#ifndef REPORTING_HPP
#define REPORTING_HPP

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

/// A failure in one process may leave others waiting, so this process prints the test where it happened.
struct FailuresAndSkips : testing::EmptyTestEventListener {
    void OnTestStart(const testing::TestInfo& test) override {
        std::snprintf(name, sizeof name, "%s.%s", test.test_suite_name(), test.name());
        std::snprintf(running, sizeof running, "FAILED %s.%s hangs\n", test.test_suite_name(), test.name());
    }
    void OnTestPartResult(const testing::TestPartResult& part) override {
        const bool has_reason = *part.message() != 0;
        if (part.failed())
            std::printf("FAILED %s:%d %s\n", part.file_name() ? part.file_name() : "", part.line_number(),
                        part.message());
        else if (part.skipped())
            std::printf("%s %s: %s\n", has_reason ? "skip" : "FAILED", name,
                        has_reason ? part.message() : "skipped without a reason");
    }
    static inline char name[150], running[200];
};

inline void say_what_hangs(int) {
    // Errors of this write are ignored.
    static_cast<void>(!write(1, FailuresAndSkips::running, std::char_traits<char>::length(FailuresAndSkips::running)));
    _exit(1);
}

/// Must be called before the tests run.
inline void report_failures_and_skips(int& argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    const char* seconds = std::getenv("ANYMPI_TEST_SECONDS");
    std::signal(SIGALRM, &say_what_hangs);
    alarm(seconds ? static_cast<unsigned>(std::atoi(seconds)) : 60);
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresAndSkips);
}

#endif
