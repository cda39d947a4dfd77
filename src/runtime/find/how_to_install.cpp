#include "runtime/find/how_to_install.hpp"

#include <algorithm>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace anympi::runtime {
namespace {

// The names of distributions in ID or ID_LIKE of os-release, and their commands.
struct distribution {
    std::string_view name;
    const char* command;
};
constexpr distribution distributions[] = {
    {"debian", "apt install mpich"},        {"ubuntu", "apt install mpich"},  {"fedora", "dnf install mpich"},
    {"rhel", "dnf install mpich"},          {"centos", "dnf install mpich"},  {"suse", "zypper install mpich"},
    {"opensuse", "zypper install mpich"},   {"sles", "zypper install mpich"}, {"arch", "pacman -S openmpi"},
    {"gentoo", "emerge sys-cluster/mpich"},
};

// Reads the beginning of a file, which is enough for os-release.
bounded_text<4096> read_beginning(const char* path) {
    bounded_text<4096> text;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return text;
    const ssize_t length = read(descriptor, text.text, sizeof text.text - 1);
    close(descriptor);
    text.length = length > 0 ? static_cast<std::size_t>(length) : 0;
    return text;
}

bool ends_word(std::string_view text, std::size_t position) {
    return position >= text.size() || std::string_view(" \"'-").find(text[position]) != std::string_view::npos;
}

// Returns the command of the first distribution that the value of a line names: ID_LIKE="rhel centos fedora".
const char* find_command(std::string_view value) {
    for (std::size_t begin = 0; begin < value.size(); begin++) {
        if (begin > 0 && !ends_word(value, begin - 1))
            continue;
        const std::string_view rest{value.data() + begin, value.size() - begin};
        for (const distribution& one : distributions)
            if (rest.starts_with(one.name) && ends_word(rest, one.name.size()))
                return one.command;
    }
    return nullptr;
}

const char* find_command_in_line(std::string_view text, std::string_view key) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line{text.data(), end};
        if (line.starts_with(key))
            return find_command({line.data() + key.size(), line.size() - key.size()});
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return nullptr;
}

} // namespace

bounded_text<64> command_to_install(const machine& machine) {
    bounded_text<64> command;
    path_text path;
    path.append("%s/etc/os-release", machine.root);
    const bounded_text<4096> release = read_beginning(path.text);
    const char* found = find_command_in_line(release.text, "ID=");
    if (found == nullptr)
        found = find_command_in_line(release.text, "ID_LIKE=");
    if (found == nullptr)
        command.append("pip install mpich");
    else
        command.append("%s%s", geteuid() == 0 ? "" : "sudo ", found);
    return command;
}

bounded_text<320> explain_lack_of_mpi() {
    char host[256] = "this machine";
    gethostname(host, sizeof host - 1);
    bounded_text<320> line;
    line.append("no MPI library was found on %s", host);
    return line;
}

bounded_text<256> advise_to_install(const machine& machine) {
    bounded_text<256> line;
    line.append("install one: `%s`; or load its module, or name its folder: ANYMPI_MPI=/path/of/the/installation",
                command_to_install(machine).text);
    return line;
}

} // namespace anympi::runtime
