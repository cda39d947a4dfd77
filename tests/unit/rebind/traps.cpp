// Functions under every name of MPI, as a front has them. Exported by the program, they come first in the search order of
// everything that is loaded later; whoever calls one of them was not bound to its own library.

#include <unistd.h>

#include <atomic>
#include <cstdio>

extern "C" std::atomic<int> trap_hits;
std::atomic<int> trap_hits;

namespace {

int hit(const char* name) {
    if (trap_hits++ == 0)
        std::fprintf(stderr, "trap: %s\n", name);
    return 1;
}

} // namespace

#define TRAP(name)                                                                                                     \
    extern "C" [[gnu::visibility("default")]] int MPI_##name() { return hit("MPI_" #name); }                           \
    extern "C" [[gnu::visibility("default")]] int PMPI_##name() { return hit("PMPI_" #name); }
#include "traps.inc" // made from api/functions.api
