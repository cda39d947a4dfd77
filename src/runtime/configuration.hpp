#pragma once

#include "runtime/machine.hpp"
#include "runtime/text.hpp"

#include <string_view>

namespace anympi::runtime {

// What the configuration says to the front. The files are a subset of TOML: `key = "basic"` or `key = 'literal'`, lists
// of such strings, comments; what follows the first [table] belongs to the `anympi` command, and so do keys unknown
// here.
struct configuration {
    path_text mpi;         // a name, a prefix or a library file; empty where nothing is said
    path_text file;        // where it was said
    path_text search;      // further installations to look into, with colons between them
    path_text search_file; // where that was said
    bool has_search = false;
};

struct syntax_error {
    int line = 0; // 0: none
    const char* reason = "";
};

syntax_error parse_configuration(std::string_view text, configuration& settings);

// The user's file ($XDG_CONFIG_HOME or ~/.config)/anympi/config.toml, for what it does not say the site's. A file with
// an error stops the program: it would otherwise run on an MPI that was not meant. A set-user-ID process does not see
// the user's file.
configuration read_configuration(const machine& machine);

path_text user_configuration_file(); // empty where there can be none
path_text site_configuration_file(const machine& machine);

} // namespace anympi::runtime
