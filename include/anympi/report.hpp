// Reports which processes run on which hosts, and with which MPI.
#ifndef ANYMPI_REPORT_HPP
#define ANYMPI_REPORT_HPP

#include <string>
#include <vector>

#include "environment.hpp"
#include "room.hpp"
#include "slurm.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

struct HostEntry {
    std::string hostname;
    std::vector<int> ranks;
};
struct SlurmInfo {
    long job_id = 0;
    std::string node_list;
    std::optional<long> cpus_per_task;
};
struct TopologyInfo {
    std::vector<HostEntry> hosts; // in the order of their first ranks
    int size = 0;
    std::string library_version, standard_version;
    ThreadLevel thread_level = ThreadLevel::single;
    std::optional<SlurmInfo> slurm;

    [[nodiscard]] std::size_t num_hosts() const noexcept { return hosts.size(); }
    /// Returns the report as a text for people.
    [[nodiscard]] std::string text() const {
        std::string out = std::to_string(size) + " processes on " + std::to_string(hosts.size()) + " hosts\n";
        out += "library: " + library_version.substr(0, library_version.find('\n')) + "\n";
        out += "standard: " + standard_version + ", threads: " + name_of(thread_level) + "\n";
        if (slurm)
            out += "Slurm job " + std::to_string(slurm->job_id) + " on " + slurm->node_list + "\n";
        for (const HostEntry& host : hosts) {
            out += host.hostname + ":";
            for (const int rank : host.ranks)
                out += " " + std::to_string(rank);
            out += "\n";
        }
        return out;
    }
};

inline ANYMPI_CALLS result<TopologyInfo> Comm::topology_report() const {
    TopologyInfo report;
    char name[MPI_MAX_PROCESSOR_NAME] = "", version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0, number = 0, part = 0, level = 0;
    ANYMPI_CALL(where(), MPI_Comm_size, handle(), &report.size);
    ANYMPI_CALL(detail::Nowhere{}, MPI_Get_processor_name, name, &length);
    ANYMPI_CALL(detail::Nowhere{}, MPI_Get_library_version, version, &length);
    ANYMPI_CALL(detail::Nowhere{}, MPI_Get_version, &number, &part);
    ANYMPI_CALL(detail::Nowhere{}, MPI_Query_thread, &level);
    report.library_version = version;
    report.standard_version = "MPI " + std::to_string(number) + "." + std::to_string(part);
    report.thread_level = static_cast<ThreadLevel>(level);
    if (const auto job = slurm::job_id())
        report.slurm = SlurmInfo{*job, slurm::node_list().value_or(""), slurm::cpus_per_task()};

    shared::Room<char> names(sizeof name * static_cast<std::size_t>(report.size));
    ANYMPI_CALL(where(), MPI_Allgather_c, name, sizeof name, MPI_CHAR, names.data(), sizeof name, MPI_CHAR, handle());
    for (int rank = 0; rank < report.size; ++rank) {
        const std::string host = &names[sizeof name * static_cast<std::size_t>(rank)];
        std::size_t place = 0;
        while (place < report.hosts.size() && report.hosts[place].hostname != host)
            ++place;
        if (place == report.hosts.size())
            report.hosts.push_back({host, {}});
        report.hosts[place].ranks.push_back(rank);
    }
    return report;
}

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
