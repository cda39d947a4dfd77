// The output of test programs: failures, and skipped tests with their reasons.
#ifndef REPORTING_HPP
#define REPORTING_HPP

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

/// A failure in one process may leave others waiting, so this process prints the test where it happened.
struct FailuresAndSkips : testing::EmptyTestEventListener {
    void OnTestStart(const testing::TestInfo& test) override {
        std::snprintf(name, sizeof name, "%s.%s", test.test_suite_name(), test.name());
        std::snprintf(running, sizeof running, "FAILED %s.%s hangs\n", test.test_suite_name(), test.name());
    }
    void OnTestPartResult(const testing::TestPartResult& part) override {
        const bool has_reason = *part.message() != 0;
        if (is_lack(part)) // the test ends there, unless it expects another error
            std::printf("skip %s: %.*s\n", name, 90, std::strstr(part.message(), lack));
        else if (part.failed())
            std::printf("FAILED %s:%d %s\n", part.file_name() ? part.file_name() : "", part.line_number(),
                        part.message());
        else if (part.skipped())
            std::printf("%s %s: %s\n", has_reason ? "skip" : "FAILED", name,
                        has_reason ? part.message() : "skipped without a reason");
    }
    /// Returns true if the failure is a call of a function that the mpi.h lacks. With the header of an older library,
    /// the tests run as far as they can.
    static bool is_lack(const testing::TestPartResult& part) {
        return part.failed() && std::strstr(part.message(), lack) != nullptr;
    }
    static constexpr const char* lack = "this mpi.h lacks";
    static inline char name[150], running[200];
};

/// The numbers of tests with each result.
struct Results {
    int failed = 0, skipped = 0, passed = 0;
};
inline Results count_results() {
    Results all;
    const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
    for (int place = 0; place < tests.total_test_suite_count(); ++place) {
        const testing::TestSuite& suite = *tests.GetTestSuite(place);
        for (int number = 0; number < suite.total_test_count(); ++number) {
            if (!suite.GetTestInfo(number)->should_run())
                continue;
            const testing::TestResult& result = *suite.GetTestInfo(number)->result();
            bool failed = false, lacks = false;
            for (int part = 0; part < result.total_part_count(); ++part) {
                const bool is_lack = FailuresAndSkips::is_lack(result.GetTestPartResult(part));
                lacks = lacks || is_lack;
                failed = failed || (result.GetTestPartResult(part).failed() && !is_lack);
            }
            ++(failed ? all.failed : lacks || result.Skipped() ? all.skipped : all.passed);
        }
    }
    return all;
}

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
