#include "command/run/launcher_style.hpp"

#include "command/cli/own_files.hpp"
#include "command/cli/printable.hpp"
#include "command/cli/split_join.hpp"
#include "command/run/find_launcher.hpp"
#include "command/run/launcher_arguments.hpp"
#include "command/run/openmpi_limits.hpp"
#include "runtime/environment.hpp"
#include "runtime/identify/fingerprint.hpp"
#include "runtime/launch/variables.hpp"
#include "runtime/open/linker_variables.hpp"

#include <algorithm>
#include <string_view>

namespace anympi::command {
namespace {

using word_list = std::vector<std::string>;

// Variables that every job has.
constexpr const char* variables_of_job[] = {"ANYMPI_MPI", runtime::fingerprint_variable};

// Variables of users that a front reads in the processes of a job. They must be the same on all hosts.
constexpr const char* forwarded_variables[] = {"ANYMPI_VERBOSE",        "ANYMPI_ALLOW_SINGLETON", "ANYMPI_EMULATE",
                                               "ANYMPI_SHOW_FUNCTIONS", "ANYMPI_CHECK_JOB",       "XDG_CONFIG_HOME"};

// Open MPI's launchers pass only the named variables to other hosts. Processes that MPI_Comm_spawn starts do not get
// these variables from the launcher. The front of the spawning process passes the variables on.
word_list variables_for_openmpi(const launch& of, const word_list&) {
    word_list options;
    word_list names;
    const auto hand_on = [&](const std::string& variable) {
        append(options, {"-x", variable});
        names.push_back(variable.substr(0, variable.find('=')));
    };
    for (const char* name : variables_of_job)
        hand_on(name);
    for (const char* name : forwarded_variables)
        if (runtime::read_variable(name))
            hand_on(name);
    for (const std::string& assignment : of.variables)
        hand_on(assignment);
    if (const std::string starter = file_of_starter(); !starter.empty()) {
        hand_on(std::string(runtime::starter_variable) + "=" + starter);
        hand_on(std::string(runtime::handed_on_variable) + "=" + join_list(names, ":") + ":" +
                runtime::handed_on_variable);
    }
    return options;
}

word_list options_for_openmpi(const launch& of, const word_list&) {
    word_list options;
    if (allows_root(of.configured))
        append(options, {"--allow-run-as-root"});
    if (of.configured.flag("run.oversubscribe"))
        append(options, {"--oversubscribe"});
    return options;
}

// Hydra passes the whole environment. Variables of -genv reach the program but not hydra's own processes.
word_list variables_for_hydra(const launch& of, const word_list&) {
    word_list options;
    for (const std::string& assignment : of.variables) {
        const std::size_t end = assignment.find('=');
        append(options, {"-genv", assignment.substr(0, end), assignment.substr(end + 1)});
    }
    return options;
}

// Returns the option for the protocol by which processes find each other; nothing if the site's default is right.
// Slurm's pmi2 also speaks the older protocol of MPICH. Cray's MPI has its own protocol, which is the default on its
// machines.
word_list options_for_srun(const launch& of, const word_list& words) {
    const bool is_given = runtime::read_variable("SLURM_MPI_TYPE") || find_option(words, "mpi");
    if (is_given || std::string_view(runtime::name_of(of.mpi)) == "cray")
        return {};
    const std::string needed = of.mpi.speaks_pmix ? "pmix" : "pmi2";
    if (ask_slurm_for_default().starts_with(needed))
        return {};
    return {"--mpi=" + needed};
}

// Returns true if srun gets this variable by --export. Preloaded libraries must not reach srun itself. --export can be
// given only once, and separates variables by commas.
bool is_exported_by_srun(const std::string& assignment, const word_list& words) {
    return assignment.starts_with(runtime::preload_variable) && assignment.find(',') == assignment.npos &&
           !find_option(words, "export");
}

word_list variables_for_srun(const launch& of, const word_list& words) {
    word_list options;
    for (const std::string& assignment : of.variables)
        if (is_exported_by_srun(assignment, words))
            append(options, {"--export=ALL," + assignment});
    return options;
}

// Returns the variables for the environment of srun. They do not harm srun, which loads no MPI.
word_list environment_for_srun(const launch& of, const word_list& words) {
    word_list others = of.variables;
    std::erase_if(others, [&](const std::string& assignment) { return is_exported_by_srun(assignment, words); });
    return others;
}

// Objects to an --export that keeps anympi's variables from the program. Without --export, srun passes the environment
// on.
std::string objection_of_srun(const launch&, const word_list& words) {
    const auto exported = find_option(words, "export");
    if (!exported)
        return "";
    const word_list names = split_list(*exported, ",");
    const bool is_all = std::find(names.begin(), names.end(), "ALL") != names.end();
    const bool is_ours = std::any_of(names.begin(), names.end(), [](const std::string& name) {
        return name.starts_with("LD_") || name.starts_with("ANYMPI_MPI=");
    });
    if (is_all && !is_ours)
        return "";
    return sentence_of("--export={} would keep from the program what anympi sets for it (ANYMPI_MPI, LD_LIBRARY_PATH)\n"
                       "write --export=ALL,NAME…, and set LD_LIBRARY_PATH in the environment of `anympi run`",
                       *exported);
}

word_list whole_environment(const launch& of, const word_list&) {
    return of.variables;
}

constexpr launcher_style srun_style = {.options = options_for_srun,
                                       .variables = variables_for_srun,
                                       .environment = environment_for_srun,
                                       .objection = objection_of_srun,
                                       .is_of_mpi = false};
constexpr launcher_style openmpi_style = {.options = options_for_openmpi,
                                          .variables = variables_for_openmpi,
                                          .objection = objection_of_openmpi,
                                          .puts_own_folder_first = true,   // seen with 4.1
                                          .searches_current_folder = true, // 4.1 and 5.0
                                          .repeats_variables = true};      // seen with 4.1
constexpr launcher_style hydra_style = {.variables = variables_for_hydra};
constexpr launcher_style unknown_style = {.environment = whole_environment};

} // namespace

word_list no_words(const launch&, const word_list&) {
    return {};
}

std::string no_objection(const launch&, const word_list&) {
    return "";
}

const launcher_style& style_of_srun() {
    return srun_style;
}

const launcher_style& style_of(runtime::family lineage) {
    switch (lineage) {
    case runtime::family::openmpi:
        return openmpi_style;
    case runtime::family::mpich:
        return hydra_style;
    case runtime::family::unknown:
        break;
    }
    return unknown_style;
}

} // namespace anympi::command
