"""MPICH's own test suite through a standard-ABI library, compared with the MPI library below it. See docs/evidence/conformance.md."""
