#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace anympi::command {

/// Writes `--help`: CLI11's text without its remarks for programmers, in lines that fit the screen.
class help_formatter : public CLI::Formatter {
public:
    help_formatter();

    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
    std::string make_option_opts(const CLI::Option* option) const override;
};

} // namespace anympi::command
