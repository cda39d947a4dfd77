#include "command/run/child.hpp"

#include "command/run/interruption.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace anympi::command {
namespace {

using clock = std::chrono::steady_clock;

void redirect_to_null(int stream) {
    const int nowhere = open("/dev/null", O_RDWR);
    if (nowhere >= 0 && nowhere != stream) {
        dup2(nowhere, stream);
        close(nowhere);
    }
}

void isolate_child(child::errors messages) {
    setpgid(0, 0); // so that wait() can also kill the processes that this one starts
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none); // a crash is an answer here
    redirect_to_null(STDIN_FILENO);
    redirect_to_null(STDOUT_FILENO);
    if (messages == child::errors::hidden)
        redirect_to_null(STDERR_FILENO);
}

// Reads what has come through the pipe. Callers need a few thousand bytes at most.
void take_answer(int descriptor, std::string& text) {
    constexpr std::size_t most = 1 << 20;
    char piece[4096];
    ssize_t length = 0;
    while ((length = read(descriptor, piece, sizeof piece)) > 0)
        if (text.size() < most)
            text.append(piece, static_cast<std::size_t>(length));
}

// Reads until the process has ended. Returns false if the deadline or an interruption came first. The end of the pipe
// does not mean the end of the process: a library may have closed the pipe, or passed it on to another process.
bool read_until_end(pid_t process, int descriptor, clock::time_point deadline, std::string& text, int& status,
                    bool may_be_interrupted) {
    constexpr int pause = 5; // milliseconds
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
    for (;;) {
        const pid_t ended = waitpid(process, &status, WNOHANG);
        take_answer(descriptor, text);
        if (ended == process)
            return true;
        if (clock::now() >= deadline || (may_be_interrupted && interruption::has_come()))
            return false;
        poll(nullptr, 0, pause);
    }
}

} // namespace

std::string explain(const child_end& end, std::chrono::seconds limit) {
    switch (end.how) {
    case child_end::cause::finished:
        return fmt::format("ends its process with code {}", end.code);
    case child_end::cause::not_started:
        return fmt::format("could not be tried: {}", std::strerror(end.code));
    case child_end::cause::crashed:
        return fmt::format("crashes ({})", strsignal(end.code));
    case child_end::cause::timed_out:
        return fmt::format("does not answer within {} seconds", limit.count());
    }
    return "";
}

child::child(errors messages, function_ref<int(int)> work) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        error_ = errno;
        return;
    }
    std::fflush(nullptr);          // otherwise the child would write the buffered output again
    std::signal(SIGCHLD, SIG_DFL); // with an inherited SIG_IGN, the end of the child could not be seen
    process_ = fork();
    if (process_ == 0) {
        close(ends[0]);
        isolate_child(messages);
        std::_Exit(work(ends[1]));
    }
    error_ = errno; // has a meaning only if fork() failed
    close(ends[1]);
    answer_ = ends[0];
}

child::child(child&& other) noexcept
    : process_(std::exchange(other.process_, -1)), answer_(std::exchange(other.answer_, -1)), error_(other.error_) {}

child::~child() {
    if (process_ > 0)
        wait(clock::now());
    if (answer_ >= 0)
        close(answer_);
}

child_end child::wait(clock::time_point deadline, std::chrono::milliseconds grace) {
    const pid_t process = std::exchange(process_, -1);
    if (process < 0)
        return {child_end::cause::not_started, error_, ""};
    const interruption held_back; // otherwise a launcher's processes would survive the command
    child_end end;
    int status = 0;
    const bool in_time = read_until_end(process, answer_, deadline, end.answer, status, true);
    bool ended = in_time;
    if (!in_time && grace.count() > 0) {
        kill(-process, SIGTERM);
        ended = read_until_end(process, answer_, clock::now() + grace, end.answer, status, false);
    }
    close(std::exchange(answer_, -1));
    kill(-process, SIGKILL); // also ends the processes that the child has started
    if (!ended) {
        kill(process, SIGKILL); // the child may not have made its group yet
        waitpid(process, &status, 0);
    }
    if (!in_time) {
        end.how = child_end::cause::timed_out;
    } else if (WIFSIGNALED(status)) {
        end.how = child_end::cause::crashed;
        end.code = WTERMSIG(status);
    } else {
        end.code = WEXITSTATUS(status);
    }
    return end;
}

} // namespace anympi::command
