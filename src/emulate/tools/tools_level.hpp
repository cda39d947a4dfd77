#pragma once

#include "convert/running.hpp"
#include "emulate/engine/override.hpp"
#include "emulate/sessions/life.hpp"

#include <algorithm>

namespace anympi::emulate {

// A library may keep one level of threads for MPI and for its tools (Open MPI up to 5.0 does): tools that begin with a
// lower one would let the threads of MPI in without locks. So they begin with what MPI has at least.

template <class Run>
int level_of_mpi() {
    if (life.runtime == phase::during)
        return life.level;
    int level = Run::mpi_THREAD_SINGLE;
    if (is_running(library<Run>.Initialized, library<Run>.Finalized))
        library<Run>.Query_thread(&level);
    return level;
}

/// Where they have begun before, Open MPI does not write the level: it is the one that was asked for then.
template <class Run>
int begin_tools(int required, int* provided) {
    const int wanted = std::max(required, level_of_mpi<Run>());
    if (provided != nullptr)
        *provided = wanted;
    return original<begin_tools<Run>>(wanted, provided);
}

} // namespace anympi::emulate
