#pragma once

namespace anympi::command {

// `anympi list`: the MPI libraries of this machine, and which of them a program started here would run on.
int list(bool as_json);

/// `anympi list --names`: the names of these libraries, one in each line. It opens no library, so that it is fast.
int list_names();

} // namespace anympi::command
