// Has the name of a library that is expected in the global scope.

int hwloc_dummy(void) {
    return 1;
}
