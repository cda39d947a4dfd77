#include "command/run/openmpi_limits.hpp"

#include "command/cli/files.hpp"
#include "command/cli/printable.hpp"
#include "command/cli/split_join.hpp"
#include "command/cli/this_machine.hpp"
#include "command/hosts/host_names.hpp"
#include "command/run/launcher_arguments.hpp"
#include "runtime/environment.hpp"
#include "runtime/find/configuration.hpp"
#include "runtime/launch/launcher.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace anympi::command {
namespace {

namespace fs = std::filesystem;
using word_list = std::vector<std::string>;

std::string first_line(const fs::path& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

std::optional<int> read_count(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() && number >= 0 ? std::optional(number)
                                                                                   : std::nullopt;
}

// --- root ---

// Root inside a user namespace is an ordinary user outside: only the first namespace maps all numbers to themselves.
bool is_in_user_namespace() {
    std::istringstream words(first_line(on_this_machine("/proc/self/uid_map")));
    unsigned long inside = 0;
    unsigned long outside = 0;
    unsigned long count = 0;
    constexpr unsigned long all = 4294967295;
    return words >> inside >> outside >> count && (outside != 0 || count != all);
}

bool is_in_container() {
    for (const char* file : {"/.dockerenv", "/run/.containerenv", "/run/systemd/container"})
        if (access(on_this_machine(file).c_str(), F_OK) == 0)
            return true;
    for (const char* name : {"container", "KUBERNETES_SERVICE_HOST", "APPTAINER_CONTAINER", "SINGULARITY_CONTAINER"})
        if (runtime::read_variable(name))
            return true;
    return is_in_user_namespace();
}

bool is_allowed_by_variables() {
    for (const std::string prefix : {"OMPI", "PRTE"})
        if (runtime::is_on((prefix + "_ALLOW_RUN_AS_ROOT").c_str()) &&
            runtime::is_on((prefix + "_ALLOW_RUN_AS_ROOT_CONFIRM").c_str()))
            return true;
    return false;
}

// --- slots ---

// With these options, Open MPI counts slots in another way than find_slots().
constexpr const char* options_about_slots[] = {
    "oversubscribe", "use-hwthread-cpus", "map-by",        "mca",      "gmca",  "omca", "prtemca",  "N",  "npernode",
    "npersocket",    "pernode",           "cpus-per-proc", "app",      "tune",  "am",   "rankfile", "rf", "dvm",
    "cpus-per-rank", "cpu-set",           "bynode",        "cpu-list", "prefix"};

// Files with Open MPI's parameters, and files with the hosts of all jobs.
constexpr const char* files_of_parameters[] = {"openmpi-mca-params.conf", "mca-params.conf", "prte-mca-params.conf"};
constexpr const char* files_of_hosts[] = {"openmpi-default-hostfile", "prte-default-hostfile"};

bool is_about_slots(std::string_view text) {
    for (const std::string_view word : {"rmaps", "hostfile", "hwthread"})
        if (text.find(word) != text.npos)
            return true;
    return false;
}

// Calls `is_wanted` with the lines of a file, without comments, until it returns true. A pipe is not read, because the
// launcher must read its text.
template <class Question>
bool any_line(const fs::path& path, Question is_wanted) {
    if (!is_file(path))
        return false;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        if (line = line.substr(0, line.find('#')); line.find_first_not_of(" \t\r") != line.npos && is_wanted(line))
            return true;
    return false;
}

std::vector<fs::path> folders_of_parameters(const std::string& launcher) {
    const fs::path prefix = real_path(launcher).parent_path().parent_path();
    std::vector<fs::path> folders = {prefix / "etc", on_this_machine("/etc/openmpi")};
    if (const char* home = runtime::read_variable("HOME"))
        folders.insert(folders.end(), {fs::path(home) / ".openmpi", fs::path(home) / ".prte"});
    return folders;
}

bool do_parameters_decide(const std::string& launcher) {
    for (const char* const* variable = environ; *variable != nullptr; variable++)
        if (const std::string_view text = *variable;
            text.find("_MCA_") != text.npos && is_about_slots(text.substr(0, text.find('='))))
            return true;
    for (const fs::path& folder : folders_of_parameters(launcher)) {
        for (const char* file : files_of_parameters)
            if (any_line(folder / file, is_about_slots))
                return true;
        for (const char* file : files_of_hosts)
            if (any_line(folder / file, [](const std::string&) { return true; }))
                return true;
    }
    return false;
}

// Returns the numbers in a list such as "0-3,8".
std::set<int> read_cpu_list(const std::string& list) {
    std::set<int> cpus;
    for (const std::string& range : split_list(list, ",")) {
        const std::size_t dash = range.find('-');
        const auto first = read_count(range.substr(0, dash));
        const auto last = dash == range.npos ? first : read_count(range.substr(dash + 1));
        if (first && last)
            for (int cpu = *first; cpu <= *last; cpu++)
                cpus.insert(cpu);
    }
    return cpus;
}

// Returns the CPUs that a container or a batch system leaves to this process. The set is empty if they are unknown.
std::set<int> cpus_of_group() {
    const std::string line = first_line(on_this_machine("/proc/self/cgroup"));
    const std::string own = line.starts_with("0::/") ? line.substr(3) : "";
    for (const std::string& file :
         {"/sys/fs/cgroup" + own + "/cpuset.cpus.effective", std::string("/sys/fs/cgroup/cpuset.cpus.effective"),
          std::string("/sys/fs/cgroup/cpuset/cpuset.effective_cpus")})
        if (std::set<int> cpus = read_cpu_list(first_line(on_this_machine(file))); !cpus.empty())
            return cpus;
    return {};
}

// Counts cores as Open MPI does: two hardware threads of a core are one slot.
std::optional<int> count_cores() {
    const std::string folder = "/sys/devices/system/cpu/";
    const std::set<int> group = cpus_of_group();
    std::set<std::pair<std::string, std::string>> cores;
    for (const int cpu : read_cpu_list(first_line(on_this_machine(folder + "online")))) {
        if (!group.empty() && !group.contains(cpu))
            continue;
        const std::string topology = fmt::format("{}cpu{}/topology/", folder, cpu);
        const std::string core = first_line(on_this_machine(topology + "core_id"));
        cores.emplace(first_line(on_this_machine(topology + "physical_package_id")),
                      core.empty() ? fmt::format("cpu{}", cpu) : core);
    }
    return cores.empty() ? std::nullopt : std::optional(static_cast<int>(cores.size()));
}

// Returns the slots in lists of hosts. A host has as many slots as the number after its colon, or one.
std::optional<int> slots_of_list(const word_list& lists) {
    int slots = 0;
    for (const std::string& list : lists)
        for (const std::string& entry : split_list(list, ",")) {
            const std::size_t colon = entry.find(':');
            const auto count = colon == entry.npos ? std::optional(1) : read_count(entry.substr(colon + 1));
            if (!count)
                return std::nullopt;
            slots += *count;
        }
    return slots;
}

// Returns the slots in a hostfile with lines such as "node1 slots=4". Without `slots`, this host has as many slots as
// cores, and the number of another host is unknown.
std::optional<int> slots_of_file(const std::string& path) {
    int slots = 0;
    bool is_known = true;
    any_line(path, [&](const std::string& line) {
        std::istringstream words(line);
        std::string host;
        std::string word;
        words >> host;
        std::optional<int> count = is_this_host(host) ? count_cores() : std::nullopt;
        while (words >> word)
            if (word.starts_with("slots="))
                count = read_count(word.substr(sizeof "slots=" - 1));
        slots += count.value_or(0);
        is_known = is_known && count;
        return false;
    });
    return is_known && slots > 0 ? std::optional(slots) : std::nullopt;
}

// Returns the slots of Slurm's allocation. "2(x3),1" means three hosts with two tasks each, and one host with one task.
std::optional<int> slots_of_slurm() {
    const char* tasks = runtime::read_variable("SLURM_TASKS_PER_NODE");
    if (tasks == nullptr || runtime::read_variable("SLURM_CPUS_PER_TASK"))
        return std::nullopt;
    int slots = 0;
    for (const std::string& entry : split_list(tasks, ",")) {
        const std::size_t times = entry.find("(x");
        const auto count = read_count(entry.substr(0, times));
        const auto hosts = times == entry.npos || !entry.ends_with(')')
                               ? std::optional(1)
                               : read_count(entry.substr(times + 2, entry.size() - times - 3));
        if (!count || !hosts)
            return std::nullopt;
        slots += *count * *hosts;
    }
    return slots;
}

// Returns the number of lines in PBS's file of hosts. Each line is a slot.
std::optional<int> slots_of_pbs(const char* file) {
    int slots = 0;
    any_line(file, [&](const std::string&) { return ++slots < 0; });
    return slots > 0 ? std::optional(slots) : std::nullopt;
}

std::optional<int> slots_without_hosts() {
    if (runtime::is_in_slurm_allocation())
        return slots_of_slurm();
    if (const char* file = runtime::read_variable("PBS_NODEFILE"))
        return slots_of_pbs(file);
    for (const char* name : {"LSB_JOBID", "PE_HOSTFILE", "COBALT_JOBID", "FLUX_JOB_ID"})
        if (runtime::read_variable(name))
            return std::nullopt;
    return count_cores();
}

bool has_option(const word_list& words, const char* name) {
    return find_option(words, name).has_value();
}

int count_processes(const launch& of, const word_list& words) {
    int count = of.ranks;
    for (const std::string& value : values_of_options(words, {"n", "np", "c"}))
        count += read_count(value).value_or(0);
    return count;
}

} // namespace

bool allows_root(const settings& configured) {
    if (configured.origin("run.allow_root") != "default")
        return configured.flag("run.allow_root");
    return geteuid() == 0 && !is_allowed_by_variables() && is_in_container();
}

std::optional<int> find_slots(const launch& of, const word_list& words) {
    word_list all = of.configured.list(fmt::format("options.{}", runtime::name_of(of.mpi)));
    append(all, words);
    for (const char* option : options_about_slots)
        if (has_option(all, option))
            return std::nullopt;
    if (do_parameters_decide(of.launcher))
        return std::nullopt;
    const word_list hosts = values_of_options(all, {"H", "host"});
    const word_list files = values_of_options(all, {"hostfile", "machinefile", "default-hostfile"});
    if (!hosts.empty())
        return files.empty() ? slots_of_list(hosts) : std::nullopt;
    return files.empty() ? slots_without_hosts() : files.size() == 1 ? slots_of_file(files[0]) : std::nullopt;
}

std::string objection_of_openmpi(const launch& of, const word_list& words) {
    word_list all = of.configured.list(fmt::format("options.{}", runtime::name_of(of.mpi)));
    append(all, words);
    const std::string file = runtime::user_configuration_file().text;
    if (geteuid() == 0 && !allows_root(of.configured) && !is_allowed_by_variables() &&
        !has_option(all, "allow-run-as-root"))
        return sentence_of("Open MPI's launcher does not run as root: `anympi config set run.allow_root true` allows "
                           "it (in {})",
                           file);
    const int wanted = count_processes(of, words);
    if (wanted == 0 || of.configured.flag("run.oversubscribe"))
        return "";
    const std::optional<int> slots = find_slots(of, words);
    if (!slots || *slots >= wanted)
        return "";
    return sentence_of("Open MPI's launcher starts at most {} process{} here (its slots: cores, hostfile or "
                       "allocation), not {}: add --oversubscribe, or allow it for all jobs with `anympi config set "
                       "run.oversubscribe true` (in {})",
                       *slots, *slots == 1 ? "" : "es", wanted, file);
}

} // namespace anympi::command
