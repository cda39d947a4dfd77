#include "command/run/job.hpp"

#include "command/cli/files.hpp"
#include "command/cli/own_files.hpp"
#include "command/cli/printable.hpp"
#include "command/cli/split_join.hpp"
#include "command/run/find_launcher.hpp"
#include "command/run/launcher_arguments.hpp"
#include "command/run/placement.hpp"
#include "runtime/environment.hpp"
#include "runtime/open/linker_variables.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace anympi::command {
namespace {

namespace fs = std::filesystem;
using runtime::family;
using word_list = std::vector<std::string>;

struct launcher_style;

struct starter {
    const runtime::library& mpi;
    const settings& configured;
    std::string launcher = {};
    const launcher_style* style = nullptr;
    word_list variables = {}; // NAME=VALUE, for the program and not for its launcher
};

word_list no_words(const starter&, const word_list&) {
    return {};
}

std::string no_objection(const word_list&) {
    return "";
}

// How a kind of launcher is told what to do. `words` are the user's: further options, programs, their arguments.
struct launcher_style {
    word_list (*options)(const starter& with, const word_list& words) = no_words;
    word_list (*variables)(const starter& with, const word_list& words) = no_words; // by options, for the program alone
    word_list (*environment)(const starter& with, const word_list& words) = no_words; // by its own environment
    std::string (*objection)(const word_list& words) = no_objection;                  // why the words cannot be obeyed
    bool puts_own_folder_first = false;                                               // in PATH of the program
    bool repeats_variables = false; // of several programs in one job, `a : b`, its options count for the first alone
    bool is_of_mpi = true;          // the configuration's options for this MPI are meant for it
};

// What the front reads in the processes of the job, beside ANYMPI_MPI, which is always set.
constexpr const char* forwarded_variables[] = {"ANYMPI_VERBOSE", "ANYMPI_ALLOW_SINGLETON"};

void add(word_list& command, const word_list& words) {
    command.insert(command.end(), words.begin(), words.end());
}

// Open MPI's launchers hand to other machines only what they are told to.
word_list variables_for_openmpi(const starter& with, const word_list&) {
    word_list options = {"-x", "ANYMPI_MPI"};
    for (const char* name : forwarded_variables)
        if (runtime::read_variable(name))
            add(options, {"-x", name});
    for (const std::string& assignment : with.variables)
        add(options, {"-x", assignment});
    return options;
}

word_list options_for_openmpi(const starter& with, const word_list&) {
    word_list options;
    if (with.configured.flag("run.allow_root"))
        add(options, {"--allow-run-as-root"});
    if (with.configured.flag("run.oversubscribe"))
        add(options, {"--oversubscribe"});
    return options;
}

void repeat_after_colons(word_list& words, const word_list& variables) {
    word_list result;
    for (const std::string& word : words) {
        result.push_back(word);
        if (word == ":")
            add(result, variables);
    }
    words = std::move(result);
}

// Hydra hands over the whole environment; -genv is for the program and not for hydra's own processes.
word_list variables_for_hydra(const starter& with, const word_list&) {
    word_list options;
    for (const std::string& assignment : with.variables) {
        const std::size_t end = assignment.find('=');
        add(options, {"-genv", assignment.substr(0, end), assignment.substr(end + 1)});
    }
    return options;
}

// What srun must offer the processes to find each other by; nothing where the site's way will do. Slurm's pmi2 also
// speaks the older protocol of MPICH. Cray's MPI has a way of its own, which such a site has made its default.
word_list options_for_srun(const starter& with, const word_list& words) {
    const bool is_given = runtime::read_variable("SLURM_MPI_TYPE") || find_option(words, "mpi");
    if (is_given || std::string_view(runtime::name_of(with.mpi)) == "cray")
        return {};
    const std::string needed = with.mpi.speaks_pmix ? "pmix" : "pmi2";
    if (ask_slurm_for_default().starts_with(needed))
        return {};
    return {"--mpi=" + needed};
}

// What is preloaded is not for srun itself. It has an option for that, with commas between the variables, and takes
// one.
bool is_exported_by_srun(const std::string& assignment, const word_list& words) {
    return assignment.starts_with(runtime::preload_variable) && assignment.find(',') == assignment.npos &&
           !find_option(words, "export");
}

word_list variables_for_srun(const starter& with, const word_list& words) {
    word_list options;
    for (const std::string& assignment : with.variables)
        if (is_exported_by_srun(assignment, words))
            add(options, {"--export=ALL," + assignment});
    return options;
}

// srun loads no MPI itself.
word_list environment_for_srun(const starter& with, const word_list& words) {
    word_list others = with.variables;
    std::erase_if(others, [&](const std::string& assignment) { return is_exported_by_srun(assignment, words); });
    return others;
}

// srun hands over the environment, unless it is told otherwise.
std::string objection_of_srun(const word_list& words) {
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

word_list whole_environment(const starter& with, const word_list&) {
    return with.variables;
}

constexpr launcher_style srun_style = {.options = options_for_srun,
                                       .variables = variables_for_srun,
                                       .environment = environment_for_srun,
                                       .objection = objection_of_srun,
                                       .is_of_mpi = false};
constexpr launcher_style openmpi_style = {.options = options_for_openmpi,
                                          .variables = variables_for_openmpi,
                                          .puts_own_folder_first = true, // seen with 4.1
                                          .repeats_variables = true};    // the same
constexpr launcher_style hydra_style = {.variables = variables_for_hydra};
constexpr launcher_style unknown_style = {.environment = whole_environment};

const launcher_style& style_of(family lineage) {
    switch (lineage) {
    case family::openmpi:
        return openmpi_style;
    case family::mpich:
        return hydra_style;
    case family::unknown:
        break;
    }
    return unknown_style;
}

word_list command_line(const job_request& request, const word_list& given, const starter& with) {
    word_list command = {with.launcher};
    if (request.ranks > 0)
        add(command, {"-n", std::to_string(request.ranks)});
    const word_list variables = with.style->variables(with, given);
    add(command, variables);
    add(command, with.style->options(with, given));
    if (with.style->is_of_mpi)
        add(command, with.configured.list(fmt::format("options.{}", runtime::name_of(with.mpi))));
    word_list words = given;
    if (with.style->repeats_variables)
        repeat_after_colons(words, variables);
    add(command, words);
    return command;
}

std::string explain_missing_launcher(const runtime::library& mpi, const launcher_search& search) {
    std::string left_out;
    if (!search.left_out.empty())
        left_out = sentence_of("left out: {} (of another MPI)\n", join_list(search.left_out));
    return sentence_of("no launcher of {} was found that belongs to {}\nlooked for: {}\nlooked in: {}\n",
                       runtime::describe(mpi).text, mpi.path, join_list(search.names), join_list(search.folders)) +
           left_out +
           sentence_of("install the package that holds it (Debian: mpich, openmpi-bin), or name it in the "
                       "configuration: launcher.{} = \"/path/of/mpiexec\"",
                       runtime::name_of(mpi));
}

// Returns the reason if there is no launcher.
std::string set_launcher(starter& with) {
    with.launcher = find_srun(with.configured);
    with.style = &srun_style;
    if (!with.launcher.empty())
        return "";
    with.style = &style_of(with.mpi.lineage);
    const launcher_search search = find_launcher(with.mpi, with.configured);
    with.launcher = search.executable;
    return with.launcher.empty() ? explain_missing_launcher(with.mpi, search) : "";
}

std::string value_or_empty(const char* name) {
    const char* value = runtime::read_variable(name);
    return value ? value : "";
}

// What a variable is for the program without us: by the launcher's options, or the environment's.
struct users_value {
    std::string text;
    bool is_option; // handed on in any case, also to other machines
};

users_value take_users_value(word_list& words, const char* name, job& ready) {
    const word_list values = take_variable(words, name);
    if (values.size() > 1)
        ready.problem = sentence_of("{} is given as {} and as {}: anympi must add to it, and can do so for one value "
                                    "only\nset it in the environment of `anympi run` instead",
                                    name, values[0], values[1]);
    return {values.empty() ? value_or_empty(name) : values[0], !values.empty()};
}

// `env ./program`, `numactl … ./program`: what cannot run on MPI itself may start something among its arguments that
// can. It may also only look at it, so that nothing is refused for its sake.
placement place_part(const job_part& part, const runtime::library& chosen, const std::string& library_path) {
    if (part.program.empty())
        return place_unknown(chosen, library_path);
    const examination program = examine(part.program, library_path);
    placement placed = place(program, chosen, library_path);
    const bool is_mpi_program = program.interface || program.verdict == examination::answer::several;
    if (is_mpi_program || !placed.refusal.empty())
        return placed;
    for (const std::string& word : part.arguments) {
        if (word.find('/') == word.npos || !is_executable(word))
            continue;
        const examination behind = examine(word, library_path);
        if (!behind.interface && behind.own_mpi.empty())
            continue;
        placement other = place(behind, chosen, library_path);
        other.warning = std::exchange(other.refusal, "");
        other.needs_fronts = true;
        expect_changed_path(other, chosen, library_path);
        return other;
    }
    return placed;
}

placement place_all(const word_list& words, const runtime::library& chosen, const std::string& library_path) {
    const std::vector<job_part> parts = find_programs_among(words);
    placement all = place_part(parts[0], chosen, library_path);
    for (std::size_t i = 1; i < parts.size(); i++)
        all = join(all, place_part(parts[i], chosen, library_path));
    return all;
}

void add_variable(word_list& variables, const char* name, const std::string& value, const users_value& users) {
    if (users.is_option || value != value_or_empty(name))
        variables.push_back(fmt::format("{}={}", name, value));
}

// Programs that open MPI themselves and let the user name the file: mpi4py, which chooses its module by the ABI of that
// library. By the name libmpi.so it would find the system's MPI first, whatever was chosen.
constexpr const char* naming_variables[] = {"MPI4PY_LIBMPI"};

// Returns the library chosen. If that has the standard ABI, our library with the ABI of its family stands for it.
std::string library_to_name(const runtime::library& chosen) {
    if (chosen.interface != abi::standard)
        return chosen.path;
    return chosen.lineage == family::unknown ? "" : file_of_front(runtime::interface_of(chosen.lineage));
}

void name_library(word_list& variables, const runtime::library& chosen) {
    const std::string file = library_to_name(chosen);
    const bool is_list = file.find(':') != file.npos; // these variables hold lists
    for (const char* name : naming_variables)
        if (!file.empty() && !is_list && !runtime::read_variable(name))
            variables.push_back(fmt::format("{}={}", name, file));
}

// What the dynamic linker is to be told in the processes of the job.
word_list variables_for(const placement& placed, const starter& with, const users_value& library_path,
                        const users_value& preload) {
    const runtime::library& chosen = with.mpi;
    word_list variables;
    add_variable(variables, runtime::path_variable, library_path_for(placed, chosen, library_path.text), library_path);
    // A tool that the user preloads comes first: it must see the program's calls.
    word_list preloads = placed.preloads;
    preloads.insert(preloads.begin(), preload.text);
    if (placed.bears_preloads)
        preloads.push_back(file_of_library_check());
    const std::string first = library_path_for(placed, chosen, "");
    if (const std::string keeper = file_of_path_keeper(); placed.may_change_path && !first.empty() && !keeper.empty()) {
        preloads.push_back(keeper);
        variables.push_back(fmt::format("{}={}", runtime::first_variable, first));
        if (with.style->puts_own_folder_first)
            variables.push_back(fmt::format("{}={}", runtime::users_path_variable, value_or_empty("PATH")));
    }
    if (placed.may_change_path)
        name_library(variables, chosen);
    std::erase(preloads, "");
    add_variable(variables, runtime::preload_variable, join_list(preloads, ":"), preload);
    return variables;
}

} // namespace

job prepare(const job_request& request, const settings& configured) {
    job ready;
    starter with{request.mpi, configured};
    ready.problem = set_launcher(with);
    if (!ready.problem.empty())
        return ready;
    word_list words = request.launcher_arguments;
    const users_value library_path = take_users_value(words, runtime::path_variable, ready);
    const users_value preload = take_users_value(words, runtime::preload_variable, ready);
    const placement placed = place_all(words, request.mpi, library_path.text);
    ready.warning = placed.warning;
    for (const std::string& problem : {placed.refusal, with.style->objection(words)})
        if (ready.problem.empty())
            ready.problem = problem;
    if (with.style->puts_own_folder_first)
        name_hidden_programs(words, fs::path(with.launcher).parent_path());
    with.variables = variables_for(placed, with, library_path, preload);
    ready.command = command_line(request, words, with);
    // The file itself, so that the processes of the job need not search, and find the same on every machine.
    ready.environment = {fmt::format("ANYMPI_MPI={}", request.mpi.path)};
    if (configured.flag("run.verbose") && configured.origin("run.verbose") != "ANYMPI_VERBOSE")
        ready.environment.emplace_back("ANYMPI_VERBOSE=1");
    add(ready.environment, with.style->environment(with, words));
    return ready;
}

std::string start(const job& ready) {
    for (const std::string& assignment : ready.environment) {
        const std::size_t end = assignment.find('=');
        setenv(assignment.substr(0, end).c_str(), assignment.c_str() + end + 1, 1);
    }
    std::vector<char*> words(ready.command.size() + 1, nullptr);
    std::transform(ready.command.begin(), ready.command.end(), words.begin(),
                   [](const std::string& word) { return const_cast<char*>(word.c_str()); });
    execv(words[0], words.data());
    return sentence_of("{} cannot be started: {}", words[0], std::strerror(errno));
}

} // namespace anympi::command
