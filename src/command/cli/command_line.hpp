#pragma once

#include "command/run/run.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace anympi::command {

// The commands and options that there are. Manual pages and completions are made from the same description.
class command_line {
public:
    command_line();

    // Reads the words behind the name of the command, and does what they say. Answers the exit code.
    int parse_and_run(std::vector<std::string> words);

    const CLI::App& description() const { return app_; }

private:
    void parse(std::vector<std::string> words);

    CLI::App app_;
    CLI::App* run_;
    CLI::App* list_;
    CLI::App* inspect_;
    CLI::App* doctor_;
    CLI::App* adopt_;
    CLI::App* config_;
    run_options options_;
    std::vector<std::string> files_;
    std::string adopted_;
    std::string copy_;
    bool as_json_ = false;
    bool shows_functions_ = false;
};

} // namespace anympi::command
