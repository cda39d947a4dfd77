#pragma once

namespace anympi {

/// Returns true for a library that was built for Open MPI 1.10: it needs libmpi.so.12, which is also the soname of
/// MPICH's library, and either Open MPI's data objects or another library of Open MPI.
bool is_of_openmpi_1_10(const char* file);

} // namespace anympi
