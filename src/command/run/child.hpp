#pragma once

#include "base/function_ref.hpp"

#include <chrono>
#include <string>
#include <sys/types.h>

namespace anympi::command {

/// How a child process ended.
struct child_end {
    enum class cause : unsigned char { finished, not_started, crashed, timed_out };

    cause how = cause::finished;
    int code = 0;       // exit code, or the signal that ended it
    std::string answer; // what the child wrote to the pipe

    bool is_good() const { return how == cause::finished && code == 0; }
};

/// Returns "crashes (Segmentation fault)", "does not answer within 5 seconds" …
std::string explain(const child_end& end, std::chrono::seconds limit);

/// Runs work in a child process, because the work may crash, hang, print or exit. The work writes its answer to a pipe.
/// Its standard input and standard output are /dev/null. Several children may run at the same time.
class child {
public:
    enum class errors : unsigned char { shown, hidden }; // the child's standard error

    child(errors messages, function_ref<int(int answer)> work);
    child(child&& other) noexcept;
    child(const child&) = delete;
    child& operator=(const child&) = delete;
    child& operator=(child&&) = delete;
    ~child(); // kills the child

    /// Reads the answer until the child has ended. At the deadline it kills the child and all processes that the child
    /// has started. If `grace` is not zero, the child first gets SIGTERM and has this time to end by itself, so that a
    /// launcher can end its processes on other hosts. A signal that would end this process takes effect after this
    /// function.
    child_end wait(std::chrono::steady_clock::time_point deadline, std::chrono::milliseconds grace = {});

private:
    pid_t process_ = -1;
    int answer_ = -1; // the read end of the pipe
    int error_ = 0;   // why the process could not be started
};

} // namespace anympi::command
