#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace anympi::command {

// Takes out of the words of a command line what is not for us but for the launcher: its options, the program and the
// program's arguments, in their order. A `--` before the program is dropped, since hydra does not know it.
//
// Options of `ours` count as long as nothing but options has come: the first other word is the program or the value of
// a launcher's option, and which of the two only the launcher knows. From there on everything is left as it is.
std::vector<std::string> take_launcher_words(const CLI::App& ours, std::vector<std::string>& words);

// The program among the words for a launcher: the first one that can be started and is no value of an option of hydra,
// Open MPI's launchers or srun (of others only the launcher knows). Empty where there is none.
std::string find_program_among(const std::vector<std::string>& words);

// The words as a shell reads them back.
std::string quoted(const std::vector<std::string>& words);

// The same for NAME=VALUE before a command, where only the value may be quoted.
std::string quoted_assignments(const std::vector<std::string>& assignments);

} // namespace anympi::command
