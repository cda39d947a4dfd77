#include "command/run.hpp"

#include "command/files.hpp"
#include "command/launchers.hpp"
#include "command/placement.hpp"
#include "command/this_machine.hpp"
#include "command/words.hpp"
#include "runtime/choose.hpp"
#include "runtime/message.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace anympi::command {
namespace {

using runtime::family;
using word_list = std::vector<std::string>;

// A job that is ready to be started.
struct job {
    runtime::library mpi;
    std::string launcher;
    bool is_srun = false;
    std::string library_path; // of the program; empty: as it is
};

// What the front reads in the processes of the job.
constexpr const char* forwarded_variables[] = {"ANYMPI_MPI", "ANYMPI_VERBOSE", "ANYMPI_ALLOW_SINGLETON"};

void add(word_list& command, const word_list& words) {
    command.insert(command.end(), words.begin(), words.end());
}

// Open MPI's launchers hand to other machines only what they are told to.
word_list variables_for_openmpi(const job& ready) {
    word_list words;
    for (const char* name : forwarded_variables)
        if (runtime::setting(name))
            add(words, {"-x", name});
    if (!ready.library_path.empty())
        add(words, {"-x", "LD_LIBRARY_PATH=" + ready.library_path});
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

void add_for_openmpi(word_list& command, const job& ready, const settings& configured) {
    add(command, variables_for_openmpi(ready));
    if (configured.flag("run.allow_root"))
        add(command, {"--allow-run-as-root"});
    if (configured.flag("run.oversubscribe"))
        add(command, {"--oversubscribe"});
}

// Hydra hands over the whole environment; -genv is for the program and not for hydra's own processes.
void add_for_hydra(word_list& command, const job& ready) {
    if (!ready.library_path.empty())
        add(command, {"-genv", "LD_LIBRARY_PATH", ready.library_path});
}

// What srun offers the processes to find each other by. Slurm's pmi2 also speaks the older protocol of MPICH.
void add_for_srun(word_list& command, const job& ready) {
    if (!runtime::setting("SLURM_MPI_TYPE"))
        add(command, {ready.mpi.speaks_pmix ? "--mpi=pmix" : "--mpi=pmi2"});
}

word_list command_line(const run_options& options, const job& ready, const settings& configured) {
    word_list command = {ready.launcher};
    if (options.ranks > 0)
        add(command, {"-n", std::to_string(options.ranks)});
    if (ready.is_srun)
        add_for_srun(command, ready);
    else if (ready.mpi.lineage == family::openmpi)
        add_for_openmpi(command, ready, configured);
    else if (ready.mpi.lineage == family::mpich)
        add_for_hydra(command, ready);
    if (!ready.is_srun)
        add(command, configured.list(fmt::format("options.{}", runtime::name_of(ready.mpi))));
    word_list words = options.launcher_words;
    if (!ready.is_srun && ready.mpi.lineage == family::openmpi)
        repeat_after_colons(words, variables_for_openmpi(ready));
    add(command, words);
    return command;
}

// srun and unknown launchers have no option for it, and load no MPI themselves.
bool gets_library_path_by_environment(const job& ready) {
    return !ready.library_path.empty() && (ready.is_srun || ready.mpi.lineage == family::unknown);
}

void explain_missing_launcher(const runtime::library& mpi, const launcher_search& search) {
    std::string left_out;
    if (!search.left_out.empty())
        left_out = fmt::format("\nleft out: {} (of another MPI)", fmt::join(search.left_out, ", "));
    const std::string message =
        fmt::format("no launcher of {} was found that belongs to {}\nlooked for: {}\nlooked in: {}{}\n"
                    "install the package that holds it (Debian: mpich, openmpi-bin), or name it in the configuration: "
                    "launcher.{} = \"/path/of/mpiexec\"",
                    runtime::describe(mpi).text, mpi.path, fmt::join(search.names, ", "),
                    fmt::join(search.folders, ", "), left_out, runtime::name_of(mpi));
    runtime::say("%s", message.c_str());
}

int replace_process(const word_list& command) {
    std::vector<char*> arguments(command.size() + 1, nullptr);
    std::transform(command.begin(), command.end(), arguments.begin(),
                   [](const std::string& word) { return const_cast<char*>(word.c_str()); });
    execv(arguments[0], arguments.data());
    runtime::say("%s cannot be started: %s", arguments[0], std::strerror(errno));
    return 1;
}

runtime::choice choose_for(const run_options& options) {
    if (options.mpi.empty())
        return runtime::choose(this_machine());
    const std::string quoted = "--mpi " + options.mpi;
    return runtime::choose_requested({options.mpi.c_str(), quoted.c_str()}, this_machine());
}

bool set_launcher(job& ready, const settings& configured) {
    ready.launcher = find_srun(configured);
    ready.is_srun = !ready.launcher.empty();
    if (ready.is_srun)
        return true;
    const launcher_search search = find_launcher(ready.mpi, configured);
    ready.launcher = search.executable;
    if (ready.launcher.empty())
        explain_missing_launcher(ready.mpi, search);
    return !ready.launcher.empty();
}

bool set_library_path(job& ready, const word_list& words) {
    const placement placed = place(find_program_among(words), ready.mpi);
    if (!placed.warning.empty())
        runtime::say("%s", placed.warning.c_str());
    if (!placed.refusal.empty())
        runtime::say("%s", placed.refusal.c_str());
    ready.library_path = placed.library_path;
    return placed.refusal.empty();
}

} // namespace

int run(const run_options& options) {
    const settings configured = read_settings();
    if (configured.flag("run.verbose"))
        setenv("ANYMPI_VERBOSE", "1", 0);
    job ready;
    ready.mpi = choose_for(options).mpi;
    if (!set_launcher(ready, configured) || !set_library_path(ready, options.launcher_words))
        return 1;
    // The file itself, so that the processes of the job need not search, and find the same on every machine.
    setenv("ANYMPI_MPI", ready.mpi.path, 1);
    const word_list command = command_line(options, ready, configured);
    word_list environment = {fmt::format("ANYMPI_MPI={}", ready.mpi.path)};
    if (gets_library_path_by_environment(ready)) {
        setenv("LD_LIBRARY_PATH", ready.library_path.c_str(), 1);
        environment.push_back("LD_LIBRARY_PATH=" + ready.library_path);
    }
    if (options.dry_run) {
        fmt::print("{} {}\n", quoted_assignments(environment), quoted(command));
        return 0;
    }
    return replace_process(command);
}

} // namespace anympi::command
