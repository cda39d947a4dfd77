// Functions under every name of MPI, as a front has them. Exported by the program they come first for everything that
// is loaded later: whoever calls one of them is not bound to its own library.

#include "traps.hpp"

#define TRAP(name)                                                                                                     \
    extern "C" [[gnu::visibility("default")]] int MPI_##name() {                                                       \
        return trapped("MPI_" #name);                                                                                  \
    }                                                                                                                  \
    extern "C" [[gnu::visibility("default")]] int PMPI_##name() {                                                      \
        return trapped("PMPI_" #name);                                                                                 \
    }
#include "traps.inc" // made from api/functions.api
