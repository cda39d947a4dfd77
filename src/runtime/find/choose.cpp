#include "runtime/find/choose.hpp"

#include "runtime/find/requested_name.hpp"
#include "runtime/find/search.hpp"
#include "runtime/find/sonames.hpp"
#include "runtime/message.hpp"

#include <climits>
#include <cstring>
#include <unistd.h>

namespace anympi::runtime {
namespace {

// What a search has seen, for the message if it fails.
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

// The installation that the launcher belongs to.
bool find_by_launcher(const machine& machine, launch& start, const wish& wanted, choice& result,
                      search_report& report) {
    if (start.kind == launcher_kind::none || is_batch_system(start.kind))
        return false;
    place where;
    where.is_pointed_to = true;
    // An Open MPI that was moved tells its processes where it lies now.
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

// "left out: /p/lib/libmpi_abi.so.1 is …", or nothing.
long_text<PATH_MAX + 256> what_was_refused(const search_report& report) {
    long_text<PATH_MAX + 256> line;
    if (report.refused.answer != identification::missing)
        line.append("left out: %s %s", report.refused.path.text, explain(report.refused.answer));
    return line;
}

// "Open MPI 4.1.4 (libmpi.so.40) in /usr, …"
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
    if (list.length == 0)
        list.append("none");
    return list;
}

bounded_text<256> names_looked_for() {
    bounded_text<256> names;
    for (const file_name& name : common_names)
        names.append("%s%s", names.length ? ", " : "", name.text);
    return names;
}

[[noreturn]] void stop_without_name(const machine& machine, const request& asked, const search_report& report) {
    stop("%s: no such MPI was found\nlooked in: %s\n%s\nfound there: %s\n%s", asked.quoted, report.places.text,
         what_was_refused(report).text, list_found_libraries(machine).text, how_to_ask().text);
}

[[noreturn]] void stop_without_library(const request& asked, const search_report& report) {
    stop("%s: no MPI library lies in this folder or in lib, lib64 … below it\nlooked for: %s and the names of Cray's "
         "and "
         "IBM's\n%s\n%s",
         asked.quoted, names_looked_for().text, what_was_refused(report).text, how_to_ask().text);
}

[[noreturn]] void stop_without_any(const search_report& report) {
    char host[256] = "this machine";
    gethostname(host, sizeof host - 1);
    stop("no MPI library was found on %s\nlooked for: %s\nlooked in: %s\n%s\n"
         "install one (`apt install mpich`, `dnf install mpich`, `conda install mpich`, `pip install mpich`), load its "
         "module, or name it: ANYMPI_MPI=/path/of/the/installation",
         host, names_looked_for().text, report.places.text, what_was_refused(report).text);
}

void take_by_name(const machine& machine, const request& asked, const requested_name& name, choice& result) {
    wish wanted;
    wanted.name = &name;
    wanted.lineage = name.lineage();
    launch start = detect_launcher(machine);
    search_report report;
    // If several installations have this name, the launcher's own is meant.
    if (!find_by_launcher(machine, start, wanted, result, report) && !find_on_machine(machine, wanted, result, report))
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

void take(const machine& machine, const request& asked, choice& result) {
    requested_name name;
    if (std::strchr(asked.value, '/'))
        take_by_path(asked, result);
    else if (read_name(asked.value, name))
        take_by_name(machine, asked, name, result);
    else
        stop("%s: anympi knows no MPI of this name\n%s", asked.quoted, advise_on_name(asked.value).text);
    result.by = chosen_by::request;
    result.reason = {};
    result.reason.append("%s", asked.quoted);
}

void choose_freely(const machine& machine, choice& result) {
    launch start = detect_launcher(machine);
    search_report report;
    if (find_by_launcher(machine, start, {}, result, report))
        return;

    const configuration settings = read_configuration(machine);
    if (settings.mpi.length != 0) {
        path_text quoted;
        quoted.append("mpi = \"%.1000s\" in %.1000s", settings.mpi.text, settings.file.text);
        take(machine, {settings.mpi.text, quoted.text}, result);
        return;
    }

    wish wanted;
    wanted.lineage = start.serves;
    if (start.serves == family::unknown)
        wanted.joins = joining_by(start.offers);
    if (find_on_machine(machine, wanted, result, report, &settings))
        return;
    // No library was found that this launcher can start as one job: a single process may still run on another one.
    if ((wanted.lineage != family::unknown || wanted.joins) && find_on_machine(machine, {}, result, report, &settings))
        return;
    stop_without_any(report);
}

/// A library with values of a draft of the standard takes constants for others: never used.
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
    take(machine, asked, result);
    refuse_draft(result);
    say_choice(result);
    return result;
}

void choose(choice& result, const machine& machine) {
    if (const char* value = read_variable("ANYMPI_MPI")) {
        path_text quoted;
        quoted.append("ANYMPI_MPI=%.1000s", value);
        take(machine, {value, quoted.text}, result);
    } else {
        choose_freely(machine, result);
    }
    refuse_draft(result);
    say_choice(result);
}

choice choose(const machine& machine) {
    choice result;
    choose(result, machine);
    return result;
}

} // namespace anympi::runtime
