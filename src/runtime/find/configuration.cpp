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

// --- trust ---

// The messages that were printed already: a process may read the files more than once.
enum said_once : unsigned {
    ignored_folder = 1,
    ignored_users_file = 2,
    ignored_sites_file = 4,
    ignored_users_lines = 8,
    ignored_sites_lines = 16
};
std::atomic<unsigned> said{0};

bool is_said_first(said_once what) {
    return (said.fetch_or(what) & what) == 0;
}

bool is_file_said_first(whose owner) {
    return is_said_first(owner == whose::users ? ignored_users_file : ignored_sites_file);
}

// The result of reading a file. `distrust` and `remedy` are set if the file is ignored because somebody else could have
// written it, `error` if it cannot be read. For a missing file, neither is set.
struct file_content {
    std::size_t length = 0;
    bool is_read = false;
    int error = 0;
    const char* distrust = nullptr;
    const char* remedy = nullptr;
};

constexpr char take_right_away[] = "take that right away: chmod o-w";

void mark_distrusted(file_content& content, const char* reason, const char* remedy) {
    content.distrust = reason;
    content.remedy = remedy;
}

// Checks the folders above a file, beginning with the nearest. `path` is cut at each of them, and restored afterwards.
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
            mark_distrusted(content, "is in a folder of another user", "set HOME to your own folder (sudo -H)");
        if (can_everybody_write(folder) && (folder.st_mode & S_ISVTX) == 0)
            mark_distrusted(content, "is in or below a folder that everybody can write to", take_right_away);
        is_nearest = false;
    }
}

void check_trust(const struct stat& file, char* path, whose owner, file_content& content) {
    if (!S_ISREG(file.st_mode))
        mark_distrusted(content, "is not a regular file", "remove it");
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

// Reads a file if it can be trusted. A link to /dev/null is a way to have no configuration. No character device is
// read: it may be a terminal of another user.
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
    else if (is_file_said_first(owner))
        say_for_job("%s is ignored: it %s\n%s", file.text, content.distrust, content.remedy);
}

file_content read_file(path_text& file, whose owner, std::span<char> buffer) {
    file_content content;
    const int descriptor = open(file.text, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) {
        content.error = errno == ENOENT || errno == ENOTDIR ? 0 : errno;
        return content;
    }
    read_if_trusted(descriptor, file, owner, buffer, content);
    close(descriptor);
    return content;
}

// --- whole files ---

constexpr std::size_t most_complaints = 8; // a file of another kind has many broken lines

void say_ignored(const path_text& file, const configuration_line& line) {
    say_for_job("%s:%d is ignored: %s", file.text, line.number, explain_problem(line).text);
}

// Copies the first value, without its line end.
void copy_value(path_text& to, const configuration_line& line) {
    to = {};
    to.append("%.*s", static_cast<int>(std::strcspn(line.values, "\n")), line.values);
}

void copy_folders(path_text& to, const configuration_line& line) {
    to = {};
    to.append("%s", line.values);
    if (to.length != 0)
        to.text[--to.length] = '\0'; // removes the last line end
    std::replace(to.text, to.text + to.length, '\n', ':');
}

void copy_origin(path_text& to, const path_text& file, const configuration_line& line) {
    to = {};
    to.append("%.4000s:%d", file.text, line.number);
}

void take_rule(site_rule& rule, const path_text& file, const configuration_line& line) {
    rule.mpis.append("%s", line.values);
    copy_origin(rule.origin, file, line);
}

void take_setting(configuration& settings, const path_text& file, const configuration_line& line) {
    if (line.key == "mpi" && settings.mpi.length == 0) {
        copy_value(settings.mpi, line);
        settings.file = file;
    } else if (line.key == "search" && !settings.has_search) {
        copy_folders(settings.search, line);
        settings.search_file = file;
        settings.has_search = true;
    } else if (line.key == "forbid") {
        take_rule(settings.forbidden, file, line);
    } else if (line.key == "require") {
        take_rule(settings.required, file, line);
    }
}

void read_into(configuration& settings, path_text file, whose owner) {
    visit_configuration_file(
        file, owner,
        [&](const configuration_line& line) {
            if (line.problem == nullptr && !line.is_table)
                take_setting(settings, file, line);
        },
        [&](const configuration_line& line) { say_ignored(file, line); });
}

// Returns the folder that a variable names, or nullptr if the variable is unset or relative.
const char* folder_in(const char* variable) {
    const char* folder = read_variable(variable);
    if (folder == nullptr || folder[0] == '/')
        return folder;
    if (is_said_first(ignored_folder))
        say_for_job("%s=%s is ignored: it is not an absolute path", variable, folder);
    return nullptr;
}

} // namespace

void visit_configuration_file(path_text& file, whose owner, line_visitor visit, line_visitor complain) {
    long_text<longest_configuration> text;
    if (file.length == 0 || file.cut || !text.reserve())
        return;
    const file_content content = read_file(file, owner, {text.text, longest_configuration});
    if (content.error != 0 && is_file_said_first(owner))
        say_for_job("%s is ignored: it cannot be read (%s)", file.text, std::strerror(content.error));
    if (!content.is_read)
        return;
    if (content.length == longest_configuration) {
        if (is_file_said_first(owner))
            say_for_job("%s is ignored: it is longer than %zu bytes", file.text, longest_configuration - 1);
        return;
    }
    const said_once ignored_lines = owner == whose::users ? ignored_users_lines : ignored_sites_lines;
    std::size_t complaints = 0;
    bool is_first = false;
    read_configuration_text({text.text, content.length}, owner, [&](const configuration_line& line) {
        visit(line);
        if (line.problem == nullptr)
            return;
        is_first = is_first || is_said_first(ignored_lines);
        if (is_first && complaints++ < most_complaints)
            complain(line);
    });
    if (complaints > most_complaints)
        say_for_job("%s: %zu further lines are ignored", file.text, complaints - most_complaints);
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

configuration read_sites_configuration(const machine& machine) {
    configuration settings;
    read_into(settings, site_configuration_file(machine), whose::sites);
    return settings;
}

configuration with_users_configuration(const configuration& sites) {
    configuration settings;
    read_into(settings, user_configuration_file(), whose::users);
    if (settings.mpi.length == 0) {
        settings.mpi = sites.mpi;
        settings.file = sites.file;
    }
    if (!settings.has_search) {
        settings.search = sites.search;
        settings.search_file = sites.search_file;
        settings.has_search = sites.has_search;
    }
    settings.forbidden = sites.forbidden;
    settings.required = sites.required;
    return settings;
}

configuration read_configuration(const machine& machine) {
    return with_users_configuration(read_sites_configuration(machine));
}

} // namespace anympi::runtime
