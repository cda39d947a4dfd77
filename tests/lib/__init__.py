"""Parts of the test driver tests/run.py."""
