#include "command/job.hpp"

#include "command/files.hpp"
#include "command/launchers.hpp"
#include "command/lists.hpp"
#include "command/placement.hpp"
#include "command/words.hpp"
#include "runtime/environment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace anympi::command {
namespace {

using runtime::family;
using word_list = std::vector<std::string>;

struct starter {
    const runtime::library& mpi;
    const settings& configured;
    std::string launcher = {};
    bool is_srun = false;
    word_list variables = {}; // NAME=VALUE, for the program and not for its launcher
};

// What the front reads in the processes of the job, beside ANYMPI_MPI, which is always set.
constexpr const char* forwarded_variables[] = {"ANYMPI_VERBOSE", "ANYMPI_ALLOW_SINGLETON"};

// What tells the dynamic linker which libraries to take.
constexpr char path_variable[] = "LD_LIBRARY_PATH";
constexpr char preload_variable[] = "LD_PRELOAD";
constexpr char first_variable[] = "ANYMPI_LIBRARY_PATH"; // for keep_path.c

void add(word_list& command, const word_list& words) {
    command.insert(command.end(), words.begin(), words.end());
}

// Open MPI's launchers hand to other machines only what they are told to.
word_list variables_for_openmpi(const starter& with) {
    word_list words = {"-x", "ANYMPI_MPI"};
    for (const char* name : forwarded_variables)
        if (runtime::setting(name))
            add(words, {"-x", name});
    for (const std::string& assignment : with.variables)
        add(words, {"-x", assignment});
    return words;
}

// Several programs in one job, `a : b`: with Open MPI 4.1 -x counts for the first alone.
void repeat_after_colons(word_list& words, const word_list& variables) {
    word_list result;
    for (const std::string& word : words) {
        result.push_back(word);
        if (word == ":")
            add(result, variables);
    }
    words = std::move(result);
}

void add_for_openmpi(word_list& command, const starter& with) {
    add(command, variables_for_openmpi(with));
    if (with.configured.flag("run.allow_root"))
        add(command, {"--allow-run-as-root"});
    if (with.configured.flag("run.oversubscribe"))
        add(command, {"--oversubscribe"});
}

// Hydra hands over the whole environment; -genv is for the program and not for hydra's own processes.
void add_for_hydra(word_list& command, const starter& with) {
    for (const std::string& assignment : with.variables) {
        const std::size_t end = assignment.find('=');
        add(command, {"-genv", assignment.substr(0, end), assignment.substr(end + 1)});
    }
}

// What srun must offer the processes to find each other by; nothing where the site's way will do. Slurm's pmi2 also
// speaks the older protocol of MPICH. Cray's MPI has a way of its own, which such a site has made its default.
std::string needed_of_srun(const runtime::library& mpi, const word_list& words) {
    const bool is_told = runtime::setting("SLURM_MPI_TYPE") || find_option(words, "mpi");
    if (is_told || std::string_view(runtime::name_of(mpi)) == "cray")
        return "";
    const std::string needed = mpi.speaks_pmix ? "pmix" : "pmi2";
    return slurm_default().starts_with(needed) ? "" : "--mpi=" + needed;
}

// What is preloaded is not for srun itself. It has an option for that, with commas between the variables, and takes
// one.
bool is_exported_by_srun(const std::string& assignment, const starter& with, const word_list& words) {
    return with.is_srun && assignment.starts_with(preload_variable) && assignment.find(',') == assignment.npos &&
           !find_option(words, "export");
}

void add_for_srun(word_list& command, const starter& with, const word_list& words) {
    if (const std::string option = needed_of_srun(with.mpi, words); !option.empty())
        add(command, {option});
    for (const std::string& assignment : with.variables)
        if (is_exported_by_srun(assignment, with, words))
            add(command, {"--export=ALL," + assignment});
}

word_list command_line(const job_request& request, const word_list& given, const starter& with) {
    word_list command = {with.launcher};
    if (request.ranks > 0)
        add(command, {"-n", std::to_string(request.ranks)});
    if (with.is_srun)
        add_for_srun(command, with, given);
    else if (with.mpi.lineage == family::openmpi)
        add_for_openmpi(command, with);
    else if (with.mpi.lineage == family::mpich)
        add_for_hydra(command, with);
    if (!with.is_srun)
        add(command, with.configured.list(fmt::format("options.{}", runtime::name_of(with.mpi))));
    word_list words = given;
    if (!with.is_srun && with.mpi.lineage == family::openmpi)
        repeat_after_colons(words, variables_for_openmpi(with));
    add(command, words);
    return command;
}

// srun and unknown launchers have no option for it, and load no MPI themselves.
bool sets_variables_by_environment(const starter& with) {
    return with.is_srun || with.mpi.lineage == family::unknown;
}

std::string explain_missing_launcher(const runtime::library& mpi, const launcher_search& search) {
    std::string left_out;
    if (!search.left_out.empty())
        left_out = fmt::format("\nleft out: {} (of another MPI)", fmt::join(search.left_out, ", "));
    return fmt::format("no launcher of {} was found that belongs to {}\nlooked for: {}\nlooked in: {}{}\n"
                       "install the package that holds it (Debian: mpich, openmpi-bin), or name it in the "
                       "configuration: launcher.{} = \"/path/of/mpiexec\"",
                       runtime::describe(mpi).text, mpi.path, fmt::join(search.names, ", "),
                       fmt::join(search.folders, ", "), left_out, runtime::name_of(mpi));
}

// Answers why there is none.
std::string set_launcher(starter& with) {
    with.launcher = find_srun(with.configured);
    with.is_srun = !with.launcher.empty();
    if (with.is_srun)
        return "";
    const launcher_search search = find_launcher(with.mpi, with.configured);
    with.launcher = search.executable;
    return with.launcher.empty() ? explain_missing_launcher(with.mpi, search) : "";
}

std::string present(const char* name) {
    const char* value = runtime::setting(name);
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
        ready.problem = fmt::format("{} is given as {} and as {}: anympi must add to it, and can do so for one value "
                                    "only\nset it in the environment of `anympi run` instead",
                                    name, values[0], values[1]);
    return {values.empty() ? present(name) : values[0], !values.empty()};
}

// srun hands over the environment, unless it is told otherwise.
std::string refuse_export(const starter& with, const word_list& words) {
    const auto exported = with.is_srun ? find_option(words, "export") : std::nullopt;
    if (!exported)
        return "";
    const word_list names = split_list(*exported, ",");
    const bool is_all = std::find(names.begin(), names.end(), "ALL") != names.end();
    const bool is_ours = std::any_of(names.begin(), names.end(), [](const std::string& name) {
        return name.starts_with("LD_") || name.starts_with("ANYMPI_MPI=");
    });
    if (is_all && !is_ours)
        return "";
    return fmt::format("--export={} would keep from the program what anympi sets for it (ANYMPI_MPI, LD_LIBRARY_PATH)\n"
                       "write --export=ALL,NAME…, and set LD_LIBRARY_PATH in the environment of `anympi run`",
                       *exported);
}

// `env ./program`, `numactl … ./program`: what cannot run on MPI itself may start something among its arguments that
// can. It may also only look at it, so that nothing is refused for its sake.
placement place_part(const job_part& part, const runtime::library& chosen, const std::string& library_path) {
    if (part.program.empty())
        return place_unknown(chosen, library_path);
    const examination program = examine(part.program, library_path);
    placement placed = place(program, chosen, library_path);
    if (program.interface || program.verdict == examination::answer::several)
        return placed;
    for (const std::string& word : part.arguments) {
        if (word.find('/') == word.npos || !is_executable(word))
            continue;
        const examination behind = examine(word, library_path);
        if (!behind.interface)
            continue;
        placement other = place(behind, chosen, library_path);
        other.warning = std::exchange(other.refusal, "");
        other.needs_fronts = true;
        other.may_change_path = true;
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
    if (users.is_option || value != present(name))
        variables.push_back(fmt::format("{}={}", name, value));
}

// What the dynamic linker is to be told in the processes of the job.
word_list variables_for(const placement& placed, const runtime::library& chosen, const users_value& library_path,
                        const users_value& preload) {
    word_list variables;
    add_variable(variables, path_variable, library_path_for(placed, chosen, library_path.text), library_path);
    // A tool that the user preloads comes first: it must see the program's calls.
    word_list preloads = placed.preloads;
    preloads.insert(preloads.begin(), preload.text);
    const std::string first = library_path_for(placed, chosen, "");
    if (const std::string keeper = file_that_keeps_path();
        placed.may_change_path && !first.empty() && !keeper.empty()) {
        preloads.push_back(keeper);
        variables.push_back(fmt::format("{}={}", first_variable, first));
    }
    std::erase(preloads, "");
    add_variable(variables, preload_variable, fmt::format("{}", fmt::join(preloads, ":")), preload);
    return variables;
}

} // namespace

job prepare(const job_request& request, const settings& configured) {
    job ready;
    starter with{request.mpi, configured};
    ready.problem = set_launcher(with);
    if (!ready.problem.empty())
        return ready;
    word_list words = request.launcher_words;
    const users_value library_path = take_users_value(words, path_variable, ready);
    const users_value preload = take_users_value(words, preload_variable, ready);
    const placement placed = place_all(words, request.mpi, library_path.text);
    ready.warning = placed.warning;
    for (const std::string& problem : {placed.refusal, refuse_export(with, words)})
        if (ready.problem.empty())
            ready.problem = problem;
    with.variables = variables_for(placed, request.mpi, library_path, preload);
    ready.command = command_line(request, words, with);
    // The file itself, so that the processes of the job need not search, and find the same on every machine.
    ready.environment = {fmt::format("ANYMPI_MPI={}", request.mpi.path)};
    if (configured.flag("run.verbose") && configured.origin("run.verbose") != "ANYMPI_VERBOSE")
        ready.environment.emplace_back("ANYMPI_VERBOSE=1");
    for (const std::string& assignment : with.variables)
        if (sets_variables_by_environment(with) && !is_exported_by_srun(assignment, with, words))
            ready.environment.push_back(assignment);
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
    return fmt::format("{} cannot be started: {}", words[0], std::strerror(errno));
}

} // namespace anympi::command
