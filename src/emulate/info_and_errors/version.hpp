#pragma once

#include "emulate/engine/override.hpp"

namespace anympi::emulate {

/// Reports MPI 5.0, for libraries where nothing of the standard is missing.
template <class Run>
int report_mpi_5_0(int* version, int* subversion) {
    if (version == nullptr || subversion == nullptr)
        return original<report_mpi_5_0<Run>>(version, subversion); // the library reports the error
    *version = 5;
    *subversion = 0;
    return 0;
}

} // namespace anympi::emulate
