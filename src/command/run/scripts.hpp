#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace anympi::command {

/// Returns the words of a script's first line after `#!`; no words if the text does not begin with `#!`.
std::vector<std::string> interpreter_of(std::string_view text);

/// Returns true for the name or path of a shell whose scripts find_started_launcher() can read.
bool is_shell(std::string_view program);

/// A command of a shell script that starts a job of MPI.
struct started_launcher {
    std::string name;    // "mpirun"; empty if the script starts no launcher
    int line = 0;        // the number of the line in the script; the first is 1
    std::string program; // the program that it starts; empty if that is not a file on this host
};

/// Returns the launcher if the words are a command that starts a job of MPI. Its line is 0.
started_launcher read_command(std::vector<std::string> words);

/// Finds the first command of a shell script that starts a job of MPI. Commands that are the value of a variable are
/// not found.
started_launcher find_started_launcher(std::string_view script);

} // namespace anympi::command
