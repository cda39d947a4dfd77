#pragma once

#include <string>
#include <vector>

namespace anympi::command {

// Reads the words behind the name of the command, and does what they say. Returns the exit code.
int parse_and_run(std::vector<std::string> words);

// The commands and options that there are: manual pages and completions are made of it.
struct option_description {
    std::vector<std::string> names; // empty for positional arguments
    std::string value;              // what stands behind the names; empty if it takes no value
    std::string positional;
    std::string text;
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
