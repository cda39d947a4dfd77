#include "command/doctor/doctor.hpp"

#include "command/cli/files.hpp"
#include "command/cli/output.hpp"
#include "command/cli/this_machine.hpp"
#include "command/config/change_file.hpp"
#include "command/doctor/checks.hpp"
#include "command/list/probe.hpp"
#include "runtime/find/site_rules.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <sstream>

namespace anympi::command {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::seconds limit_for_all(60);

const char* name_of(level how) {
    switch (how) {
    case level::good:
        return "ok";
    case level::note:
        return "note";
    case level::warning:
        return "warning";
    case level::problem:
        return "problem";
    }
    return "";
}

style style_of(level how) {
    switch (how) {
    case level::good:
        return style::good;
    case level::note:
        return style::quiet;
    case level::warning:
        return style::doubtful;
    case level::problem:
        return style::bad;
    }
    return style::plain;
}

// Prints each finding at once, because some checks take seconds. For JSON, the findings are kept until the end.
class report {
public:
    explicit report(bool as_json) : as_json_(as_json) {}

    void add(const findings& more) {
        for (const finding& one : more)
            add(one);
    }

    void add(const finding& one) {
        counts_[static_cast<std::size_t>(one.how)]++;
        if (as_json_)
            keep(one);
        else
            print(one);
    }

    // Returns the exit code.
    int end() {
        const int problems = count(level::problem);
        const int warnings = count(level::warning);
        if (as_json_)
            print_json({{"findings", document_}, {"problems", problems}, {"warnings", warnings}});
        else
            show("\n{}\n", painted(fmt::format("{} problem{}, {} warning{}", problems, problems == 1 ? "" : "s",
                                               warnings, warnings == 1 ? "" : "s"),
                                   style_of(problems   ? level::problem
                                            : warnings ? level::warning
                                                       : level::good)));
        return problems ? 1 : 0;
    }

private:
    int count(level how) const { return counts_[static_cast<std::size_t>(how)]; }

    void keep(const finding& one) {
        document_.push_back({{"level", name_of(one.how)},
                             {"check", one.check},
                             {"text", one.what},
                             {"remedy", one.remedy.empty() ? json(nullptr) : json(one.remedy)},
                             {"details", one.details.empty() ? json(nullptr) : json(one.details)}});
    }

    static void print(const finding& one) {
        constexpr std::string_view indent = "         ";
        const painted_text title = painted(fmt::format("{:<9}", name_of(one.how)), style_of(one.how));
        show_wrapped(title, indent, "{}", one.what);
        std::istringstream lines(one.details);
        const std::string quoted = std::string(indent) + "| ";
        for (std::string line; std::getline(lines, line);)
            show_wrapped(quoted, quoted, "{}", painted(line, style::quiet));
        if (!one.remedy.empty())
            show_wrapped(indent, indent, "{} {}", painted("remedy:", style::heading), one.remedy);
        std::fflush(stdout);
    }

    bool as_json_;
    json document_ = json::array();
    int counts_[4] = {};
};

std::vector<std::string> missing_folders(const settings& configured) {
    std::vector<std::string> folders = configured.list("search");
    std::erase_if(folders, [](const std::string& folder) { return is_folder(folder); });
    return folders;
}

// Returns the command that opens a configuration file in an editor. `place` is the path of the file, perhaps with a
// line.
std::string command_to_edit(const std::string& place) {
    const bool is_sites = place.starts_with(path_of_configuration(runtime::whose::sites));
    return is_sites ? "`anympi config edit --site`" : "`anympi config edit`";
}

settings check_configuration(report& seen) {
    settings configured = read_settings_silently();
    for (const ignored_line& line : configured.ignored())
        seen.add({level::problem, "configuration", describe(line), "correct the line: " + command_to_edit(line.file)});
    const std::vector<std::string> missing = missing_folders(configured);
    for (const std::string& folder : missing)
        seen.add({level::warning, "configuration",
                  fmt::format("`search` names {}, which does not exist ({})", folder, configured.origin("search")),
                  "create it or remove it from the list: " + command_to_edit(configured.origin("search"))});
    if (configured.ignored().empty() && missing.empty())
        seen.add({level::good, "configuration", "all lines of the configuration are good"});
    return configured;
}

// Returns the front's message without its prefix.
std::string without_prefixes(const std::string& message) {
    std::string text;
    std::istringstream lines(message);
    for (std::string line; std::getline(lines, line);)
        text += (text.empty() ? "" : "\n") + line.substr(line.starts_with("anympi: ") ? 8 : 0);
    return text;
}

finding describe_choice(const survey& machine) {
    if (!machine.chosen)
        return finding_from_message(level::problem, "choice", without_prefixes(machine.message));
    return {level::good, "choice",
            fmt::format("programs started here run on {}, {}: {}", runtime::describe(machine.chosen->mpi).text,
                        machine.chosen->mpi.path, machine.chosen->reason.text)};
}

// Checks the chosen MPI first, since the time for all is limited.
void check_all_mpis(survey machine, const settings& configured, report& seen) {
    std::stable_partition(machine.libraries.begin(), machine.libraries.end(),
                          [&](const runtime::library& mpi) { return machine.is_chosen(mpi); });
    const std::vector<probe_result> probed = probe(machine.libraries);
    const runtime::configuration choices = runtime::read_sites_configuration(this_machine());
    const clock::time_point deadline = clock::now() + limit_for_all;
    for (std::size_t i = 0; i < machine.libraries.size(); i++) {
        const runtime::library& mpi = machine.libraries[i];
        const path_text rule = runtime::explain_rule(choices, mpi);
        if (rule.length != 0)
            seen.add(
                {level::note, "rules",
                 fmt::format("{}, {} may not be used here: {}", runtime::describe(mpi).text, mpi.path, rule.text)});
        else
            seen.add(check_mpi(mpi, probed[i], machine.is_chosen(mpi), configured, deadline));
    }
}

} // namespace

int doctor(const std::vector<std::string>& programs, bool as_json) {
    report seen(as_json);
    const settings configured = check_configuration(seen);
    const survey machine = survey_machine();
    seen.add(describe_choice(machine));
    seen.add(check_environment(machine));
    seen.add(check_shared_memory());
    seen.add(check_fortran());
    for (const std::string& program : programs)
        seen.add(check_program(program, machine));
    check_all_mpis(machine, configured, seen);
    return seen.end();
}

} // namespace anympi::command
