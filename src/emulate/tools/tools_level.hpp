#pragma once

#include "convert/running.hpp"
#include "emulate/engine/override.hpp"
#include "emulate/sessions/life.hpp"

#include <algorithm>

namespace anympi::emulate {

// A library may have only one thread level for MPI and for its tools interface (Open MPI up to 5.0). If the tools
// interface began with a lower level, threads would enter MPI without locks. So it begins at least with the level of
// MPI.

template <class Run>
int level_of_mpi() {
    if (life.runtime == phase::during)
        return life.level;
    int level = Run::mpi_THREAD_SINGLE;
    if (is_running(library<Run>.Initialized, library<Run>.Finalized))
        library<Run>.Query_thread(&level);
    return level;
}

/// Starts the tools interface. If it was started before, Open MPI does not write the level, so the requested level is
/// returned.
template <class Run>
int begin_tools(int required, int* provided) {
    const int wanted = std::max(required, level_of_mpi<Run>());
    if (provided != nullptr)
        *provided = wanted;
    return original<begin_tools<Run>>(wanted, provided);
}

} // namespace anympi::emulate
