#pragma once

#include <string>
#include <vector>

namespace anympi::command {

/// Reads the words after the name of the command and runs the command. Returns the exit code.
int parse_and_run(std::vector<std::string> words);

/// The commands and their options. Manual pages and completions are generated from them.
struct option_description {
    std::vector<std::string> names; // empty for positional arguments
    std::string value;              // the name of its value; empty if it takes no value
    std::string positional;
    std::string text;
    std::vector<std::string> words; // the value is one of these; empty if it may be any word
};
struct command_description {
    std::string name;
    std::string text;
    std::string footer;
    std::string help;
    std::vector<option_description> options;
    std::vector<command_description> commands;
};
command_description describe_commands();

} // namespace anympi::command
