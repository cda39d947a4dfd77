"""Compares src/abi/ and mpi.h with the real headers."""
