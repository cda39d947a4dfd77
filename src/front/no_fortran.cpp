#include <cstdio>
#include <cstdlib>

/// Where every Fortran name of a vendor leads, until anympi serves Fortran programs of the vendors.
extern "C" [[noreturn]] void anympi_no_fortran() {
    std::fputs(
        "anympi: this program calls MPI from Fortran, and was built for another MPI than the one chosen here.\n"
        "anympi: C and C++ programs can be run so, Fortran programs not yet. Start it on the MPI that it was built "
        "for,\n"
        "anympi: or build it again for this one.\n",
        stderr);
    std::abort();
}
