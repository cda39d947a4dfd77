"""What is written for programs with the C++ bindings of the vendors."""
