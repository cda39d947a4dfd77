#pragma once

namespace anympi::command {

/// Runs `anympi list`: prints the MPI libraries of this machine and marks the one that programs started here run on.
int list(bool as_json);

/// Runs `anympi list --names`: prints the names of these libraries, one per line. It is fast because it opens no
/// library.
int list_names();

} // namespace anympi::command
