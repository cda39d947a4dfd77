#include "command/run/job.hpp"

#include "command/cli/files.hpp"
#include "command/cli/own_files.hpp"
#include "command/cli/printable.hpp"
#include "command/cli/split_join.hpp"
#include "command/run/find_launcher.hpp"
#include "command/run/launcher_arguments.hpp"
#include "command/run/launcher_style.hpp"
#include "command/run/placement.hpp"
#include "command/run/program_faults.hpp"
#include "runtime/environment.hpp"
#include "runtime/identify/fingerprint.hpp"
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

using runtime::family;
using word_list = std::vector<std::string>;

struct launch_with_launcher : launch {
    const launcher_style* style = nullptr;
};

void repeat_after_colons(word_list& words, const word_list& variables) {
    word_list result;
    for (const std::string& word : words) {
        result.push_back(word);
        if (word == ":")
            append(result, variables);
    }
    words = std::move(result);
}

word_list command_line(const job_request& request, const word_list& given, const launch_with_launcher& with) {
    word_list command = {with.launcher};
    if (request.ranks > 0)
        append(command, {"-n", std::to_string(request.ranks)});
    const word_list variables = with.style->variables(with, given);
    append(command, variables);
    append(command, with.style->options(with, given));
    if (with.style->is_of_mpi)
        append(command, with.configured.list(fmt::format("options.{}", runtime::name_of(with.mpi))));
    word_list words = given;
    if (with.style->repeats_variables)
        repeat_after_colons(words, variables);
    append(command, words);
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

// In a step of Slurm, Intel MPI finds the other processes only by a library of the site that I_MPI_PMI_LIBRARY names.
bool joins_under_srun(const runtime::library& mpi) {
    return std::string_view(runtime::name_of(mpi)) != "intel" || runtime::read_variable("I_MPI_PMI_LIBRARY");
}

// Finds the launcher. Returns the reason if no launcher was found.
std::string set_launcher(launch_with_launcher& with) {
    with.launcher = joins_under_srun(with.mpi) ? find_srun(with.configured) : "";
    with.style = &style_of_srun();
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

// The value that a variable of the program would have without anympi: from the launcher's options or the environment.
struct users_value {
    std::string text;
    bool is_option; // the launcher passes an option to all hosts
};

users_value take_users_value(word_list& words, const char* name, job& ready) {
    const word_list values = take_variable(words, name);
    if (values.size() > 1)
        ready.problem = sentence_of("{} is given as {} and as {}: anympi must add to it, and can do so for one value "
                                    "only\nset it in the environment of `anympi run` instead",
                                    name, values[0], values[1]);
    return {values.empty() ? value_or_empty(name) : values[0], !values.empty()};
}

// Places one program of a job. A program without MPI may start an MPI program that is one of its arguments (`env
// ./program`, `numactl … ./program`). It may also only read that file, so a refusal for that file becomes a warning.
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
        // A script may open an MPI library that is among its arguments. keep_path.so is enough for that.
        const bool is_library = behind.file.implements_mpi && behind.own_mpi.empty();
        if (is_library || (!behind.interface && behind.own_mpi.empty()))
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

// Variables by which users name the MPI library for programs that open it themselves. mpi4py chooses its module by the
// ABI of this library. Without the variable it opens libmpi.so, which leads to the system's MPI.
constexpr const char* naming_variables[] = {"MPI4PY_LIBMPI"};

// Returns the chosen library. If it has the standard ABI, the function returns the front for the ABI of its family.
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

// AddressSanitizer stops a program in which another library is loaded before its own. anympi preloads libraries into
// all programs that a script starts. Options of the user come later and win. If the programs have different options,
// the options stay as they are.
void allow_libraries_before_sanitizer(word_list& variables, word_list& words) {
    constexpr const char* name = "ASAN_OPTIONS";
    word_list others = words;
    const word_list given = take_variable(others, name);
    if (given.size() > 1)
        return;
    words = std::move(others);
    const std::string users = given.empty() ? value_or_empty(name) : given[0];
    variables.push_back(fmt::format("{}=verify_asan_link_order=0{}{}", name, users.empty() ? "" : ":", users));
}

// Returns the variables of the dynamic linker for the processes of the job.
word_list variables_for(const placement& placed, const launch_with_launcher& with, const users_value& library_path,
                        const users_value& preload) {
    const runtime::library& chosen = with.mpi;
    word_list variables;
    add_variable(variables, runtime::path_variable, library_path_for(placed, chosen, library_path.text), library_path);
    // A tool that the user preloads comes first, since it must see the program's calls.
    word_list preloads = files_before(placed);
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

// Returns the programs that all hosts must have. A program with a bare name may be in another folder on other hosts.
word_list named_programs(const word_list& words) {
    word_list programs;
    for (const job_part& part : find_programs_among(words))
        if (part.is_path)
            programs.push_back(part.program);
    return programs;
}

} // namespace

job prepare(const job_request& request, const settings& configured) {
    job ready;
    launch_with_launcher with{{request.mpi, configured}};
    with.ranks = request.ranks;
    ready.problem = set_launcher(with);
    if (!ready.problem.empty())
        return ready;
    ready.mpi = request.mpi.path;
    word_list words = request.launcher_arguments;
    const users_value library_path = take_users_value(words, runtime::path_variable, ready);
    const users_value preload = take_users_value(words, runtime::preload_variable, ready);
    ready.programs = named_programs(words);
    const program_faults faults =
        find_program_faults(words, request.ranks, with.style->searches_current_folder, library_path.text);
    ready.warning = faults.warning;
    if (ready.problem.empty())
        ready.problem = faults.problem;
    if (!ready.problem.empty())
        return ready;
    const placement placed = place_all(words, request.mpi, library_path.text);
    ready.warning += (ready.warning.empty() || placed.warning.empty() ? "" : "\n") + placed.warning;
    for (const std::string& problem : {placed.refusal, with.style->objection(with, words)})
        if (ready.problem.empty())
            ready.problem = problem;
    if (with.style->puts_own_folder_first)
        name_hidden_programs(words, std::filesystem::path(with.launcher).parent_path());
    if (const std::string program = file_of_starter(); !program.empty())
        start_by(words, program);
    with.variables = variables_for(placed, with, library_path, preload);
    if (placed.may_change_path)
        allow_libraries_before_sanitizer(with.variables, words);
    ready.command = command_line(request, words, with);
    // With the path of the library the processes need no search, and all hosts use the same library.
    ready.environment = {fmt::format("ANYMPI_MPI={}", request.mpi.path),
                         fmt::format("{}={}", runtime::fingerprint_variable, runtime::fingerprint(request.mpi).text)};
    if (request.adds_verbose)
        ready.environment.emplace_back("ANYMPI_VERBOSE=1");
    append(ready.environment, with.style->environment(with, words));
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
