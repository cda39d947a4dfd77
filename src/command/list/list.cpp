#include "command/list/list.hpp"

#include "command/cli/output.hpp"
#include "command/cli/table.hpp"
#include "command/cli/this_machine.hpp"
#include "command/config/settings.hpp"
#include "command/inspect/mpi_names.hpp"
#include "command/list/installed.hpp"
#include "command/list/probe.hpp"
#include "command/list/unique_names.hpp"
#include "command/run/find_launcher.hpp"
#include "runtime/find/site_rules.hpp"
#include "runtime/identify/exact_version.hpp"

#include <fmt/core.h>

#include <string>

namespace anympi::command {
namespace {

// All that is known of one library.
struct entry {
    runtime::library mpi;
    std::string name; // the name by which --mpi chooses exactly this library; empty if it cannot be chosen
    probe_result probed;
    std::string launcher; // empty if no launcher was found
    bool is_chosen;

    std::string version() const { return probed.version.empty() ? runtime::exact_version(mpi).text : probed.version; }
};

std::vector<entry> collect(const survey& machine, const settings& configured) {
    const std::vector<probe_result> probed = probe(machine.libraries);
    const std::vector<std::string> names = find_unique_names(machine);
    const runtime::configuration sites = runtime::read_sites_configuration(this_machine());
    std::vector<entry> entries;
    for (std::size_t i = 0; i < machine.libraries.size(); i++) {
        const runtime::library& mpi = machine.libraries[i];
        entries.push_back({mpi, names[i], probed[i], "", machine.is_chosen(mpi)});
        entry& last = entries.back();
        try {
            last.launcher = find_launcher(mpi, configured).executable;
        } catch (const settings_error& error) { // the launcher that the configuration names cannot be used
            if (last.probed.problem.empty())
                last.probed.problem = sentence_of("cannot be started: {}", error.what());
        }
        if (const path_text rule = runtime::explain_rule(sites, mpi); rule.length != 0)
            last.probed.problem = sentence_of("may not be used here: {}", rule.text);
    }
    return entries;
}

json or_null(const std::string& text) {
    return text.empty() ? json(nullptr) : json(text);
}

// A family has the name of its ABI.
const char* family_name(runtime::family lineage) {
    return lineage != runtime::family::unknown ? name_of(runtime::interface_of(lineage)) : "";
}

json describe(const entry& one) {
    return {{"product", one.mpi.product},
            {"version", or_null(one.version())},
            {"family", or_null(family_name(one.mpi.lineage))},
            {"abi", name_of(one.mpi.interface)},
            {"draft", runtime::is_draft(one.mpi)},
            {"name", or_null(one.name)},
            {"path", one.mpi.path},
            {"launcher", or_null(one.launcher)},
            {"thread_level", or_null(one.probed.thread_level)},
            {"problem", or_null(one.probed.problem)},
            {"chosen", one.is_chosen}};
}

void print_as_json(const survey& machine, const std::vector<entry>& entries) {
    json document = {{"libraries", json::array()}, {"reason", nullptr}};
    for (const entry& one : entries)
        document["libraries"].push_back(describe(one));
    if (machine.chosen)
        document["reason"] = machine.chosen->reason.text;
    print_json(document);
}

std::vector<cell> row_of(const entry& one) {
    const std::string version = one.version();
    return {{one.is_chosen ? "*" : "", style::good},
            {one.name.empty() ? "-" : one.name, one.is_chosen ? style::good : style::plain},
            {one.mpi.product, one.is_chosen ? style::good : style::plain},
            {version.empty() ? "?" : version},
            {one.mpi.path},
            one.launcher.empty() ? cell{"none found", style::doubtful} : cell{one.launcher},
            {std::string(name_of(one.mpi.interface)) + (runtime::is_draft(one.mpi) ? " (draft)" : "")},
            {one.probed.thread_level.empty() ? "?" : one.probed.thread_level}};
}

void print_as_table(const survey& machine, const std::vector<entry>& entries) {
    if (entries.empty())
        return;
    table rows({{""},
                {"NAME"},
                {"MPI"},
                {"VERSION"},
                {"LIBRARY", when_narrow::below},
                {"LAUNCHER", when_narrow::left_out},
                {"ABI", when_narrow::left_out},
                {"THREADS", when_narrow::left_out}});
    for (const entry& one : entries)
        rows.add(row_of(one));
    rows.print();
    for (const entry& one : entries)
        if (!one.probed.problem.empty())
            show_wrapped("", "  ", "{}", painted(fmt::format("{} {}", one.mpi.path, one.probed.problem), style::bad));
    if (!machine.chosen)
        return;
    show("\n");
    show_wrapped("", "", "* marks the MPI that programs started here run on: {}.", machine.chosen->reason.text);
    show_wrapped("", "", "To use another one: `anympi run --mpi NAME …`, or ANYMPI_MPI=NAME in the environment.");
}

} // namespace

int list(bool as_json) {
    const settings configured = read_settings(); // an error ends the command here, before the search reports it, too
    const survey machine = survey_machine();
    pass_on_messages(machine.message);
    const std::vector<entry> entries = collect(machine, configured);
    if (as_json)
        print_as_json(machine, entries);
    else
        print_as_table(machine, entries);
    return machine.chosen ? 0 : 1;
}

int list_names() {
    for (const std::string& name : find_unique_names(survey_machine()))
        if (!name.empty())
            show("{}\n", name);
    return 0;
}

} // namespace anympi::command
