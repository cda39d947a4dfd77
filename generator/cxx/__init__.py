"""The files that are written for programs with the vendors' C++ bindings."""
