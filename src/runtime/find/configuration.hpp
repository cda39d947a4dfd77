#pragma once

#include "base/function_ref.hpp"
#include "base/text.hpp"
#include "runtime/find/configuration_text.hpp"
#include "runtime/find/machine_root.hpp"

namespace anympi::runtime {

/// MPIs that the site forbids or requires.
struct site_rule {
    path_text mpis;   // names, folders and library files, each with a line end; empty if there is no rule
    path_text origin; // "/etc/anympi/config.toml:3"
};

/// The keys of the configuration that a process needs to choose its MPI.
struct configuration {
    path_text mpi;         // a name, a folder or a library file; empty if the key is not set
    path_text file;        // the file that sets `mpi`
    path_text search;      // folders of further installations, with colons between them
    path_text search_file; // the file that sets `search`
    bool has_search = false;
    site_rule forbidden;
    site_rule required;
};

/// Reads the user's file ($XDG_CONFIG_HOME or ~/.config)/anympi/config.toml, and the site's file. For each key, the
/// user's file overrides the site's file; `forbid` and `require` count in the site's file only. A broken line is named
/// and ignored, and all other lines count: a typo must not stop the jobs of all users. A set-user-ID process does not
/// see the user's file.
configuration read_configuration(const machine& machine);

/// Does the same in two steps. The site's file is enough for a process whose MPI was chosen in another way: the user's
/// file may be on a shared file system, which answers slowly at the start of a large job.
configuration read_sites_configuration(const machine& machine);
configuration with_users_configuration(const configuration& sites);

using line_visitor = function_ref<void(const configuration_line&)>;

/// Reads one file and calls `visit` for all its lines that mean something, and `complain` for broken lines. `complain`
/// is called only when a process reads the file for the first time.
///
/// A user who can write a configuration chooses the library that programs load. A file is therefore ignored, with a
/// message, if somebody else could have written it. The user's file and its folder must belong to the user or to root.
/// The site's file may belong to anybody, since its path is fixed when anympi is built. Neither file may be writable by
/// everybody, nor be below a folder that everybody can write to and that has no sticky bit. Files that a group can
/// write to are accepted: the owner has given the group that right.
void visit_configuration_file(path_text& file, whose owner, line_visitor visit, line_visitor complain);

/// Return the path of the file. The text is empty if no variable leads to a folder. A relative XDG_CONFIG_HOME or HOME
/// is ignored, with a message: its meaning would depend on the working directory.
path_text user_configuration_file();
path_text site_configuration_file(const machine& machine);

} // namespace anympi::runtime
