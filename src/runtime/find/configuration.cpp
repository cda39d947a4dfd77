#include "runtime/find/configuration.hpp"

#include "runtime/find/trust.hpp"
#include "runtime/message.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <span>
#include <sys/stat.h>
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

// A text by its lines: a list may go over several.
struct line_reader {
    std::string_view rest;
    std::string_view line; // what is left of the present one
    int number = 0;

    bool next() {
        if (rest.empty())
            return false;
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        line = {rest.data(), end};
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        number++;
        return true;
    }
};

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

const char* check_end(std::string_view rest) {
    skip_spaces(rest);
    return rest.empty() || rest.front() == '#' ? nullptr : "there is something after the value";
}

const char* parse_mpi(std::string_view rest, path_text& value) {
    if (value.length != 0)
        return "mpi is set twice";
    if (const char* reason = take_string(rest, value))
        return reason;
    if (const char* reason = check_end(rest))
        return reason;
    if (value.length == 0)
        return "mpi is empty";
    if (value.text[0] != '/' && std::strchr(value.text, '/'))
        return "a path must begin with /";
    return nullptr;
}

// To the next thing in a list, over the ends of lines. False at the end of the text.
bool skip_to_next(line_reader& lines) {
    for (;;) {
        skip_spaces(lines.line);
        if (!lines.line.empty() && lines.line.front() != '#')
            return true;
        if (!lines.next())
            return false;
    }
}

bool take_mark(line_reader& lines, char mark) {
    if (lines.line.empty() || lines.line.front() != mark)
        return false;
    lines.line.remove_prefix(1);
    return true;
}

const char* parse_folder(std::string_view& rest, path_text& list) {
    path_text folder;
    if (const char* reason = take_string(rest, folder))
        return reason;
    if (folder.text[0] != '/')
        return "a folder to search must begin with /";
    if (std::strchr(folder.text, ':'))
        return "a folder to search may not have a colon in its name";
    list.append("%s%s", list.length ? ":" : "", folder.text);
    return list.cut ? "the list is too long" : nullptr;
}

const char* parse_search(line_reader& lines, configuration& settings) {
    if (settings.has_search)
        return "search is set twice";
    settings.has_search = true;
    if (!take_mark(lines, '['))
        return "the value must be a list of strings: [\"/opt/one\", \"/opt/two\"]";
    for (bool may_follow = true;;) {
        if (!skip_to_next(lines))
            return "the list has no closing bracket";
        if (take_mark(lines, ']'))
            return check_end(lines.line);
        if (!may_follow)
            return "there is no comma between two strings";
        if (const char* reason = parse_folder(lines.line, settings.search))
            return reason;
        if (!skip_to_next(lines))
            return "the list has no closing bracket";
        may_follow = take_mark(lines, ',');
    }
}

const char* parse_line(line_reader& lines, configuration& settings) {
    std::string_view& rest = lines.line;
    const std::string_view key = take_while(rest, is_key_character);
    skip_spaces(rest);
    if (key.empty() || rest.empty() || rest.front() != '=')
        return "expected key = value";
    rest.remove_prefix(1);
    skip_spaces(rest);
    if (rest.empty() || rest.front() == '#')
        return "there is no value";
    if (key == "mpi")
        return parse_mpi(rest, settings.mpi);
    return key == "search" ? parse_search(lines, settings) : nullptr;
}

// --- whom to trust ---

// What was said already: the command reads the files more than once.
enum : unsigned { said_of_folder = 1, said_of_users = 2, said_of_sites = 4 };
std::atomic<unsigned> said{0};

bool is_said_first(unsigned what) {
    return (said.fetch_or(what) & what) == 0;
}

constexpr char take_right_away[] = "take that right away: chmod o-w";

void mark_distrusted(file_content& content, const char* reason, const char* remedy) {
    content.distrust = reason;
    content.remedy = remedy;
}

// Checks the folders above a file, from the nearest on. `path` is cut at each of them, and whole again afterwards.
void check_folders(char* path, whose owner, file_content& content) {
    bool is_nearest = true;
    for (char* slash = std::strrchr(path, '/'); slash != nullptr && slash != path && content.distrust == nullptr;) {
        struct stat folder = {};
        *slash = '\0';
        const bool is_there = ask_status(path, folder);
        char* const next = std::strrchr(path, '/');
        *slash = '/';
        slash = next;
        if (!is_there)
            continue;
        if (is_nearest && owner == whose::users && !is_own(folder))
            mark_distrusted(content, "lies in a folder of another user", "set HOME to your own folder (sudo -H)");
        if (can_everybody_write(folder) && (folder.st_mode & S_ISVTX) == 0)
            mark_distrusted(content, "lies in or below a folder that everybody can write to", take_right_away);
        is_nearest = false;
    }
}

void check_trust(const struct stat& file, char* path, whose owner, file_content& content) {
    if (!S_ISREG(file.st_mode))
        mark_distrusted(content, "is no regular file", "remove it");
    else if (owner == whose::users && !is_own(file))
        mark_distrusted(content, "belongs to another user",
                        "set HOME to your own folder (sudo -H), or write a file of your own");
    else if (can_everybody_write(file))
        mark_distrusted(content, "can be written by everybody", take_right_away);
    else
        check_folders(path, owner, content);
}

void read_all(int descriptor, char* buffer, std::size_t capacity, file_content& content) {
    ssize_t step = 1;
    while (step > 0 && content.length < capacity) {
        step = read(descriptor, buffer + content.length, capacity - content.length);
        content.length += step > 0 ? static_cast<std::size_t>(step) : 0;
    }
    content.error = step < 0 ? errno : 0;
    content.is_read = step >= 0;
}

// /dev/null is a way to have no configuration. No character device is read: it may be a terminal of another user.
void read_if_trusted(int descriptor, path_text& file, whose owner, std::span<char> buffer, file_content& content) {
    struct stat status = {};
    if (!ask_status(descriptor, status)) {
        content.error = errno;
        return;
    }
    if (S_ISCHR(status.st_mode))
        return;
    check_trust(status, file.text, owner, content);
    if (content.distrust == nullptr)
        read_all(descriptor, buffer.data(), buffer.size(), content);
    else if (is_said_first(owner == whose::users ? said_of_users : said_of_sites))
        say_for_job("%s is ignored: it %s\n%s", file.text, content.distrust, content.remedy);
}

// --- whole files ---

configuration read_and_parse(path_text file, whose owner) {
    configuration settings;
    constexpr std::size_t longest = 16384;
    long_text<longest> text;
    if (file.length == 0 || file.cut)
        return settings;
    if (!text.reserve())
        stop("memory is exhausted.");
    const file_content content = read_configuration_file(file, owner, text.text, longest);
    if (content.error != 0)
        say_if_verbose("%s cannot be read (%s)", file.text, std::strerror(content.error));
    if (!content.is_read)
        return settings;
    if (content.length == longest)
        stop("%s is too long: at most %zu bytes are read", file.text, longest);
    const syntax_error error = parse_configuration({text.text, content.length}, settings);
    if (error.line != 0)
        stop("%s:%d: %s\nwrite for example: mpi = \"mpich\"", file.text, error.line, error.reason);
    settings.file = file;
    settings.search_file = file;
    return settings;
}

// The folder that a variable names; nullptr where it is unset or relative.
const char* folder_in(const char* variable) {
    const char* folder = read_variable(variable);
    if (folder == nullptr || folder[0] == '/')
        return folder;
    if (is_said_first(said_of_folder))
        say_for_job("%s=%s is ignored: it is no absolute path", variable, folder);
    return nullptr;
}

} // namespace

syntax_error parse_configuration(std::string_view text, configuration& settings) {
    line_reader lines{text, {}};
    while (lines.next()) {
        skip_spaces(lines.line);
        if (lines.line.starts_with('['))
            break;
        if (lines.line.empty() || lines.line.front() == '#')
            continue;
        if (const char* reason = parse_line(lines, settings))
            return {lines.number, reason};
    }
    return {};
}

file_content read_configuration_file(path_text& file, whose owner, char* buffer, std::size_t capacity) {
    file_content content;
    const int descriptor = open(file.text, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) {
        content.error = errno == ENOENT || errno == ENOTDIR ? 0 : errno;
        return content;
    }
    read_if_trusted(descriptor, file, owner, {buffer, capacity}, content);
    close(descriptor);
    return content;
}

path_text user_configuration_file() {
    path_text file;
    if (const char* folder = folder_in("XDG_CONFIG_HOME"))
        file.append("%s/anympi/config.toml", folder);
    else if (const char* home = folder_in("HOME"))
        file.append("%s/.config/anympi/config.toml", home);
    return file;
}

path_text site_configuration_file(const machine& machine) {
    path_text file;
    file.append("%s%s", machine.root, ANYMPI_SITE_CONFIG);
    return file;
}

configuration read_configuration(const machine& machine) {
    configuration settings = read_and_parse(user_configuration_file(), whose::users);
    if (settings.mpi.length != 0 && settings.has_search)
        return settings;
    const configuration sites = read_and_parse(site_configuration_file(machine), whose::sites);
    if (settings.mpi.length == 0) {
        settings.mpi = sites.mpi;
        settings.file = sites.file;
    }
    if (!settings.has_search) {
        settings.search = sites.search;
        settings.search_file = sites.search_file;
        settings.has_search = sites.has_search;
    }
    return settings;
}

} // namespace anympi::runtime
