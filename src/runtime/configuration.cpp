#include "runtime/configuration.hpp"

#include "runtime/message.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#ifndef ANYMPI_SITE_CONFIG
#define ANYMPI_SITE_CONFIG "/etc/anympi/config.toml"
#endif

namespace anympi::runtime {
namespace {

bool is_space(char character) {
    return character == ' ' || character == '\t';
}

bool is_key_character(char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9') || character == '_' || character == '-' || character == '.';
}

void skip_spaces(std::string_view& rest) {
    while (!rest.empty() && is_space(rest.front()))
        rest.remove_prefix(1);
}

std::string_view take_while(std::string_view& rest, bool (*accepted)(char)) {
    std::size_t length = 0;
    while (length < rest.size() && accepted(rest[length]))
        length++;
    const std::string_view taken{rest.data(), length};
    rest.remove_prefix(length);
    return taken;
}

std::string_view take_line(std::string_view& rest) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line{rest.data(), end};
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

// Takes a quoted string off the front. Returns what is wrong with it, or nullptr.
const char* take_string(std::string_view& rest, path_text& value) {
    if (rest.empty() || (rest.front() != '"' && rest.front() != '\''))
        return "the value must be a string in quotes";
    const char quote = rest.front();
    for (rest.remove_prefix(1); !rest.empty(); rest.remove_prefix(1)) {
        char character = rest.front();
        if (character == quote) {
            rest.remove_prefix(1);
            return value.cut ? "the string is too long" : nullptr;
        }
        if (static_cast<unsigned char>(character) < ' ')
            return "a string may not hold control characters";
        if (character == '\\' && quote == '"') {
            rest.remove_prefix(1);
            if (rest.empty() || (rest.front() != '\\' && rest.front() != '"'))
                return "of the escapes only \\\\ and \\\" are known here; a string in 'single quotes' has none";
            character = rest.front();
        }
        value.append("%c", character);
    }
    return "the string has no closing quote";
}

const char* parse_mpi(std::string_view rest, path_text& value) {
    if (value.length != 0)
        return "mpi is set twice";
    if (const char* reason = take_string(rest, value))
        return reason;
    skip_spaces(rest);
    if (!rest.empty() && rest.front() != '#')
        return "there is something after the string";
    if (value.length == 0)
        return "mpi is empty";
    if (value.text[0] != '/' && std::strchr(value.text, '/'))
        return "a path must begin with /";
    return nullptr;
}

const char* parse_line(std::string_view rest, configuration& settings) {
    const std::string_view key = take_while(rest, is_key_character);
    skip_spaces(rest);
    if (key.empty() || rest.empty() || rest.front() != '=')
        return "expected key = value";
    rest.remove_prefix(1);
    skip_spaces(rest);
    if (rest.empty() || rest.front() == '#')
        return "there is no value";
    return key == "mpi" ? parse_mpi(rest, settings.mpi) : nullptr;
}

// False where there is no such file.
bool read_file(const configuration& settings, char* buffer, std::size_t capacity, std::size_t& length) {
    const int descriptor = open(settings.file.text, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        if (errno != ENOENT && errno != ENOTDIR)
            verbose("%s cannot be read (%s)", settings.file.text, std::strerror(errno));
        return false;
    }
    length = 0;
    ssize_t step = 1;
    while (step > 0 && length < capacity) {
        step = read(descriptor, buffer + length, capacity - length);
        length += step > 0 ? static_cast<std::size_t>(step) : 0;
    }
    close(descriptor);
    return true;
}

// Answers whether the file says which MPI to take.
bool read_and_parse(configuration& settings) {
    char text[16384];
    std::size_t length = 0;
    if (settings.file.cut || !read_file(settings, text, sizeof text, length))
        return false;
    if (length == sizeof text)
        stop("%s is too long: at most %zu bytes are read", settings.file.text, sizeof text);
    const syntax_error error = parse_configuration({text, length}, settings);
    if (error.line != 0)
        stop("%s:%d: %s\nwrite for example: mpi = \"mpich\"", settings.file.text, error.line, error.reason);
    return settings.mpi.length != 0;
}

bool set_user_file(path_text& file) {
    if (const char* folder = setting("XDG_CONFIG_HOME"))
        file.append("%s/anympi/config.toml", folder);
    else if (const char* home = setting("HOME"))
        file.append("%s/.config/anympi/config.toml", home);
    return file.length != 0;
}

} // namespace

syntax_error parse_configuration(std::string_view text, configuration& settings) {
    for (int number = 1; !text.empty(); number++) {
        std::string_view line = take_line(text);
        skip_spaces(line);
        if (line.starts_with('['))
            break;
        if (line.empty() || line.front() == '#')
            continue;
        if (const char* reason = parse_line(line, settings))
            return {number, reason};
    }
    return {};
}

configuration read_configuration(const machine& machine) {
    configuration users;
    if (set_user_file(users.file) && read_and_parse(users))
        return users;
    configuration sites;
    sites.file.append("%s%s", machine.root, ANYMPI_SITE_CONFIG);
    read_and_parse(sites);
    return sites;
}

} // namespace anympi::runtime
