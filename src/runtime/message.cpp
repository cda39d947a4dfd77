#include "runtime/message.hpp"

#include "base/foreign_text.hpp"
#include "runtime/launch/end_job.hpp"

#include <cerrno>
#include <charconv>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <unistd.h>

namespace anympi::runtime {
namespace {

// The size that a pipe takes in one piece (PIPE_BUF). Messages of other processes could be mixed into a longer message.
constexpr std::size_t longest_message = 4096;

// A message that is being composed. Each line gets the prefix, empty lines are left out, and a text that does not fit
// is cut.
class message_text {
public:
    void add(char character) {
        if (length_ == sizeof text_ - 1) // the last one is for the line end
            return;
        if (character == '\n') {
            end_line();
            return;
        }
        if (is_at_line_start_) {
            is_at_line_start_ = false;
            for (const char* prefix = "anympi: "; *prefix != '\0'; prefix++)
                put(*prefix);
        }
        put(character);
    }

    void add(std::string_view text) {
        for (const char character : text)
            add(character);
    }

    // Adds a text from outside. Its line ends start new lines of the message if `has_own_lines` is true.
    void add_foreign(const char* text, bool has_own_lines) {
        for_each_shown(text != nullptr ? text : "(null)", has_own_lines, [&](std::string_view piece) { add(piece); });
    }

    void write_to_stderr() {
        end_line();
        std::size_t written = 0;
        while (written < length_) {
            const ssize_t step = write(STDERR_FILENO, text_ + written, length_ - written);
            if (step < 0 && errno == EINTR)
                continue;
            if (step <= 0)
                return;
            written += static_cast<std::size_t>(step);
        }
    }

private:
    void end_line() {
        if (!is_at_line_start_)
            text_[length_++] = '\n';
        is_at_line_start_ = true;
    }

    void put(char character) {
        if (length_ < sizeof text_ - 1)
            text_[length_++] = character;
    }

    char text_[longest_message];
    std::size_t length_ = 0;
    bool is_at_line_start_ = true;
};

template <class Number>
void add_number(message_text& message, Number number) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    message.add({digits, static_cast<std::size_t>(end - digits)});
}

// Adds one argument. Returns the length of its conversion in the format, without the percent sign. The conversions are
// %s, %d, %u, %zu and %m. printf is not used, because its result does not show which parts are arguments.
std::size_t add_argument(message_text& message, const char* conversion, std::va_list* arguments, int callers_errno) {
    switch (*conversion) {
    case 's':
        message.add_foreign(va_arg(*arguments, const char*), false);
        return 1;
    case 'd':
        add_number(message, va_arg(*arguments, int));
        return 1;
    case 'u':
        add_number(message, va_arg(*arguments, unsigned));
        return 1;
    case 'z':
        add_number(message, va_arg(*arguments, std::size_t));
        return 2;
    case 'm':
        message.add_foreign(std::strerror(callers_errno), false);
        return 1;
    default: // the type of the argument is unknown, and so are the places of the following arguments
        message.add(conversion);
        return std::strlen(conversion);
    }
}

// Adds the host to a message, if the job has several hosts.
void add_host(message_text& message) {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    message.add("on host ");
    message.add_foreign(host, false);
    message.add(": ");
}

void print(const char* format, std::va_list* arguments, bool names_host = false) {
    const int callers_errno = errno;
    message_text message;
    if (names_host)
        add_host(message);
    while (*format != '\0') {
        if (*format == '%')
            format += 1 + add_argument(message, format + 1, arguments, callers_errno);
        else
            message.add(*format++);
    }
    message.write_to_stderr();
    errno = callers_errno;
}

// Waits before the process ends. A launcher ends the job when the first process fails. Processes without a message
// wait, because otherwise a process could be ended before it has printed its message. A process that has printed its
// message also waits if processes on other hosts may have one.
void let_others_speak() {
    const timespec moment{1, 0};
    nanosleep(&moment, nullptr);
}

} // namespace

void say(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print(format, &arguments);
    va_end(arguments);
}

void say_lines(const char* text) {
    const int callers_errno = errno;
    message_text message;
    message.add_foreign(text, true);
    message.write_to_stderr();
    errno = callers_errno;
}

void say_for_job(const char* format, ...) {
    if (detect_launcher().rank > 0 && !is_on("ANYMPI_VERBOSE"))
        return;
    va_list arguments;
    va_start(arguments, format);
    print(format, &arguments);
    va_end(arguments);
}

void say_if_verbose(const char* format, ...) {
    if (!is_on("ANYMPI_VERBOSE"))
        return;
    va_list arguments;
    va_start(arguments, format);
    print(format, &arguments);
    va_end(arguments);
}

void stop(const char* format, ...) {
    const launch start = detect_launcher();
    const bool speaks = start.local_rank <= 0 || is_on("ANYMPI_VERBOSE");
    if (speaks) {
        va_list arguments;
        va_start(arguments, format);
        print(format, &arguments, start.spans_hosts);
        va_end(arguments);
    }
    if (!speaks || start.spans_hosts)
        let_others_speak();
    // Flush what the program has printed so far. Only stdout, because another stream may be locked by a thread that
    // waits for input.
    std::fflush(stdout);
    end_job(start);
}

} // namespace anympi::runtime
