"""Runs MPICH's own test suite through anympi and without anympi, and compares the results. See docs/evidence/conformance.md."""
