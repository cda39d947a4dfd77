#include "command/doctor/doctor.hpp"

#include "command/cli/output.hpp"
#include "command/cli/split_join.hpp"
#include "command/cli/table.hpp"
#include "command/hosts/host_differences.hpp"
#include "command/list/installed.hpp"
#include "command/run/interruption.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <unistd.h>

namespace anympi::command {
namespace {

using text_lines = std::vector<std::string>;

constexpr std::size_t most_names = 6; // most names of hosts in one line of the table

// A file in the working directory that exists as long as this object. The other hosts report the time of the file.
class shared_file {
public:
    shared_file() {
        const std::unique_ptr<char, decltype(&std::free)> folder(getcwd(nullptr, 0), &std::free);
        if (!folder)
            return;
        path_ = std::string(folder.get()) + "/.anympi-doctor-XXXXXX";
        const int descriptor = mkstemp(path_.data());
        if (descriptor < 0) {
            path_.clear();
            return;
        }
        fsync(descriptor);
        close(descriptor);
    }
    ~shared_file() {
        if (!path_.empty())
            unlink(path_.c_str());
    }
    shared_file(const shared_file&) = delete;
    shared_file& operator=(const shared_file&) = delete;

    const std::string& path() const { return path_; }

private:
    std::string path_;
};

void print_fact(const char* name, const std::string& text) {
    constexpr std::size_t name_width = 13;
    show_wrapped(fmt::format("{:<{}}  ", name, name_width), std::string(name_width + 2, ' '), "{}", text);
}

// Hosts with the same finding share a row.
struct row {
    text_lines hosts;
    finding what;
};

std::vector<row> rows_of(const std::vector<host_finding>& findings) {
    std::vector<row> rows;
    for (const host_finding& one : findings) {
        const auto same = std::find_if(rows.begin(), rows.end(), [&](const row& other) {
            return other.what.check == one.what.check && other.what.what == one.what.what;
        });
        if (same == rows.end())
            rows.push_back({{one.host}, one.what});
        else
            same->hosts.push_back(one.host);
    }
    return rows;
}

std::string names_in(const text_lines& hosts) {
    if (hosts.size() <= most_names)
        return join_list(hosts);
    return join_list({hosts.begin(), hosts.begin() + most_names}) +
           fmt::format(" and {} more", hosts.size() - most_names);
}

style look_of(level how) {
    return how == level::problem ? style::bad : how == level::warning ? style::doubtful : style::quiet;
}

const char* title_of(level how) {
    return how == level::problem ? "problem" : how == level::warning ? "warning" : "note";
}

std::string shown_library(const host_facts& here) {
    return here.library_problem.empty() ? fmt::format("{}, {}", here.mpi, here.library) : here.library_problem;
}

void print_table(const host_facts& here, const text_lines& names, const way_to_hosts& way,
                 const std::vector<host_finding>& findings) {
    print_fact("hosts", fmt::format("{}, asked by {}", names_in(names), way.is_srun ? "srun" : "ssh"));
    print_fact("compared with", here.host);
    print_fact("anympi", here.anympi);
    print_fact("library", shown_library(here));
    if (!way.is_srun && !here.launcher.empty())
        print_fact("launcher", here.launcher);
    show("\n");
    text_lines remedies;
    table rows({{"HOST", when_narrow::wrapped}, {"CHECK"}, {"WHAT IS MISSING OR DIFFERENT", when_narrow::wrapped}});
    for (const row& one : rows_of(findings)) {
        const style look = look_of(one.what.how);
        rows.add({{names_in(one.hosts), look}, {one.what.check, look}, {one.what.what, look}});
        const std::string remedy = fmt::format("{}: {}", one.what.check, one.what.remedy);
        if (std::find(remedies.begin(), remedies.end(), remedy) == remedies.end())
            remedies.push_back(remedy);
    }
    if (!findings.empty()) {
        rows.print();
        show("\n");
    }
    for (const std::string& remedy : remedies)
        print_fact("remedy", remedy);
}

json document_of(const host_facts& here, const std::vector<host_answer>& answers,
                 const std::vector<host_finding>& findings) {
    json hosts = json::array();
    for (const host_answer& answer : answers)
        hosts.push_back({{"name", answer.name},
                         {"facts", answer.facts ? json_of(*answer.facts) : json(nullptr)},
                         {"problem", answer.problem.empty() ? json(nullptr) : json(answer.problem)}});
    json seen = json::array();
    for (const host_finding& one : findings)
        seen.push_back({{"host", one.host},
                        {"level", title_of(one.what.how)},
                        {"check", one.what.check},
                        {"text", one.what.what},
                        {"remedy", one.what.remedy}});
    return {{"here", json_of(here)}, {"hosts", hosts}, {"findings", seen}};
}

int count_of(const std::vector<host_finding>& findings, level how) {
    return static_cast<int>(
        std::count_if(findings.begin(), findings.end(), [&](const host_finding& one) { return one.what.how == how; }));
}

} // namespace

int doctor_hosts(const std::string& list, const std::vector<std::string>& programs, std::chrono::seconds limit,
                 bool as_json) {
    const settings configured = read_settings();
    const way_to_hosts way = find_way_to_hosts(configured);
    if (way.program.empty())
        throw std::runtime_error(
            "ssh is missing here, by which the hosts are asked\ninstall it (Debian: openssh-client)");
    const text_lines names = list.empty() ? hosts_of_allocation() : read_host_list(list);
    if (names.empty())
        throw std::runtime_error(
            "there are no hosts to ask\nname them, `anympi doctor --hosts na,nb`, or call the doctor "
            "inside an allocation of Slurm");
    const survey machine = survey_machine();
    if (!machine.chosen) {
        pass_on_messages(machine.message);
        return 1;
    }
    const interruption held_back; // a signal must not leave the file behind
    const shared_file file;
    const host_question question = {machine.chosen->mpi.path, file.path(), absolute_paths(programs), limit};
    const std::vector<host_answer> answers = ask_hosts(names, question, way);
    if (interruption::has_come())
        return 1; // `held_back` then ends the command by the signal
    const host_facts here = look_at_this_host(question.library, question.shared_file, question.programs);
    const std::vector<host_finding> findings = compare_hosts(here, answers, way);
    const int problems = count_of(findings, level::problem);
    const int warnings = count_of(findings, level::warning);
    if (as_json) {
        json document = document_of(here, answers, findings);
        document.update({{"problems", problems}, {"warnings", warnings}});
        print_json(document);
    } else {
        print_table(here, names, way, findings);
        show("{} problem{}, {} warning{}\n", problems, problems == 1 ? "" : "s", warnings, warnings == 1 ? "" : "s");
    }
    return problems ? 1 : 0;
}

} // namespace anympi::command
