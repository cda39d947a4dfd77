#pragma once

namespace anympi {

/// Returns true for a library that was built for Open MPI 1.10: it needs libmpi.so.12, which is also the name of
/// MPICH's library, and Open MPI's objects or another library of Open MPI.
bool is_of_openmpi_1_10(const char* file);

} // namespace anympi
