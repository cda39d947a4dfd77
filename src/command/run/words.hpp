#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace anympi::command {

// Takes out of the words of a command line what is not for us but for the launcher: its options, the program and the
// program's arguments, in their order. A `--` before the program is dropped, since hydra does not know it.
//
// Options of `ours` count as long as nothing but options has come: the first other word is the program or the value of
// a launcher's option, and which of the two only the launcher knows. From there on everything is left as it is.
std::vector<std::string> take_launcher_words(const CLI::App& ours, std::vector<std::string>& words);

// One program of a job and what stands behind it; a job may have several (`a : b`).
struct job_part {
    std::string program; // the first word that can be started and is no value of an option of hydra, Open MPI's
                         // launchers or srun (of others only the launcher knows); empty where there is none
    std::vector<std::string> arguments;
};
std::vector<job_part> find_programs_among(const std::vector<std::string>& words);

// Takes out of the words for a launcher what they set a variable to for the programs: hydra's -env and -genv, Open
// MPI's -x. Each value once, in their order.
std::vector<std::string> take_variable(std::vector<std::string>& words, const std::string& name);

// The value of a launcher's option (`--mpi=pmix` or `--mpi pmix`), where it stands before the program.
std::optional<std::string> find_option(const std::vector<std::string>& words, std::string_view name);

// The words as a shell reads them back, harmless to a terminal.
std::string quoted(const std::vector<std::string>& words);

// The same for NAME=VALUE before a command, where only the value may be quoted.
std::string quoted_assignments(const std::vector<std::string>& assignments);

} // namespace anympi::command
