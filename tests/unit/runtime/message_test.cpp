#include "runtime/message.hpp"

#include "fake_machine.hpp"

#include <csignal>
#include <fcntl.h>
#include <functional>
#include <limits.h>
#include <poll.h>
#include <sys/wait.h>
#include <vector>

namespace anympi::runtime {
namespace {

class message : public fake_machine {
protected:
    // Returns what one call writes to stderr, one entry for each write: a pipe in packet mode keeps the writes
    // separate.
    static std::vector<std::string> writes_of(const std::function<void()>& speak) {
        int ends[2];
        EXPECT_EQ(pipe2(ends, O_DIRECT | O_NONBLOCK), 0);
        const int saved = dup(STDERR_FILENO);
        dup2(ends[1], STDERR_FILENO);
        speak();
        dup2(saved, STDERR_FILENO);
        std::vector<std::string> writes;
        char buffer[2 * PIPE_BUF];
        for (ssize_t length; (length = read(ends[0], buffer, sizeof buffer)) > 0;)
            writes.emplace_back(buffer, static_cast<std::size_t>(length));
        for (const int descriptor : {ends[0], ends[1], saved})
            close(descriptor);
        return writes;
    }

    using texts = std::vector<std::string>;
};

TEST_F(message, is_one_write_with_a_prefix_on_each_line) {
    EXPECT_EQ(writes_of([] { say("%d ways\nto go", 2); }), texts{"anympi: 2 ways\nanympi: to go\n"});
}

TEST_F(message, is_cut_where_a_pipe_would_tear_it) {
    const texts writes = writes_of([] { say("%s", std::string(100000, 'x').c_str()); });
    ASSERT_EQ(writes.size(), 1u);
    EXPECT_LE(writes[0].size(), static_cast<std::size_t>(PIPE_BUF));
    EXPECT_EQ(writes[0].back(), '\n');
    std::string lines;
    while (lines.size() < 10000)
        lines += "lines\n";
    const texts many_lines = writes_of([&] { say("%s", lines.c_str()); });
    ASSERT_EQ(many_lines.size(), 1u);
    EXPECT_EQ(many_lines[0].back(), '\n');
}

TEST_F(message, shows_control_characters_of_arguments_as_question_marks) {
    EXPECT_EQ(writes_of([] { say("<%s]", "\033[31m\a\x7f\n\t"); }), texts{"anympi: <?[31m????]\n"});
    EXPECT_EQ(writes_of([] { say("%s", "C1: \xc2\x9b, \x9b, cut: \xe2\x80"); }), texts{"anympi: C1: ??, ?, cut: ??\n"});
    EXPECT_EQ(writes_of([] { say("%s", "right to left: \xe2\x80\xae, overlong: \xc0\x8a, half: \xed\xa0\x80"); }),
              texts{"anympi: right to left: ???, overlong: ??, half: ???\n"});
    EXPECT_EQ(writes_of([] { say("%s", "é € 😀"); }), texts{"anympi: é € 😀\n"});
}

TEST_F(message, takes_no_line_end_from_arguments) {
    EXPECT_EQ(writes_of([] { say("a: %s\nb", "x\nanympi: forged"); }),
              texts{"anympi: a: x?anympi: forged\nanympi: b\n"});
    EXPECT_EQ(writes_of([] { say_lines("one\ntwo\033"); }), texts{"anympi: one\nanympi: two?\n"});
}

TEST_F(message, leaves_out_empty_lines) {
    EXPECT_EQ(writes_of([] { say("a\n%s\nb\n", ""); }), texts{"anympi: a\nanympi: b\n"});
}

TEST_F(message, knows_these_conversions) {
    const std::size_t size = 1UL << 40;
    const texts expected{"anympi: -3 4 1099511627776 No such file or directory\n"};
    EXPECT_EQ(writes_of([&] {
                  errno = ENOENT;
                  say("%d %u %zu %m", -3, 4U, size);
              }),
              expected);
}

TEST_F(message, for_the_job_comes_from_its_first_rank) {
    EXPECT_EQ(writes_of([] { say_for_job("%s", "once"); }), texts{"anympi: once\n"});
    set("OMPI_COMM_WORLD_SIZE", "8");
    set("OMPI_COMM_WORLD_RANK", "5");
    set("OMPI_COMM_WORLD_LOCAL_RANK", "0");
    EXPECT_EQ(writes_of([] { say_for_job("%s", "once"); }), texts{});
}

TEST_F(message, keeps_errno) {
    int after = 0;
    writes_of([&] {
        close(STDERR_FILENO); // so that the write fails
        errno = ENOENT;
        say("hello");
        after = errno;
    });
    EXPECT_EQ(after, ENOENT);
}

TEST_F(message, in_detail_only_when_asked) {
    EXPECT_EQ(writes_of([] { say_if_verbose("detail"); }), texts{});
    set("ANYMPI_VERBOSE", "0");
    EXPECT_EQ(writes_of([] { say_if_verbose("detail"); }), texts{});
    set("ANYMPI_VERBOSE", "");
    EXPECT_EQ(writes_of([] { say_if_verbose("detail"); }), texts{});
    set("ANYMPI_VERBOSE", "1");
    EXPECT_EQ(writes_of([] { say_if_verbose("detail"); }), texts{"anympi: detail\n"});
}

TEST_F(message, that_stops) {
    EXPECT_EXIT(stop("no %s", "luck"), testing::ExitedWithCode(1), "^anympi: no luck\n$");
}

TEST_F(message, that_stops_runs_no_exit_handlers) {
    EXPECT_EXIT(
        {
            std::atexit([] { say("handler"); });
            stop("end");
        },
        testing::ExitedWithCode(1), "^anympi: end\n$");
}

// Rank 5 is the first rank on its machine.
TEST_F(message, that_stops_comes_once_from_each_machine) {
    set("OMPI_COMM_WORLD_SIZE", "8");
    set("OMPI_COMM_WORLD_RANK", "5");
    set("OMPI_COMM_WORLD_LOCAL_RANK", "0");
    EXPECT_EXIT(stop("set-up"), testing::ExitedWithCode(1), "^anympi: set-up\n$");
    set("OMPI_COMM_WORLD_LOCAL_RANK", "1");
    EXPECT_EXIT(stop("set-up"), testing::ExitedWithCode(1), "^$");
    set("ANYMPI_VERBOSE", "1");
    EXPECT_EXIT(stop("set-up"), testing::ExitedWithCode(1), "^anympi: set-up\n$");
}

TEST_F(message, that_stops_names_its_machine_if_there_are_others) {
    set("OMPI_COMM_WORLD_SIZE", "8");
    set("OMPI_COMM_WORLD_RANK", "5");
    set("OMPI_COMM_WORLD_LOCAL_RANK", "0");
    set("OMPI_COMM_WORLD_LOCAL_SIZE", "8");
    EXPECT_EXIT(stop("set-up"), testing::ExitedWithCode(1), "^anympi: set-up\n$");
    set("OMPI_COMM_WORLD_LOCAL_SIZE", "4");
    char host[256] = "";
    ASSERT_EQ(gethostname(host, sizeof host - 1), 0);
    EXPECT_EXIT(stop("set-up\nadvice"), testing::ExitedWithCode(1),
                "^anympi: on host " + std::string(host) + ": set-up\nanympi: advice\n$");
}

// MPICH's launchers lose a message that they have not read when a signal ends the process.
TEST_F(message, that_stops_is_read_before_the_process_ends) {
    set("PMI_RANK", "0");
    set("PMI_SIZE", "2");
    set("MPI_LOCALRANKID", "0");
    set("MPI_LOCALNRANKS", "2");
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        stop("set-up");
    }
    pollfd pipe_end{ends[0], POLLIN, 0};
    ASSERT_EQ(poll(&pipe_end, 1, 60'000), 1);
    for (int looks = 0; looks < 50; looks++) {
        ASSERT_EQ(waitpid(child, nullptr, WNOHANG), 0);
        poll(nullptr, 0, 2);
    }
    char text[64] = "";
    EXPECT_GT(read(ends[0], text, sizeof text - 1), 0);
    EXPECT_STREQ(text, "anympi: set-up\n");
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(WTERMSIG(status), SIGABRT);
    close(ends[0]);
    close(ends[1]);
}

// MPICH's launchers would let the other processes wait forever.
TEST_F(message, that_stops_ends_the_job) {
    set("PMI_RANK", "1");
    set("PMI_SIZE", "2");
    set("MPI_LOCALRANKID", "0");
    set("MPI_LOCALNRANKS", "2");
    EXPECT_EXIT(stop("set-up"), testing::KilledBySignal(SIGABRT), "^anympi: set-up\n$");
    EXPECT_EXIT(
        {
            std::signal(SIGABRT, SIG_IGN);
            stop("set-up");
        },
        testing::KilledBySignal(SIGABRT), "^anympi: set-up\n$");
    set("PMI_SIZE", "1");
    EXPECT_EXIT(stop("set-up"), testing::ExitedWithCode(1), "^anympi: set-up\n$");
}

} // namespace
} // namespace anympi::runtime
