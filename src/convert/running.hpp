#pragma once

namespace anympi {

/// Returns true if MPI is running, according to MPI_Initialized and MPI_Finalized.
template <class Initialized, class Finalized>
bool is_running(Initialized initialized, Finalized finalized) {
    int has_begun = 0;
    int has_ended = 0;
    return initialized(&has_begun) == 0 && has_begun != 0 && finalized(&has_ended) == 0 && has_ended == 0;
}

} // namespace anympi
