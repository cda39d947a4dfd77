#include "command/hosts/host_differences.hpp"

#include "command/cli/printable.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace anympi::command {
namespace {

constexpr long long tolerance = 2000; // milliseconds; some file systems know whole seconds only

// The checks without which a job cannot start on a host.
constexpr std::string_view needed_checks[] = {"host", "anympi", "library", "version", "program"};

std::optional<long long> number_in(const std::string& text) {
    long long number = 0;
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, number);
    return result.ec == std::errc{} && result.ptr == end ? std::optional(number) : std::nullopt;
}

std::string seconds_of(long long milliseconds) {
    return fmt::format("{:.1f} seconds", static_cast<double>(std::llabs(milliseconds)) / 1000);
}

// Compares one host with this one.
class comparison {
public:
    comparison(const host_facts& here, const host_answer& answer, const way_to_hosts& way,
               std::vector<host_finding>& findings)
        : here_(here), answer_(answer), there_(*answer.facts), way_(way), findings_(findings) {}

    void compare() {
        compare_anympi();
        compare_library();
        compare_launcher();
        if (!there_.missing_programs.empty())
            add(level::problem, "program", fmt::format("{} is missing", there_.missing_programs),
                "put programs into a folder that all hosts share, or copy them to each host");
        compare_shared_memory();
        compare_clocks();
        compare_files();
    }

private:
    void add(level how, const char* check, std::string what, std::string remedy) {
        findings_.push_back({answer_.name, {how, check, std::move(what), std::move(remedy)}});
    }

    void compare_anympi() {
        const std::string remedy = "install the same anympi on all hosts, in the same place";
        if (there_.anympi != here_.anympi)
            add(level::problem, "anympi", fmt::format("anympi {}, not {}", there_.anympi, here_.anympi), remedy);
        else if (there_.front.empty())
            add(level::problem, "anympi", "libmpi_abi.so.1 of anympi is missing", remedy);
        else if (there_.starter.empty() && !here_.starter.empty())
            add(level::problem, "anympi", fmt::format("{} is missing", here_.starter), remedy);
        else if (there_.front != here_.front)
            add(level::warning, "anympi", fmt::format("another build of anympi {}", there_.anympi), remedy);
    }

    void compare_library() {
        const std::string remedy = "install the same MPI on all hosts, in the same place";
        if (!there_.library_problem.empty())
            add(level::problem, "library", fmt::format("{} {}", there_.library, there_.library_problem), remedy);
        else if (there_.mpi != here_.mpi)
            add(level::problem, "version", fmt::format("{}, not {}", there_.mpi, here_.mpi), remedy);
        else if (there_.build != here_.build)
            add(level::warning, "build", fmt::format("another build of {}", there_.mpi),
                "install the same build, unless some hosts need their own (other processors)");
    }

    // srun needs nothing of the MPI on the other hosts. The MPI's own launcher starts its daemons there.
    void compare_launcher() {
        if (!way_.is_srun && there_.library_problem.empty() && there_.launcher != here_.launcher)
            add(level::warning, "launcher",
                there_.launcher.empty() ? fmt::format("{} is missing", here_.launcher)
                                        : fmt::format("{}, not {}", there_.launcher, here_.launcher),
                "install the whole MPI on all hosts: its launcher starts a program of its own there");
    }

    void compare_shared_memory() {
        if (!there_.shared_memory_problem.empty())
            add(level::warning, "shared memory", there_.shared_memory_problem, there_.shared_memory_remedy);
        if (!there_.second_shared_memory.empty() && there_.second_shared_memory != there_.shared_memory)
            add(level::warning, "shared memory", "each process has a /dev/shm of its own",
                "let the processes of a host share /dev/shm: MPI libraries exchange messages there");
    }

    // The clock was read between the start of the question and the answer.
    void compare_clocks() {
        const auto clock = number_in(there_.clock);
        if (!clock)
            return;
        const long long difference = distance_from(answer_.asked, answer_.answered, *clock);
        if (std::llabs(difference) > tolerance)
            add(level::warning, "clock",
                fmt::format("{} {}", seconds_of(difference), difference > 0 ? "ahead" : "behind"),
                "set the clocks of all hosts by NTP: programs and `make` compare times");
    }

    void compare_files() {
        const auto expected = number_in(here_.file_time);
        if (!expected)
            return;
        const auto seen = number_in(there_.file_time);
        if (!seen) {
            add(level::note, "folder", "does not see the files of this working directory",
                "start jobs in a folder that all hosts share, or copy what programs need");
            return;
        }
        const std::string remedy = "set the clocks of the hosts and of the file server by NTP";
        if (std::llabs(*seen - *expected) > tolerance)
            add(level::warning, "file times",
                fmt::format("a file is {} {} than here", seconds_of(*seen - *expected),
                            *seen > *expected ? "newer" : "older"),
                remedy);
        const auto age = number_in(there_.new_file_age);
        if (age && std::llabs(*age) > tolerance)
            add(level::warning, "file times",
                fmt::format("a new file seems {} {}", seconds_of(*age), *age > 0 ? "old" : "in the future"), remedy);
    }

    const host_facts& here_;
    const host_answer& answer_;
    const host_facts& there_;
    const way_to_hosts& way_;
    std::vector<host_finding>& findings_;
};

finding explain_no_facts(const host_answer& answer, const way_to_hosts& way) {
    if (answer.lacks_anympi)
        return {level::problem, "anympi", answer.problem, "install the same anympi on all hosts, in the same place"};
    if (answer.is_refused)
        return {level::problem, "anympi", answer.problem,
                "see what `anympi doctor` says on that host, and install the same anympi on all hosts"};
    return {level::problem, "host", answer.problem,
            way.is_srun ? "see what `sinfo` says of the node, and try `srun -w NODE hostname`"
                        : "let `ssh HOST true` work without a password"};
}

} // namespace

std::vector<host_finding> compare_hosts(const host_facts& here, const std::vector<host_answer>& answers,
                                        const way_to_hosts& way) {
    std::vector<host_finding> findings;
    for (const host_answer& answer : answers)
        if (answer.facts)
            comparison(here, answer, way, findings).compare();
        else
            findings.push_back({answer.name, explain_no_facts(answer, way)});
    return findings;
}

std::string explain_obstacles(const std::vector<host_finding>& findings) {
    std::string text, remedy;
    for (const host_finding& one : findings) {
        bool is_needed = false;
        for (const std::string_view check : needed_checks)
            is_needed = is_needed || (one.what.how == level::problem && one.what.check == check);
        if (!is_needed)
            continue;
        text += sentence_of("on host {}: {}\n", one.host, one.what.what);
        if (remedy.find(one.what.remedy) == remedy.npos)
            remedy += sentence_of("{}\n", one.what.remedy);
    }
    return text + remedy;
}

} // namespace anympi::command
