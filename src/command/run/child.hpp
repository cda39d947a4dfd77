#pragma once

#include "base/function_ref.hpp"

#include <chrono>
#include <string>
#include <sys/types.h>

namespace anympi::command {

// What came of a child process.
struct child_end {
    enum class cause : unsigned char { finished, not_started, crashed, timed_out };

    cause how = cause::finished;
    int code = 0;       // exit code, or the signal that ended it
    std::string answer; // what its work has written to the pipe

    bool is_good() const { return how == cause::finished && code == 0; }
};

// "crashes (Segmentation fault)", "does not answer within 5 seconds" …
std::string explain(const child_end& end, std::chrono::seconds limit);

// Work that may crash, hang, print or end its process, done in a child of ours: it gets the end of a pipe to answer by,
// no standard input, and no standard output. Children that are started one after the other run at the same time.
class child {
public:
    enum class errors : unsigned char { shown, hidden }; // what it writes to standard error

    child(errors messages, function_ref<int(int answer)> work);
    child(child&& other) noexcept;
    child(const child&) = delete;
    child& operator=(const child&) = delete;
    child& operator=(child&&) = delete;
    ~child(); // ends it

    // Reads until it has ended; ends it at the deadline, with everything that it has started. For `grace` it may do so
    // by itself, after SIGTERM: a launcher has processes that no signal of ours would reach. A signal that would end
    // this process meanwhile does so afterwards.
    child_end wait(std::chrono::steady_clock::time_point deadline, std::chrono::milliseconds grace = {});

private:
    pid_t process_ = -1;
    int answer_ = -1; // our end of the pipe
    int error_ = 0;   // why there is no process
};

} // namespace anympi::command
