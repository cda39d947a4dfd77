"""Programs that were built for each version of each MPI, on every other version: scripts/versions."""
