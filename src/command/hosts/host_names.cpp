#include "command/hosts/host_names.hpp"

#include "command/cli/files.hpp"
#include "command/cli/printable.hpp"
#include "command/cli/split_join.hpp"
#include "command/run/child.hpp"
#include "command/run/find_launcher.hpp"
#include "command/run/launcher_arguments.hpp"
#include "runtime/environment.hpp"
#include "runtime/launch/launcher.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

namespace anympi::command {
namespace {

using word_list = std::vector<std::string>;

// Variables in which batch systems and users name a file with the hosts of a job.
constexpr const char* variables_with_files[] = {"HYDRA_HOST_FILE", "PBS_NODEFILE", "LSB_DJOB_HOSTFILE"};

bool is_host_name(const std::string& name) {
    const auto is_good = [](char character) {
        return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
               (character >= '0' && character <= '9') || std::string_view("._-@:").find(character) != std::string::npos;
    };
    return !name.empty() && name.front() != '-' && std::all_of(name.begin(), name.end(), is_good);
}

// "nb:2" is the host nb with two processes. A name with several colons is an address of IPv6.
std::string without_count(const std::string& entry) {
    return std::count(entry.begin(), entry.end(), ':') == 1 ? entry.substr(0, entry.find(':')) : entry;
}

void add_host(word_list& hosts, const std::string& entry) {
    const std::string name = without_count(entry);
    if (name.empty() || name.front() == '+') // Open MPI's "+n0": a host of the allocation, by its number
        return;
    if (!is_host_name(name))
        throw std::runtime_error(sentence_of("`{}` cannot be the name of a host", name));
    if (std::find(hosts.begin(), hosts.end(), name) == hosts.end())
        hosts.push_back(name);
}

// Adds the hosts of a file. The first word of each line is the host: "nb slots=2", "nb:2". A pipe is not read, because
// the launcher must read its text.
void add_hosts_of_file(word_list& hosts, const std::string& path) {
    if (!is_file(path))
        return;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line.substr(0, line.find('#')));
        if (std::string name; words >> name)
            add_host(hosts, name);
    }
}

} // namespace

way_to_hosts find_way_to_hosts(const settings& configured) {
    if (const std::string srun = find_srun(configured); !srun.empty())
        return {srun, true};
    return {find_program("ssh"), false};
}

bool is_this_host(const std::string& name) {
    char text[256] = "";
    gethostname(text, sizeof text - 1);
    const std::string own = text;
    return name == "localhost" || name == "127.0.0.1" || name == "::1" || name == own ||
           name == own.substr(0, own.find('.'));
}

word_list read_host_list(const std::string& list) {
    word_list hosts;
    for (const std::string& entry : split_list(list, ","))
        add_host(hosts, entry);
    return hosts;
}

word_list absolute_paths(const word_list& programs) {
    word_list paths;
    for (const std::string& program : programs) {
        std::error_code failure;
        paths.push_back(std::filesystem::absolute(program, failure).lexically_normal().string());
    }
    return paths;
}

word_list hosts_of_allocation(const std::string& list) {
    constexpr std::chrono::seconds limit(10);
    const std::string scontrol = find_program("scontrol");
    if (scontrol.empty())
        return {};
    child asked(child::errors::hidden, [&](int answer) {
        dup2(answer, STDOUT_FILENO);
        return execl(scontrol.c_str(), scontrol.c_str(), "show", "hostnames", list.empty() ? nullptr : list.c_str(),
                     nullptr);
    });
    word_list hosts;
    const child_end end = asked.wait(std::chrono::steady_clock::now() + limit);
    if (end.is_good())
        for (const std::string& name : split_list(end.answer, "\n"))
            add_host(hosts, name);
    return hosts;
}

word_list hosts_of_job(const word_list& launcher_words, const way_to_hosts& way) {
    if (way.is_srun) {
        const word_list lists = values_of_options(launcher_words, {"w", "nodelist"});
        const bool is_known = !lists.empty() && lists.front().find('/') == std::string::npos; // else a file for srun
        return hosts_of_allocation(is_known ? lists.front() : "");
    }
    word_list hosts;
    for (const std::string& list : values_of_options(launcher_words, {"host", "hosts", "H"}))
        for (const std::string& entry : split_list(list, ","))
            add_host(hosts, entry);
    for (const std::string& file :
         values_of_options(launcher_words, {"f", "hostfile", "machinefile", "default-hostfile"}))
        add_hosts_of_file(hosts, file);
    for (const char* name : variables_with_files)
        if (const char* file = runtime::read_variable(name); hosts.empty() && file)
            add_hosts_of_file(hosts, file);
    // The launchers of MPIs start on all hosts of an allocation, too.
    return hosts.empty() && runtime::is_in_slurm_allocation() ? hosts_of_allocation() : hosts;
}

} // namespace anympi::command
