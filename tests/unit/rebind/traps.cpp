// Functions under every name of MPI, as a front has them. The program exports them, so they come first for every object
// that is loaded later: an object that calls one of them is not bound to its own library.

#include "traps.hpp"

#define TRAP(name)                                                                                                     \
    extern "C" [[gnu::visibility("default")]] int MPI_##name() {                                                       \
        return trapped("MPI_" #name);                                                                                  \
    }                                                                                                                  \
    extern "C" [[gnu::visibility("default")]] int PMPI_##name() {                                                      \
        return trapped("PMPI_" #name);                                                                                 \
    }
#include "traps.inc" // generated from api/functions.api
