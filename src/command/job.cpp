#include "command/job.hpp"

#include "command/launchers.hpp"
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

namespace anympi::command {
namespace {

using runtime::family;
using word_list = std::vector<std::string>;

struct starter {
    const runtime::library& mpi;
    const settings& configured;
    std::string launcher = {};
    bool is_srun = false;
    std::string library_path = {}; // of the program; empty: as it is
};

// What the front reads in the processes of the job, beside ANYMPI_MPI, which is always set.
constexpr const char* forwarded_variables[] = {"ANYMPI_VERBOSE", "ANYMPI_ALLOW_SINGLETON"};

void add(word_list& command, const word_list& words) {
    command.insert(command.end(), words.begin(), words.end());
}

// Open MPI's launchers hand to other machines only what they are told to.
word_list variables_for_openmpi(const starter& with) {
    word_list words = {"-x", "ANYMPI_MPI"};
    for (const char* name : forwarded_variables)
        if (runtime::setting(name))
            add(words, {"-x", name});
    if (!with.library_path.empty())
        add(words, {"-x", "LD_LIBRARY_PATH=" + with.library_path});
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
    if (!with.library_path.empty())
        add(command, {"-genv", "LD_LIBRARY_PATH", with.library_path});
}

// What srun offers the processes to find each other by. Slurm's pmi2 also speaks the older protocol of MPICH.
void add_for_srun(word_list& command, const starter& with) {
    if (!runtime::setting("SLURM_MPI_TYPE"))
        add(command, {with.mpi.speaks_pmix ? "--mpi=pmix" : "--mpi=pmi2"});
}

word_list command_line(const job_request& request, const starter& with) {
    word_list command = {with.launcher};
    if (request.ranks > 0)
        add(command, {"-n", std::to_string(request.ranks)});
    if (with.is_srun)
        add_for_srun(command, with);
    else if (with.mpi.lineage == family::openmpi)
        add_for_openmpi(command, with);
    else if (with.mpi.lineage == family::mpich)
        add_for_hydra(command, with);
    if (!with.is_srun)
        add(command, with.configured.list(fmt::format("options.{}", runtime::name_of(with.mpi))));
    word_list words = request.launcher_words;
    if (!with.is_srun && with.mpi.lineage == family::openmpi)
        repeat_after_colons(words, variables_for_openmpi(with));
    add(command, words);
    return command;
}

// srun and unknown launchers have no option for it, and load no MPI themselves.
bool gets_library_path_by_environment(const starter& with) {
    return !with.library_path.empty() && (with.is_srun || with.mpi.lineage == family::unknown);
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

} // namespace

job prepare(const job_request& request, const settings& configured) {
    job ready;
    starter with{request.mpi, configured};
    ready.problem = set_launcher(with);
    if (!ready.problem.empty())
        return ready;
    const placement placed = place(find_program_among(request.launcher_words), request.mpi);
    ready.warning = placed.warning;
    ready.problem = placed.refusal;
    with.library_path = placed.library_path;
    ready.command = command_line(request, with);
    // The file itself, so that the processes of the job need not search, and find the same on every machine.
    ready.environment = {fmt::format("ANYMPI_MPI={}", request.mpi.path)};
    if (gets_library_path_by_environment(with))
        ready.environment.push_back("LD_LIBRARY_PATH=" + with.library_path);
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
