"""Programs built for each version of each MPI, on every other one: scripts/versions."""
