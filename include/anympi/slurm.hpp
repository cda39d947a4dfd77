// Reads the variables that Slurm sets for a process.
#ifndef ANYMPI_SLURM_HPP
#define ANYMPI_SLURM_HPP

#include <cstdlib>
#include <optional>
#include <string>

namespace anympi::slurm {

inline std::optional<std::string> text(const char* name) {
    const char* value = std::getenv(name);
    return value && *value ? std::optional<std::string>(value) : std::nullopt;
}
/// Returns the number, or nothing if the variable is not set or not a whole number.
inline std::optional<long> number(const char* name) {
    const auto value = text(name);
    char* end = nullptr;
    const long found = value ? std::strtol(value->c_str(), &end, 10) : 0;
    return value && *end == '\0' ? std::optional<long>(found) : std::nullopt;
}

inline bool is_slurm_job() {
    return text("SLURM_JOB_ID").has_value();
}
inline std::optional<long> job_id() {
    return number("SLURM_JOB_ID");
}
inline std::optional<long> local_rank() {
    return number("SLURM_LOCALID");
}
inline std::optional<long> num_nodes() {
    const auto nodes = number("SLURM_JOB_NUM_NODES");
    return nodes ? nodes : number("SLURM_NNODES");
}
inline std::optional<long> cpus_per_task() {
    return number("SLURM_CPUS_PER_TASK");
}
inline std::optional<std::string> node_name() {
    return text("SLURMD_NODENAME");
}
inline std::optional<std::string> node_list() {
    const auto list = text("SLURM_JOB_NODELIST");
    return list ? list : text("SLURM_NODELIST");
}
/// Returns the number of processes on this node. Slurm writes one number for all nodes, or a list such as 4(x2),3.
inline std::optional<long> local_size() {
    const auto tasks =
        text("SLURM_STEP_TASKS_PER_NODE") ? text("SLURM_STEP_TASKS_PER_NODE") : text("SLURM_TASKS_PER_NODE");
    const long node = number("SLURM_NODEID").value_or(0);
    if (!tasks)
        return std::nullopt;
    long first = 0;
    for (const char* at = tasks->c_str(); *at;) {
        char* end = nullptr;
        const long count = std::strtol(at, &end, 10);
        if (end == at)
            return std::nullopt;
        long times = 1;
        if (end[0] == '(' && end[1] == 'x') {
            times = std::strtol(end + 2, &end, 10);
            end += *end == ')';
        }
        if (node < first + times)
            return count;
        first += times;
        at = *end == ',' ? end + 1 : end + (*end != '\0');
    }
    return std::nullopt;
}

} // namespace anympi::slurm

#endif
