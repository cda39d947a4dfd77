#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace anympi::command {

/// An option of `anympi run` as it is written: "-n" or "--np".
struct own_option {
    std::string name;
    bool takes_value;
};

/// The words of a command line, sorted by the program that reads them.
struct sorted_words {
    std::vector<std::string> own;       // anympi's options with their values
    std::vector<std::string> launchers; // the launcher's options, the program and the program's arguments
    std::vector<std::string> unknown;   // names of the launcher's options that anympi does not know
};

/// Returns true if an option that has the name of an option of anympi is meant for the launcher.
using launchers_option = bool (*)(std::string_view name, const std::string& value);

/// Sorts the words after `anympi run`. Options of `ours` are recognised anywhere before the program or `--`. A `--`
/// before the program is dropped, since hydra does not know it.
sorted_words sort_words(const std::vector<own_option>& ours, std::vector<std::string> words,
                        launchers_option is_launchers);

/// Returns the values of the launcher's options with these names (without dashes), for all programs of a job.
std::vector<std::string> values_of_options(const std::vector<std::string>& words,
                                           const std::vector<std::string_view>& names);

/// One program of a job and its arguments; a job may have several programs (`a : b`).
struct job_part {
    std::string program; // the first executable word that is not the value of an option of hydra, Open MPI's launchers
                         // or srun; empty if no word is executable
    std::vector<std::string> arguments;
    bool is_path;               // the program is not a name that was looked for in PATH
    std::string missing;        // the first word that must be the program but cannot be started; usually empty
    bool lacks_program = false; // there are only options, which do not say where the program is
};
std::vector<job_part> find_programs_among(const std::vector<std::string>& words);

/// Makes the launcher start `starter` with the program and its arguments. The words stay as they are if only the
/// launcher knows whether a word is the program, or where its file is.
void start_by(std::vector<std::string>& words, const std::string& starter);

/// Replaces the bare name of a program by its path in PATH, if `folder` has another file of this name. Open MPI's
/// launchers put their own folder before the folders of the user's PATH.
void name_hidden_programs(std::vector<std::string>& words, const std::string& folder);

/// Removes the options that set a variable for the programs (hydra's -env and -genv, Open MPI's -x). Returns the
/// values, each once, in their order.
std::vector<std::string> take_variable(std::vector<std::string>& words, const std::string& name);

/// Returns the value of a launcher's option (`--mpi=pmix` or `--mpi pmix`) before the program.
std::optional<std::string> find_option(const std::vector<std::string>& words, std::string_view name);

} // namespace anympi::command
