#pragma once

#include "command/config/settings.hpp"
#include "runtime/identify/library.hpp"

#include <string>
#include <vector>

namespace anympi::command {

// What a launcher is told depends on this and on the user's words.
struct launch {
    const runtime::library& mpi;
    const settings& configured;
    std::vector<std::string> variables = {}; // NAME=VALUE, for the program and not for its launcher
    std::string launcher = {};               // its path
    int ranks = 0;                           // 0: as the launcher decides
};

std::vector<std::string> no_words(const launch& of, const std::vector<std::string>& words);
std::string no_objection(const launch& of, const std::vector<std::string>& words);

// How a kind of launcher is told what to do. `words` are the user's: further options, programs, their arguments.
struct launcher_style {
    using words_for = std::vector<std::string> (*)(const launch& of, const std::vector<std::string>& words);

    words_for options = no_words;
    words_for variables = no_words;   // by options, for the program alone
    words_for environment = no_words; // by the launcher's own environment
    /// Returns why the launcher would not start the job; empty if nothing is known that stands against it.
    std::string (*objection)(const launch& of, const std::vector<std::string>& words) = no_objection;
    bool puts_own_folder_first = false;   // in PATH of the program
    bool searches_current_folder = false; // finds a program there by its bare name
    bool repeats_variables = false; // of several programs in one job, `a : b`, its options count for the first alone
    bool is_of_mpi = true;          // the configuration's options for this MPI are meant for it
};

const launcher_style& style_of_srun();

// The launchers of a family of MPI libraries.
const launcher_style& style_of(runtime::family lineage);

} // namespace anympi::command
