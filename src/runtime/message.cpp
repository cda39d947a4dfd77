#include "runtime/message.hpp"

#include "runtime/launcher.hpp"
#include "runtime/text.hpp"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <unistd.h>

namespace anympi::runtime {
namespace {

// A pipe takes this much in one piece (PIPE_BUF); longer messages could be torn by those of other processes.
constexpr std::size_t longest_message = 4096;
using message_text = bounded_text<longest_message>;

void write_to_stderr(const message_text& message) {
    std::size_t written = 0;
    while (written < message.length) {
        const ssize_t step = write(STDERR_FILENO, message.text + written, message.length - written);
        if (step < 0 && errno == EINTR)
            continue;
        if (step <= 0)
            return;
        written += static_cast<std::size_t>(step);
    }
}

void print(const char* format, va_list arguments) {
    const int callers_errno = errno;
    char body[longest_message - 256];
    std::vsnprintf(body, sizeof body, format, arguments);

    message_text message;
    char* rest = body;
    while (const char* line = strsep(&rest, "\n"))
        message.append("anympi: %s\n", line);
    if (message.cut)
        message.text[message.length - 1] = '\n';
    write_to_stderr(message);
    errno = callers_errno;
}

// A launcher kills the job when the first process fails. The silent ones hold back, or the one that has something to
// say could be killed before it has said it.
void let_the_speaker_finish() {
    const timespec moment{1, 0};
    nanosleep(&moment, nullptr);
}

[[noreturn]] void end(bool speaks, const char* format, va_list arguments) {
    if (speaks || enabled("ANYMPI_VERBOSE"))
        print(format, arguments);
    else
        let_the_speaker_finish();
    // What the program has printed so far. Not every stream: one may be locked by a thread that waits for input.
    std::fflush(stdout);
    std::_Exit(1);
}

} // namespace

void say(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print(format, arguments);
    va_end(arguments);
}

void verbose(const char* format, ...) {
    if (!enabled("ANYMPI_VERBOSE"))
        return;
    va_list arguments;
    va_start(arguments, format);
    print(format, arguments);
    va_end(arguments);
}

void stop(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    end(detect_launcher().local_rank <= 0, format, arguments);
}

void stop_job(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    end(detect_launcher().rank <= 0, format, arguments);
}

} // namespace anympi::runtime
