#pragma once

namespace anympi {

/// Lets the functions that start MPI check this process against its launcher.
void set_start_checks();

} // namespace anympi
