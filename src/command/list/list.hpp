#pragma once

namespace anympi::command {

// `anympi list`: the MPI libraries of this machine, and which of them a program started here would run on.
int list(bool as_json);

} // namespace anympi::command
