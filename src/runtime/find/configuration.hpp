#pragma once

#include "base/text.hpp"
#include "runtime/find/machine_root.hpp"

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

// What came of reading one of the files. `distrust` and `remedy` are set if the file is ignored because somebody else
// could have written it; `error` is set if the file cannot be read. A file that is not there gives neither.
struct file_content {
    std::size_t length = 0;
    bool is_read = false;
    int error = 0;
    const char* distrust = nullptr;
    const char* remedy = nullptr;
};

// Whoever writes the configuration chooses the library that programs load. The user's file must belong to the user or
// to root, and so must its folder. The site's file may belong to anybody: who builds anympi chooses its path. Neither
// file may be one that everybody can write to, or lie below a folder that everybody can write to, unless that folder
// has the sticky bit. What groups can write to is accepted: the owner has given them that right.
enum class whose : unsigned char { users, sites };

// Reads a file as it is, up to the capacity of the buffer. Says once for each process and once for each job that a file
// is ignored for its owner or mode.
file_content read_configuration_file(path_text& file, whose owner, char* buffer, std::size_t capacity);

// The user's file ($XDG_CONFIG_HOME or ~/.config)/anympi/config.toml, for what it does not say the site's. A file with
// an error stops the program: it would otherwise run on an MPI that was not meant. A set-user-ID process does not see
// the user's file.
configuration read_configuration(const machine& machine);

// Return the path of the file, or an empty text if there can be none. A relative XDG_CONFIG_HOME or HOME is ignored,
// with a message: what it means depends on where the process stands.
path_text user_configuration_file();
path_text site_configuration_file(const machine& machine);

} // namespace anympi::runtime
