// What programs of tests say: failures, and nothing else.
#ifndef REPORTING_HPP
#define REPORTING_HPP

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

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

inline void say_what_hangs(int) {
    // What cannot be written need not be.
    static_cast<void>(!write(1, OnlyFailures::running, std::char_traits<char>::length(OnlyFailures::running)));
    _exit(1);
}

/// Before the tests run.
inline void report_failures_only(int& argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    const char* seconds = std::getenv("ANYMPI_TEST_SECONDS");
    std::signal(SIGALRM, &say_what_hangs);
    alarm(seconds ? static_cast<unsigned>(std::atoi(seconds)) : 60);
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new OnlyFailures);
}

#endif
