#include "runtime/find/choose.hpp"

#include "runtime/find/how_to_install.hpp"
#include "runtime/find/requested_name.hpp"
#include "runtime/find/search.hpp"
#include "runtime/find/site_rules.hpp"
#include "runtime/find/sonames.hpp"
#include "runtime/identify/fingerprint.hpp"
#include "runtime/message.hpp"

#include <climits>
#include <cstring>
#include <unistd.h>

namespace anympi::runtime {
namespace {

// The findings of a search, for the message if the search fails.
struct search_report {
    bounded_text<1024> places;
    refusal refused;
};

// Adds an entry to a list with commas, once.
template <std::size_t capacity>
void add_once(bounded_text<capacity>& list, const char* entry) {
    const std::size_t length = std::strlen(entry);
    for (const char* found = std::strstr(list.text, entry); found; found = std::strstr(found + 1, entry))
        if ((found == list.text || found[-1] == ' ') && (found[length] == ',' || found[length] == '\0'))
            return;
    list.append("%s%s", list.length ? ", " : "", entry);
}

bool find(const place& where, const wish& wanted, choice& result, search_report& report) {
    add_once(report.places, where.path.text);
    if (!find_in(where, wanted, result.mpi, report.refused))
        return false;
    result.reason.append("%s", where.reason.text);
    return true;
}

// Looks for a library in the installation to which the launcher belongs.
bool find_by_launcher(const machine& machine, launch& start, const wish& wanted, choice& result,
                      search_report& report) {
    if (start.kind == launcher_kind::none || is_batch_system(start.kind))
        return false;
    place where;
    where.is_pointed_to = true;
    // An Open MPI that was moved tells its processes its new folder.
    const char* prefix = start.serves == family::openmpi ? read_variable("OPAL_PREFIX") : nullptr;
    if (prefix) {
        where.path.append("%s", prefix);
        where.reason.append("%s belongs to it (OPAL_PREFIX)", start.called);
    } else if (locate_launcher(machine, start) && set_prefix_of(start.executable, where)) {
        where.reason.append("%s (%s) belongs to it", start.called, start.executable);
    } else {
        return false;
    }
    where.expected = start.serves;
    result.by = chosen_by::launcher;
    return find(where, wanted, result, report);
}

bool find_on_machine(const machine& machine, const wish& wanted, choice& result, search_report& report,
                     const configuration* settings = nullptr) {
    const auto look = [&](const place& where) { return find(where, wanted, result, report); };
    result.by = chosen_by::search;
    return visit_places(machine, look, settings);
}

using library_question = bool(const library&);

// Returns the question whether a library finds the other processes by what a launcher offers; nullptr if that is not
// known.
library_question* joining_by(wire_up offered) {
    switch (offered) {
    case wire_up::pmi:
        return [](const library& mpi) { return !mpi.needs_pmix; };
    case wire_up::pmix:
        return [](const library& mpi) { return mpi.speaks_pmix; };
    case wire_up::unknown:
        break;
    }
    return nullptr;
}

// Returns "left out: /p/lib/libmpi_abi.so.1 is …".
long_text<PATH_MAX + 256> line_of(const refusal& refused) {
    long_text<PATH_MAX + 256> line;
    line.append("left out: %s %s", refused.path.text, explain(refused.answer));
    return line;
}

// Returns an empty text if the search has found no file with the name of an MPI library, or only anympi's own.
long_text<PATH_MAX + 256> what_was_refused(const search_report& report) {
    const identification answer = report.refused.answer;
    const bool is_of_interest = answer != identification::missing && answer != identification::own_front;
    return is_of_interest ? line_of(report.refused) : long_text<PATH_MAX + 256>();
}

// Returns "Open MPI 4.1.4 (libmpi.so.40) in /usr, …".
bounded_text<768> list_found_libraries(const machine& machine) {
    bounded_text<768> list;
    visit_places(machine, [&](const place& where) {
        list_in(where, [&](const library& mpi) {
            path_text entry;
            entry.append("%s in %s", describe(mpi).text, where.path.text);
            add_once(list, entry.text);
        });
        return false;
    });
    return list;
}

bounded_text<256> names_looked_for() {
    bounded_text<256> names;
    for (const file_name& name : common_names)
        names.append("%s%s", names.length ? ", " : "", name.text);
    return names;
}

[[noreturn]] void stop_without_any(const machine& machine, const search_report& report) {
    say_if_verbose("looked for: %s\nlooked in: %s", names_looked_for().text, report.places.text);
    stop("%s\n%s\n%s", explain_lack_of_mpi().text, what_was_refused(report).text, advise_to_install(machine).text);
}

[[noreturn]] void stop_without_name(const machine& machine, const request& asked, const search_report& report) {
    const bounded_text<768> found = list_found_libraries(machine);
    if (found.length == 0)
        stop_without_any(machine, report);
    stop("%s: no such MPI was found\nlooked in: %s\n%s\nfound there: %s\n%s", asked.quoted, report.places.text,
         what_was_refused(report).text, found.text, how_to_ask().text);
}

[[noreturn]] void stop_at_unknown_name(const machine& machine, const request& asked) {
    if (list_found_libraries(machine).length == 0)
        stop_without_any(machine, {});
    stop("%s: anympi knows no MPI of this name\n%s", asked.quoted, advise_on_name(asked.value).text);
}

[[noreturn]] void stop_without_library(const request& asked, const search_report& report) {
    stop("%s: there is no MPI library in this folder or in lib, lib64 … below it\nlooked for: %s and the names of "
         "Cray's and IBM's\n%s\n%s",
         asked.quoted, names_looked_for().text,
         report.refused.answer == identification::missing ? "" : line_of(report.refused).text, how_to_ask().text);
}

void take_by_name(const machine& machine, const request& asked, const requested_name& name,
                  const configuration& settings, choice& result) {
    wish wanted;
    wanted.name = &name;
    wanted.settings = &settings;
    wanted.lineage = name.lineage();
    launch start = detect_launcher(machine);
    search_report report;
    // If several installations have this name, the launcher's own is meant.
    if (find_by_launcher(machine, start, wanted, result, report) || find_on_machine(machine, wanted, result, report))
        return;
    wanted.settings = nullptr; // if the site forbids the library, it is refused later with the rule
    if (!find_on_machine(machine, wanted, result, report))
        stop_without_name(machine, asked, report);
}

void take_by_path(const request& asked, choice& result) {
    path_text path;
    path_text current;
    if (asked.value[0] != '/' && current.reserve() && getcwd(current.text, PATH_MAX))
        path.append("%s/", current.text);
    path.append("%s", asked.value);

    const identification answer = path.cut ? identification::missing : identify(path.text, result.mpi);
    if (answer == identification::mpi)
        return;
    if (answer != identification::folder)
        stop("%s %s\n%s", asked.quoted, explain(answer), how_to_ask().text);
    place where;
    where.path = path;
    where.is_pointed_to = true;
    search_report report;
    if (!find_in(where, {}, result.mpi, report.refused))
        stop_without_library(asked, report);
}

void take(const machine& machine, const request& asked, const configuration& settings, choice& result) {
    requested_name name;
    if (std::strchr(asked.value, '/'))
        take_by_path(asked, result);
    else if (read_name(asked.value, name))
        take_by_name(machine, asked, name, settings, result);
    else
        stop_at_unknown_name(machine, asked);
    result.by = chosen_by::request;
    result.reason = {};
    result.reason.append("%s", asked.quoted);
}

// Looks for a library of this machine that the site allows and that the launcher can start as one job. Without such a
// library, it takes another one, on which a single process may still run.
bool find_any(const machine& machine, const launch& start, const configuration& settings, choice& result,
              search_report& report) {
    wish wanted;
    wanted.settings = &settings;
    wanted.lineage = start.serves;
    if (start.serves == family::unknown)
        wanted.joins = joining_by(start.offers);
    if (find_on_machine(machine, wanted, result, report, &settings))
        return true;
    const bool is_limited = wanted.lineage != family::unknown || wanted.joins;
    wanted.lineage = family::unknown;
    wanted.joins = nullptr;
    if (is_limited && find_on_machine(machine, wanted, result, report, &settings))
        return true;
    wanted.settings = nullptr; // the library is refused later, with the site's rule
    const bool has_rules = settings.forbidden.mpis.length != 0 || settings.required.mpis.length != 0;
    return has_rules && find_on_machine(machine, wanted, result, report, &settings);
}

void choose_freely(const machine& machine, const configuration& sites, choice& result) {
    launch start = detect_launcher(machine);
    search_report report;
    if (find_by_launcher(machine, start, {}, result, report))
        return;

    const configuration settings = with_users_configuration(sites);
    if (settings.mpi.length != 0) {
        path_text quoted;
        quoted.append("mpi = \"%.1000s\" in %.1000s", settings.mpi.text, settings.file.text);
        take(machine, {settings.mpi.text, quoted.text}, settings, result);
        return;
    }
    if (!find_any(machine, start, settings, result, report))
        stop_without_any(machine, report);
}

// Stops the process if the site forbids the library. No setting of a user overrides the site's rules.
void apply_site_rules(const configuration& settings, const choice& result) {
    const path_text rule = explain_rule(settings, result.mpi);
    if (rule.length != 0)
        stop("%s at %s may not be used here: %s\nit was chosen by: %s. `anympi list` shows the MPIs of this machine",
             describe(result.mpi).text, result.mpi.path, rule.text, result.reason.text);
}

// Returns true if `anympi run` started this process. It has already applied the site's rules to the library of the job.
bool is_job_of_run() {
    return read_variable(fingerprint_variable) != nullptr;
}

// Stops the process if the library has the values of a draft of the standard. Such a library would mistake one constant
// for another.
void refuse_draft(const choice& result) {
    if (is_draft(result.mpi))
        stop("%s (%s) has values of a draft of the MPI ABI, which mean something else than the final ones.\n"
             "Choose the vendor's own library beside it (libmpi.so.12) with ANYMPI_MPI=/path/to/library; "
             "`anympi list` shows what there is.",
             result.mpi.path, result.reason.text);
}

void say_choice(const choice& result) {
    say_if_verbose("chose %s at %s: %s", describe(result.mpi).text, result.mpi.path, result.reason.text);
}

} // namespace

choice choose_requested(const request& asked, const machine& machine) {
    choice result;
    const configuration sites = read_sites_configuration(machine);
    take(machine, asked, sites, result);
    refuse_draft(result);
    apply_site_rules(sites, result);
    say_choice(result);
    return result;
}

void choose(choice& result, const machine& machine) {
    const char* const value = read_variable("ANYMPI_MPI");
    const bool is_chosen = value != nullptr && is_job_of_run();
    const configuration sites = is_chosen ? configuration() : read_sites_configuration(machine);
    if (value != nullptr) {
        path_text quoted;
        quoted.append("ANYMPI_MPI=%.1000s", value);
        take(machine, {value, quoted.text}, sites, result);
    } else {
        choose_freely(machine, sites, result);
    }
    refuse_draft(result);
    apply_site_rules(sites, result);
    say_choice(result);
}

choice choose(const machine& machine) {
    choice result;
    choose(result, machine);
    return result;
}

} // namespace anympi::runtime
