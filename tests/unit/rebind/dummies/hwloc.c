// Has the name of a library that must be in the global scope.

int hwloc_dummy(void) {
    return 1;
}
