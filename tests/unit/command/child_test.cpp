#include "command/run/child.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace anympi::command {
namespace {

using namespace std::chrono_literals;

std::chrono::steady_clock::time_point in(std::chrono::milliseconds time) {
    return std::chrono::steady_clock::now() + time;
}

child_end run(function_ref<int(int)> work, std::chrono::milliseconds limit = 20s) {
    return child(child::errors::hidden, work).wait(in(limit));
}

int say(int pipe_end, const char* text) {
    return write(pipe_end, text, std::char_traits<char>::length(text)) > 0 ? 0 : 1;
}

TEST(child_process, answers) {
    const child_end end = run([](int pipe_end) { return say(pipe_end, "yes"); });
    EXPECT_TRUE(end.is_good());
    EXPECT_EQ(end.answer, "yes");
}

TEST(child_process, answers_more_than_a_pipe_holds) {
    const std::string long_text(300000, 'x');
    const child_end end = run([&](int pipe_end) {
        for (std::size_t done = 0; done < long_text.size();)
            done += static_cast<std::size_t>(write(pipe_end, long_text.data() + done, long_text.size() - done));
        return 0;
    });
    EXPECT_EQ(end.answer, long_text);
}

TEST(child_process, tells_its_code) {
    const child_end end = run([](int) { return 7; });
    EXPECT_FALSE(end.is_good());
    EXPECT_EQ(explain(end, 5s), "ends its process with code 7");
}

// Some daemons and scripts start commands with SIGCHLD ignored. The kernel then keeps no exit code.
TEST(child_process, tells_its_code_where_ended_processes_are_ignored) {
    const auto before = std::signal(SIGCHLD, SIG_IGN);
    EXPECT_EQ(explain(run([](int) { return 7; }, 5s), 5s), "ends its process with code 7");
    std::signal(SIGCHLD, before);
}

TEST(child_process, crashes_alone) {
    const child_end end = run([](int) -> int { std::abort(); });
    EXPECT_EQ(explain(end, 5s), "crashes (Aborted)");
}

TEST(child_process, is_ended_at_the_deadline) {
    const child_end end = run([](int) { return pause(); }, 50ms);
    EXPECT_EQ(explain(end, 5s), "does not answer within 5 seconds");
}

// The child is ended even if it has closed its pipe.
TEST(child_process, is_ended_with_its_pipe_closed) {
    const child_end end = run([](int pipe_end) { return close(pipe_end) + pause(); }, 50ms);
    EXPECT_EQ(end.how, child_end::cause::timed_out);
}

TEST(child_process, may_end_itself_at_the_deadline) {
    const auto work = [](int pipe_end) {
        static int answer;
        answer = pipe_end;
        std::signal(SIGTERM, [](int) { std::_Exit(write(answer, "asked", 5) == 5 ? 0 : 1); });
        return pause();
    };
    // the child must have got this far by then
    const child_end end = child(child::errors::hidden, work).wait(in(2s), 20s);
    EXPECT_EQ(end.how, child_end::cause::timed_out);
    EXPECT_EQ(end.answer, "asked");
}

TEST(child_process, is_ended_where_it_does_not_want_to) {
    const auto work = [](int) {
        std::signal(SIGTERM, SIG_IGN);
        return pause();
    };
    const child_end end = child(child::errors::hidden, work).wait(in(200ms), 100ms);
    EXPECT_EQ(end.how, child_end::cause::timed_out);
}

TEST(child_process, does_not_wait_for_a_grandchild_that_holds_the_pipe) {
    const auto begin = std::chrono::steady_clock::now();
    const child_end end = run([](int pipe_end) {
        if (fork() == 0)
            pause();
        return say(pipe_end, "yes");
    });
    EXPECT_EQ(end.answer, "yes");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
}

TEST(child_process, takes_its_grandchild_along) {
    pid_t grandchild = 0;
    const child_end end = run([](int pipe_end) {
        const pid_t made = fork();
        if (made == 0)
            pause();
        return write(pipe_end, &made, sizeof made) == sizeof made ? 0 : 1;
    });
    ASSERT_EQ(end.answer.size(), sizeof grandchild);
    std::memcpy(&grandchild, end.answer.data(), sizeof grandchild);
    // If no process collects orphans, the child stays as a zombie, which also counts as dead.
    std::string state = "R";
    for (int i = 0; i < 100 && !state.empty() && state != "Z"; i++) {
        usleep(20000);
        state = "";
        if (std::FILE* status = std::fopen(("/proc/" + std::to_string(grandchild) + "/stat").c_str(), "r")) {
            char letter = ' ';
            if (std::fscanf(status, "%*d %*s %c", &letter) == 1)
                state = letter;
            std::fclose(status);
        }
    }
    EXPECT_TRUE(state.empty() || state == "Z") << state;
}

TEST(child_process, prints_nothing) {
    testing::internal::CaptureStdout();
    EXPECT_TRUE(run([](int) { return std::puts("noise") > 0 && std::fflush(stdout) == 0 ? 0 : 1; }).is_good());
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

} // namespace
} // namespace anympi::command
