#pragma once

namespace anympi::command {

/// Does `anympi list`: prints the MPI libraries of this machine and marks the one that programs started here run on.
int list(bool as_json);

/// `anympi list --names`: the names of these libraries, one in each line. It opens no library, so that it is fast.
int list_names();

} // namespace anympi::command
