#pragma once

#include "command/config/settings.hpp"
#include "runtime/identify/library.hpp"

#include <string>
#include <vector>

namespace anympi::command {

/// A job that a launcher is to start, apart from the words of the user.
struct launch {
    const runtime::library& mpi;
    const settings& configured;
    std::vector<std::string> variables = {}; // NAME=VALUE, for the program and not for its launcher
    std::string launcher = {};               // its path
    int ranks = 0;                           // 0 if the launcher decides
};

std::vector<std::string> no_words(const launch& of, const std::vector<std::string>& words);
std::string no_objection(const launch& of, const std::vector<std::string>& words);

/// How a kind of launcher gets options and variables. `words` are the words of the user: further options, programs and
/// their arguments.
struct launcher_style {
    using words_for = std::vector<std::string> (*)(const launch& of, const std::vector<std::string>& words);

    words_for options = no_words;
    words_for variables = no_words;   // options that set variables for the program only
    words_for environment = no_words; // variables for the launcher and the program
    /// Returns why the launcher would not start the job; empty if no reason is known.
    std::string (*objection)(const launch& of, const std::vector<std::string>& words) = no_objection;
    bool puts_own_folder_first = false;   // the launcher's folder comes first in the program's PATH
    bool searches_current_folder = false; // the launcher finds a program there by its bare name
    bool repeats_variables = false; // in a job of several programs, `a : b`, options count only for the first program
    bool is_of_mpi = true;          // the options in the configuration for this MPI are for this launcher
};

const launcher_style& style_of_srun();

/// Returns how the launchers of a family of MPI libraries get options and variables.
const launcher_style& style_of(runtime::family lineage);

} // namespace anympi::command
